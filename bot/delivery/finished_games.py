"""Caches facts about finished games, which the result and every player's hand need."""

from bot.cache import LIMITS, ReadThroughCache
from bot.storage import RecordStore
from bot.storage.ended import Consequences

GameKey = tuple[int, int]  # a table's id, and the number of one of its games


class FinishedGames:
    """Caches the facts of finished games, which never change.

    Attributes:
        consequences: The changes caused by a game, such as in ratings; already cached when a game ends.
    """

    def __init__(self, records: RecordStore) -> None:
        self.consequences = ReadThroughCache[GameKey, Consequences](
            lambda game: records.consequences(*game), LIMITS.games
        )
        records.database.on_result.append(self.consequences.put)
