"""Whom the game waits for and who may act (chapter 4): from public facts alone, as rule 12.1 says."""

from engine.rules.cards import Card, Rank
from engine.rules.outcome import Seat
from engine.rules.position import Position, once
from engine.rules.seating import seats_in, throw_order


def attack_limit(state: Position) -> int | None:
    """Return the most attack cards that this bout may have; None: any number."""
    rules = state.rules
    if rules.first_attack_limit is None:
        return rules.attack_limit
    ended = state.beaten_off if rules.first_attack_limit_until == "first_discard" else state.bouts
    return rules.attack_limit if ended else rules.first_attack_limit


def attack_cards_left(state: Position) -> int | None:
    """Return how many more attack cards limit and defender's hand allow; None: any number."""
    limit = attack_limit(state)
    room = None if limit is None else limit - len(state.bout)
    if state.rules.limit_by_defender_hand:
        answers = len(state.hands[state.defender]) - state.unbeaten
        room = answers if room is None else min(room, answers)
    return None if room is None else max(room, 0)


@once
def who_may_throw_in(state: Position) -> tuple[Seat, ...]:
    """List who may still add, first claim first: those with cards who have not said "done"."""
    if not state.bout or not _may_be_added_to(state) or attack_cards_left(state) == 0:
        return ()
    hands, declined = state.hands, state.declined
    return tuple([seat for seat in throw_order(state) if hands[seat] and seat not in declined])


def place_in_line(state: Position, seat: Seat) -> int:
    """Return how many may add a card before this seat if they want to at the same moment.

    Only with `throw_in_order=priority` does anybody come before another then: in strict order nobody may add
    at the same moment, and in free order the quicker one is first.
    """
    line = who_may_throw_in(state)
    return line.index(seat) if state.rules.throw_in_order == "priority" and seat in line else 0


def _may_be_added_to(state: Position) -> bool:
    """Return whether rules and timing let anybody add a card."""
    rules, unbeaten = state.rules, state.unbeaten
    if rules.throw_in == "none":
        return False
    if state.taking:
        return rules.throw_in_after_take == "up_to_limit"
    if not unbeaten and not state.hands[state.defender]:
        return False
    if rules.throw_in_timing == "when_all_beaten":
        return unbeaten == 0
    return rules.throw_in_timing == "anytime" or unbeaten < len(state.bout)


def is_bout_over(state: Position) -> bool:
    """Return whether nothing can come any more: all is beaten, or taken, and nobody may add."""
    return bool(state.bout) and (state.taking or state.unbeaten == 0) and not who_may_throw_in(state)


@once
def awaited(state: Position) -> frozenset[Seat]:
    """Return whom the game waits for."""
    if state.ended is not None:
        return frozenset()
    if state.undecided:
        return state.undecided
    if not state.bout:
        return frozenset((state.attacker,))
    if state.unbeaten and not state.taking:
        return frozenset((state.defender,))
    adding = who_may_throw_in(state)
    return frozenset(adding[:1] if state.rules.throw_in_order == "strict" else adding)


@once
def actors(state: Position) -> frozenset[Seat]:
    """Return who may act: those awaited, those who may add early, and the bystanders."""
    if state.ended is not None or state.undecided:
        return awaited(state)
    return awaited(state).union(who_may_throw_in(state), bystanders(state))


def bystanders(state: Position) -> tuple[Seat, ...]:
    """List who might exchange, lay away or ask for a new deal, and has not said "done" to that."""
    if not state.rules.knows_asides:
        return ()
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
