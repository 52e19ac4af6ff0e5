"""Giving a game up: it ends at once, and whoever resigned has lost it, in team play with the whole team."""

from typing import TYPE_CHECKING

from engine.rules.errors import IllegalMove, Reason
from engine.rules.events import GameOver, Resigned
from engine.rules.moves import Resign
from engine.rules.outcome import Outcome, Seat
from engine.rules.play import Step
from engine.rules.seating import team_of, team_seats

if TYPE_CHECKING:
    from engine.rules.state import State


def resign(state: "State", seat: Seat) -> Step:
    """Ends the game with this seat as its fool; raises IllegalMove when the seat does not play any more."""
    reason = _reason_against(state, seat)
    if reason is not None:
        raise IllegalMove(reason, seat, str(Resign()), state.to_text())
    outcome = _outcome(state, seat)
    return Step(state._replace(ended=outcome), (Resigned(seat), GameOver(outcome)))


def _reason_against(state: "State", seat: Seat) -> Reason | None:
    if state.ended is not None:
        return Reason.GAME_OVER
    if not 0 <= seat < state.players:
        return Reason.NO_SUCH_SEAT
    return Reason.OUT_OF_GAME if seat in state.out else None


def _outcome(state: "State", seat: Seat) -> Outcome:
    return Outcome(
        fool=seat if state.rules.teams == "off" else None,
        losers=team_seats(state, team_of(state.rules, seat)),
        is_draw=False,
        order=state.out,
        points=state.points,
        winner=state.out[0] if state.rules.winner == "first_out" and state.out else None,
    )
