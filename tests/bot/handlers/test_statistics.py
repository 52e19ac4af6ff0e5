"""The tallies of a chat: whole games are played, and everything is recounted from the recorded moves."""

import json
from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import combinations, count, groupby
from random import Random
from zoneinfo import ZoneInfo

import pytest
import pytest_asyncio
from sqlmodel import col, select

from adapters.port import Document, User
from bot.handlers.statistics import Period
from bot.model.calendar import LocalTime
from bot.model.standings import MIN_GAMES_TOGETHER
from bot.model.table import Phase, Player, Table
from bot.storage import Database, PlayerStore, SqlJournal, StandingsStore, TableStore
from bot.storage.models import EntryRow
from engine import PRESETS, Opening, Outcome, Record, State, parse_action
from engine.runtime import GameSessions
from tests.bot.chat import ROOM
from tests.bot.databases import rows
from tests.bot.messages import buttons_of, text_of
from tests.bot.running_bot import ANNA, BORIS, CLARA, SHORT_GAME, RunningBot
from tests.bot.storage.samples import opened

PLAYERS: tuple[tuple[User | None, ...], ...] = (
    (ANNA, BORIS),
    (BORIS, ANNA, CLARA),
    (CLARA, None, ANNA),
    (None, BORIS),
    (ANNA, BORIS, CLARA, None),
)
RULES = replace(PRESETS["podkidnoy-24"], hand_size=6, throw_in="none")
GAMES = 30


class Waiting:
    def changed(self, table_id: int, version: int) -> None:
        """Ignores changes: no one watches."""


@dataclass(frozen=True)
class Replayed:
    """A game, rebuilt from its entries."""

    players: tuple[User | None, ...]
    state: State
    outcome: Outcome
    seconds: float

    @property
    def counts(self) -> bool:
        return sum(player is not None for player in self.players) >= 2


@pytest_asyncio.fixture
async def memory() -> AsyncIterator[Database]:
    async with opened() as database:
        for user in (ANNA, BORIS, CLARA):
            await PlayerStore(database).remember(user)
        yield database


async def play(database: Database, games: int) -> list[tuple[User | None, ...]]:
    """Plays random games at one table, each with other people; returns their seats."""
    chance = Random(3)
    seconds = count(1.0)  # time passes by a second with each call of the clock
    table_store = TableStore(database)
    sessions = GameSessions(SqlJournal(database), lambda: next(seconds), Waiting())
    table = await table_store.open(
        room=ROOM, opener=ANNA, preset="podkidnoy-24", rules=RULES, seed="5eed", locale="en"
    )
    session = await sessions.find(table.id)
    sat = [PLAYERS[number % len(PLAYERS)] for number in range(games)]
    for number, users in enumerate(sat, start=1):
        players = tuple(Player("Ada") if user is None else Player(user.name, user.ref) for user in users)
        await table_store.save(replace(table, game=number, players=players, phase=Phase.PLAYING))
        await session.deal(number, Opening(RULES, players=len(users), seed=f"seed-{number}"))

        while session.outcome is None:
            assert session.state is not None
            seat = chance.choice(sorted(session.state.actors))
            if chance.random() < 0.01:
                await session.resign(seat)
                continue

            await session.submit(seat, str(chance.choice(session.state.legal_moves(seat))), session.version)

    return sat


async def replayed(database: Database, sat: Sequence[tuple[User | None, ...]]) -> list[Replayed]:
    """Replays every game from the journal alone."""
    journal = await rows(database, select(EntryRow).order_by(col(EntryRow.version)))
    games = []
    for number, entries in groupby(journal, key=lambda row: row.game):
        first, *rest = entries
        actions = tuple((row.seat or 0, parse_action(row.text)) for row in rest)
        state = Record(Opening.from_text(first.text), actions).replay()
        outcome = state.outcome()
        assert outcome is not None
        games.append(Replayed(sat[number - 1], state, outcome, rest[-1].at - first.at))

    return games


