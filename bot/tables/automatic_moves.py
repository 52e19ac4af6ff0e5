"""Makes the moves that need no press: those of house players, and those for the absent."""

from collections.abc import Sequence

from bot.model.table import Table
from bot.tables.events import TableEvents
from bot.tables.house_players import STAND_IN, HousePlayers
from bot.tables.service import TableService
from engine import Absent, Done, HousePlayer, Seat
from engine.runtime import Accepted, Author, GameSession


class AutomaticMoves:
    """Moves for seats; a press that is faster wins."""

    def __init__(
        self, tables: TableService, house_players: HousePlayers, table_events: TableEvents, *, pace: float
    ) -> None:
        """Makes moves at `tables`; `pace` multiplies the pauses made for people."""
        self._tables = tables
        self._house_players = house_players
        self._table_events = table_events
        self._pace = pace
        self._absent: HousePlayer = Absent()

    async def make(self, table_id: int, author: Author, seats: Sequence[Seat]) -> None:
        """Moves for the awaited ones of these seats, and publishes it once."""
        table, session = await self._tables.with_session(table_id)
        seen = session.seen_version
        if author is Author.CLOCK:
            await session.wait_for_claims()  # these presses came in time

        state = session.state
        assert state is not None  # a move is due

        if session.seen_version != seen:
            return  # a press was faster, and has woken the task

        seats = [seat for seat in seats if seat in state.awaited]
        try:
            if author is Author.HOUSE and state.public_view().is_throw_in_round:
                await self._throw_in_or_pass(table, session, seats)
            else:
                await self._move_one_by_one(table, session, author, seats)
        finally:
            self._table_events.changed(table_id)

    async def _move_one_by_one(
        self, table: Table, session: GameSession, author: Author, seats: Sequence[Seat]
    ) -> None:
        version = session.version
        for seat in seats:
            state = session.state
            assert state is not None  # a move is due

            if author is Author.CLOCK:
                move = self._absent.choose(state.view_for(seat), state.legal_moves(seat))
            else:
                strength = _strength_of(table, seat)
                move = await self._house_players.choose(strength, state, session.events, seat)

            # Letting the moment for throwing in go by is a pass, not an absence.
            by = Author.AUTO if author is Author.CLOCK and move == Done() else author
            result = await self._tables.submit(table.id, seat, str(move), version, by, is_announced=False)
            version += 1
            if not isinstance(result, Accepted) or result.version != version:
                return  # a press was faster, so all times are counted again

    async def _throw_in_or_pass(self, table: Table, session: GameSession, seats: Sequence[Seat]) -> None:
        """Lets one of these house players throw in, or all pass at a time independent of their cards."""
        state = session.state
        seen = session.seen_version
        assert state is not None  # a move is due

        strengths = {seat: _strength_of(table, seat) for seat in seats}
        moves = await self._house_players.choose_together(
            strengths, state, session.events, pause=min(self._pace, 1.0)
        )

        throws = [(seat, move) for seat, move in moves.items() if move != Done()]
        passes = list(moves.items())
        for seat, move in throws[:1] or passes:
            if session.seen_version != seen:
                return  # a press was faster

            version = session.version
            await self._tables.submit(table.id, seat, str(move), version, Author.HOUSE, is_announced=False)


def _strength_of(table: Table, seat: Seat) -> str:
    """Returns the strength of a house player, or of a person's stand-in."""
    return table.options.strength if table.players[seat].user is None else STAND_IN
