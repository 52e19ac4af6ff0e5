"""The part of titles."""

from collections.abc import Mapping, Sequence

from bot.cache import LIMITS, ReadThroughCache
from bot.delivery.finished_games import GameKey
from bot.features.titles.screens import new_titles_line
from bot.locale import gettext_noop
from bot.model.career import Title
from bot.screens.server_settings import EXAMPLE_PLAYER, ServerSetting
from bot.screens.story import Scene
from bot.screens.text import Line, plain_text
from bot.storage import TitleStore
from engine import Outcome, Seat
from engine.runtime import Game

SETTING = ServerSetting(
    name="titles",
    rank=90,
    label=gettext_noop("Firsts and titles"),
    about=gettext_noop("Results tell the firsts and titles that a game has brought."),
    example=lambda translator: plain_text(
        new_titles_line({Title.THREE_IN_A_ROW: [0]}, [EXAMPLE_PLAYER.name], translator)
    ),
)


class NewTitles:
    """Adds the new titles of finished games to their results, and caches them."""

    def __init__(self, titles: TitleStore) -> None:
        self._new_titles = ReadThroughCache[GameKey, Mapping[Title, Sequence[Seat]]](
            lambda game: titles.new_titles(*game), LIMITS.games
        )

    async def under_the_result(self, scene: Scene, _game: Game, _outcome: Outcome) -> Line:
        """Lists the new titles by player."""
        titles = await self._new_titles.get((scene.table.id, scene.table.game))
        return new_titles_line(titles, scene.names, scene.translator)
