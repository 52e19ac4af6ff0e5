"""A position finds out by itself what is wrong with it: every invariant, broken once."""

from typing import Any

import pytest

from engine import Card, CardSet, Move, Pair, Problem, Rules, State
from tests.engine.rules.changing import changed

HANDS = ["6S 7S 8S", "6D 7D 8D", "6C 7C 8C"]
SOUND = State.setup(Rules(), hands=HANDS, talon="9S 9H", trump="H", attacker=0)
ATTACKED = SOUND.apply(0, Move.parse("A 6S")).state
ENDGAME = State.setup(Rules(), hands=["6S", "7S 8S", ""], talon="", trump="H", attacker=0)


def hands(*texts: str) -> dict[str, Any]:
    """The hands of a position."""
    return {"hands": tuple(map(CardSet.parse, texts))}


def bout(*pairs: str) -> dict[str, Any]:
    """A bout of pairs such as `6S/7S`, laid by seat 0."""
    cards = [pair.partition("/")[::2] for pair in pairs]
    return {
        "bout": tuple(Pair(Card.parse(laid), Card.parse(beat) if beat else None, 0) for laid, beat in cards)
    }


@pytest.mark.parametrize(
    ("state", "facts", "problem"),
    [
        (SOUND, hands("6S 7S 8S", "6D 7D 8D 6S", "6C 7C 8C"), Problem.CARD_TWICE),
        (SOUND, hands("6S 7S", "6D 7D 8D", "6C 7C 8C"), Problem.CARD_MISSING),
        (SOUND, hands("6S 7S 8S 2H", "6D 7D 8D", "6C 7C 8C"), Problem.FOREIGN_CARD),
        (SOUND, {"defender": 0}, Problem.BAD_ROLES),
        (ENDGAME, {"defender": 2}, Problem.BAD_ROLES),
        (ENDGAME, {"attacker": 2}, Problem.BAD_ROLES),
        (SOUND, {"out": (2,)}, Problem.OUT_WITH_CARDS),
        (ENDGAME, {"out": ()}, Problem.IN_WITHOUT_CARDS),
        (ATTACKED, bout("6S/6D"), Problem.DOES_NOT_BEAT),
        (ATTACKED, bout("6S", "7S"), Problem.STRANGE_RANK),
        (ATTACKED, {"rules": Rules(attack_limit=1), **bout("6S", "6D")}, Problem.TOO_MANY_ATTACKS),
        (ATTACKED, bout("6S", "6D", "6C", "6H"), Problem.TOO_MANY_ATTACKS),
        (SOUND, {"talon": tuple(reversed(SOUND.talon))}, Problem.TURN_UP_MISPLACED),
        (SOUND, {"seen_cards": ((0, Card.parse("9H")),)}, Problem.SEEN_CARD_NOT_HELD),
        (ATTACKED, {"taking": True, "declined": frozenset({0, 2})}, Problem.BOUT_NOT_SETTLED),
        (ATTACKED, {"taking": True, "declined": frozenset({0, 2})}, Problem.NOBODY_AWAITED),
    ],
    ids=lambda value: getattr(value, "name", ""),
)
def test_a_broken_position_says_what_is_broken(state: State, facts: dict[str, Any], problem: Problem) -> None:
    assert state.problems() == Problem.NONE
    broken = changed(state, **facts)
    assert problem in broken.problems()


def test_a_wrong_card_more_is_not_a_card_missing() -> None:
    broken = changed(SOUND, **hands("6S 7S 8S 2H", "6D 7D 8D", "6C 7C 8C"))
    assert broken.problems() == Problem.FOREIGN_CARD | Problem.CARD_TWICE


def test_after_an_unlimited_transfer_more_may_lie_than_can_be_beaten() -> None:
    rules = Rules(transfer=True, transfer_limit_by_hand=False)
    state = State.setup(rules, hands=["6S 9D", "6D 9C", "7C"], talon="", trump="H", attacker=0)
    for seat, text in ((0, "A 6S"), (1, "X 6D")):
        state = state.apply(seat, Move.parse(text)).state
    assert len(state.unbeaten) > len(state.hands[state.defender])
    assert not state.problems()
