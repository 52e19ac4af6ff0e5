"""The pictures to share: the end of a game, and who is durak most often."""

from dataclasses import replace

import pytest

from bot.pictures.chart import Bar, chart_picture
from bot.pictures.final import final_picture
from bot.pictures.palette import DARK, LIGHT, Style
from engine import Outcome, Rank
from tests.bot.pictures.positions import EPAULETTES, NAMES, opened

STYLES = pytest.mark.parametrize("style", [DARK, LIGHT], ids=["dark", "light"])
CROWD = tuple("W" * 64 for _ in range(16))
DRAW = Outcome(None, (), is_draw=True, order=(1,), points=(0,) * 3)
TEAM = Outcome(None, tuple(range(8)), is_draw=False, order=tuple(range(8, 16)), points=(-99,) * 8 + (99,) * 8)


@STYLES
@pytest.mark.parametrize("title", ["", "W" * 99])
@pytest.mark.parametrize("outcome", [DRAW, TEAM, EPAULETTES], ids=["draw", "team", "epaulettes"])
def test_every_end_is_a_small_picture(outcome: Outcome, title: str, style: Style) -> None:
    names = CROWD[: len(outcome.points)]
    png = final_picture(outcome, names, title=title, style=style)
    assert opened(png).width == 900
    assert len(png) <= 40_000


@pytest.mark.parametrize(
    "other",
    [
        replace(EPAULETTES, order=(0, 3, 1, 5, 4)),
        replace(EPAULETTES, losers=(4,), fool=4, order=(3, 0, 1, 5, 2)),
        replace(EPAULETTES, points=(0,) * 6),
        replace(EPAULETTES, epaulettes=0),
        replace(EPAULETTES, epaulette_rank=Rank.SEVEN),
    ],
    ids=["order", "fool", "points", "epaulettes", "rank of the epaulettes"],
)
def test_the_end_shows_each_of_its_facts(other: Outcome) -> None:
    assert final_picture(other, NAMES[:6]) != final_picture(EPAULETTES, NAMES[:6])


def test_all_losers_of_a_large_team_stand_in_the_picture() -> None:
    first = ("a",) * 16
    for loser in (0, 7):
        names = tuple("b" if seat == loser else name for seat, name in enumerate(first))
        assert final_picture(TEAM, names) != final_picture(TEAM, first)


def test_nameless_players_are_numbered() -> None:
    assert final_picture(DRAW, ("🐊", "", "x")) == final_picture(DRAW, ("#1", "#2", "x"))


@STYLES
@pytest.mark.parametrize("count", [0, 1, 15, 40])
def test_a_chart_of_any_length_is_a_small_picture(count: int, style: Style) -> None:
    bars = [Bar("W" * 64, 40 - place, f"{40 - place} / 99") for place in range(count)]
    png = chart_picture(bars, title="W" * 99, style=style)
    assert opened(png).width == 900
    assert len(png) <= 40_000


def test_a_chart_of_nothing_but_zeros_is_drawn() -> None:
    assert chart_picture([Bar("Anna", 0, "0"), Bar("", 0.0, "")])


def test_bars_are_as_long_as_their_values() -> None:
    assert chart_picture([Bar("a", 4, "x"), Bar("b", 2, "x")]) != chart_picture(
        [Bar("a", 4, "x"), Bar("b", 1, "x")]
    )
