"""What can be done outside the attack, and by whom: from public facts alone, as rule 12.1 says."""

from engine.rules.cards import Card, Rank
from engine.rules.outcome import Seat
from engine.rules.position import Position
from engine.rules.seating import seats_in


def bystanders(state: Position) -> tuple[Seat, ...]:
    """List who might exchange, lay away or ask for a new deal, and has not said "done" to that."""
    if may_exchange_happen(state) or (state.redeal_allowed and state.rules.redeal_same_suit):
        needed = 1
    elif state.rules.lay_away_four and not state.bout:
        needed = cards_to_lay_away(state)
    else:
        return ()
    return tuple(
        seat for seat in seats_in(state) if len(state.hands[seat]) >= needed and seat not in state.declined
    )


def may_exchange_happen(state: Position) -> bool:
    """Return whether somebody may hold the trump six and swap it for the turn-up."""
    return (
        state.rules.trump_six_exchange and bool(state.talon) and state.talon[-1] is not exchange_card(state)
    )


def exchange_card(state: Position) -> Card:
    """Return the card to exchange: the six of trumps, or the lowest trump of a deck without sixes."""
    lowest = 15 - state.rules.deck_size(state.players) // 4
    return Card(state.trump, Rank(max(Rank.SIX, lowest)))


def cards_to_lay_away(state: Position) -> int:
    """Return how many cards a hand needs so that four can go: five, or four if its owner may then leave."""
    return 5 if state.talon and not state.rules.leave_with_talon else 4
