"""The end of a bout (chapter 7): move cards, draw, leave, result, next roles; in this order, only here.

With `leave_with_talon` a player leaves before anybody draws, because an empty hand has then already won.
"""

from collections.abc import Iterable

from engine.rules import scoring
from engine.rules.asides import exchange_card
from engine.rules.bout import cards_of
from engine.rules.cards import CardSet
from engine.rules.events import BeatenOff, BoutOpened, Drew, Event, GameOver, TakenUp, WentOut
from engine.rules.outcome import Outcome, Seat
from engine.rules.position import Position
from engine.rules.seating import clockwise, next_chair, with_roles

_NOBODY: frozenset[Seat] = frozenset()


def settled(state: Position) -> tuple[Position, list[Event]]:
    """End the bout if nothing can come any more, or lets a player go who has laid away his last cards."""
    events: list[Event] = []
    if state.is_bout_over:
        state = _end_bout(state, events)
    elif not state.bout and state.emptied:
        state = _end_laying_away(state, events)
    return state, events


def _end_bout(before: Position, events: list[Event]) -> Position:
    rules = before.rules
    state = _cards_moved(before, events)
    if rules.leave_with_talon:
        state = _left(state, before, events)
    if rules.draw == "refill" and state.talon:
        state = _refilled(state, events)
    if not rules.leave_with_talon:
        state = _left(state, before, events)
    outcome = scoring.outcome_of(state, before)
    if outcome is not None:
        return _over(state, outcome, events)
    return _next_roles(state, before, events)


def _end_laying_away(before: Position, events: list[Event]) -> Position:
    """Let the player go, and find a new attacker or defender if he was that."""
    state = _left(before._replace(emptied=()), before, events)
    outcome = scoring.outcome_of(state, before)
    if outcome is not None:
        return _over(state, outcome, events)
    chair = before.chairs[0]
    state = with_roles(state, chair, moving_from=chair)
    events.append(BoutOpened(state.attacker, state.defender))
    return state


def _over(state: Position, outcome: Outcome, events: list[Event]) -> Position:
    events.append(GameOver(outcome))
    return state._replace(ended=outcome)


def _cards_moved(state: Position, events: list[Event]) -> Position:
    """Move the cards of the bout to the taker, or to the discard heap."""
    cards = tuple(cards_of(state.bout))
    hands, discard, six_taken = state.hands, state.discard, state.six_taken
    if state.taking:
        events.append(TakenUp(state.defender, cards))
        hands = state.hands_with(state.defender, hands[state.defender] | CardSet(cards))
        six_taken = six_taken or (state.rules.trump_six_exchange and exchange_card(state) in cards)
    else:
        events.append(BeatenOff(state.defender, len(cards)))
        discard = discard | CardSet(cards)
    return state._replace(
        hands=hands,
        discard=discard,
        six_taken=six_taken,
        bout=(),
        taking=False,
        declined=_NOBODY,
        emptied=(),
        shown_trumps=(),
        bouts=state.bouts + 1,
        beaten_off=state.beaten_off + (not state.taking),
        bouts_without_discard=state.bouts_without_discard + 1 if state.taking else 0,
    )


def _refilled(state: Position, events: list[Event]) -> Position:
    """Refill the hands: attacker, others clockwise, defender last; each fully before the next."""
    order = [seat for seat in clockwise(state, state.attacker) if seat != state.defender]
    if state.defender not in state.out:
        order.append(state.defender)
    size, hands = state.rules.hand_size, state.hands
    return _drawn(state, [(seat, size - len(hands[seat])) for seat in order], events)


def _one_each(state: Position, events: list[Event]) -> Position:
    """Let everybody with too few cards draw one, at the end of a round of the table."""
    size, hands = state.rules.hand_size, state.hands
    order = [seat for seat in clockwise(state, state.round_start) if len(hands[seat]) < size]
    state = _drawn(state, [(seat, 1) for seat in order], events)
    return state._replace(moved=0, round_start=state.attacker)


def _drawn(state: Position, wanted: Iterable[tuple[Seat, int]], events: list[Event]) -> Position:
    """Let each seat draw as many cards as it wants, one after the other, as far as the talon goes."""
    hands, talon, seen_cards = list(state.hands), state.talon, state.seen_cards
    for seat, count in wanted:
        if count > 0 and talon:
            cards, talon = talon[:count], talon[count:]
            hands[seat] |= CardSet(cards)
            turn_up = cards[-1] if not talon and state.rules.turn_up == "talon_bottom" else None
            if turn_up is not None:
                seen_cards = (*seen_cards, (seat, turn_up))
            events.append(Drew(seat, len(cards), cards, turn_up))
    return state._replace(hands=tuple(hands), talon=talon, seen_cards=seen_cards)


def _left(state: Position, before: Position, events: list[Event]) -> Position:
    """Let those go who hold no card and expect none, in the order in which their hands became empty."""
    if state.talon and not state.rules.leave_with_talon:
        return state
    order = dict.fromkeys((*before.emptied, *clockwise(state, before.attacker)))
    for seat in order:
        if state.hands[seat] or seat in state.out:
            continue
        place = len(state.out) + 1
        points = scoring.with_place(state, seat, place)
        state = state._replace(out=(*state.out, seat), points=points)
        events.append(WentOut(seat, place))
    return state


def _next_roles(state: Position, before: Position, events: list[Event]) -> Position:
    """Let the defender attack next, or after a take the player to his left."""
    chair = before.chairs[1]
    state = with_roles(state, next_chair(state, chair) if before.taking else chair, moving_from=chair)
    if state.rules.draw == "one_each_table_round" and state.moved >= state.players:
        state = _one_each(state, events)
    events.append(BoutOpened(state.attacker, state.defender))
    return state
