"""`/leaderboard`, `/fool` and `/stats`: the players of a server, by their recorded results."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from enum import StrEnum, auto
from functools import partial

from adapters.port import (
    ArgumentChoice,
    ArgumentKind,
    ArgumentSpec,
    CommandScope,
    Reply,
    Screen,
    ServerRef,
    User,
    UserRef,
)
from bot.handlers.event import CommandEvent, Services, command
from bot.handlers.people import by_name
from bot.handlers.seasons import games_counted, hall_of_fame
from bot.locale import Translator, gettext_noop
from bot.model.calendar import LocalTime
from bot.model.refusal import RefusedError
from bot.model.standings import Counted, Ranking
from bot.screens import refusals
from bot.screens import standings as screens
from bot.screens.names import safe_name
from bot.screens.text import one_of

COUNTING = "counting"  # a button's argument that explains how the leaderboard is counted
IN_GROUPS = frozenset({CommandScope.GROUP, CommandScope.ADMIN})  # a private chat has nobody to compare with
EXPORT = "export"  # the argument for a file; the kind of file alone works as well


class Period(StrEnum):
    """The period of a tally: since the beginning of this week, month or year, or since the first game."""

    WEEK = auto()
    MONTH = auto()
    YEAR = auto()
    ALL = auto()

    def since(self, now: float, local: LocalTime) -> float | None:
        """Returns the time since which games count, None for all; midnight by the server's clock.

        Weeks begin on Monday.
        """
        today = local.at(now).replace(hour=0, minute=0, second=0, microsecond=0, fold=0)
        match self:
            case Period.WEEK:
                return local.week_of(now)
            case Period.MONTH:
                return today.replace(day=1).timestamp()
            case Period.YEAR:
                return today.replace(month=1, day=1).timestamp()
            case Period.ALL:
                return None

    def heading(self, title: str, translator: Translator) -> str:
        """Returns the heading of a tally of this period."""
        match self:
            case Period.WEEK:
                return translator.text("{title} · this week", title=title)
            case Period.MONTH:
                return translator.text("{title} · this month", title=title)
            case Period.YEAR:
                return translator.text("{title} · this year", title=title)
            case Period.ALL:
                return title


_PERIODS = (
    ArgumentChoice(Period.WEEK, gettext_noop("this week")),
    ArgumentChoice(Period.MONTH, gettext_noop("this month")),
    ArgumentChoice(Period.YEAR, gettext_noop("this year")),
    ArgumentChoice(Period.ALL, gettext_noop("of all time")),
)
_PERIOD = ArgumentSpec("period", gettext_noop("how far back"), ArgumentKind.CHOICE, _PERIODS)


async def since(server: ServerRef, period: Period, services: Services) -> float | None:
    """Returns the time since which games of a period count on a server; None for all games."""
    return period.since(services.now(), (await services.servers.choices(server)).local_time)


@command(
    "leaderboard",
    _PERIOD,
    ArgumentSpec(
        "export",
        gettext_noop("a file, for admins"),
        ArgumentKind.CHOICE,
        tuple(ArgumentChoice(form, form.upper()) for form in screens.SheetForm),
    ),
    rank=70,
    summary=gettext_noop("who plays best here"),
    scopes=IN_GROUPS,
)
async def leaderboard(event: CommandEvent, services: Services) -> Reply:
    """Ranks the players of the server on a screen or in a file, or explains how they are ranked."""
    words = [word.lower() for word in event.command.args]
    forms = [screens.SheetForm(word) for word in words if word in set(screens.SheetForm)]
    others = [word for word in words if word not in {COUNTING, EXPORT, *screens.SheetForm}]
    period = _typed_period(others)
    server = event.room.server

    if COUNTING in words:
        began = await since(server, period, services)
        counting = await games_counted(server, services)
        rows = await services.standings.ranking(server, began, screens.MAX_ROWS, counting)
        summary = await services.standings.summary(server, began, counting & Counted.HERE)
        return Reply(ephemeral=screens.counting_screen(rows, summary, event.reader))

    if EXPORT not in words and not forms:
        return Reply(public=await ranking(server, event.translator, services, period))
    if not await event.may_moderate(event.room):
        return event.toast(refusals.EXPORT_FOR_MODERATORS)
    if not event.limits.documents:
        return event.toast(refusals.NO_FILE)

    began = await since(server, period, services)
    rows = await services.standings.ranking(server, began, counted=await games_counted(server, services))
    ratings = await services.standings.ratings(server)  # of all games
    form = forms[0] if forms else screens.SheetForm.CSV
    exported = await asyncio.to_thread(screens.sheet, rows, ratings, form, f"durak-{period}")

    return Reply(document=replace(exported, apology=event.translator.text(refusals.NO_FILE)))


async def ranking(
    server: ServerRef, translator: Translator, services: Services, period: Period = Period.ALL
) -> Screen:
    """Renders the leaderboard of a server."""
    began = await since(server, period, services)
    counting = await games_counted(server, services)
    rows = await services.standings.ranking(server, began, screens.MAX_ROWS + 1, counting)
    summary = await services.standings.summary(server, began, counting & Counted.HERE)
    title = period.heading(translator.text("Leaderboard"), translator)
    screen = screens.leaderboard_screen(rows, title, period, translator, summary.rivalry)
    chart = screens.best_chart(rows, title, translator)
    return await services.illustrator.chart(screen, server, chart, translator)


@command(
    "fool",
    ArgumentSpec(
        "what",
        gettext_noop("how far back; seasons; or add, import games with real cards"),
        ArgumentKind.CHOICE,
        (*_PERIODS, ArgumentChoice(screens.SEASONS, gettext_noop("hall of fame: all seasons"))),
    ),
    rank=80,
    summary=gettext_noop("who is the fool most often here"),
    scopes=IN_GROUPS,
)
async def fool(event: CommandEvent, services: Services) -> Reply:
    """Ranks the fools of the server, or shows its seasons."""
    server = event.room.server
    translator = event.translator
    words = [word.lower() for word in event.command.args]
    if words[:1] == [screens.SEASONS]:
        return await hall_of_fame(event, services)

    period = _typed_period(words)
    began = await since(server, period, services)
    counting = await games_counted(server, services)
    standings = services.standings
    most = screens.MAX_ROWS
    rows = await standings.ranking(server, began, most, counting, by=Ranking.FOOLS)
    apart = {
        kind: await standings.ranking(server, began, most, kind, by=Ranking.FOOLS)
        for kind in Counted.TOGETHER & ~counting
    }
    title = period.heading(translator.text("Who is the fool most often"), translator)
    has_buttons = not event.is_in_private_chat
    screen = screens.fool_screen(rows, title, translator, apart, has_buttons=has_buttons)
    chart = screens.fool_chart(rows, title, translator)

    return Reply(public=await services.illustrator.chart(screen, server, chart, translator))


@command(
    "stats",
    ArgumentSpec("player", gettext_noop("a player; you, if left out"), ArgumentKind.PERSON),
    rank=90,
    summary=gettext_noop("a player's statistics"),
    secret=True,
)
async def stats(event: CommandEvent, services: Services) -> Reply:
    """Shows one person's statistics, by default the asker's."""
    server = event.room.server
    words = event.command.args
    user = next(iter(event.command.mentioned), event.user)

    if words and not event.command.mentioned:
        name = " ".join(words).removeprefix("@")
        people = await services.standings.people(server)
        namesakes = await asyncio.to_thread(lambda: by_name(people)(name))
        if len(namesakes) != 1:
            raise RefusedError("Nobody called “{name}” has finished a game here.", name=safe_name(name))

        user = namesakes[0]
    elif not user.is_person:
        return event.toast(refusals.PEOPLE_ONLY)

    return Reply(ephemeral=await stats_of(user, server, event.user, event.translator, services))


async def stats_of(
    user: User, server: ServerRef, asker: User, translator: Translator, services: Services
) -> Screen:
    """Renders one person's statistics, with their duels against the asker."""
    standings = services.standings
    standing = await standings.stats(server, user.ref, await games_counted(server, services))
    practice = await standings.practice(server, user.ref)
    houses = await standings.against_houses(server, user.ref)
    cheating = await standings.cheating(server, user.ref)
    extras = [await in_stats(server, user.ref, translator) for in_stats in services.hooks.in_stats]
    screen = partial(
        screens.stats_screen,
        standing,
        user.name,
        translator,
        practice=practice,
        houses=houses,
        cheating=cheating,
        extras=extras,
    )

    if standing is None:
        return screen()

    career = await standings.career(server, user.ref)
    rating = await standings.rating(server, user.ref)
    titles = await services.titles.titles(server, user.ref)

    return screen(career=career, rating=rating, against_asker=career.against(asker.ref), titles=titles)


async def has_stats(user: UserRef, server: ServerRef, services: Services) -> bool:
    """Returns whether a person's statistics have something to show: a finished game, even against bots."""
    standings = services.standings
    counting = await games_counted(server, services)
    if await standings.stats(server, user, counting) is not None:
        return True

    return await standings.practice(server, user) is not None


def _typed_period(words: Sequence[str]) -> Period:
    return Period(one_of(tuple(Period), words[0])) if words else Period.ALL