async def test_all_numbers_equal_a_recount_from_the_moves_on_record(memory: Database) -> None:
    games = [game for game in await replayed(memory, await play(memory, GAMES)) if game.counts]
    standings = StandingsStore(memory)
    rows = {row.user: row for row in await standings.ranking(ROOM.server)}
    assert set(rows) == {ANNA.ref, BORIS.ref, CLARA.ref}

    for user in (ANNA, BORIS, CLARA):
        mine = [(game, game.players.index(user)) for game in games if user in game.players]
        fools = [seat in game.outcome.losers for game, seat in mine]
        row = rows[user.ref]
        career = await standings.career(ROOM.server, user.ref)

        assert (row.games, row.fools) == (len(mine), sum(fools))
        assert row.draws == sum(game.outcome.is_draw for game, _ in mine)
        assert row.first_out == sum(game.outcome.order[:1] == (seat,) for game, seat in mine)
        assert row.points == sum(game.outcome.points[seat] for game, seat in mine)
        assert row.expected == pytest.approx(sum(1 / len(game.players) for game, _ in mine))
        assert row.index == pytest.approx((sum(fools) + 3) / (row.expected + 3))

        runs = [(is_fool, len(list(run))) for is_fool, run in groupby(fools)]
        assert (career.fool_streak or career.safe_streak) == runs[-1][1]
        assert career.longest_safe_streak == max(length for is_fool, length in runs if not is_fool)

        survived = [game for game, seat in mine if seat not in game.outcome.losers]
        losers = [game.players[loser] for game in survived for loser in game.outcome.losers]
        assert career.houses_beaten == losers.count(None)


async def test_duels_and_the_rivalry_of_a_server_equal_a_recount(memory: Database) -> None:
    games = [game for game in await replayed(memory, await play(memory, GAMES)) if game.counts]
    fools: defaultdict[tuple[str, str], int] = defaultdict(int)
    together: Counter[frozenset[str]] = Counter()

    for game in games:
        together.update(
            frozenset((one.name, other.name)) for one, other in combinations(filter(None, game.players), 2)
        )
        lost = {game.players[seat] for seat in game.outcome.losers}
        for loser in lost - {None}:
            for spared in set(game.players) - lost - {None}:
                assert loser is not None
                assert spared is not None
                fools[loser.name, spared.name] += 1

    standings = StandingsStore(memory)
    for user in (ANNA, BORIS, CLARA):
        for duel in (await standings.career(ROOM.server, user.ref)).duels:
            assert duel.own_fools == fools[user.name, duel.name]
            assert duel.their_fools == fools[duel.name, user.name]

    summary = await standings.summary(ROOM.server)
    assert summary.games == len(games)
    assert dict(summary.trumps) == Counter(str(game.state.trump) for game in games)
    assert summary.bouts == pytest.approx(sum(game.state.bouts for game in games) / len(games))
    assert summary.seconds == pytest.approx(sum(game.seconds for game in games) / len(games))

    assert summary.rivalry is not None
    one, other = summary.rivalry.names
    assert summary.rivalry.fools == (fools[one, other], fools[other, one])
    assert sum(summary.rivalry.fools) == max(
        fools[a, b] + fools[b, a] for a, b in list(fools) if together[frozenset((a, b))] >= MIN_GAMES_TOGETHER
    )


# --- weeks, months and years ------------------------------------------------------------------------------


def at(text: str, zone: str = "UTC") -> float:
    return datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone)).timestamp()


@pytest.mark.parametrize(
    ("period", "beginning"),
    [(Period.WEEK, "2026-03-23"), (Period.MONTH, "2026-03-01"), (Period.YEAR, "2026-01-01")],
)
@pytest.mark.parametrize("zone", ["UTC", "Europe/Vilnius", "America/New_York", "Pacific/Auckland"])
def test_a_period_begins_at_a_midnight_of_the_server(period: Period, beginning: str, zone: str) -> None:
    sunday = at("2026-03-29T23:30", zone)  # clocks have changed in Europe on this day
    assert period.since(sunday, LocalTime(ZoneInfo(zone), None)) == at(beginning, zone)
    assert Period.ALL.since(sunday, LocalTime(ZoneInfo(zone), None)) is None


def test_a_week_begins_on_monday_and_not_seven_days_ago() -> None:
    monday = at("2026-03-30")
    local = LocalTime(ZoneInfo("UTC"), None)
    assert Period.WEEK.since(monday, local) == monday
    assert Period.WEEK.since(monday - 1, local) == monday - 7 * 24 * 60 * 60


