"""Whom the game waits for and who may act (chapter 4): from public facts alone, as rule 12.1 says."""

from engine.rules.asides import bystanders
from engine.rules.bout import unbeaten_cards
from engine.rules.outcome import Seat
from engine.rules.position import Position
from engine.rules.seating import throw_order

_NOBODY: frozenset[Seat] = frozenset()


def find_who_acts(state: Position) -> None:
    """Find what follows from the facts of a position, when they have been changed."""
    find_who_may_throw_in(state)
    find_actors(state)


def find_who_may_throw_in(state: Position) -> None:
    """Find what is to be beaten, and who may still add to it: those with cards who have not said "done"."""
    state.unbeaten = unbeaten_cards(state.bout)
    if state.bout and _may_be_added_to(state) and attack_cards_left(state) != 0:
        hands, declined = state.hands, state.declined
        line = [seat for seat in throw_order(state) if hands[seat] and seat not in declined]
        state.who_may_throw_in = tuple(line)
    else:
        state.who_may_throw_in = ()


def find_actors(state: Position) -> None:
    """Find whom the game waits for, and who else may act: those who may add early, and the bystanders."""
    state.awaited = state.actors = _awaited(state)
    if state.ended is None and not state.undecided:
        if state.who_may_throw_in:
            state.actors |= frozenset(state.who_may_throw_in)
        if state.rules.knows_asides:
            state.actors |= frozenset(bystanders(state))
    state.known_moves = {}


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
        answers = len(state.hands[state.defender]) - len(state.unbeaten)
        if room is None or answers < room:
            room = answers
    return None if room is None else max(room, 0)


def place_in_line(state: Position, seat: Seat) -> int:
    """Return how many may add a card before this seat if they want to at the same moment.

    Only with `throw_in_order=priority` does anybody come before another then: in strict order nobody may add
    at the same moment, and in free order the quicker one is first.
    """
    line = state.who_may_throw_in
    return line.index(seat) if state.rules.throw_in_order == "priority" and seat in line else 0


def _may_be_added_to(state: Position) -> bool:
    """Return whether rules and timing let anybody add a card."""
    rules, unbeaten = state.rules, len(state.unbeaten)
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
    return bool(state.bout) and (state.taking or not state.unbeaten) and not state.who_may_throw_in


def _awaited(state: Position) -> frozenset[Seat]:
    """Return whom the game waits for."""
    if state.ended is not None:
        return _NOBODY
    if state.undecided:
        return state.undecided
    if not state.bout:
        return frozenset((state.attacker,))
    if state.unbeaten and not state.taking:
        return frozenset((state.defender,))
    adding = state.who_may_throw_in
    return frozenset(adding[:1] if state.rules.throw_in_order == "strict" else adding)
