"""Keeps the tables: the people around each and the cards on it, changed together under one lock per table."""

from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass

import structlog

from adapters.port import RoomRef, ServerRef, User, UserRef
from bot.model.rule_set import RuleSet
from bot.model.table import Lobby, LobbyRefusal, LobbyRefusedError, Phase
from bot.storage import Lobbies
from bot.tables.contributions import Contributions
from bot.tables.deals import new_seed, next_opening, trace_of
from bot.tables.events import Bell
from bot.tables.table_cache import LobbyCache, NoSuchTableError
from engine.runtime import Author, Clock, Closed, GameSession, GameSessions, Result, SessionFrozenError

__all__ = ["NEEDED_SECONDS", "NoSuchTableError", "Opened", "Parlour"]

log = structlog.get_logger()

NEEDED_SECONDS = {Phase.CLOSED: 15 * 60.0, Phase.OVER: 24 * 60 * 60.0}
"""How long after its end a table is kept in memory: somebody may want a rematch, or a message may be late."""


@dataclass(frozen=True, slots=True)
class Opened:
    """The answer to opening a table: `is_new` is False when one stands in the room already."""

    lobby: Lobby
    is_new: bool


class Parlour:
    """All tables of this bot. What it changes is on disk before anybody is told."""

    def __init__(
        self, lobbies: Lobbies, sessions: GameSessions, contributions: Contributions, bell: Bell, clock: Clock
    ) -> None:
        self._lobbies = lobbies
        self._contributions = contributions
        self._bell = bell
        self._clock = clock
        self._cache = LobbyCache(lobbies, sessions, contributions, bell)
        self._locks = self._cache.locks
        self._damaged: set[int] = set()

    @property
    def damaged(self) -> list[int]:
        """The tables that were found damaged at the start and are not put away yet."""
        known = self._cache.known
        return sorted(
            each for each in self._damaged if each not in known or known[each].phase is not Phase.CLOSED
        )

    async def resume(self) -> int:
        """Take up the tables that were in use when the bot stopped, if they can be; returns how many."""
        taken_up = 0
        for table_id in await self._lobbies.unfinished():
            try:
                await self.lobby(table_id)
                is_damaged = await self._is_frozen(table_id)
            except Exception:
                log.exception("table_left_out", table=table_id)  # the others go on
                self._damaged.add(table_id)
            else:
                if is_damaged:
                    self._damaged.add(table_id)
                self._bell.changed(table_id)
                taken_up += 1
        return taken_up

    async def tidy(self) -> None:
        """Let go of tables that nobody needs; whoever asks for one again finds it on disk."""
        for table_id in list(self._cache.known):
            async with self._locks[table_id]:
                if self._is_needed(self._cache.known[table_id]):
                    continue
                self._cache.forget(table_id)
            self._bell.left(table_id)

    def _is_needed(self, lobby: Lobby) -> bool:
        needed = NEEDED_SECONDS.get(lobby.phase)
        return needed is None or self._clock.now() < lobby.touched_at + needed

    async def lobby(self, table_id: int) -> Lobby:
        """Give the people of a table.

        Raises:
            NoSuchTableError: There never was such a table.
        """
        return await self._cache.lobby(table_id)

    async def session(self, table_id: int) -> GameSession:
        """Give the cards of a table; without a game its state is None.

        Raises:
            SessionFrozenError: What is on disk about the table contradicts itself.
        """
        return await self._cache.session(table_id)

    async def in_room(self, room: RoomRef) -> Lobby | None:
        """Give the table that stands in a room and is not over."""
        stored = await self._lobbies.in_room(room)
        return None if stored is None else await self.lobby(stored.id)

    async def open(
        self, room: RoomRef, opener: User, rule_set: RuleSet, locale: str, *, event: str = ""
    ) -> Opened:
        """Open a table, its opener seated if a person, or find the one that stands in the room.

        `event` is the chat's id of the wish to open it.
        """
        async with self._locks[room]:
            if (standing := await self.in_room(room)) is not None:
                return Opened(standing, is_new=False)
            lobby = await self._lobbies.open(
                room=room,
                opener=opener,
                joined=trace_of(event),
                preset=rule_set.name,
                rules=rule_set.rules,
                house_rules=rule_set.house_rules,
                seed=new_seed(),
                locale=locale,
            )
        self._cache.put(lobby)
        self._bell.changed(lobby.id)
        return Opened(lobby, is_new=True)

    async def change(self, table_id: int, change: Callable[[Lobby], Lobby]) -> Lobby:
        """Change the people of a table.

        Raises:
            LobbyRefusedError: The change is not possible; nothing happened.
        """
        async with self._locks[table_id]:
            changed = await self._cache.save(change(await self._cache.held_lobby(table_id)))
        self._bell.changed(table_id)
        return changed

    async def start(self, table_id: int, user: UserRef, *, event: str = "") -> Lobby:
        """Deal the cards; `event` is the chat's id of the press that starts the game.

        The deal is written first: a table that is found dealt is a table that plays (see `LobbyCache`).

        Raises:
            LobbyRefusedError: It cannot start; nothing happened.
            SessionFrozenError: What is on disk about the table contradicts itself.
        """
        async with self._locks[table_id]:
            gathered = await self._cache.held_lobby(table_id)
            started, session = gathered.start(user), await self._cache.held_session(gathered)
            opening = await self._contributions.gathered(started, next_opening(started, session, event))
            with self._cache.doubting(table_id):
                await session.deal(started.game, opening)
            started = await self._cache.save(started)
        self._bell.changed(table_id)
        return started

    async def submit(
        self, table_id: int, seat: int, text: str, version: int, author: Author = Author.PLAYER
    ) -> Result:
        """Play a move; the last one of a game also ends it.

        Raises:
            SessionFrozenError: What is on disk about the cards contradicts itself.
        """
        if (await self.lobby(table_id)).phase is not Phase.PLAYING:
            return Closed()
        session = await self.session(table_id)
        result = await session.submit(seat, text, version, author)
        await self._cache.follow(session)
        return result

    async def resign(self, table_id: int, user: User) -> Result:
        """Give the game up for a person; it ends at once.

        Raises:
            LobbyRefusedError: They do not sit at the table.
            SessionFrozenError: What is on disk about the cards contradicts itself.
        """
        lobby = await self.lobby(table_id)
        seat = lobby.seat_taken_by(user.ref)
        if lobby.phase is not Phase.PLAYING:
            return Closed()
        session = await self.session(table_id)
        result = await session.resign(seat)
        await self._cache.follow(session)
        return result

    async def rematch(self, table_id: int, user: User) -> Lobby:
        """Gather for another game at the same table.

        Raises:
            LobbyRefusedError: The game is not over, this person did not play, or another table stands in the
                room.
        """
        room = (await self.lobby(table_id)).room
        async with self._locks[room]:
            standing = await self.in_room(room)
            if standing is not None and standing.id != table_id:
                raise LobbyRefusedError(LobbyRefusal.ROOM_TAKEN)
            return await self.change(table_id, lambda lobby: lobby.rematch(user, new_seed()))

    async def moved(self, old: RoomRef, new: RoomRef) -> None:
        """Let a room, with its tables and its server's tallies, go on under a new id."""
        async with AsyncExitStack() as locks:
            servers = {old.server, new.server}
            concerned = [
                table_id for table_id, lobby in self._cache.known.items() if lobby.room.server in servers
            ]
            for table_id in sorted(concerned):
                await locks.enter_async_context(self._locks[table_id])
            with self._cache.doubting(*concerned):
                await self._lobbies.rename_room(old, new)
                for table_id in concerned:
                    await self._cache.reread(table_id)
        for table_id in concerned:
            self._bell.changed(table_id)

    async def tables_of(self, user: UserRef, *, near: RoomRef | None = None) -> list[Lobby]:
        """Give the games that a person can play: those in the room `near` first, then the newest."""
        found = [await self.lobby(stored.id) for stored in await self._lobbies.of_player(user)]
        sound = [lobby for lobby in found if not await self._is_frozen(lobby.id)]
        return sorted(sound, key=lambda lobby: lobby.room != near)

    def games_of(self, user: UserRef) -> set[int]:
        """Name the tables at which a person sits in a running game."""
        return self._cache.games_of(user)

    async def _is_frozen(self, table_id: int) -> bool:
        try:
            await self.session(table_id)
        except SessionFrozenError:
            return True
        return False

    async def forget(
        self, user: UserRef, private: ServerRef | None, erase: Callable[[], Awaitable[None]]
    ) -> None:
        """Take a person away from all tables, while `erase` lets the disk forget them.

        A lobby goes on without them; in a game a house player takes their seat for good. The tables in their
        `private` chat are let go.
        """
        async with AsyncExitStack() as locks:
            stored = await self._lobbies.about(user, private)
            unsaved = [table_id for table_id, lobby in self._cache.known.items() if lobby.knows(user)]
            for table_id in sorted({*stored, *unsaved}):
                await locks.enter_async_context(self._locks[table_id])
            known = {
                table_id: self._cache.known[table_id]
                for table_id in {*stored, *unsaved}
                if table_id in self._cache.known
            }
            for lobby in known.values():
                if lobby.phase is Phase.LOBBY and lobby.seat_of(user) is not None:
                    await self._cache.save(lobby.leave(user))
            left = {table_id for table_id, lobby in known.items() if lobby.room.server == private}
            with self._cache.doubting(*known):
                await erase()
                for table_id in known.keys() - left:
                    await self._cache.reread(table_id)
            for table_id in left:
                self._cache.forget(table_id)
        for table_id in left:
            self._bell.left(table_id)
        for table_id in known.keys() - left:
            self._bell.changed(table_id)

    def tables_in(self, room: RoomRef) -> list[int]:
        """Give the known tables of a room and of its topics."""
        return [
            table_id
            for table_id, lobby in self._cache.known.items()
            if (lobby.room.server, lobby.room.id) == (room.server, room.id)
        ]
