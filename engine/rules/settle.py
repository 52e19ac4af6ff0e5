"""The end of a bout (chapter 7): move cards, draw, leave, result, next roles; in this order, only here.

With `leave_with_talon` a player leaves before anybody draws, because an empty hand has then already won.
"""

from engine.rules import scoring
from engine.rules.asides import exchange_card
from engine.rules.bout import cards_of
from engine.rules.cards import Card, CardSet
from engine.rules.events import BeatenOff, BoutOpened, Drew, Event, GameOver, TakenUp, WentOut
from engine.rules.outcome import Seat
from engine.rules.position import Position
from engine.rules.seating import clockwise, give_roles, next_chair
from engine.rules.turns import find_actors, find_who_may_throw_in, is_bout_over

_NOBODY: frozenset[Seat] = frozenset()


def settled(state: Position) -> tuple[Position, list[Event]]:
    """End the bout if nothing can come any more, or lets a player go who has laid away his last cards."""
    events: list[Event] = []
    find_who_may_throw_in(state)
    if is_bout_over(state):
        state = _end_bout(state, events)
    elif not state.bout and state.emptied:
        state = _end_laying_away(state, events)
    find_actors(state)
    return state, events


def _end_bout(before: Position, events: list[Event]) -> Position:
    rules, state = before.rules, before.copy()
    _move_cards(state, events)
    if rules.leave_with_talon:
        _let_leave(state, before, events)
    if rules.draw == "refill" and state.talon:
        _refill(state, events)
    if not rules.leave_with_talon:
        _let_leave(state, before, events)
    state.ended = scoring.outcome_of(state, before)
    if state.ended is None:
        _next_roles(state, before, events)
    else:
        events.append(GameOver(state.ended))
    return state


def _end_laying_away(before: Position, events: list[Event]) -> Position:
    """Let the player go, and find a new attacker or defender if he was that."""
    state = before.copy()
    state.emptied = ()
    _let_leave(state, before, events)
    state.ended = scoring.outcome_of(state, before)
    if state.ended is None:
        chair = before.chairs[0]
        give_roles(state, chair, moving_from=chair)
        events.append(BoutOpened(state.attacker, state.defender))
    else:
        events.append(GameOver(state.ended))
    return state


def _move_cards(state: Position, events: list[Event]) -> None:
    """Move the cards of the bout to the taker, or to the discard heap."""
    cards = tuple(cards_of(state.bout))
    if state.taking:
        events.append(TakenUp(state.defender, cards))
        state.set_hand(state.defender, state.hands[state.defender] | CardSet(cards))
        if state.rules.trump_six_exchange and exchange_card(state) in cards:
            state.six_taken = True
        state.bouts_without_discard += 1
    else:
        events.append(BeatenOff(state.defender, len(cards)))
        state.discard |= CardSet(cards)
        state.beaten_off += 1
        state.bouts_without_discard = 0
    state.bouts += 1
    state.bout, state.unbeaten, state.who_may_throw_in = (), (), ()
    state.taking, state.declined, state.emptied, state.shown_trumps = False, _NOBODY, (), ()


def _refill(state: Position, events: list[Event]) -> None:
    """Refill the hands: attacker, others clockwise, defender last; each fully before the next."""
    order = [seat for seat in clockwise(state, state.attacker) if seat != state.defender]
    if state.defender not in state.out:
        order.append(state.defender)
    for seat in order:
        _draw(state, seat, state.rules.hand_size - len(state.hands[seat]), events)


def _one_each(state: Position, events: list[Event]) -> None:
    """Let everybody with too few cards draw one, at the end of a round of the table."""
    for seat in clockwise(state, state.round_start):
        if len(state.hands[seat]) < state.rules.hand_size:
            _draw(state, seat, 1, events)
    state.moved, state.round_start = 0, state.attacker


def _draw(state: Position, seat: Seat, count: int, events: list[Event]) -> None:
    """Draw cards into a hand, as far as the talon goes."""
    if count <= 0 or not state.talon:
        return
    cards, state.talon = state.talon[:count], state.talon[count:]
    state.set_hand(seat, state.hands[seat] | CardSet(cards))
    turn_up: Card | None = None
    if not state.talon and state.rules.turn_up == "talon_bottom":
        turn_up = cards[-1]
        state.seen_cards += ((seat, turn_up),)
    events.append(Drew(seat, len(cards), cards, turn_up))


def _let_leave(state: Position, before: Position, events: list[Event]) -> None:
    """Let those go who hold no card and expect none, in the order in which their hands became empty."""
    if state.talon and not state.rules.leave_with_talon:
        return
    for seat in dict.fromkeys((*before.emptied, *clockwise(state, before.attacker))):
        if not state.hands[seat] and seat not in state.out:
            place = len(state.out) + 1
            state.points = scoring.with_place(state, seat, place)
            state.out += (seat,)
            events.append(WentOut(seat, place))


def _next_roles(state: Position, before: Position, events: list[Event]) -> None:
    """Let the defender attack next, or after a take the player to his left."""
    chair = before.chairs[1]
    give_roles(state, next_chair(state, chair) if before.taking else chair, moving_from=chair)
    if state.rules.draw == "one_each_table_round" and state.moved >= state.players:
        _one_each(state, events)
    events.append(BoutOpened(state.attacker, state.defender))
