"""The tallies of a server as screens: from results on record, never from counters."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from enum import StrEnum, auto
from zoneinfo import ZoneInfo

from adapters.port import (
    Command,
    Document,
    GameSummary,
    PlayerTally,
    Replay,
    Reply,
    ReviewState,
    RoomRef,
    RuleSetCard,
    RulesTold,
    Screen,
    ServerRef,
    Span,
    User,
    UserRef,
)
from bot.delivery.illustrator import Illustrator
from bot.handlers.lobby import Rights
from bot.locale import Translator
from bot.model.messages import MessageKind, MessageSlot
from bot.model.people import NoFindings
from bot.model.results import Standing
from bot.model.table import Phase
from bot.people import Servers
from bot.screens import refusals
from bot.screens.review import replay_of
from bot.screens.rules import how_to_play, rule_set_cards, special_rules
from bot.screens.standings import (
    MOST_ROWS,
    SheetForm,
    best_chart,
    counting_screen,
    fool_chart,
    fool_screen,
    leaderboard_screen,
    sheet,
    shown_name,
    stats_screen,
)
from bot.screens.words import InvalidArgumentError, names_of, one_of, preset_name, safe_name
from bot.storage import PastGame, RecordStore, StandingsStore
from bot.tables.reviews import Reviews
from bot.tables.rule_book import RuleBook
from bot.tables.service import TableService
from engine import PRESETS, Regret


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
        rows = await self._standings.leaderboard(server, since, MOST_ROWS + 1)
        summary = await self._standings.summary(server, since)
        title = period.heading(translator.text("Leaderboard"), translator)
        screen = leaderboard_screen(rows, title, period, translator, summary.rivalry)
        return await self._illustrator.chart(screen, server, best_chart(rows, title, translator), translator)

    async def counting(self, server: ServerRef, translator: Translator, period: Period) -> Screen:
        """Explain how the leaderboard is counted."""
        since = await self._since(server, period)
        rows = await self._standings.leaderboard(server, since, MOST_ROWS)
        return counting_screen(rows, await self._standings.summary(server, since), translator)

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


# --- What a chat of our own shows around its rooms: the same facts that commands tell in messages ---


MOST_GAMES = 50
"""Games that are listed."""


class BotPages:
    """Implements `Pages`."""

    def __init__(
        self,
        *,
        rule_book: RuleBook,
        statistics: Statistics,
        records: RecordStore,
        reviews: Reviews,
        tables: TableService,
    ) -> None:
        self._rule_book = rule_book
        self._statistics = statistics
        self._records = records
        self._reviews = reviews
        self._tables = tables

    async def rule_sets(self, server: ServerRef, locale: str) -> Sequence[RuleSetCard]:
        """Return the rules that one can open a table by, those that are played by default first."""
        return rule_set_cards(await self._rule_book.rule_sets(server), Translator(locale))

    async def rules(self, room: RoomRef, locale: str) -> RulesTold:
        """Explain the rules of the table in a room, or those that are played there by default."""
        table, translator = await self._tables.in_room(room), Translator(locale)
        if table is None:
            (name, rules), players = next(iter((await self._rule_book.rule_sets(room.server)).items())), None
        else:
            name, rules, players = table.preset, table.rules, len(table.players)
        return RulesTold(
            preset_name(name, translator),
            tuple(how_to_play(rules, players, translator)),
            tuple(special_rules(rules, players, translator)),
        )

    async def best(self, server: ServerRef, period: str, locale: str) -> Sequence[PlayerTally]:
        """Rank those who played in a period, the best first."""
        return _tallies(await self._statistics.best(server, _period(period)), locale)

    async def fools(self, server: ServerRef, period: str, locale: str) -> Sequence[PlayerTally]:
        """Rank them, too, the most frequent fool first."""
        return _tallies(await self._statistics.most_foolish(server, _period(period)), locale)

    async def statistics(self, server: ServerRef, user: UserRef, locale: str) -> tuple[Span, ...]:
        """Tell how somebody plays."""
        player = await self._statistics.player(server, user)
        if player is None:
            return ()
        return (await self._statistics.stats(server, player, player, Translator(locale))).body

    async def games(self, server: ServerRef) -> Sequence[GameSummary]:
        """Return the games that were over last, the newest first."""
        return [_summary(game) for game in await self._records.newest_games(server, MOST_GAMES)]

    async def replay(
        self,
        server: ServerRef,
        table_id: int,
        game: int,
        locale: str,
        reader: UserRef | None,
        *,
        wants_review: bool = False,
    ) -> Replay | None:
        """Return a finished game of this server, if there is one; the reader sees their own review in it."""
        found = await self._records.finished(server, table_id, game)
        if found is None:
            return None
        past, record = found
        now, rules = await self._tables.table(table_id), record.opening.rules
        preset = next((name for name, known in PRESETS.items() if known == rules), now.preset)
        players = tuple(player for player, _ in past.seats)
        then = replace(now, game=game, preset=preset, rules=rules, players=players, phase=Phase.OVER)
        state, regrets = await self._review(table_id, game, reader, wants_review=wants_review)
        replay = await asyncio.to_thread(replay_of, _summary(past), then, record, regrets, Translator(locale))
        own = None if reader is None else await self._records.seat_of(reader, table_id, game)
        return replace(replay, review=state, own=own)

    async def _review(
        self, table_id: int, game: int, reader: UserRef | None, *, wants_review: bool
    ) -> tuple[ReviewState, Sequence[Regret]]:
        """Return what has become of the reader's review, and what it found."""
        if reader is None:
            return ReviewState.NONE, ()
        slot = MessageSlot(table_id, game, MessageKind.REVIEW, reader)
        found = self._reviews.findings(slot)
        if found is not None and found is not NoFindings.FAILED:
            return ReviewState.DONE, () if isinstance(found, NoFindings) else found
        if self._reviews.is_wanted(slot):
            return ReviewState.UNDERWAY, ()
        played = await self._records.played_by(reader, table_id, game)
        if played is None:
            return ReviewState.NONE, ()
        if not wants_review:
            return ReviewState.OFFERED, ()
        self._reviews.request(slot, None, played)
        return ReviewState.UNDERWAY, ()


