"""Nothing that people see depends on cards that they cannot see: deal those again, and all stays."""

from random import Random

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine import (
    Attack,
    Card,
    CardSet,
    Defend,
    Drew,
    Event,
    Exchange,
    LayAway,
    Move,
    Opening,
    Redeal,
    Seat,
    ShowTrump,
    State,
    Suit,
    Transfer,
)
from tests.engine.rules.games import openings, random_game

quick = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
chances = st.integers(0, 1_000_000).map(Random)
Held = tuple[tuple[Seat, Card], ...]


def cards_of(move: Move, state: State) -> tuple[Card, ...]:
    """The cards of the hand that a move shows."""
    match move:
        case Attack(cards) | Transfer(cards):
            return cards
        case Defend(card, _) | ShowTrump(card):
            return (card,)
        case LayAway(rank):
            return tuple(Card(suit, rank) for suit in Suit)
        case Exchange():
            lowest = min(state.cards.of_suit(state.trump), key=lambda card: abs(card.rank - 6))
            return (lowest,)
    return ()


def dealt_again(
    state: State, observer: Seat | None, chance: Random, *, kept: Held = (), with_talon: bool = True
) -> State:
    """The same position with the cards that the observer cannot see in other hidden places."""
    fixed: list[CardSet] = []
    for seat, hand in enumerate(state.hands):
        seen = [
            card for other, card in dict.fromkeys((*state.known, *kept)) if other == seat and card in hand
        ]
        fixed.append(hand if seat == observer else CardSet(seen))
    face_up = state.talon[-1:] if state.rules.turn_up == "talon_bottom" else ()
    hidden_talon = state.talon[: len(state.talon) - len(face_up)] if with_talon else ()
    pool = list(hidden_talon)
    for hand, seen_cards in zip(state.hands, fixed, strict=True):
        pool += hand.without(*seen_cards)
    chance.shuffle(pool)
    hands = []
    for hand, seen_cards in zip(state.hands, fixed, strict=True):
        missing = len(hand) - len(seen_cards)
        hands.append(seen_cards | CardSet(pool[:missing]))
        pool = pool[missing:]
    talon = (*pool, *face_up) if with_talon else state.talon
    return state._replace(hands=tuple(hands), talon=talon)


@quick
@given(openings(), chances)
def test_views_and_legal_moves_do_not_depend_on_hidden_cards(opening: Opening, chance: Random) -> None:
    for state, _, _ in random_game(opening, chance):
        seat = chance.randrange(state.players)
        other = dealt_again(state, seat, chance)
        assert not other.problems()
        assert other.actors == state.actors
        assert other.public_view() == state.public_view()
        assert other.view_for(seat) == state.view_for(seat)
        if opening.rules.throw_in_order != "strict":  # that rule asks whether those before one can add
            assert other.legal_moves(seat) == state.legal_moves(seat)


def seen(events: tuple[Event, ...], seat: Seat | None) -> list[Event | None]:
    return [event.seen_by(seat) for event in events]


@quick
@given(openings(), chances)
def test_events_do_not_depend_on_hidden_cards(opening: Opening, chance: Random) -> None:
    for state, seat, move in random_game(opening, chance):
        if isinstance(move, Redeal):  # a new deal depends on the old one, as a shuffle by hand would
            continue
        kept = tuple((seat, card) for card in cards_of(move, state))
        observer = chance.choice([None, *(other for other in range(state.players) if other != seat)])
        # What the observer draws himself he sees, so for a seat the talon stays as it is.
        other = dealt_again(state, observer, chance, kept=kept, with_talon=observer is None)
        if move not in other.legal_moves(seat):  # some moves depend on the mover's other cards
            continue
        assert seen(other.apply(seat, move).events, observer) == seen(
            state.apply(seat, move).events, observer
        )


@quick
@given(openings(), chances)
def test_drawn_cards_are_seen_by_nobody_else(opening: Opening, chance: Random) -> None:
    for state, seat, move in random_game(opening, chance):
        for event in state.apply(seat, move).events:
            if isinstance(event, Drew):
                others = [None, *(other for other in range(state.players) if other != event.seat)]
                assert event.seen_by(event.seat) == event
                assert all(event.seen_by(other).cards is None for other in others)
