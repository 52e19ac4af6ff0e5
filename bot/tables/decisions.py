"""Walks through a finished game with what one of its seats knew at each step, and nothing else."""

from collections.abc import Sequence

from engine import Decision, Event, Memory, Opening, Resign, Seat, parse_action, seen_by
from engine.runtime import Author, Entry


def decisions_of(entries: Sequence[Entry], seat: Seat) -> list[Decision]:
    """Return the choices that the person on a seat made themselves, in order.

    What a house player, the clock or the table did for them is not theirs, and one legal move is no choice.

    Args:
        entries: The journal of one game, from its opening on.
        seat: Whose choices.

    Raises:
        ValueError: The journal cannot be read or played.
    """
    opening, *moves = entries
    state = Opening.from_text(opening.text).deal()
    seen: list[Event] = []
    found: list[Decision] = []
    for entry in moves:
        if entry.seat is None:
            raise ValueError("a move needs a seat")
        action, choices = parse_action(entry.text), state.legal_moves(seat)
        is_own = entry.seat == seat and entry.author is Author.PLAYER
        if is_own and len(choices) > 1 and not isinstance(action, Resign):
            view = state.view_for(seat)
            found.append(Decision(state.bouts + 1, view, Memory.of(view, seen), choices, action))
        step = state.act(entry.seat, action)
        seen += seen_by(step.events, seat)
        state = step.state
    return found
