"""Makes the moves that need no press: those of house players, and those for the absent."""

from collections.abc import Callable, Sequence

from bot.model.table import Table
from bot.tables.events import TableEvents
from bot.tables.house_players import HousePlayers, strength_of
from bot.tables.service import TableService
from engine import Absent, Done, HousePlayer, Move, Seat, State, seen_by, sly_move
from engine.runtime import Accepted, Author, GameSession


class AutomaticMoves:
    """Makes moves for seats; a faster press wins."""

    def __init__(self, tables: TableService, house_players: HousePlayers, table_events: TableEvents) -> None:
        """Makes moves at `tables`."""
        self._tables = tables
        self._house_players = house_players
        self._table_events = table_events
        self._absent: HousePlayer = Absent()

    async def move_for_absent(self, table_id: int, seats: Sequence[Seat]) -> None:
        """Moves for each of these seats that is still awaited, and publishes the table once."""
        table, session = await self._tables.with_session(table_id)
        version = session.seen_version
        await session.wait_for_claims()  # these presses came in time
        if session.seen_version != version:
            return  # a press was faster, and has woken the task

        try:
            await self._move_one_by_one(table, session, seats)
        finally:
            self._table_events.changed(table_id)

    async def _move_one_by_one(self, table: Table, session: GameSession, seats: Sequence[Seat]) -> None:
        version = session.version
        for seat in _awaited(session, seats):
            state = _state(session)
            move = self._absent.choose(state.view_for(seat), state.fair_moves(seat))

            # Letting the moment for throwing in go by is a pass, not an absence.
            author = Author.AUTO if move == Done() else Author.CLOCK
            result = await self._tables.submit(table.id, seat, str(move), version, author, is_announced=False)
            version += 1
            if not isinstance(result, Accepted) or result.version != version:
                return  # a press was faster, so all times are counted again

    async def move_for_house(
        self, table_id: int, seats: Sequence[Seat], thinking: float, is_off: Callable[[], bool]
    ) -> None:
        """Makes the moves of house players, and publishes them together.

        They think for `thinking` seconds, whatever they hold. Those who may throw in decide together: one of
        them throws in, or all pass. Nobody moves if `is_off` then returns True, as a person has come back to
        one of the seats.
        """
        table, session = await self._tables.with_session(table_id)
        state = _state(session)
        versions = {session.seen_version}
        strengths = {seat: strength_of(table, seat) for seat in _awaited(session, seats)}

        moves = await self._house_players.choose_together(strengths, state, session.events, seconds=thinking)
        if is_off():
            return

        if state.rules.cheating:
            moves = {seat: _sly_or(move, table, session, state, seat) for seat, move in moves.items()}

        throws = [(seat, move) for seat, move in moves.items() if move != Done()]
        decides_one = bool(throws) and state.public_view().is_throw_in_round
        try:
            for seat, move in throws[:1] if decides_one else moves.items():
                if session.seen_version not in versions:
                    return  # a press was faster, so all times are counted again

                result = await self._tables.submit(
                    table.id, seat, str(move), session.version, Author.HOUSE, is_announced=False
                )
                if isinstance(result, Accepted):
                    versions.add(result.version)
        finally:
            self._table_events.changed(table_id)


def _sly_or(move: Move, table: Table, session: GameSession, state: State, seat: Seat) -> Move:
    """Returns the move, or the cheat or accusation that a house player in its own seat makes instead.

    A stand-in for a person does not cheat or accuse anybody.
    """
    opening = session.opening
    if table.players[seat].user is not None or opening is None:
        return move

    return sly_move(
        state.view_for(seat),
        state.legal_moves(seat),
        move,
        seen_by(session.events, seat),
        strength=strength_of(table, seat),
        seed=opening.seed,
    )


def _state(session: GameSession) -> State:
    assert session.state is not None  # a move is due
    return session.state


def _awaited(session: GameSession, seats: Sequence[Seat]) -> list[Seat]:
    return [seat for seat in seats if seat in _state(session).awaited]
