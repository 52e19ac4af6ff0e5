"""A review follows the journal with the knowledge of one seat."""

from collections.abc import Iterator
from dataclasses import replace
from random import Random

import pytest

from bot.tables.reviews import decisions_of
from engine import PRESETS, IllegalMoveError, Memory, Opening, Resign, State
from engine.runtime import Author, Entry
from tests.engine.rules.games import random_game

OPENING = Opening(PRESETS["perevodnoy"], 3, "5eed", shuffle=1)
SEAT = 1


def written(author: Author = Author.PLAYER, opening: Opening = OPENING) -> Iterator[Entry]:
    """Yields the journal of a random game with this author for every move."""
    yield Entry(1, 1, 1, None, opening.to_text(), None, 0.0)
    for version, (_, seat, move) in enumerate(random_game(opening, Random(3)), start=2):
        yield Entry(1, version, 1, seat, str(move), author, 0.0)


def states() -> list[tuple[State, str]]:
    """Returns each position with a choice for the seat, and its move there."""
    game = random_game(OPENING, Random(3))
    return [
        (state, str(move)) for state, seat, move in game if seat == SEAT and len(state.legal_moves(seat)) > 1
    ]


def test_every_choice_is_found_with_what_the_seat_saw() -> None:
    found = decisions_of(list(written()), SEAT)
    assert [str(decision.played) for decision in found] == [played for _, played in states()]
    for decision, (state, _) in zip(found, states(), strict=True):
        assert decision.view == state.view_for(SEAT)
        assert decision.moves == state.legal_moves(SEAT)
        assert decision.bout == state.bouts + 1
        assert decision.memory.gone == state.discard


def test_a_seat_remembers_what_it_saw_of_others_and_no_more() -> None:
    for decision, (state, _) in zip(decisions_of(list(written()), SEAT), states(), strict=True):
        assert isinstance(decision.memory, Memory)
        for seat, held in enumerate(decision.memory.held):
            assert all(card in state.hands[seat] for card in held)

    first = decisions_of(list(written()), SEAT)[0]
    assert not any(first.memory.held_by(seat) for seat in (0, 2))


def test_a_choice_knows_the_cards_on_the_table_that_were_against_the_rules() -> None:
    opening = replace(OPENING, rules=replace(OPENING.rules, cheating=True))
    fair = [
        state.wrong_cards
        for state, seat, move in random_game(opening, Random(3))
        if seat == SEAT and move in state.fair_moves(seat) and len(state.fair_moves(seat)) > 1
    ]
    found = decisions_of(list(written(opening=opening)), SEAT)
    assert any(fair)
    assert [decision.wrong_cards for decision in found] == fair


@pytest.mark.parametrize("author", [Author.HOUSE, Author.AUTO, Author.CLOCK])
def test_what_others_did_for_somebody_is_not_theirs(author: Author) -> None:
    assert decisions_of(list(written(author)), SEAT) == []


def test_giving_up_is_no_move() -> None:
    entries = list(written())[:12]
    before = decisions_of(entries, SEAT)
    given_up = Entry(1, 13, 1, SEAT, str(Resign()), Author.PLAYER, 0.0)
    assert decisions_of([*entries, given_up], SEAT) == before


def test_a_journal_that_contradicts_itself_is_refused() -> None:
    opening, first, *rest = written()
    with pytest.raises(IllegalMoveError):
        decisions_of([opening, *rest], SEAT)
    with pytest.raises(ValueError, match="seat"):
        decisions_of([opening, opening, first], SEAT)
