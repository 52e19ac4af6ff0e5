"""Calls to players who keep others waiting depend only on the time."""

from dataclasses import replace
from datetime import datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.model.calendar import LocalTime
from bot.model.waiting import DAY, GRACE, MAX_DAYS, Waiting

VILNIUS = ZoneInfo("Europe/Vilnius")


def at(text: str, zone: ZoneInfo = VILNIUS) -> float:
    return datetime.fromisoformat(text).replace(tzinfo=zone).timestamp()


def waiting(since: float, *, clock: int, waited: float = 0.0, zone: ZoneInfo = VILNIUS) -> Waiting:
    return Waiting(frozenset({0}), since, since + waited, clock, 0.0, LocalTime(zone, (22, 8)), since)


@pytest.mark.parametrize(("clock", "second"), [(60, 40), (120, 60), (300, 150), (900, 450)])
def test_where_there_is_a_clock_the_second_call_leaves_time_to_come(clock: int, second: int) -> None:
    since = at("2026-11-20 03:00")
    expected = waiting(since, clock=clock)
    assert expected.calls == (since + 20, since + second)
    assert expected.moves_at - expected.calls[-1] >= 20


@given(st.floats(0, 4e9), st.sampled_from(["Europe/Vilnius", "America/New_York", "Asia/Kolkata", "UTC"]))
def test_without_a_clock_nobody_is_called_at_night_nor_more_than_once_a_day(since: float, zone: str) -> None:
    calls = waiting(since, clock=0, zone=ZoneInfo(zone)).calls
    assert len(calls) == MAX_DAYS + 1
    assert list(calls) == sorted(set(calls))
    for call in calls:
        assert datetime.fromtimestamp(call, ZoneInfo(zone)).hour in range(8, 22)

    for day, call in enumerate(calls[1:], start=1):
        assert 0 <= call - (since + day * DAY) <= DAY / 2


@pytest.mark.parametrize(
    ("since", "first"),
    [
        ("2026-11-20 09:00", "2026-11-20 13:00"),
        ("2026-11-20 18:00", "2026-11-21 08:00"),
        ("2026-11-20 23:00", "2026-11-21 08:00"),
        ("2026-03-28 23:30", "2026-03-29 08:00"),  # clocks change in that night
    ],
)
def test_a_call_at_night_is_put_off_to_the_morning(since: str, first: str) -> None:
    assert waiting(at(since), clock=0).calls[0] == at(first)


@pytest.mark.parametrize("clock", [0, 120])
def test_what_came_due_in_a_long_outage_waits_for_the_morning(clock: int) -> None:
    local = LocalTime(VILNIUS, (22, 8))
    since = at("2026-11-20 12:00")
    back = at("2026-11-21 01:30")
    morning = at("2026-11-21 08:00")
    late = Waiting(frozenset({0}), since, back, clock, back, local, since)
    assert late.is_hushed
    assert morning in late.turns
    assert not replace(late, now=morning).is_hushed
    if clock:
        assert late.moves_at == morning + GRACE


def test_after_a_short_outage_those_who_play_at_night_play_on() -> None:
    since = at("2026-11-21 01:25")
    back = at("2026-11-21 01:30")
    late = Waiting(frozenset({0}), since, back, 120, back, LocalTime(VILNIUS, (22, 8)), since)
    assert not late.is_hushed
    assert late.moves_at == back + GRACE


def test_the_newest_call_is_the_one_that_counts() -> None:
    since = at("2026-11-20 12:00")
    made = [waiting(since, clock=120, waited=waited).call for waited in (0, 19, 20, 59, 60, 500)]
    assert made == [None, None, 0, 0, 1, 1]


def test_who_has_just_come_back_with_the_bot_has_some_time() -> None:
    late = Waiting(frozenset({0}), 1000.0, 5000.0, 120, 4990.0, LocalTime(VILNIUS, None), 1000.0)
    assert (late.is_postponed, late.moves_at) == (True, 5010.0)
    early = Waiting(frozenset({0}), 1000.0, 1050.0, 120, 1040.0, LocalTime(VILNIUS, (22, 8)), 1000.0)
    assert (early.is_postponed, early.moves_at) == (False, 1120.0)


@pytest.mark.parametrize(
    ("clock", "waited", "told"),
    [(120, 59, 20), (120, 110, 60), (0, 60, 60), (0, 3 * 3600, 60), (0, 15_000, 14_400)],
)
def test_what_is_said_of_a_wait_changes_only_when_somebody_looks_anyway(
    clock: int, waited: float, told: float
) -> None:
    assert waiting(at("2026-11-20 12:00"), clock=clock, waited=waited).at_least == told
