"""Giving a game up (rule 9.11): it ends at once, lost by whoever resigned, in team play by the whole team."""

from engine.rules.errors import IllegalMoveError
from engine.rules.events import Event, GameOver, Resigned
from engine.rules.moves import Resign
from engine.rules.outcome import Outcome, Seat
from engine.rules.position import Position
from engine.rules.position_text import to_text
from engine.rules.refusal import reason_to_sit_by
from engine.rules.scoring import winner_of
from engine.rules.seating import partners
from engine.rules.turns import find_who_acts


def resign(state: Position, seat: Seat) -> tuple[Position, tuple[Event, ...]]:
    """End the game with this seat as its fool; raise IllegalMoveError where it does not play any more."""
    reason = reason_to_sit_by(state, seat)
    if reason is not None:
        raise IllegalMoveError(reason, seat, str(Resign()), to_text(state))
    after, outcome = state.copy(), _outcome(state, seat)
    after.ended = outcome
    find_who_acts(after)
    return after, (Resigned(seat), GameOver(outcome))


def _outcome(state: Position, seat: Seat) -> Outcome:
    return Outcome(
        fool=seat if state.rules.teams == "off" else None,
        losers=partners(state, seat),
        is_draw=False,
        order=state.out,
        points=state.points,
        winner=winner_of(state),
    )
