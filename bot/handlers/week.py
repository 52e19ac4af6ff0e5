"""The week, told on Sunday evening where a server wants it, and the seasons: from results on record.

`post_news` posts whatever comes by itself.
"""

from functools import partial
from hashlib import sha256

from adapters.port import Delivered, Everyone, Gone, Lost, Reply, Screen, ServerRef, Throttled, UserRef
from bot.handlers.event import CommandEvent, Services, appointment, tell_admin
from bot.model.calendar import Appointment
from bot.model.people import APART, ON
from bot.model.results import LEAST_OF_A_WEEK, Counted, Ranking, Week
from bot.screens.help import home_closed_screen
from bot.screens.standings import MOST_ROWS, fool_chart
from bot.screens.week import seasons_screen, week_screen, week_title

SUNDAY, EVENING = 6, 19  # the weekday and the hour, on a server's clocks
LONGEST_KEY = 25  # characters of a key that every chat takes
MOST_SEASONS = 8  # how many of the newest seasons are in the hall of fame


@appointment(
    "week",
    repeats=lambda choices, local, after: (
        local.weekly(after, SUNDAY, EVENING) if choices.wants("week") else None
    ),
)
async def tell_week(due: Appointment, services: Services) -> float | None:
    """Tell what the week was like, if enough games were played in it."""
    if due.room is None:
        return None
    server, standings = due.server, services.standings
    since = (await services.servers.choices(server)).local_time.week_of(due.at)
    counted = await counted_on(server, services)
    summary = await standings.summary(server, since, counted)
    if summary.games < LEAST_OF_A_WEEK:
        return None
    streak, take = await standings.week(server, since, services.now(), counted)
    fools = await standings.ranking(server, since, MOST_ROWS, counted, by=Ranking.FOOLS)
    if not fools or not fools[0].fools:
        return None
    week = Week(summary.games, fools, streak, take, summary.rivalry)
    translator = await services.people.translator_on(server)
    screen = week_screen(week, f"{server.id}:{since}", translator)
    chart = fool_chart(fools, week_title(translator), translator)
    drawn = await services.illustrator.chart(screen, server, chart, translator)
    return await post_news(due, drawn, str(since), services)


async def post_news(due: Appointment, screen: Screen, name: str, services: Services) -> float | None:
    """Post what comes by itself in its room, or tell who switched it on, once, that the room takes nothing.

    `name` tells what is posted from all else of its kind there, so that another try shows it no second time.
    Gives the seconds until that.
    """
    assert due.room is not None
    key = sha256(f"{due.kind} {name} {due.room}".encode()).hexdigest()[:LONGEST_KEY]
    delivery = await services.outbox.announce(Everyone(due.room), screen, key)
    choices = await services.servers.choices(due.server)
    match delivery:
        case Throttled(retry_after):
            return retry_after
        case Delivered() if choices.home_closed:
            await services.servers.choose(due.server, home_closed="")
        case Gone(Lost.ROOM) if choices.home_by and not choices.home_closed:
            await services.servers.choose(due.server, home_closed=ON)
            admin = UserRef(due.server.platform, choices.home_by)
            await tell_admin(admin, due.room, partial(home_closed_screen, due.kind), services)
    return None


async def hall_of_fame(event: CommandEvent, services: Services) -> Reply:
    """Show who was the fool and who the champion of each season."""
    local = (await services.servers.choices(event.room.server)).local_time
    ends, bounds = local.season_after(services.now()), list[tuple[float, float]]()
    for _ in range(MOST_SEASONS):  # the running one first
        bounds.append((local.season_of(ends - 1), ends))
        ends = bounds[-1][0]
    counted = await counted_on(event.room.server, services)
    found = await services.standings.seasons(event.room.server, bounds, counted)
    return Reply(public=seasons_screen([(local.at(each.began), each) for each in found], event.translator))


async def counted_on(server: ServerRef, services: Services) -> Counted:
    """Returns the games that a server counts together."""
    is_apart = (await services.servers.choices(server)).shown("cards") == APART
    return Counted.HERE if is_apart else Counted.TOGETHER
