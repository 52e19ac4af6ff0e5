"""Ratings follow the whole order of going out, among people only."""

from collections.abc import Iterable

import pytest

from adapters.port import UserRef
from bot.model.standings import FinishedGame, Rating, SeatResult, rated
from tests.bot.storage.samples import ANNA, BORIS, CLARA
from tests.bot.storage.test_careers import game


def ratings_of(games: Iterable[FinishedGame]) -> dict[UserRef, Rating]:
    """Rates everybody by games in the order in which they were finished."""
    known: dict[UserRef, Rating] = {}
    for each in games:
        users, seats = zip(*each.people, strict=True)
        before = [known.get(user, Rating()) for user in users]
        after = rated(before, seats, seats=len(each.seats), is_draw=each.is_draw)
        known.update(zip(users, after, strict=True))
    return known


def points(games: Iterable[FinishedGame]) -> list[float]:
    """The ratings of Anna, Boris and Clara."""
    ratings = ratings_of(games)
    return [ratings[user.ref].points for user in (ANNA, BORIS, CLARA) if user.ref in ratings]


def test_who_goes_out_earlier_is_rated_higher_all_the_way_down() -> None:
    anna, boris, clara = points([game("AB", "C")] * 5)
    assert anna > boris > clara


def test_a_newcomer_begins_with_nothing_and_rises_by_winning() -> None:
    anna, boris = points([game("A", "B")] * 10)
    assert anna > 5
    assert boris < anna


def test_a_draw_of_two_is_no_reason_to_rate_one_higher() -> None:
    anna, boris = points([game("AB")] * 5)
    assert anna == pytest.approx(boris)


def test_in_a_draw_who_was_out_before_the_last_two_stands_higher() -> None:
    anna, boris, clara = points([game("ABC")] * 5)
    assert anna > boris
    assert boris == pytest.approx(clara)


def test_those_who_lose_together_are_rated_alike_even_if_one_had_gone_out() -> None:
    seats = (
        SeatResult(ANNA.ref, "Anna", 1, is_loser=False),
        SeatResult(BORIS.ref, "Boris", 2, is_loser=True),
        SeatResult(CLARA.ref, "Clara", None, is_loser=True),
    )
    anna, boris, clara = points([FinishedGame(0.0, False, seats)])
    assert anna > boris
    assert boris == pytest.approx(clara)


def test_house_players_neither_have_nor_give_a_rating() -> None:
    assert points([game("AhB", "hC")]) == pytest.approx(points([game("AB", "C")]))
    assert points([game("A", "h")]) == [0.0]
