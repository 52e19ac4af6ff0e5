"""What a move does: one function per move. None of them asks whether it may; `apply` has asked before."""

from collections.abc import Callable, Mapping

from engine.rules import deal, refusal, settle
from engine.rules.asides import exchange_card
from engine.rules.bout import Pair
from engine.rules.cards import Card, CardSet, Suit
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

_NOBODY: frozenset[Seat] = frozenset()


def apply(state: Position, seat: Seat, move: Move) -> tuple[Position, tuple[Event, ...]]:
    """Play a move and settle what it ended; raise IllegalMoveError when the seat may not play it.

    Returns:
        The next position, and the events on the way to it.
    """
    if move not in legal_moves(state, seat):
        raise IllegalMoveError(refusal.reason_for(state, seat, move), seat, str(move), to_text(state))
    after, event = _PLAYED[type(move)](state, seat, move)
    settled, consequences = settle.settled(after)
    return settled, (event, *consequences)


def attack(state: Position, seat: Seat, move: Attack) -> tuple[Position, Event]:
    """Lay cards against the defender; everybody may think again about adding."""
    after = _played_from_hand(state, seat, move.cards)
    after.bout += tuple([Pair(card, None, seat) for card in move.cards])
    after.declined = _NOBODY
    if not state.bout:
        chair, target = state.chairs
        after.redeal_allowed = False
        after.moved += (target - chair) % state.players
    return after, Attacked(seat, move.cards)


def defend(state: Position, seat: Seat, move: Defend) -> tuple[Position, Event]:
    """Beat the first unbeaten attack card that is the given one."""
    after = _played_from_hand(state, seat, (move.card,))
    bout = list(state.bout)
    index = next(i for i, pair in enumerate(bout) if pair.beat is None and pair.attack is move.attack)
    bout[index] = Pair(move.attack, move.card, bout[index].by)
    after.bout = tuple(bout)
    after.declined = _NOBODY
    return after, Defended(seat, move.attack, move.card)


def transfer(state: Position, seat: Seat, move: Transfer) -> tuple[Position, Event]:
    """Add cards of the attack's rank; the defender becomes the attacker of the next player."""
    after = _played_from_hand(state, seat, move.cards)
    after.bout += tuple([Pair(card, None, seat) for card in move.cards])
    _hand_on(after)
    return after, Transferred(seat, move.cards, after.defender)


def show_trump(state: Position, seat: Seat, move: ShowTrump) -> tuple[Position, Event]:
    """Hand the attack on; the shown trump stays in the hand and cannot transfer again in this bout."""
    after, shown = state.copy(), (seat, move.card)
    if shown not in state.seen_cards:
        after.seen_cards += (shown,)
    after.shown_trumps += (shown,)
    _hand_on(after)
    return after, TrumpShown(seat, move.card, after.defender)


def _hand_on(after: Position) -> None:
    """Make the defender the attacker, and the next player in the direction of transfers the defender."""
    passer, target = after.defender, next_defender(after)
    if after.rules.transfer_direction == "left":
        after.moved += (target - passer) % after.players
    else:
        after.moved -= (passer - target) % after.players
    after.attacker, after.defender, after.chairs = passer, target, (passer, target)
    after.declined = _NOBODY


def take(state: Position, seat: Seat, _move: Take) -> tuple[Position, Event]:
    """Give up the defence; the cards are picked up when nobody adds any more."""
    after = state.copy()
    after.taking = True
    return after, TakeDeclared(seat)


def done(state: Position, seat: Seat, _move: Done) -> tuple[Position, Event]:
    """Decline to add until another card is laid."""
    after = state.copy()
    after.declined |= {seat}
    return after, Declined(seat)


def lay_away(state: Position, seat: Seat, move: LayAway) -> tuple[Position, Event]:
    """Put the four cards of a rank on the discard heap."""
    cards = tuple(Card(suit, move.rank) for suit in Suit)
    after = _played_from_hand(state, seat, cards)
    after.discard |= CardSet(cards)
    after.redeal_allowed = False
    after.bouts_without_discard = 0
    return after, LaidAway(seat, cards)


def exchange(state: Position, seat: Seat, _move: Exchange) -> tuple[Position, Event]:
    """Put the trump six under the talon and take the turn-up, which everybody has seen."""
    given, taken = exchange_card(state), state.talon[-1]
    after = _played_from_hand(state, seat, (given,))
    after.set_hand(seat, after.hands[seat].plus(taken))
    after.emptied = tuple(other for other in after.emptied if other != seat)
    after.talon, after.turn_up = (*state.talon[:-1], given), given
    after.seen_cards += ((seat, taken),)
    return after, Exchanged(seat, given, taken)


def keep(state: Position, seat: Seat, _move: Keep) -> tuple[Position, Event]:
    """Decline a new deal."""
    after = state.copy()
    after.undecided -= {seat}
    return after, Kept(seat)


def redeal(state: Position, seat: Seat, _move: Redeal) -> tuple[Position, Event]:
    """Deal anew."""
    return deal.redeal(state, asks=bool(state.undecided)), Redealt(seat)


_PLAYED: Mapping[type[Move], Callable[..., tuple[Position, Event]]] = {
    Attack: attack,
    Defend: defend,
    Transfer: transfer,
    ShowTrump: show_trump,
    Take: take,
    Done: done,
    LayAway: lay_away,
    Exchange: exchange,
    Keep: keep,
    Redeal: redeal,
}


def _played_from_hand(state: Position, seat: Seat, cards: tuple[Card, ...]) -> Position:
    """Return a copy in which these cards have left a hand; it notes the moment when the hand became empty."""
    after = state.copy()
    hand = state.hands[seat].without(*cards)
    after.set_hand(seat, hand)
    if state.seen_cards:
        after.seen_cards = tuple(
            [seen for seen in state.seen_cards if seen[0] != seat or seen[1] not in cards]
        )
    if not hand:
        after.emptied += (seat,)
    return after
