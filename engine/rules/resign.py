"""Giving a game up: it ends at once, and whoever resigned has lost it, in team play with the whole team."""

from typing import TYPE_CHECKING

from engine.rules.errors import IllegalMoveError
from engine.rules.events import GameOver, Resigned
from engine.rules.moves import Resign
from engine.rules.outcome import Outcome, Seat
from engine.rules.play import Step
from engine.rules.refusal import reason_to_sit_by
from engine.rules.scoring import winner_of
from engine.rules.seating import team_of, team_seats

if TYPE_CHECKING:
    from engine.rules.state import State


def resign(state: "State", seat: Seat) -> Step:
    """End the game with this seat as its fool; raise IllegalMoveError where it does not play any more."""
    reason = reason_to_sit_by(state, seat)
    if reason is not None:
        raise IllegalMoveError(reason, seat, str(Resign()), state.to_text())
    outcome = _outcome(state, seat)
    return Step(state._replace(ended=outcome), (Resigned(seat), GameOver(outcome)))


def _outcome(state: "State", seat: Seat) -> Outcome:
    return Outcome(
        fool=seat if state.rules.teams == "off" else None,
        losers=team_seats(state, team_of(state.rules, seat)),
        is_draw=False,
        order=state.out,
        points=state.points,
        winner=winner_of(state),
    )
