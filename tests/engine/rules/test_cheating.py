"""Cheating (chapter 16): which moves are fair, what a position remembers, and which settings exclude it."""

import pytest

from engine import Accuse, Card, CardSet, Defend, Move, Rules, State, is_honest
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


def without_talon(*hands: str, rules: Rules) -> State:
    return State.setup(rules, hands=hands, talon="", trump="H", attacker=0)


def test_a_player_whose_last_card_was_wrong_is_back_in_the_game_once_caught() -> None:
    """Rules 16.4, 16.5."""
    state = without_talon("6S KD", "7C", "8S", rules=Rules(cheating=True))
    state = played(state, (0, "A 6S"), (1, "D 6S 7C"))
    assert not state.hands[1]
    assert state.outcome() is None  # the others may still look

    caught = played(state, (2, "C 7C"))
    assert caught.hands[1] == CardSet.parse("7C")
    assert caught.unbeaten == (Card.parse("6S"),)
    assert caught.awaited == {1}
    assert not caught.emptied

    ended = played(caught, (1, "T"))
    assert 1 not in ended.out
    assert ended.unseen == ()


def test_a_player_who_goes_out_with_a_wrong_card_that_nobody_saw_is_out() -> None:
    """Rules 16.3, 16.11."""
    state = without_talon("6S KD", "7C", rules=Rules(cheating=True))
    state = played(state, (0, "A 6S"), (1, "D 6S 7C"), (0, "P"))

    outcome = state.outcome()
    assert outcome is not None
    assert outcome.fool == 0
    assert outcome.order == (1,)
    assert [(cheat.seat, str(cheat.move)) for cheat in outcome.unseen] == [(1, "D 6S 7C")]


def test_the_last_card_thrown_in_after_a_take_can_be_pointed_at_although_its_owner_has_none_left() -> None:
    """Rule 16.10."""
    state = without_talon("6S 8D", "9D TD", rules=Rules(cheating=True))
    state = played(state, (0, "A 6S"), (1, "T"), (0, "A 8D"))
    assert state.outcome() is None

    caught = played(state, (1, "C 8D"))
    assert caught.hands[0] == CardSet.parse("8D")
    unseen = played(state, (1, "P")).outcome()
    assert unseen is not None
    assert unseen.fool == 1
    assert [str(cheat.move) for cheat in unseen.unseen] == ["A 8D"]


def test_a_wrong_card_under_a_take_goes_back_and_the_take_holds() -> None:
    """Rule 16.5."""
    state = without_talon("6S 6D", "7C JC", "8S AD", rules=Rules(cheating=True))
    state = played(state, (0, "A 6S"), (1, "D 6S 7C"), (0, "A 6D"), (1, "T"), (2, "C 7C"))
    assert state.taking
    assert Card.parse("7C") in state.hands[1]
    assert [pair.beat for pair in state.bout] == [None, None]

    taken = played(state, (2, "P"))
    assert {*map(str, taken.hands[1])} == {"7C", "JC", "6S", "6D"}


def test_somebody_who_resigns_leaves_the_wrong_cards_on_the_table_unseen() -> None:
    """Rule 16.11."""
    state = played(position(Rules(cheating=True)), (0, "A 6S"), (1, "D 6S 7C"))
    outcome = state.resign(0).state.outcome()
    assert outcome is not None
    assert outcome.losers == (0,)
    assert [(cheat.seat, str(cheat.move)) for cheat in outcome.unseen] == [(1, "D 6S 7C")]


def test_partners_do_not_point_at_each_others_cards_but_opponents_do() -> None:
    """Rule 16.4."""
    rules = Rules(cheating=True, teams="2x2")
    state = without_talon("6S 8D", "7C JC", "KS AD", "9D TD", rules=rules)
    state = played(state, (0, "A 6S"), (1, "D 6S 7C"), (2, "A KS"))
    assert state.wrong_cards == {Card.parse("7C"), Card.parse("KS")}

    def accusations(seat: int) -> set[str]:
        return {str(move.card) for move in state.sly_moves(seat) if isinstance(move, Accuse)}

    assert [accusations(seat) for seat in range(4)] == [{"7C"}, {"KS"}, {"7C"}, {"KS"}]


def test_seeing_ghosts_ends_a_bout_that_waits_for_nothing_else() -> None:
    """Rules 16.8, 16.9."""
    state = without_talon("6S", "7S JC", "KD AD", rules=Rules(cheating=True, throw_in="attacker"))
    state = played(state, (0, "A 6S"), (1, "D 6S 7S"), (0, "P"))
    assert state.awaited == {2}

    after = played(state, (2, "C 7S"))
    assert not after.bout
    assert after.wrong_accusers == frozenset()  # of the next bout


def test_the_cards_that_lie_wrongly_are_known_until_they_leave_the_table() -> None:
    """Rule 16.5."""
    state = played(position(Rules(cheating=True)), (0, "A 6S"), (1, "D 6S 7C"), (0, "A QC"))
    assert state.wrong_cards == {Card.parse("7C"), Card.parse("QC")}
    assert played(state, (2, "C 7C")).wrong_cards == {Card.parse("QC")}
    assert played(state, (1, "C QC")).wrong_cards == {Card.parse("7C")}
    assert position(Rules()).wrong_cards == frozenset()


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
