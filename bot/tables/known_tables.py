"""The tables in memory, found by their ids and by who plays there."""

from collections.abc import Iterable, Iterator, Mapping

from adapters.port import UserRef
from bot.model.table import Phase, Table


class KnownTables(Mapping[int, Table]):
    """Knows tables by their ids; a person's games are found without a look at everybody else's."""

    def __init__(self) -> None:
        self._tables: dict[int, Table] = {}
        self._games: dict[UserRef, set[int]] = {}

    def __getitem__(self, table_id: int) -> Table:
        return self._tables[table_id]

    def __iter__(self) -> Iterator[int]:
        return iter(self._tables)

    def __len__(self) -> int:
        return len(self._tables)

    def put(self, table: Table) -> None:
        """Know a table as it is now."""
        self._forget_games(table.id)
        self._tables[table.id] = table
        for user in _playing(table):
            self._games.setdefault(user, set()).add(table.id)

    def forget(self, table_id: int) -> None:
        """Know nothing of a table any more."""
        self._forget_games(table_id)
        self._tables.pop(table_id, None)

    def games_of(self, user: UserRef) -> set[int]:
        """Name the tables at which a person sits in a running game."""
        return set(self._games.get(user, ()))

    def _forget_games(self, table_id: int) -> None:
        for user in _playing(self._tables.get(table_id)):
            games = self._games.get(user, set())
            games.discard(table_id)
            if not games:
                self._games.pop(user, None)


def _playing(table: Table | None) -> Iterable[UserRef]:
    if table is None or table.phase is not Phase.PLAYING:
        return ()
    return [player.user for player in table.players if player.user is not None]
