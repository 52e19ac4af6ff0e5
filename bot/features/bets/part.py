"""The part of bets: offers them at tables, and adds lines to results, statistics and weekly reports."""

from adapters.port import ServerRef, UserRef
from bot.cache import LIMITS, ReadThroughCache
from bot.delivery.finished_games import GameKey
from bot.features.bets.model import GameProphets, accepts_bets
from bot.features.bets.screens import (
    SAW_IT_COMING,
    bet_button,
    game_prophets_line,
    tally_line,
    week_prophets_line,
)
from bot.features.bets.store import BetStore
from bot.locale import Translator, gettext_noop
from bot.screens.server_settings import ServerSetting
from bot.screens.story import Scene
from bot.screens.table import TableExtra
from bot.screens.text import Line
from engine import Outcome
from engine.runtime import Game

SETTING = ServerSetting(
    name="bets",
    rank=110,
    label=gettext_noop("🔮 Bets on the fool"),
    about=gettext_noop(
        "While a game is on, anybody can bet for honour, once and in private, on the fool. "
        "The result names those who saw it coming."
    ),
    example=lambda translator: translator.text(SAW_IT_COMING, names="Anna"),
)


class Bets:
    """Offers bets and names the people who were right; caches the prophets of finished games."""

    def __init__(self, store: BetStore) -> None:
        self.store = store
        self._game_prophets = ReadThroughCache[GameKey, GameProphets](
            lambda game: store.game_prophets(*game), LIMITS.games
        )

    def at_the_table(self, scene: Scene) -> TableExtra:
        """Returns the button to bet, while the game accepts bets."""
        if not accepts_bets(scene.table, scene.view, scene.events):
            return TableExtra()
        return TableExtra(button=bet_button(scene.table, scene.translator))

    async def under_the_result(self, scene: Scene, _game: Game, _outcome: Outcome) -> Line:
        """Names the people who bet on the right loser."""
        prophets = await self._game_prophets.get((scene.table.id, scene.table.game))
        return game_prophets_line(prophets, scene.translator)

    async def in_stats(self, server: ServerRef, user: UserRef, translator: Translator) -> Line:
        """Counts a person's bets on a server."""
        return tally_line(await self.store.tally(server, user), translator)

    async def highlight(self, server: ServerRef, since: float, until: float, translator: Translator) -> Line:
        """Names the prophets of a period."""
        return week_prophets_line(await self.store.week_prophets(server, since, until), translator)

    def forget(self, _: UserRef) -> None:
        """Clears all cached names, because the forgotten person's may be among them."""
        self._game_prophets.forget_all()
