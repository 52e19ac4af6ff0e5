"""Invariants of every position, every move and every end."""

from collections import Counter
from random import Random

from engine import MAX_QUIET_BOUTS, BeatenOff, Drew, Exchanged, LaidAway, Move, Redealt, State
from tests.engine.rules.games import Moment


def check_position(state: State) -> None:
    """Checks that every card is in exactly one place, and that every player who may act has a move."""
    places = [*state.talon, *state.discard]
    for hand in state.hands:
        places += hand

    for pair in state.bout:
        places += [pair.attack] if pair.beat is None else [pair.attack, pair.beat]

    if state.rules.turn_up == "removed" and state.turn_up is not None:
        places.append(state.turn_up)

    assert Counter(places) == Counter(state.rules.cards(state.players))
    assert not state.problems(), state.problems()
    assert state.awaited <= state.actors
    assert bool(state.awaited) == (state.outcome() is None)

    for seat in range(state.players):
        moves = state.legal_moves(seat)
        assert moves or seat not in state.awaited, seat
        assert seat in state.actors or not moves, seat
        assert len(set(moves)) == len(moves), seat


def check_move(moment: Moment, _: Random) -> None:
    """Checks that the heap only grows, hands are refilled to their size, and the talon goes from its top."""
    check_position(moment.before)
    before = moment.before
    after = moment.after
    events = moment.events
    assert events

    if any(isinstance(event, Redealt) for event in events):
        return

    assert before.discard <= after.discard
    grows = any(isinstance(event, BeatenOff | LaidAway) for event in events)
    assert grows == (before.discard != after.discard)
    assert after.out[: len(before.out)] == before.out

    drawn = [event for event in events if isinstance(event, Drew)]
    for event in drawn:
        assert 0 < event.count <= before.rules.hand_size
        assert len(after.hands[event.seat]) <= before.rules.hand_size

    assert len(before.talon) - len(after.talon) == sum(event.count for event in drawn)
    if not any(isinstance(event, Exchanged) for event in events):
        assert before.talon[len(before.talon) - len(after.talon) :] == after.talon


def check_texts(moment: Moment, _: Random) -> None:
    """Checks that positions and moves survive their texts, and that reading a position doesn't change it."""
    text = moment.before.to_text()
    read = State.from_text(text)
    assert read == moment.before
    assert hash(read) == hash(moment.before)

    for found in ("unbeaten", "who_may_throw_in", "awaited", "actors"):
        assert getattr(read, found) == getattr(moment.before, found), found

    assert Move.parse(str(moment.move)) == moment.move
    assert moment.before.apply(moment.seat, moment.move) == (moment.after, moment.events)
    assert moment.before.to_text() == text


def check_end(state: State) -> None:
    """Checks that there is one fool, one losing team, a draw, or places."""
    check_position(state)
    outcome = state.outcome()
    rules = state.rules
    assert outcome is not None
    holders = tuple(seat for seat in range(state.players) if state.hands[seat])

    assert outcome.order == state.out
    assert not state.actors
    assert State.from_text(state.to_text()) == state
    assert outcome.winner not in outcome.losers
    assert all(outcome.points[seat] <= 0 for seat in outcome.losers)
    assert not outcome.epaulettes or outcome.fool is not None or rules.teams != "off"

    if outcome.is_draw:
        assert (outcome.fool, outcome.losers) == (None, ())
        assert not holders or state.bouts_without_discard == MAX_QUIET_BOUTS
    elif rules.game_end == "places_filled":
        assert len(outcome.order) >= min(3, state.players - 1)
        assert set(outcome.losers) == set(range(state.players)) - set(outcome.order)
    elif rules.teams != "off":
        teams = {seat % (3 if rules.teams == "3x2" else 2) for seat in outcome.losers}
        assert len(teams) == 1
        assert set(holders) <= set(outcome.losers)
    else:
        assert outcome.losers == (outcome.fool,)
        assert holders in ((outcome.fool,), ())
