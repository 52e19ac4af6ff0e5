"""Ratings follow the whole order of going out, among people only."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.model.rating import Rating, new_ratings
from tests.examples import examples

SHOWN = 0.05  # a smaller change of a rating is shown as none


class Ending(NamedTuple):
    """How a game ended for a player; a house player is called `h`."""

    name: str
    place: int | None
    is_loser: bool


def game(order: str, losers: str = "") -> list[Ending]:
    """Builds a game such as `game("AB", "C")`: A went out first, then B, and C is the fool."""
    out = [Ending(name, place, is_loser=False) for place, name in enumerate(order, start=1)]
    return out + [Ending(name, None, is_loser=True) for name in losers]


def places(endings: Iterable[Ending]) -> list[int | None]:
    """Returns each player's place in the order of going out, except the loser's."""
    return [None if ending.is_loser else ending.place for ending in endings]


def points(games: Iterable[Sequence[Ending]]) -> list[float]:
    """Returns everyone's ratings by name, after these games in order."""
    known: dict[str, Rating] = {}
    for seats in games:
        people = [seat for seat in seats if seat.name != "h"]
        before = [known.get(seat.name, Rating()) for seat in people]
        is_draw = not any(seat.is_loser for seat in seats)
        after = new_ratings(before, places(people), seats=len(seats), is_draw=is_draw)
        known.update(zip((seat.name for seat in people), after, strict=True))

    return [rating.points for _, rating in sorted(known.items())]


def test_who_goes_out_earlier_is_rated_higher_all_the_way_down() -> None:
    anna, boris, clara = points([game("AB", "C")] * 5)
    assert anna > boris > clara


def test_a_newcomer_begins_with_nothing_and_rises_by_winning() -> None:
    anna, boris = points([game("A", "B")] * 10)
    assert anna > 5
    assert boris < anna


@given(
    st.lists(
        st.builds(
            Rating,
            strength=st.floats(0, 50),
            doubt=st.floats(0.5, Rating().doubt),
        ),
        min_size=2,
        max_size=8,
    )
)
@examples(200)
def test_the_fool_never_rises_and_who_went_out_first_does_not_fall(before: list[Rating]) -> None:
    names = "ABCDEFGH"[: len(before)]
    first, *_, fool = new_ratings(
        before, places(game(names[:-1], names[-1])), seats=len(before), is_draw=False
    )
    assert fool.points <= before[-1].points
    assert first.points > before[0].points - SHOWN


def test_a_draw_of_two_is_no_reason_to_rate_one_higher() -> None:
    anna, boris = points([game("AB")] * 5)
    assert anna == pytest.approx(boris)


def test_in_a_draw_who_was_out_before_the_last_two_stands_higher() -> None:
    anna, boris, clara = points([game("ABC")] * 5)
    assert anna > boris
    assert boris == pytest.approx(clara)


def test_those_who_lose_together_are_rated_alike_even_if_one_had_gone_out() -> None:
    seats = [Ending("A", 1, is_loser=False), Ending("B", 2, is_loser=True), Ending("C", None, is_loser=True)]
    anna, boris, clara = points([seats])
    assert anna > boris
    assert boris == pytest.approx(clara)


def test_house_players_neither_have_nor_give_a_rating() -> None:
    assert points([game("AhB", "hC")]) == pytest.approx(points([game("AB", "C")]))
    assert points([game("A", "h")]) == [0.0]
