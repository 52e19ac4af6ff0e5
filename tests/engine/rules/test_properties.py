"""Properties of every game under all rules."""

from random import Random

import pytest
from hypothesis import given

from engine import Attack, Card, Defend, Move, Opening, Rank, Record, Rules, State, Suit, replay
from tests.engine.rules.games import (
    PRESET_OPENINGS,
    chances,
    check_every_move,
    name_of,
    now_and_then,
    openings,
    play,
    quick,
    random_game,
    valid_rules,
)
from tests.engine.rules.invariants import check_end, check_move, check_texts
from tests.examples import examples


@pytest.mark.parametrize("opening", PRESET_OPENINGS, ids=name_of)
def test_every_preset_keeps_its_cards_together_and_its_games_end(opening: Opening) -> None:
    check_end(play(opening, Random(0), check_move, now_and_then(check_texts)))


@quick
@given(openings(), chances)
def test_all_rules_keep_their_cards_together_and_their_games_end(opening: Opening, rng: Random) -> None:
    check_end(play(opening, rng, check_move, now_and_then(check_texts)))


@quick
@given(openings(), chances)
def test_texts_of_openings_and_records_come_back(opening: Opening, rng: Random) -> None:
    record = Record(opening)
    for _, seat, move in random_game(opening, rng):
        record = record.plus(seat, move)

    assert Opening.from_text(str(opening)) == opening
    assert Record.from_text(record.to_text()) == record
    assert replay(record.to_text()) == record.replay()


@quick
@given(valid_rules())
def test_text_of_rules_comes_back(rules: Rules) -> None:
    assert Rules.from_text(rules.to_text()) == rules


@examples(3)
@given(openings(), chances)
def test_of_all_that_can_be_written_exactly_the_legal_moves_are_accepted(
    opening: Opening, rng: Random
) -> None:
    state = rng.choice([state for state, _, _ in random_game(opening, rng)])
    check_every_move(state, rng.choice(sorted(state.actors)))
    check_every_move(state, rng.randrange(state.players))


@quick
@given(openings(), chances)
def test_the_order_of_cards_in_a_text_does_not_matter(opening: Opening, rng: Random) -> None:
    for state, seat, move in random_game(opening, rng):
        if isinstance(move, Attack) and len(move.cards) > 1:
            backwards = Move.parse("A " + " ".join(str(card) for card in reversed(move.cards)))
            assert backwards == move
            assert state.apply(seat, backwards) == state.apply(seat, move)
            return


def test_an_ace_of_trumps_beats_everything_else() -> None:
    ace = Card(Suit.SPADES, Rank.ACE)
    state = State.setup(Rules(), hands=["9H", "AS 6D"], talon="", trump="S", attacker=0)
    state = state.apply(0, Move.parse("A 9H")).state
    assert Defend(ace, Card.parse("9H")) in state.legal_moves(1)
