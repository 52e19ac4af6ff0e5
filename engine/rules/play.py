"""What a move does: one function per move. None of them asks whether it may; `apply` has asked before."""

from collections.abc import Callable, Mapping
from typing import Any

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
    bout = state.bout + tuple([Pair(card, None, seat) for card in move.cards])
    changes: dict[str, Any] = {"bout": bout, "declined": _NOBODY}
    if not state.bout:
        chair, target = state.chairs
        changes |= {"redeal_allowed": False, "moved": state.moved + (target - chair) % state.players}
    after = _from_hand(state, seat, move.cards, **changes)
    return after, Attacked(seat, move.cards)


def defend(state: Position, seat: Seat, move: Defend) -> tuple[Position, Event]:
    """Beat the first unbeaten attack card that is the given one."""
    bout = list(state.bout)
    index = next(i for i, pair in enumerate(bout) if pair.beat is None and pair.attack is move.attack)
    bout[index] = Pair(move.attack, move.card, bout[index].by)
    after = _from_hand(state, seat, (move.card,), bout=tuple(bout), declined=_NOBODY)
    return after, Defended(seat, move.attack, move.card)


def transfer(state: Position, seat: Seat, move: Transfer) -> tuple[Position, Event]:
    """Add cards of the attack's rank; the defender becomes the attacker of the next player."""
    bout = state.bout + tuple([Pair(card, None, seat) for card in move.cards])
    after = _handed_on(_from_hand(state, seat, move.cards, bout=bout))
    return after, Transferred(seat, move.cards, after.defender)


def show_trump(state: Position, seat: Seat, move: ShowTrump) -> tuple[Position, Event]:
    """Hand the attack on; the shown trump stays in the hand and cannot transfer again in this bout."""
    shown = (seat, move.card)
    seen_cards = state.seen_cards if shown in state.seen_cards else (*state.seen_cards, shown)
    after = _handed_on(state._replace(seen_cards=seen_cards, shown_trumps=(*state.shown_trumps, shown)))
    return after, TrumpShown(seat, move.card, after.defender)


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


def take(state: Position, seat: Seat, _move: Take) -> tuple[Position, Event]:
    """Give up the defence; the cards are picked up when nobody adds any more."""
    return state._replace(taking=True), TakeDeclared(seat)


def done(state: Position, seat: Seat, _move: Done) -> tuple[Position, Event]:
    """Decline to add until another card is laid."""
    return state._replace(declined=state.declined | {seat}), Declined(seat)


def lay_away(state: Position, seat: Seat, move: LayAway) -> tuple[Position, Event]:
    """Put the four cards of a rank on the discard heap."""
    cards = tuple(Card(suit, move.rank) for suit in Suit)
    discard = state.discard | CardSet(cards)
    after = _from_hand(state, seat, cards, discard=discard, redeal_allowed=False, bouts_without_discard=0)
    return after, LaidAway(seat, cards)


def exchange(state: Position, seat: Seat, _move: Exchange) -> tuple[Position, Event]:
    """Put the trump six under the talon and take the turn-up, which everybody has seen."""
    given, taken = exchange_card(state), state.talon[-1]
    state = _from_hand(state, seat, (given,))
    hands = state.hands_with(seat, state.hands[seat].plus(taken))
    emptied = tuple(other for other in state.emptied if other != seat)
    seen_cards = (*state.seen_cards, (seat, taken))
    state = state._replace(
        hands=hands, talon=(*state.talon[:-1], given), turn_up=given, seen_cards=seen_cards, emptied=emptied
    )
    return state, Exchanged(seat, given, taken)


def keep(state: Position, seat: Seat, _move: Keep) -> tuple[Position, Event]:
    """Decline a new deal."""
    return state._replace(undecided=state.undecided - {seat}), Kept(seat)


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


def _from_hand(state: Position, seat: Seat, cards: tuple[Card, ...], **changes: Any) -> Position:
    """Take played cards out of a hand and note the moment when it became empty; change what else changes."""
    hand = state.hands[seat].without(*cards)
    changes["hands"] = state.hands_with(seat, hand)
    if state.seen_cards:
        changes["seen_cards"] = tuple(
            [seen for seen in state.seen_cards if seen[0] != seat or seen[1] not in cards]
        )
    if not hand:
        changes["emptied"] = (*state.emptied, seat)
    return state._replace(**changes)
