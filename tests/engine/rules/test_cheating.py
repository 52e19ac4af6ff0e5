"""Cheating (chapter 16): which moves are fair, what a position remembers, and which settings exclude it."""

import pytest

from engine import Accuse, Card, Defend, Move, Rules, State, is_honest
from engine.rules.settings import ClashReason

HANDS = ("6S KD QC", "9D 7C JC", "8S TC AD")


def position(rules: Rules) -> State:
    return State.setup(rules, hands=HANDS, talon="TH 7H 8H", trump="H", attacker=0)


def played(state: State, *moves: tuple[int, str]) -> State:
    for seat, text in moves:
        state = state.apply(seat, Move.parse(text)).state
    return state


def test_fair_and_sly_moves_are_all_legal_ones() -> None:
    """Rules 16.1, 16.4."""
    state = played(position(Rules(cheating=True)), (0, "A 6S"), (1, "D 6S 7C"))
    for seat in range(3):
        fair = state.fair_moves(seat)
        sly = state.sly_moves(seat)
        assert {*fair, *sly} == set(state.legal_moves(seat))
        assert not {*fair} & {*sly}
        assert all(is_honest(state, move) for move in fair)

    assert Accuse(Card.parse("7C")) in state.sly_moves(0)


def test_without_cheating_all_legal_moves_are_fair() -> None:
    """Rule 16.1."""
    state = played(position(Rules()), (0, "A 6S"))
    assert state.fair_moves(1) == state.legal_moves(1)
    assert state.sly_moves(1) == ()


def test_a_wrong_transfer_that_was_beaten_is_undone_with_its_defence() -> None:
    """Rule 16.6."""
    rules = Rules(cheating=True, transfer=True)
    state = played(position(rules), (0, "A 6S"), (1, "X 9D"), (2, "D 6S 8S"))
    assert State.from_text(state.to_text()) == state

    caught = played(state, (0, "C 9D"))
    assert (caught.attacker, caught.defender) == (0, 1)
    assert [pair.beat for pair in caught.bout] == [None]
    assert Card.parse("8S") in caught.hands[2]
    assert Card.parse("9D") in caught.hands[1]


def test_a_position_remembers_the_cheats_that_nobody_caught() -> None:
    """Rule 16.11."""
    state = played(position(Rules(cheating=True)), (0, "A 6S"), (1, "D 6S 7C"))
    while state.bout:
        seat = min(state.awaited)
        state = state.apply(seat, Move.parse("P")).state

    (cheat,) = state.unseen
    assert (cheat.seat, cheat.move) == (1, Defend(Card.parse("7C"), Card.parse("6S")))
    assert State.from_text(state.to_text()) == state


@pytest.mark.parametrize(
    ("excluded", "reason"),
    [
        ("throw_in_order=strict", ClashReason.CHEATING_AND_STRICT_ORDER),
        ("throw_in=none", ClashReason.CHEATING_NEEDS_THROWING_IN),
    ],
)
def test_settings_that_exclude_cheating(excluded: str, reason: ClashReason) -> None:
    """Rule 13.2."""
    clashes = Rules.from_text(f"cheating=on {excluded}").clashes(3)
    assert [clash.reason for clash in clashes] == [reason]
