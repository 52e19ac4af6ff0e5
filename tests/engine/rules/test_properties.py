"""What holds in every game under every rules."""

from itertools import combinations
from random import Random

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine import (
    Attack,
    BeatenOff,
    Card,
    Defend,
    Done,
    Drew,
    Exchange,
    IllegalMove,
    LaidAway,
    LayAway,
    Move,
    Opening,
    Rank,
    Record,
    Redeal,
    Redealt,
    Rules,
    Seat,
    ShowTrump,
    State,
    Suit,
    Take,
    Transfer,
    replay,
)
from tests.engine.rules.games import openings, random_game, valid_rules

quick = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
chances = st.integers(0, 1_000_000).map(Random)


@quick
@given(openings(), chances)
def test_every_action_keeps_every_card_in_one_place_and_every_game_ends(
    opening: Opening, chance: Random
) -> None:
    for state, seat, move in random_game(opening, chance):
        assert not state.problems(), state.problems()
        assert all(state.legal_moves(actor) for actor in state.actors)
        assert state.awaited <= state.actors
        after, events = state.apply(seat, move)
        assert not after.problems(), after.problems()
        if any(isinstance(event, Redealt) for event in events):
            continue
        assert state.discard <= after.discard
        grows = any(isinstance(event, BeatenOff | LaidAway) for event in events)
        assert grows == (state.discard != after.discard)
        for event in events:
            if isinstance(event, Drew):
                assert event.count > 0
                assert len(after.hands[event.seat]) <= opening.rules.hand_size


@quick
@given(openings(), chances)
def test_texts_of_positions_moves_openings_and_records_come_back(opening: Opening, chance: Random) -> None:
    record = Record(opening)
    for number, (state, seat, move) in enumerate(random_game(opening, chance)):
        record = record.plus(seat, move)
        assert Move.parse(str(move)) == move
        if number % 7 == 0:
            assert State.from_text(state.to_text()) == state
    last = record.replay()
    assert State.from_text(last.to_text()) == last
    assert Opening.from_text(str(opening)) == opening
    assert Record.from_text(record.to_text()) == record
    assert replay(record.to_text()) == last


@quick
@given(valid_rules())
def test_text_of_rules_comes_back(rules: Rules) -> None:
    assert Rules.from_text(rules.to_text()) == rules


def every_move(state: State) -> list[Move]:
    """Every move that could be written with the cards of this game, with attacks of at most two cards."""
    cards = list(state.cards.distinct())
    groups = [(card,) for card in cards]
    pairs = [pair for pair in combinations(cards, 2) if pair[0].rank is pair[1].rank]
    attacked = list(dict.fromkeys(pair.attack for pair in state.bout)) + cards[:2]
    return [
        *(Attack(group) for group in [*groups, *pairs]),
        *(Transfer(group) for group in [*groups, *pairs]),
        *(Defend(card, attack) for card in cards for attack in attacked),
        *(ShowTrump(card) for card in cards),
        *(LayAway(rank) for rank in Rank),
        Take(),
        Done(),
        Exchange(),
        Redeal(),
    ]


def is_accepted(state: State, seat: Seat, move: Move) -> bool:
    try:
        state.apply(seat, move)
    except IllegalMove:
        return False
    return True


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(openings(), chances)
def test_apply_accepts_exactly_the_legal_moves(opening: Opening, chance: Random) -> None:
    positions = [state for state, _, _ in random_game(opening, chance)]
    state = chance.choice(positions)
    for seat in range(state.players):
        legal = set(state.legal_moves(seat))
        assert len(legal) == len(state.legal_moves(seat))
        assert not legal or seat in state.actors
        for move in every_move(state):
            assert is_accepted(state, seat, move) == (move in legal), (seat, str(move))


@quick
@given(openings(), chances)
def test_the_order_of_cards_in_a_text_does_not_matter(opening: Opening, chance: Random) -> None:
    for state, seat, move in random_game(opening, chance):
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
