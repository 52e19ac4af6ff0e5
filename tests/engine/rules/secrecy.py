"""Deals the hidden cards of a player anew: nothing in the player's view may change."""

from random import Random

from engine import (
    Card,
    CardSet,
    Defend,
    Done,
    Drew,
    Event,
    Exchange,
    LayAway,
    Move,
    Redeal,
    Seat,
    State,
    Suit,
    cards_needed_for,
    is_honest,
)
from tests.engine.rules.games import Moment, changed

Held = tuple[tuple[Seat, Card], ...]


def cards_of(move: Move, state: State) -> tuple[Card, ...]:
    """Returns the cards of the hand that a move shows."""
    match move:
        case LayAway(rank):
            return tuple(Card(suit, rank) for suit in Suit)
        case Exchange():
            lowest = min(state.cards.of_suit(state.trump), key=lambda card: abs(card.rank - 6))
            return (lowest,)

    return cards_needed_for(move)


def dealt_again(
    state: State, observer: Seat | None, rng: Random, *, kept: Held = (), with_talon: bool = True
) -> State:
    """Returns the same position with the cards that the observer cannot see in other hidden places."""
    fixed: list[CardSet] = []
    for seat, hand in enumerate(state.hands):
        seen = [
            card
            for other, card in dict.fromkeys((*state.seen_cards, *kept))
            if other == seat and card in hand
        ]
        open_cards = hand if seat == observer else CardSet(seen)
        fixed.append(open_cards)

    face_up = state.talon[-1:] if state.rules.turn_up == "talon_bottom" else ()
    hidden_talon = state.talon[: len(state.talon) - len(face_up)] if with_talon else ()
    pool = list(hidden_talon)

    for hand, seen_cards in zip(state.hands, fixed, strict=True):
        pool += hand.without(*seen_cards)

    rng.shuffle(pool)
    hands = []
    for hand, seen_cards in zip(state.hands, fixed, strict=True):
        missing = len(hand) - len(seen_cards)
        hands.append(seen_cards | CardSet(pool[:missing]))
        pool = pool[missing:]

    talon = (*pool, *face_up) if with_talon else state.talon
    return changed(state, hands=tuple(hands), talon=talon)


def check_views(moment: Moment, rng: Random) -> None:
    """Checks that a seat's view, its moves and all public facts ignore the places of hidden cards."""
    state = moment.before
    seat = rng.randrange(state.players)
    other = dealt_again(state, seat, rng)
    assert not other.problems()
    assert (other.actors, other.awaited) == (state.actors, state.awaited)
    assert other.public_view() == state.public_view()
    assert other.view_for(seat) == state.view_for(seat)

    if state.rules.throw_in_order != "strict":  # that rule asks whether those before one can add
        assert other.legal_moves(seat) == state.legal_moves(seat)


def check_events(moment: Moment, rng: Random) -> None:
    """Checks that the others' view of a move ignores the places of hidden cards."""
    state = moment.before
    seat = moment.seat
    move = moment.move

    for event in moment.events:
        if isinstance(event, Drew):
            assert event.seen_by(event.seat) == event
            others = [None, *(other for other in range(state.players) if other != event.seat)]
            assert all(event.seen_by(other).cards is None for other in others)

    if isinstance(move, Redeal):  # a new deal depends on the old one, as a shuffle by hand would
        return

    kept = tuple((seat, card) for card in cards_of(move, state))
    observer = rng.choice([None, *(other for other in range(state.players) if other != seat)])
    # An observer sees the cards it draws, so for a seat the talon stays as it is.
    other = dealt_again(state, observer, rng, kept=kept, with_talon=observer is None)
    if move not in other.legal_moves(seat):  # some moves depend on the mover's other cards
        return

    assert seen(other.apply(seat, move).events, observer) == seen(moment.events, observer)


def check_passes(moment: Moment, _rng: Random) -> None:
    """Checks that a pass changes nothing for others before its round is over (rule 12.4)."""
    before = moment.before
    after = moment.after
    is_open = before.public_view().is_throw_in_round and after.bout == before.bout
    if moment.move == Done() and is_open and before.rules.throw_in_order != "strict":
        assert after.public_view() == before.public_view()


def check_cheats_look_alike(moment: Moment, rng: Random) -> None:
    """Checks that a wrong card differs for others from a right one in nothing but the card (rule 16.11)."""
    state = moment.before
    choices = [(seat, right, wrong) for seat in sorted(state.actors) for right, wrong in _twins(state, seat)]
    if not choices or state.rules.decks > 1:  # equal cards cannot be told apart by their names
        return

    seat, right, wrong = rng.choice(choices)
    honest = state.apply(seat, right)
    sly = state.apply(seat, wrong)
    (right_card,) = cards_of(right, state)
    (wrong_card,) = cards_of(wrong, state)
    if {right_card, wrong_card} & {card for _, card in state.seen_cards}:
        return  # one card less in hands that all have seen

    def renamed(text: str) -> str:
        return text.replace(repr(right_card), repr(wrong_card))

    assert (sly.state.actors, sly.state.awaited) == (honest.state.actors, honest.state.awaited)
    if not honest.state.bout:
        return  # whoever took the card up, or draws another after it, has other cards to play now

    assert repr(sly.events) == renamed(repr(honest.events))
    assert repr(sly.state.public_view()) == renamed(repr(honest.state.public_view()))

    if not state.rules.voluntary_take:
        return  # whether the defender may take depends on the card

    for other in set(range(state.players)) - {seat} - honest.state.caught:
        moves = {repr(move) for move in sly.state.legal_moves(other)}
        assert moves == {renamed(repr(move)) for move in honest.state.legal_moves(other)}


def _twins(state: State, seat: Seat) -> list[tuple[Move, Move]]:
    """Returns the pairs of a right and a wrong move of a seat that do the same."""
    moves = state.legal_moves(seat)
    honest = [move for move in moves if is_honest(state, move) and len(cards_of(move, state)) == 1]
    wrong = [move for move in moves if not is_honest(state, move)]
    return [(one, other) for one in honest for other in wrong if _purpose(one) == _purpose(other)]


def _purpose(move: Move) -> tuple[type[Move], Card | None]:
    return type(move), move.attack if isinstance(move, Defend) else None


def seen(events: tuple[Event, ...], seat: Seat | None) -> list[Event | None]:
    return [event.seen_by(seat) for event in events]
