"""The lobbies in memory, one lock for each: as they are on disk, and in step with their cards."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from types import MappingProxyType

import structlog

from adapters.port import UserRef
from bot.metrics import GAMES
from bot.model.table import Lobby, Phase
from bot.storage import Lobbies
from bot.tables.contributions import Contributions
from bot.tables.events import Bell
from engine.runtime import Locks, SessionFrozenError, Table, Tables

log = structlog.get_logger()


class NoSuchTableError(LookupError):
    """There is no table with this id."""


class LobbyCache:
    """Finds lobbies and keeps changed ones.

    A write that fails may have arrived all the same, so what it was to change is read again by whoever asks
    next. `held_lobby`, `held_cards` and `save` are for whoever holds the table's lock.
    """

    def __init__(self, lobbies: Lobbies, tables: Tables, contributions: Contributions, bell: Bell) -> None:
        self._lobbies = lobbies
        self._tables = tables
        self._contributions = contributions
        self._bell = bell
        self._known: dict[int, Lobby] = {}
        self._in_doubt: set[int] = set()
        self.locks = Locks()

    @property
    def known(self) -> Mapping[int, Lobby]:
        """The lobbies in memory, by table."""
        return MappingProxyType(self._known)

    async def lobby(self, table: int) -> Lobby:
        """Give the people of a table.

        Raises:
            NoSuchTableError: There never was such a table.
        """
        if table in self._known and table not in self._in_doubt:
            return self._known[table]
        async with self.locks[table]:
            return await self.held_lobby(table)

    async def cards(self, table: int) -> Table:
        """Give the cards of a table, and let its phase follow them.

        Raises:
            SessionFrozenError: What is on disk about the table contradicts itself.
        """
        cards = await self.held_cards(await self.lobby(table))
        await self.follow(cards)
        return cards

    async def follow(self, cards: Table) -> None:
        """Let the phase of a table follow its cards, which are the truth."""
        if _phase_by(cards, await self.lobby(cards.id)) is not None:
            async with self.locks[cards.id]:
                await self.held_lobby(cards.id)
            self._bell.changed(cards.id)

    def put(self, lobby: Lobby) -> None:
        """Take up a table that was just opened."""
        self._known[lobby.id] = lobby
        self._contributions.follow(lobby)

    def forget(self, table: int) -> None:
        """Let go of a table; whoever asks for it again finds it on disk."""
        self._known.pop(table, None)
        self._in_doubt.discard(table)
        self._tables.forget(table)

    @contextmanager
    def doubting(self, *tables: int) -> Iterator[None]:
        """Write something about tables; should that fail, they are read again, and looked at anew."""
        try:
            yield
        except BaseException:
            self._in_doubt.update(tables)
            for table in tables:
                self._bell.changed(table)
            raise

    async def held_lobby(self, table: int) -> Lobby:
        """Give a table in step with its cards, from disk if need be."""
        if table not in self._known or table in self._in_doubt:
            await self.reread(table)
        await self._bring_in_step(self._known[table])
        return self._known[table]

    async def reread(self, table: int) -> None:
        """Read a table from disk, whatever is known of it."""
        stored = await self._lobbies.get(table)
        if stored is None:
            raise NoSuchTableError(table)
        if stored.is_damaged:
            log.error("table_damaged", table=table)
        self._known[table] = stored
        self._in_doubt.discard(table)

    async def held_cards(self, lobby: Lobby) -> Table:
        """Give the cards of a table, whatever its phase says."""
        if lobby.is_damaged:
            raise SessionFrozenError("the rules cannot be read")
        return await self._tables.find(lobby.id)

    async def save(self, lobby: Lobby) -> Lobby:
        """Keep a changed lobby."""
        was_playing = self._known[lobby.id].phase is Phase.PLAYING
        with self.doubting(lobby.id):
            self._known[lobby.id] = await self._lobbies.save(lobby)
        self._contributions.follow(lobby)
        if was_playing is not (lobby.phase is Phase.PLAYING):
            # Hands at other tables say which one is theirs as long as there is more than one.
            for other in {table for user in lobby.people() for table in self.games_of(user)} - {lobby.id}:
                self._bell.changed(other)
        return self._known[lobby.id]

    def games_of(self, user: UserRef) -> set[int]:
        """Name the tables at which a person sits in a running game."""
        return {
            table
            for table, lobby in self._known.items()
            if lobby.phase is Phase.PLAYING and lobby.seat_of(user) is not None
        }

    async def _bring_in_step(self, lobby: Lobby) -> None:
        try:
            phase = _phase_by(await self.held_cards(lobby), lobby)
        except SessionFrozenError:
            return  # its screen says so
        if phase is not None:
            await self.save(lobby.entered(phase))
            if phase is Phase.OVER:
                GAMES.inc()


def _phase_by(cards: Table, lobby: Lobby) -> Phase | None:
    """Give the phase that a table should be in by its cards; None when it is."""
    is_in_use = lobby.phase in {Phase.LOBBY, Phase.PLAYING}
    if not is_in_use or cards.game != lobby.game or cards.state is None:
        return None
    phase = Phase.PLAYING if cards.outcome is None else Phase.OVER
    return None if phase is lobby.phase else phase
