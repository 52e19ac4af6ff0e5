"""The tallies of a server as screens: from results on record, never from counters."""

from enum import StrEnum, auto

from adapters.port import Screen, ServerRef, User
from bot.locale import Voice
from bot.screens.people import safe_name
from bot.screens.standings import fool_screen, leaderboard_screen, stats_screen
from bot.storage import Standings
from engine.runtime import Clock

DAY = 24 * 60 * 60.0


class Period(StrEnum):
    """How far back a leaderboard looks: seven days, thirty days, or to the first game."""

    WEEK = auto()
    MONTH = auto()
    ALL = auto()

    def since(self, now: float) -> float | None:
        """Give the time from which games count."""
        match self:
            case Period.WEEK:
                return now - 7 * DAY
            case Period.MONTH:
                return now - 30 * DAY
            case Period.ALL:
                return None

    def heading(self, voice: Voice) -> str:
        """Name the leaderboard of this period."""
        match self:
            case Period.WEEK:
                return voice.say("Leaderboard · last 7 days")
            case Period.MONTH:
                return voice.say("Leaderboard · last 30 days")
            case Period.ALL:
                return voice.say("Leaderboard")


class Tally:
    """Asks the records."""

    def __init__(self, standings: Standings, clock: Clock) -> None:
        self._standings = standings
        self._clock = clock

    async def leaderboard(self, server: ServerRef, voice: Voice, period: Period = Period.ALL) -> Screen:
        """Rank everybody who played on this server."""
        rows = await self._standings.leaderboard(server, period.since(self._clock.now()))
        return leaderboard_screen(rows, period.heading(voice), voice)

    async def fools(self, server: ServerRef, voice: Voice) -> Screen:
        """Say who was the fool how often."""
        return fool_screen(await self._standings.fools(server), voice)

    async def stats(self, server: ServerRef, user: User, voice: Voice) -> Screen:
        """Show one person's tally."""
        return stats_screen(await self._standings.stats(server, user.ref), user.name, voice)

    async def player_named(self, server: ServerRef, name: str) -> User | None:
        """Find a player of this server by the name they show, when it is one player's only."""
        sought = safe_name(name).casefold()
        found = [
            User(row.user, row.name)
            for row in await self._standings.leaderboard(server)
            if safe_name(row.name).casefold() == sought
        ]
        return found[0] if len(found) == 1 else None
