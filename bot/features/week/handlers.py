"""Posts the weekly report on Sunday evening, on servers that enable it."""

from functools import partial

from adapters.port import ServerRef
from bot.features.week.model import MIN_GAMES, Week
from bot.features.week.part import SETTING, Weeks
from bot.features.week.screens import week_screen, week_title
from bot.handlers.event import Services, appointment
from bot.handlers.news import post_news
from bot.handlers.seasons import games_counted
from bot.model.calendar import DAY_SECONDS, Appointment
from bot.model.standings import Ranking
from bot.model.table import Phase
from bot.screens.standings import MAX_ROWS, fool_chart

WEEK_SECONDS = 7 * DAY_SECONDS
SUNDAY = 6  # the weekday of a report
EVENING = 21  # the hour in a server's time zone: after most games, and before the quiet hours
WAIT_SECONDS = 10 * 60.0  # the pause before another attempt while a game is running
MAX_WAIT_SECONDS = 3 * 60 * 60.0  # how long a report waits for running games
MAX_LATE_SECONDS = 3 * DAY_SECONDS  # a report that is later is skipped, and the next one covers its week


@appointment(
    "week",
    repeats=lambda choices, local, after: (
        local.weekly(after, SUNDAY, EVENING) if choices.wants(SETTING) else None
    ),
    latest=MAX_LATE_SECONDS,
)
async def post_week(due: Appointment, services: Services) -> float | None:
    """Posts the report of the time since the previous one, if enough games were played."""
    if due.room is None:
        return None

    weeks = services.part(Weeks).store
    server = due.server
    now = services.now()
    local = (await services.servers.choices(server)).local_time
    sunday = local.weekly_before(due.at, SUNDAY, EVENING)
    if now < sunday + MAX_WAIT_SECONDS and _is_playing(server, services):
        return WAIT_SECONDS

    # A report delayed by quiet hours or an outage still covers the week up to its Sunday.
    until = min(now, local.daily(sunday, hour=0))
    since = await weeks.newest_end(server)
    if since is None:  # enabled by an older version, which did not record the time
        since = local.week_of(sunday)
        await weeks.note_end(server, since)

    week = await _find_week(server, since, until, services)
    if week is None:
        return None

    translator = await services.people.translator_on(server)
    is_longer = sunday - since > WEEK_SECONDS + DAY_SECONDS
    began = local.at(since) if is_longer else None
    highlights = [await highlight(server, since, until, translator) for highlight in services.hooks.highlight]
    screen = week_screen(week, local.at(sunday), translator, began=began, highlights=highlights)
    chart = fool_chart(week.fools, week_title(translator), translator)
    illustrated_screen = await services.illustrator.chart(screen, server, chart, translator)

    return await post_news(
        due, illustrated_screen, str(sunday), services, on_posted=partial(weeks.note_end, server, until)
    )


def _is_playing(server: ServerRef, services: Services) -> bool:
    """Returns whether a game with a clock is running on a server, as its result may still be reported."""
    for table in services.tables.known.values():
        has_clock = bool(table.options.clock) and not table.options.is_paused
        if table.room.server == server and table.phase is Phase.PLAYING and has_clock:
            return True
    return False


async def _find_week(server: ServerRef, since: float, until: float, services: Services) -> Week | None:
    """Returns the facts of a week; None if too few games were played, or nobody lost any."""
    standings = services.standings
    counting = await games_counted(server, services)
    summary = await standings.summary(server, since, counting, until)
    if summary.games < MIN_GAMES:
        return None

    fools = await standings.ranking(server, since, MAX_ROWS, counting, by=Ranking.FOOLS, until=until)
    if not fools or not fools[0].fools:
        return None

    streak, take = await services.part(Weeks).store.streak_and_take(server, since, until, counting)
    return Week(summary.games, fools, streak, take, summary.rivalry)
