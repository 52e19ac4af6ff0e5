"""Times on a server's clocks: functions of the time, the zone and the quiet hours."""

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.model.calendar import LocalTime

ZONES = ["Europe/Vilnius", "America/New_York", "Asia/Kolkata", "Pacific/Auckland", "UTC"]
VILNIUS = LocalTime(ZoneInfo("Europe/Vilnius"), (22, 8))


def at(text: str) -> float:
    return datetime.fromisoformat(text).replace(tzinfo=VILNIUS.zone).timestamp()


@given(
    st.floats(0, 4e9),
    st.sampled_from(ZONES),
    st.tuples(st.integers(0, 23), st.integers(0, 23)).filter(lambda hours: hours[0] != hours[1]),
)
def test_what_waits_for_the_day_never_comes_in_quiet_hours(
    now: float, zone: str, quiet: tuple[int, int]
) -> None:
    local = LocalTime(ZoneInfo(zone), quiet)
    by_day = local.by_day(now)
    assert not local.is_quiet(by_day)
    assert (by_day == now) is not local.is_quiet(now)
    assert 0 <= by_day - now < 25 * 60 * 60


@given(st.floats(0, 4e9), st.sampled_from(ZONES), st.integers(0, 6), st.integers(0, 23))
def test_a_weekly_time_comes_within_a_week_and_never_twice(
    now: float, zone: str, weekday: int, hour: int
) -> None:
    local = LocalTime(ZoneInfo(zone), None)
    following = local.weekly(now, weekday, hour)
    assert 0 < following - now <= 7 * 24 * 60 * 60 + 2 * 60 * 60
    assert local.at(following).weekday() == weekday
    assert local.weekly(following, weekday, hour) - following > 6 * 24 * 60 * 60


@given(st.floats(0, 4e9), st.sampled_from(ZONES), st.integers(0, 6), st.integers(0, 23))
def test_the_weekly_time_before_is_the_one_after_which_the_next_comes(
    now: float, zone: str, weekday: int, hour: int
) -> None:
    local = LocalTime(ZoneInfo(zone), None)
    before = local.weekly_before(now, weekday, hour)
    assert before <= now
    assert local.at(before).weekday() == weekday
    assert local.weekly_before(local.weekly(now, weekday, hour) - 1, weekday, hour) == before


@given(st.floats(0, 4e9), st.sampled_from(ZONES))
def test_a_season_has_three_months_and_each_time_belongs_to_one(now: float, zone: str) -> None:
    local = LocalTime(ZoneInfo(zone), None)
    begins = local.season_of(now)
    ends = local.season_after(now)
    assert begins <= now < ends
    assert (local.at(begins).month, local.at(begins).day) in [(1, 1), (4, 1), (7, 1), (10, 1)]
    assert local.season_of(ends) == ends
    assert local.season_of(ends - 1) == begins


@pytest.mark.parametrize(
    ("now", "expected"),
    [
        ("2026-11-22 19:59", "2026-11-22 20:00"),
        ("2026-11-22 20:00", "2026-11-29 20:00"),
        ("2026-03-28 12:00", "2026-03-29 20:00"),  # clocks change in that night
    ],
)
def test_sunday_evening_is_sunday_evening_on_the_servers_clocks(now: str, expected: str) -> None:
    assert VILNIUS.weekly(at(now), 6, 20) == at(expected)


def test_where_nothing_is_quiet_nothing_waits() -> None:
    assert LocalTime(VILNIUS.zone, None).by_day(at("2026-11-22 03:00")) == at("2026-11-22 03:00")
