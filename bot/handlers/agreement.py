"""Who may put a table away, and end a running game that has no result yet."""

from dataclasses import replace
from enum import Enum, auto

from adapters.port import UserRef
from bot.handlers.rights import Rights
from bot.model.table import Phase, Table, TableRefusal, TableRefusedError
from bot.tables.scheduler import Scheduler
from bot.tables.service import TableService
from engine import Stop
from engine.runtime import GameSession, SessionFrozenError


class Wish(Enum):
    """What became of somebody's wish to stop."""

    DONE = auto()
    NOTED = auto()  # others have to agree
    NOT_YOURS = auto()


class Agreement:
    """Stops a running game when everybody agrees who plays, or when a moderator says so.

    Whoever is about to lose must not be able to end the game alone, though they opened the table. Where one
    person plays with house players, that person is everybody.
    """

    def __init__(self, tables: TableService, scheduler: Scheduler, rights: Rights) -> None:
        self._tables = tables
        self._scheduler = scheduler
        self._rights = rights

    async def stop(self, table: Table, user: UserRef) -> Wish:
        """Put a table away as somebody wishes, or note that they would.

        Raises:
            TableRefusedError: The game ended in the meantime.
        """
        session = await self._running(table)
        if session is not None:
            return await self._stop_game(table, session, user)
        if not await self._rights.may_manage(user, table):
            return Wish.NOT_YOURS
        await self._tables.change(table.id, Table.close)
        return Wish.DONE

    async def play_on(self, table: Table, user: UserRef) -> Wish:
        """Drop the question whether to stop, as somebody wishes who plays."""
        if table.seat_of(user) is None:
            return Wish.NOT_YOURS
        await self._tables.change(table.id, lambda now: replace(now, agreed=frozenset()))
        return Wish.DONE

    async def _running(self, table: Table) -> GameSession | None:
        """Return the session of a game that could be played on."""
        if table.phase is not Phase.PLAYING:
            return None
        try:
            return await self._tables.session(table.id)
        except SessionFrozenError:
            return None

    async def _stop_game(self, table: Table, session: GameSession, user: UserRef) -> Wish:
        is_moderator = await self._rights.may_moderate(user, table.room)
        if table.seat_of(user) is None and not is_moderator:
            return Wish.NOT_YOURS

        def change(now: Table) -> Table:
            if now.phase is not Phase.PLAYING or session.outcome is not None:
                raise TableRefusedError(TableRefusal.NOT_PLAYING)
            is_seated = now.seat_of(user) is not None
            asked = replace(now, agreed=now.agreed | {user}) if is_seated else now
            if is_seated and not asked.seats_to_ask(self._scheduler.stand_ins(now, session)):
                return _stopped(asked, Stop.AGREEMENT)
            return _stopped(asked, Stop.MODERATOR) if is_moderator else asked

        changed = await self._tables.change(table.id, change)
        return Wish.NOTED if changed.phase is Phase.PLAYING else Wish.DONE


def _stopped(table: Table, by: Stop) -> Table:
    return replace(table.close(), stopped=by)