async def test_a_game_belongs_to_the_week_in_which_it_ended_where_the_server_is(bot: RunningBot) -> None:
    table = await bot.dealt(ANNA, BORIS, rules=SHORT_GAME)
    now = datetime.fromtimestamp(bot.clock.now(), UTC)  # a Monday, 13:46
    assert (now.weekday(), now.hour) == (0, 13)

    await bot.plays_to_the_end(table)
    bot.clock.skip((24 - 13) * 60 * 60)  # it is Tuesday in London, and in Auckland as well
    assert await _counts(bot, "/leaderboard week")

    bot.clock.skip(5 * 24 * 60 * 60 + 12 * 60 * 60)  # Sunday at noon in London, Monday in Auckland
    assert await _counts(bot, "/fool week")

    await bot.app.servers.choose(ROOM.server, time_zone="Pacific/Auckland")
    assert not await _counts(bot, "/leaderboard week")
    assert not await _counts(bot, "/fool week")
    assert await _counts(bot, "/fool year")


async def _counts(bot: RunningBot, command: str) -> bool:
    reply = await bot.chat.types(CLARA, command)
    assert reply.public is not None
    return "No game counts yet" not in text_of(reply.public)


# --- typed commands ---------------------------------------------------------------------------------------


async def test_stats_tell_of_the_newest_games_and_of_who_asks(bot: RunningBot) -> None:
    text = await _stats_after_a_game(bot)
    assert text.splitlines()[:2] == ["Anna · 1 game, fool in 1 (100%)", "Place and rating after 4 more games"]
    assert "Boris" not in text
    assert "together" not in await _stats_after_a_game(bot)

    text = await _stats_after_a_game(bot)
    assert "In 3 games together, Anna was the fool 3 times, you 0 times" in text

    await _stats_after_a_game(bot)
    assert "Place 2 of 2 · rating " in await _stats_after_a_game(bot)

    own = await bot.chat.types(ANNA, "/stats")
    assert own.ephemeral is not None
    assert "together, Anna was the fool 5 times, Boris 0 times" in text_of(own.ephemeral)


async def _stats_after_a_game(bot: RunningBot) -> str:
    """Plays one more game that Anna loses to Boris; returns her statistics as he sees them."""
    table = await bot.dealt(ANNA, BORIS)
    await (await bot.session(table)).resign(0)
    await bot.app.tables.change(table.id, Table.close)
    await bot.settle()
    reply = await bot.chat.types(BORIS, "/stats @Anna")
    assert reply.ephemeral is not None
    return text_of(reply.ephemeral)


async def test_who_asks_how_it_is_counted_is_told(bot: RunningBot) -> None:
    await (await bot.session(await bot.dealt(ANNA, BORIS))).resign(0)
    board = await bot.chat.types(BORIS, "/leaderboard month")
    assert board.public is not None
    (button,) = buttons_of(board.public)

    reply = await bot.chat.presses_token(CLARA, bot.chat.room_sees()[-1].ref, button.token)
    assert reply.ephemeral is not None
    text = text_of(reply.ephemeral)
    assert text.startswith("How is it counted?\n\nThe fool index compares")
    assert "Boris 0.86 · Anna 1.14" in text


async def test_fool_takes_a_period_and_explains_the_periods(bot: RunningBot) -> None:
    reply = await bot.chat.types(ANNA, "/fool tomorrow")
    assert reply.toast == "There’s no “tomorrow”; try: week, month, year, all"
    shown = await bot.chat.types(ANNA, "/fool MONTH")
    assert shown.public is not None
    assert text_of(shown.public).startswith("Who is the fool most often · this month")


async def test_the_file_is_for_moderators(bot: RunningBot) -> None:
    await bot.plays_to_the_end(await bot.dealt(ANNA, BORIS, rules=SHORT_GAME))
    denied = await bot.chat.types(ANNA, "/leaderboard export")
    assert (denied.document, denied.toast) == (None, "The file is for chat admins.")

    bot.chat.moderators.add(ANNA.ref)
    sheet = _content((await bot.chat.types(ANNA, "/leaderboard export")).document, "durak-all.csv")
    header, *lines = sheet.splitlines()
    assert header.startswith("platform,id,name,games,fools,")
    assert {line.split(",")[2] for line in lines} == {"Anna", "Boris"}

    rows = json.loads(
        _content((await bot.chat.types(ANNA, "/leaderboard week json")).document, "durak-week.json")
    )
    assert sorted(row["fools"] for row in rows) in ([0, 0], [0, 1])
    assert all(row["games"] == 1 for row in rows)


def _content(document: Document | None, name: str) -> str:
    assert document is not None
    assert document.name == name
    return document.content.decode()
