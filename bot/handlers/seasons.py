"""The hall of fame, and the games that a server counts."""

from collections.abc import Sequence
from datetime import datetime

from adapters.port import Reply, ServerRef
from bot.handlers.event import CommandEvent, Services
from bot.model.standings import Counted, Season
from bot.screens.core_settings import APART, CARDS, CHEATING
from bot.screens.seasons import seasons_screen
from bot.screens.text import Line

MAX_SEASONS = 8  # the number of newest seasons in the hall of fame


async def hall_of_fame(event: CommandEvent, services: Services) -> Reply:
    """Shows the fools and the champions of each season."""
    refusal = event.refuse_post(services)
    if refusal is not None:
        return refusal

    local = (await services.servers.choices(event.room.server)).local_time
    ends = local.season_after(services.now())
    bounds = list[tuple[float, float]]()

    for _ in range(MAX_SEASONS):  # the current one first
        bounds.append((local.season_of(ends - 1), ends))
        ends = bounds[-1][0]

    counting = await games_counted(event.room.server, services)
    seasons = await services.seasons.seasons(event.room.server, bounds, counting)
    rows = list[tuple[datetime, Season, Sequence[Line]]]()
    for season in seasons:
        extras = list[Line]()
        for in_season in services.hooks.in_season:
            extras += await in_season(event.room.server, season.began, season.until, event.translator)

        rows.append((local.at(season.began), season, extras))

    return Reply(public=seasons_screen(rows, event.translator))


async def games_counted(server: ServerRef, services: Services) -> Counted:
    """Returns the games that a server counts together: all except those that it counts separately."""
    choices = await services.servers.choices(server)
    counted = Counted.TOGETHER
    for setting, games in ((CARDS, Counted.CARDS), (CHEATING, Counted.CHEATING)):
        if choices.value_of(setting) == APART:
            counted &= ~games

    return counted
