"""What a move does: one function per move. None of them asks whether it may; `apply` has asked before."""

from engine.rules import deal, refusal, settle
from engine.rules.bout import Pair
from engine.rules.cards import Card, CardSet, Rank, Suit
from engine.rules.errors import IllegalMoveError
from engine.rules.events import (
    Attacked,
    Declined,
    Defended,
    Event,
    Exchanged,
    Kept,
    LaidAway,
    Redealt,
    TakeDeclared,
    Transferred,
    TrumpShown,
)
from engine.rules.legal import legal_moves, next_defender
from engine.rules.moves import (
    Attack,
    Defend,
    Done,
    Exchange,
    Keep,
    LayAway,
    Move,
    Redeal,
    ShowTrump,
    Take,
    Transfer,
)
from engine.rules.outcome import Seat
from engine.rules.position import Position
from engine.rules.position_text import to_text
from engine.rules.turns import exchange_card

_NOBODY: frozenset[Seat] = frozenset()


def apply(state: Position, seat: Seat, move: Move) -> tuple[Position, tuple[Event, ...]]:
    """Play a move and settle what it ended; raise IllegalMoveError when the seat may not play it.

    Returns:
        The next position, and the events on the way to it.
    """
    if move not in legal_moves(state, seat):
        raise IllegalMoveError(refusal.reason_for(state, seat, move), seat, str(move), to_text(state))
    after, event = _played(state, seat, move)
    settled, consequences = settle.settled(after)
    return settled, (event, *consequences)


def _played(state: Position, seat: Seat, move: Move) -> tuple[Position, Event]:
    match move:
        case Attack(cards):
            return attack(state, seat, cards)
        case Defend(card, attacked):
            return defend(state, card, attacked)
        case Transfer(cards):
            return transfer(state, cards)
        case ShowTrump(card):
            return show_trump(state, card)
        case Take():
            return take(state)
        case Done():
            return done(state, seat)
    return _played_aside(state, seat, move)


def _played_aside(state: Position, seat: Seat, move: Move) -> tuple[Position, Event]:
    """Play what happens outside the attack."""
    match move:
        case LayAway(rank):
            return lay_away(state, seat, rank)
        case Exchange():
            return exchange(state, seat)
        case Keep():
            return state._replace(undecided=state.undecided - {seat}), Kept(seat)
        case Redeal():
            return deal.redeal(state, asks=bool(state.undecided)), Redealt(seat)
    raise TypeError(f"not a move: {move!r}")  # pragma: no cover - legal_moves has no other kind


def attack(state: Position, seat: Seat, cards: tuple[Card, ...]) -> tuple[Position, Event]:
    """Lay cards against the defender; everybody may think again about adding."""
    opening = not state.bout
    state = _from_hand(state, seat, cards)._replace(
        bout=state.bout + tuple(Pair(card, None, seat) for card in cards), declined=_NOBODY
    )
    if opening:
        chair, target = state.chairs
        state = state._replace(redeal_allowed=False, moved=state.moved + (target - chair) % state.players)
    return state, Attacked(seat, cards)


def defend(state: Position, card: Card, attacked: Card) -> tuple[Position, Event]:
    """Beat the first unbeaten attack card that is the given one."""
    index = next(i for i, pair in enumerate(state.bout) if pair.beat is None and pair.attack is attacked)
    pair = state.bout[index]._replace(beat=card)
    bout = (*state.bout[:index], pair, *state.bout[index + 1 :])
    state = _from_hand(state, state.defender, (card,))._replace(bout=bout, declined=_NOBODY)
    return state, Defended(state.defender, attacked, card)


def transfer(state: Position, cards: tuple[Card, ...]) -> tuple[Position, Event]:
    """Add cards of the attack's rank; the defender becomes the attacker of the next player."""
    passer = state.defender
    pairs = tuple(Pair(card, None, passer) for card in cards)
    state = _from_hand(state, passer, cards)._replace(bout=state.bout + pairs)
    state = _handed_on(state)
    return state, Transferred(passer, cards, state.defender)


def show_trump(state: Position, card: Card) -> tuple[Position, Event]:
    """Hand the attack on; the shown trump stays in the hand and cannot transfer again in this bout."""
    passer = state.defender
    seen_cards = (
        state.seen_cards if (passer, card) in state.seen_cards else (*state.seen_cards, (passer, card))
    )
    state = _handed_on(
        state._replace(seen_cards=seen_cards, shown_trumps=(*state.shown_trumps, (passer, card)))
    )
    return state, TrumpShown(passer, card, state.defender)


def _handed_on(state: Position) -> Position:
    """Make the defender the attacker, and the next player in the direction of transfers the defender."""
    passer, target = state.defender, next_defender(state)
    if state.rules.transfer_direction == "left":
        moved = (target - passer) % state.players
    else:
        moved = -((passer - target) % state.players)
    return state._replace(
        attacker=passer, defender=target, chairs=(passer, target), declined=_NOBODY, moved=state.moved + moved
    )


def take(state: Position) -> tuple[Position, Event]:
    """Give up the defence; the cards are picked up when nobody adds any more."""
    return state._replace(taking=True), TakeDeclared(state.defender)


def done(state: Position, seat: Seat) -> tuple[Position, Event]:
    """Decline to add until another card is laid."""
    return state._replace(declined=state.declined | {seat}), Declined(seat)


def lay_away(state: Position, seat: Seat, rank: Rank) -> tuple[Position, Event]:
    """Put the four cards of a rank on the discard heap."""
    cards = tuple(Card(suit, rank) for suit in Suit)
    state = _from_hand(state, seat, cards)._replace(
        discard=state.discard | CardSet(cards), redeal_allowed=False, bouts_without_discard=0
    )
    return state, LaidAway(seat, cards)


def exchange(state: Position, seat: Seat) -> tuple[Position, Event]:
    """Put the trump six under the talon and take the turn-up, which everybody has seen."""
    given, taken = exchange_card(state), state.talon[-1]
    state = _from_hand(state, seat, (given,))
    hands = tuple(hand.plus(taken) if i == seat else hand for i, hand in enumerate(state.hands))
    emptied = tuple(other for other in state.emptied if other != seat)
    seen_cards = (*state.seen_cards, (seat, taken))
    state = state._replace(
        hands=hands, talon=(*state.talon[:-1], given), turn_up=given, seen_cards=seen_cards, emptied=emptied
    )
    return state, Exchanged(seat, given, taken)


def _from_hand(state: Position, seat: Seat, cards: tuple[Card, ...]) -> Position:
    """Take played cards out of a hand, and note the moment when it became empty."""
    hand = state.hands[seat].without(*cards)
    hands = (*state.hands[:seat], hand, *state.hands[seat + 1 :])
    seen_cards = state.seen_cards
    if seen_cards:
        seen_cards = tuple(item for item in seen_cards if item[0] != seat or item[1] not in cards)
    if hand:
        return state._replace(hands=hands, seen_cards=seen_cards)
    return state._replace(hands=hands, seen_cards=seen_cards, emptied=(*state.emptied, seat))
