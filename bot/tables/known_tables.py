"""The tables in memory, and the rooms and players of those on disk."""

from collections.abc import Collection, Mapping

from adapters.port import RoomRef, UserRef
from bot.model.table import Phase, Table, UnreadTable


class KnownTables(dict[int, Table]):
    """The tables in memory by id, with an index of each person's games.

    For tables that were left on disk at the start, only rooms and players are known. Add tables only with
    `put`, and remove them only with `forget`.
    """

    def __init__(self) -> None:
        super().__init__()
        self._unread: dict[int, UnreadTable] = {}
        self._playing: dict[int, Collection[UserRef]] = {}
        self._games: dict[UserRef, set[int]] = {}

    @property
    def rooms(self) -> Mapping[int, RoomRef]:
        """The room of each table by its id, also of tables left on disk."""
        unread = {table.id: table.room for table in self._unread.values()}
        return unread | {table.id: table.room for table in self.values()}

    def note_unread(self, unfinished: UnreadTable) -> None:
        """Records the room and players of a table that stays on disk until it is asked for."""
        self._unread[unfinished.id] = unfinished
        self._note_players(unfinished.id, unfinished.playing)

    def is_unread(self, table_id: int) -> bool:
        """Returns whether a table was left on disk at the start, and has not been asked for since."""
        return table_id in self._unread

    def put(self, table: Table) -> None:
        """Stores the newest state of a table."""
        self._unread.pop(table.id, None)
        self[table.id] = table
        playing = table.players if table.phase is Phase.PLAYING else ()
        self._note_players(table.id, [player.user for player in playing if player.user is not None])

    def forget(self, table_id: int) -> None:
        """Drops a table."""
        self._unread.pop(table_id, None)
        self.pop(table_id, None)
        self._note_players(table_id, ())

    def games_of(self, user: UserRef) -> set[int]:
        """Returns the tables at which a person sits in a running game."""
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
