"""The tallies of a server as screens: from results on record, never from counters."""

import asyncio
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from enum import StrEnum, auto
from zoneinfo import ZoneInfo

from adapters.port import Document, Screen, ServerRef, User, UserRef
from bot.delivery.illustrator import Illustrator
from bot.locale import Translator
from bot.model.standings import Standing
from bot.screens.people import safe_name
from bot.screens.standings import (
    MOST_ROWS,
    SheetForm,
    best_chart,
    fool_chart,
    fool_screen,
    leaderboard_screen,
    sheet,
    stats_screen,
)
from bot.servers import Servers
from bot.storage import StandingsStore


class Period(StrEnum):
    """How far back a tally looks: to the beginning of this week, month or year, or to the first game."""

    WEEK = auto()
    MONTH = auto()
    YEAR = auto()
    ALL = auto()

    def since(self, now: float, zone: ZoneInfo) -> float | None:
        """Return the time from which games count: a midnight in a server's zone, Monday's for a week."""
        today = datetime.fromtimestamp(now, zone).replace(hour=0, minute=0, second=0, microsecond=0, fold=0)
        match self:
            case Period.WEEK:
                return (today - timedelta(days=today.weekday())).timestamp()
            case Period.MONTH:
                return today.replace(day=1).timestamp()
            case Period.YEAR:
                return today.replace(month=1, day=1).timestamp()
            case Period.ALL:
                return None

    def heading(self, title: str, translator: Translator) -> str:
        """Say what a tally of this period is about."""
        match self:
            case Period.WEEK:
                return translator.text("{title} · this week", title=title)
            case Period.MONTH:
                return translator.text("{title} · this month", title=title)
            case Period.YEAR:
                return translator.text("{title} · this year", title=title)
            case Period.ALL:
                return title


class Statistics:
    """Asks the records."""

    def __init__(
        self, standings: StandingsStore, servers: Servers, illustrator: Illustrator, now: Callable[[], float]
    ) -> None:
        self._standings = standings
        self._servers = servers
        self._illustrator = illustrator
        self._now = now

    async def best(self, server: ServerRef, period: Period) -> Sequence[Standing]:
        """Rank those who play best on a server."""
        return await self._standings.leaderboard(server, await self._since(server, period), MOST_ROWS)

    async def most_foolish(self, server: ServerRef, period: Period) -> Sequence[Standing]:
        """Rank those who are the fool most often on a server."""
        return await self._standings.fools(server, await self._since(server, period), MOST_ROWS)

    async def leaderboard(
        self, server: ServerRef, translator: Translator, period: Period = Period.ALL
    ) -> Screen:
        """Rank everybody who played on this server."""
        since = await self._since(server, period)
        rows = await self._standings.leaderboard(server, since, MOST_ROWS)
        summary = await self._standings.summary(server, since)
        title = period.heading(translator.text("Leaderboard"), translator)
        screen = leaderboard_screen(rows, title, translator, summary)
        return await self._illustrator.chart(screen, server, best_chart(rows, title, translator), translator)

    async def fools(self, server: ServerRef, translator: Translator, period: Period = Period.ALL) -> Screen:
        """Say who was the fool how often."""
        rows = await self.most_foolish(server, period)
        title = period.heading(translator.text("Who is the fool most often"), translator)
        screen = fool_screen(rows, title, translator)
        return await self._illustrator.chart(screen, server, fool_chart(rows, title, translator), translator)

    async def stats(self, server: ServerRef, user: User, asker: User, translator: Translator) -> Screen:
        """Show one person's tally, and how they fare against who asks."""
        standing = await self._standings.stats(server, user.ref)
        practice = await self._standings.practice(server, user.ref)
        if standing is None:
            return stats_screen(None, user.name, translator, practice=practice)
        career = await self._standings.career(server, user.ref)
        return stats_screen(
            standing,
            user.name,
            translator,
            career=career,
            rating=await self._standings.rating(server, user.ref),
            against_asker=career.against(asker.ref),
            practice=practice,
        )

    async def export(self, server: ServerRef, period: Period, form: SheetForm) -> Document:
        """Write everybody's numbers of a period into a file; the rating is that of all games."""
        rows = await self._standings.leaderboard(server, await self._since(server, period))
        ratings = await self._standings.ratings(server)
        return await asyncio.to_thread(sheet, rows, ratings, form, f"durak-{period}")

    async def player(self, server: ServerRef, user: UserRef) -> User | None:
        """Find a player of this server."""
        return next((each for each in await self._standings.people(server) if each.ref == user), None)

    async def player_named(self, server: ServerRef, name: str) -> User | None:
        """Find a player of this server by the name they show, when it is one player's only."""
        sought = safe_name(name).casefold()
        everybody = await self._standings.people(server)
        found = await asyncio.to_thread(
            lambda: [user for user in everybody if safe_name(user.name).casefold() == sought]
        )
        return found[0] if len(found) == 1 else None

    async def _since(self, server: ServerRef, period: Period) -> float | None:
        choices = await self._servers.choices(server)
        return period.since(self._now(), choices.zone)
