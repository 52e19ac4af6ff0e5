"""Facts about finished games for results and hands: each is looked up once, and asked for by all players."""

from collections.abc import Mapping, Sequence

from adapters.port import UserRef
from bot.cache import LIMITS, ReadThroughCache
from bot.model.results import Prophets, Title
from bot.storage import BetStore, RecordStore, TitleStore
from engine import Seat

GAMES_BEFORE_MORE = 3  # games of a chat, after which a result names the bot's further offers

GameKey = tuple[int, int]  # a table's id, and the number of one of its games


class FinishedGames:
    """Caches the facts of finished games, which change only when somebody is forgotten.

    Attributes:
        rating_changes: By seat; for those whose rating counts.
        new_titles: The titles that a game has brought, each with the seats that got it.
        prophets: The people who saw the fool coming.
        losses_before: By seat, how often its person has lost before.
        has_more: Whether the result names the bot's further offers.
    """

    def __init__(self, records: RecordStore, titles: TitleStore, bets: BetStore) -> None:
        self.rating_changes = ReadThroughCache[GameKey, Mapping[Seat, float]](
            lambda game: records.rating_changes(*game), LIMITS.games
        )
        self.new_titles = ReadThroughCache[GameKey, Mapping[Title, Sequence[Seat]]](
            lambda game: titles.new_titles(*game), LIMITS.games
        )

        self.prophets = ReadThroughCache[GameKey, Prophets](lambda game: bets.prophets(*game), LIMITS.games)
        self.losses_before = ReadThroughCache[GameKey, Mapping[Seat, int]](
            lambda game: records.losses_before(*game), LIMITS.games
        )

        self.has_more = ReadThroughCache[GameKey, bool](
            lambda game: records.is_nth_here(*game, GAMES_BEFORE_MORE), LIMITS.games
        )

    def forget(self, user: UserRef) -> None:
        """Drops the facts that name people, one of whom is forgotten."""
        self.prophets.forget_all()
