"""Facts about finished games for results and hands: each is looked up once, and asked for by all players."""

from bot.cache import LIMITS, ReadThroughCache
from bot.storage import RecordStore
from bot.storage.records import Consequences

GameKey = tuple[int, int]  # a table's id, and the number of one of its games


class FinishedGames:
    """Caches the facts of finished games, which never change.

    Attributes:
        consequences: What a game has changed.
    """

    def __init__(self, records: RecordStore) -> None:
        self.consequences = ReadThroughCache[GameKey, Consequences](
            lambda game: records.consequences(*game), LIMITS.games
        )
