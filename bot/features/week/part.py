"""The part of the weekly report, which sets when a server's first report begins."""

from collections.abc import Callable

from adapters.port import ServerRef
from bot.features.week.screens import FOOL_OF_THE_WEEK
from bot.features.week.store import WeekStore
from bot.locale import gettext_noop
from bot.model.server_choices import ON
from bot.people import Servers
from bot.screens.server_settings import EXAMPLE_PLAYER, ServerSetting
from bot.screens.standings import games_lost_text

SETTING = ServerSetting(
    name="week",
    rank=80,
    label=gettext_noop("Week in review"),
    about=gettext_noop("On Sunday evening: the fool of the week, streaks and rivals."),
    example=lambda translator: translator.text(
        FOOL_OF_THE_WEEK, name=EXAMPLE_PLAYER.name, share=games_lost_text(EXAMPLE_PLAYER, translator)
    ),
    is_news=True,
)


class Weeks:
    """Records the beginning of a server's first report."""

    def __init__(self, store: WeekStore, servers: Servers, now: Callable[[], float]) -> None:
        self.store = store
        self._servers = servers
        self._now = now

    async def before_choice(self, server: ServerRef, value: str) -> None:
        """Starts the first report on the Monday of the week in which reports are switched on.

        It never covers time that an earlier report has covered.
        """
        choices = await self._servers.choices(server)
        if value != ON or choices.wants(SETTING):
            return

        monday = choices.local_time.week_of(self._now())
        before = await self.store.newest_end(server)
        await self.store.note_end(server, max(monday, before or 0.0))