def _period(word: str) -> Period:
    return Period(word) if word in set(Period) else Period.ALL


def _tallies(standings: Sequence[Standing], locale: str) -> Sequence[PlayerTally]:
    translator = Translator(locale)
    return [
        PlayerTally(each.user, shown_name(each.name, translator), each.games, each.fools, each.index)
        for each in standings
    ]


def _summary(game: PastGame) -> GameSummary:
    return GameSummary(
        game.table_id,
        game.game,
        game.at,
        names_of([player for player, _ in game.seats]),
        tuple(seat for seat, (_, is_loser) in enumerate(game.seats) if is_loser),
        game.is_stopped,
    )


# --- `/leaderboard`, `/fool` and `/stats`: who plays how well on a server ---


COUNTING = "counting"
"""What asks how the leaderboard is counted; a button says it."""

EXPORT = "export"
"""What asks for the leaderboard as a file; so does the kind of file alone."""


class StatisticsCommands:
    """Answers what people type about who plays how well."""

    def __init__(self, statistics: Statistics, rights: Rights) -> None:
        self._statistics = statistics
        self._rights = rights

    async def leaderboard(self, command: Command, translator: Translator) -> Reply:
        """Rank everybody on the server, on a screen or in a file."""
        words = [word.lower() for word in command.args]
        forms = [SheetForm(word) for word in words if word in set(SheetForm)]
        named = [word for word in words if word not in {COUNTING, EXPORT, *SheetForm}]
        period = _typed_period(named, translator)
        server = command.room.server
        if COUNTING in words:
            return Reply(personal=await self._statistics.counting(server, translator, period))
        if EXPORT not in words and not forms:
            return Reply(public=await self._statistics.leaderboard(server, translator, period))
        if not await self._rights.may_moderate(command.user.ref, command.room):
            return Reply(toast=translator.text(refusals.EXPORT_FOR_MODERATORS))
        form = forms[0] if forms else SheetForm.CSV
        exported = await self._statistics.export(server, period, form)
        return Reply(document=replace(exported, apology=translator.text(refusals.NO_FILE)))

    async def fool(self, command: Command, translator: Translator) -> Reply:
        """Say who was the fool how often."""
        period = _typed_period([word.lower() for word in command.args], translator)
        return Reply(public=await self._statistics.fools(command.room.server, translator, period))

    async def stats(self, command: Command, translator: Translator) -> Reply:
        """Show how one person plays, by default who asks."""
        server = command.room.server
        user = command.mentioned[0] if command.mentioned else command.user
        if command.args and not command.mentioned:
            name = " ".join(command.args).removeprefix("@")
            named = await self._statistics.player_named(server, name)
            if named is None:
                raise InvalidArgumentError(
                    translator.text("Nobody called “{name}” has finished a game here.", name=safe_name(name))
                )
            user = named
        return Reply(personal=await self._statistics.stats(server, user, command.user, translator))


def _typed_period(words: Sequence[str], translator: Translator) -> Period:
    return Period(one_of(tuple(Period), words[0], translator)) if words else Period.ALL
