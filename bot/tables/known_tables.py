"""The tables in memory, found by their ids and by who plays there."""

from collections.abc import Collection, Iterator, Mapping

from adapters.port import RoomRef, UserRef
from bot.model.idle_table import UnreadTable
from bot.model.table import Phase, Table


class KnownTables(Mapping[int, Table]):
    """Knows tables by their ids; a person's games are found without a look at everybody else's.

    Of tables that were left on disk at the start it knows where they stand and who plays there.
    """

    def __init__(self) -> None:
        self._tables: dict[int, Table] = {}
        self._unread: dict[int, UnreadTable] = {}
        self._playing: dict[int, Collection[UserRef]] = {}
        self._games: dict[UserRef, set[int]] = {}

    def __getitem__(self, table_id: int) -> Table:
        return self._tables[table_id]

    def __iter__(self) -> Iterator[int]:
        return iter(self._tables)

    def __len__(self) -> int:
        return len(self._tables)

    @property
    def rooms(self) -> Mapping[int, RoomRef]:
        """Where each table stands, by its id; of those on disk as well."""
        left = {each.id: each.room for each in self._unread.values()}
        return left | {each.id: each.room for each in self._tables.values()}

    def note_unread(self, unfinished: UnreadTable) -> None:
        """Know this much of a table that stays on disk until somebody asks for it."""
        self._unread[unfinished.id] = unfinished
        self._note_players(unfinished.id, unfinished.playing)

    def is_unread(self, table_id: int) -> bool:
        """Whether a table was left on disk at the start, and nobody has asked for it since."""
        return table_id in self._unread

    def put(self, table: Table) -> None:
        """Know a table as it is now."""
        self._unread.pop(table.id, None)
        self._tables[table.id] = table
        self._note_players(table.id, _playing(table))

    def forget(self, table_id: int) -> None:
        """Know nothing of a table any more."""
        self._unread.pop(table_id, None)
        self._tables.pop(table_id, None)
        self._note_players(table_id, ())

    def games_of(self, user: UserRef) -> set[int]:
        """Name the tables at which a person sits in a running game."""
        return set(self._games.get(user, ()))

    def _note_players(self, table_id: int, playing: Collection[UserRef]) -> None:
        for user in self._playing.pop(table_id, ()):
            games = self._games.get(user, set())
            games.discard(table_id)
            if not games:
                self._games.pop(user, None)
        for user in playing:
            self._games.setdefault(user, set()).add(table_id)
        if playing:
            self._playing[table_id] = playing


def _playing(table: Table) -> Collection[UserRef]:
    if table.phase is not Phase.PLAYING:
        return ()
    return [player.user for player in table.players if player.user is not None]
