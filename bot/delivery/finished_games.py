"""Facts about finished games for results and hands: each is looked up once, and asked for by all players."""

from collections.abc import Mapping

from bot.cache import LIMITS, ReadThroughCache
from bot.storage import RecordStore
from engine import Seat

GAMES_BEFORE_MORE = 3  # games of a chat, after which a result names the bot's further offers

GameKey = tuple[int, int]  # a table's id, and the number of one of its games


class FinishedGames:
    """Caches the facts of finished games, which never change.

    Attributes:
        rating_changes: By seat; for those whose rating counts.
        has_more: Whether the result names the bot's further offers.
    """

    def __init__(self, records: RecordStore) -> None:
        self.rating_changes = ReadThroughCache[GameKey, Mapping[Seat, float]](
            lambda game: records.rating_changes(*game), LIMITS.games
        )
        self.has_more = ReadThroughCache[GameKey, bool](
            lambda game: records.is_nth_here(*game, GAMES_BEFORE_MORE), LIMITS.games
        )
