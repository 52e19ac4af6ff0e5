"""The pictures to share: the end of a game, and the chart of fools."""

from dataclasses import replace

import pytest

from bot.pictures.result import chart_picture, final_picture
from bot.pictures.subjects import DARK, LIGHT, Award, Bar, Chart, Look, Style
from engine import Outcome, Rank, full_deck
from tests.bot.pictures.positions import DARK_LOOK, EPAULETTES, LATIN, NAMES, opened

STYLES = pytest.mark.parametrize("style", [DARK, LIGHT], ids=["dark", "light"])
CROWD = tuple("W" * 64 for _ in range(16))
DRAW = Outcome(None, (), is_draw=True, order=(1,), points=(0,) * 3)
TEAM = Outcome(None, tuple(range(8)), is_draw=False, order=tuple(range(8, 16)), points=(-99,) * 8 + (99,) * 8)


@STYLES
@pytest.mark.parametrize("outcome", [DRAW, TEAM, EPAULETTES], ids=["draw", "team", "epaulettes"])
def test_every_end_is_a_small_picture(outcome: Outcome, style: Style) -> None:
    names = CROWD[: len(outcome.points)]
    png = final_picture(outcome, names, Look(style, LATIN))
    assert opened(png).width == 900
    assert len(png) <= 40_000


@pytest.mark.parametrize(
    "other",
    [
        replace(EPAULETTES, order=(0, 3, 1, 5, 4)),
        replace(EPAULETTES, losers=(4,), fool=4, order=(3, 0, 1, 5, 2)),
        replace(EPAULETTES, points=(1, 0, -2, 3, 0, 0)),
        replace(EPAULETTES, epaulettes=0),
        replace(EPAULETTES, epaulette_rank=Rank.SEVEN),
    ],
    ids=["order", "fool", "points", "epaulettes", "rank of the epaulettes"],
)
def test_the_end_shows_each_of_its_facts(other: Outcome) -> None:
    assert final_picture(other, NAMES[:6], DARK_LOOK) != final_picture(EPAULETTES, NAMES[:6], DARK_LOOK)


@pytest.mark.parametrize("count", [1, 6, 13, 35])
def test_the_cards_that_the_fool_has_left_lie_below(count: int) -> None:
    left = full_deck(36)[:count]
    png = final_picture(EPAULETTES, NAMES[:6], DARK_LOOK, left)
    others = final_picture(EPAULETTES, NAMES[:6], DARK_LOOK, [*left[:-1], full_deck(36)[35]])
    assert opened(png).height > opened(final_picture(EPAULETTES, NAMES[:6], DARK_LOOK)).height
    assert png != others
    assert len(png) <= 60_000


def test_all_losers_of_a_large_team_stand_in_the_picture() -> None:
    first = ("a",) * 16
    for loser in (0, 7):
        names = tuple("b" if seat == loser else name for seat, name in enumerate(first))
        assert final_picture(TEAM, names, DARK_LOOK) != final_picture(TEAM, first, DARK_LOOK)


def test_nameless_players_are_numbered() -> None:
    nameless = ("🐊", "", "x")
    numbered = ("#1", "#2", "x")
    assert final_picture(DRAW, nameless, DARK_LOOK) == final_picture(DRAW, numbered, DARK_LOOK)


@STYLES
@pytest.mark.parametrize("award", Award)
@pytest.mark.parametrize("count", [0, 1, 15, 40])
def test_a_chart_of_any_length_is_a_small_picture(count: int, award: Award, style: Style) -> None:
    bars = tuple(Bar("W" * 64, 20 - place, f"{40 - place} / 99") for place in range(count))
    png = chart_picture(Chart(bars, award, title="W" * 99, note="W" * 99), style)
    assert opened(png).width == 900
    assert len(png) <= 40_000


def test_a_chart_of_nothing_but_zeros_is_drawn() -> None:
    assert chart_picture(Chart((Bar("Anna", 0, "0"), Bar("", 0.0, ""))), DARK)


@pytest.mark.parametrize("award", Award)
def test_bars_that_show_the_same_share_a_place(award: Award) -> None:
    tied = Chart((Bar("a", 3, "3 / 6"), Bar("a", 3, "3 / 6"), Bar("a", 1, "1 / 6")), award)
    picture = opened(chart_picture(tied, DARK))
    first, second, third = (picture.crop((0, 24 + 56 * row, 70, 80 + 56 * row)) for row in range(3))
    assert first.tobytes() == second.tobytes()
    assert second.tobytes() != third.tobytes()


PLAIN = Chart((Bar("a", 4, "x"), Bar("b", 2, "x")))


@pytest.mark.parametrize(
    "other",
    [
        replace(PLAIN, bars=(PLAIN.bars[0], Bar("b", 1, "x"))),
        replace(PLAIN, bars=(PLAIN.bars[0], Bar("b", -2, "x"))),
        replace(PLAIN, bars=(PLAIN.bars[0], Bar("c", 2, "x"))),
        replace(PLAIN, bars=(PLAIN.bars[0], Bar("b", 2, "y"))),
        replace(PLAIN, award=Award.MEDALS),
        replace(PLAIN, title="x"),
        replace(PLAIN, note="x"),
    ],
    ids=["length", "direction", "name", "label", "award", "title", "note"],
)
def test_a_chart_shows_each_of_its_facts(other: Chart) -> None:
    assert chart_picture(other, DARK) != chart_picture(PLAIN, DARK)


def test_bars_below_zero_go_to_the_left_and_all_begin_at_one_line() -> None:
    picture = opened(chart_picture(Chart((Bar("", 1, ""), Bar("", -1, "")), Award.MEDALS), DARK))
    gold, red = (tuple(bytes.fromhex(colour[1:])) for colour in (DARK.gold, DARK.take))
    first, second = (
        [x for x in range(330, 900) if near(picture.getpixel((x, y)), colour)]
        for y, colour in ((52, gold), (108, red))
    )
    assert len(first) == pytest.approx(len(second), abs=6)
    assert max(second) == pytest.approx(min(first), abs=6)


def near(found: object, wanted: tuple[int, ...]) -> bool:
    assert isinstance(found, tuple)
    return all(abs(one - other) < 12 for one, other in zip(found, wanted, strict=True))
