"""The part of teasing: jokes beside the table and under the result, on by default."""

from bot.delivery.finished_games import FinishedGames
from bot.features.teasing.screens import result_tease, table_tease
from bot.locale import gettext_noop
from bot.model.server_choices import OFF, ON
from bot.screens.server_settings import OF_TEXTS, ServerSetting
from bot.screens.story import Scene
from bot.screens.table import TableExtra
from bot.screens.text import Line
from engine import Outcome
from engine.runtime import Game

SETTING = ServerSetting(
    name="teasing",
    values=(ON, OFF),
    rank=60,
    label=gettext_noop("Teasing"),
    about=gettext_noop("A joke now and then beside the table."),
    heading=OF_TEXTS,
)


class Teasing:
    """Comments on memorable moments of a game."""

    def __init__(self, finished_games: FinishedGames) -> None:
        self._finished_games = finished_games

    def at_the_table(self, scene: Scene) -> TableExtra:
        """Comments on the latest event."""
        return TableExtra(line=table_tease(scene))

    async def under_the_result(self, scene: Scene, game: Game, outcome: Outcome) -> Line:
        """Comments on the end of a game."""
        table = scene.table
        consequences = await self._finished_games.consequences.get((table.id, table.game))
        return result_tease(scene, outcome, game.opening, consequences.losses_before)
