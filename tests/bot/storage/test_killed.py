"""A killed process loses nothing that it has reported to anybody."""

import asyncio
import signal
import sys

import pytest

from bot.storage import EndedGame, HowEnded, SqlJournal, StandingsStore
from engine.runtime import GameSessions
from tests.bot.storage.samples import SERVER, opened, playing
from tests.bot.storage.test_journal import FOOL, deal, move
from tests.engine.runtime.playing import HandClock, Notebook

pytestmark = pytest.mark.slow

LINES = (1, 60, 150)  # the numbers of moves after which the process is killed; a game has about a hundred


async def told_until_killed(url: str, table_id: int, lines: int) -> int:
    """Makes another process play, kills it after some moves, and returns the last reported version."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.bot.storage.appender", url, str(table_id), stdout=asyncio.subprocess.PIPE
    )
    assert process.stdout is not None
    told = [await process.stdout.readline() for _ in range(lines)]
    process.send_signal(signal.SIGKILL)
    told += (await process.stdout.read()).splitlines()
    assert await process.wait() == -signal.SIGKILL
    return int(told[-1].split()[1])


async def test_what_was_told_is_there_after_kill_9(database_url: str) -> None:
    async with opened(database_url) as database:
        table = await playing(database)

    for lines in LINES:
        told = await told_until_killed(database_url, table.id, lines)
        async with opened(database_url) as database:
            session = await GameSessions(SqlJournal(database), HandClock().now, Notebook()).find(table.id)
            assert session.version in {told, told + 1}  # the last one may be written, but unreported
            assert [entry.version for entry in session.entries] == list(
                range(session.entries[0].version, session.version + 1)
            )
            # people sat down for the first game only
            is_first_finished = session.game > 1 or session.outcome is not None
            standings = await StandingsStore(database).ranking(SERVER)
            assert [standing.games for standing in standings] == ([1, 1] if is_first_finished else [])


async def test_between_a_game_and_its_consequences_nothing_can_be_killed(database_url: str) -> None:
    async with opened(database_url) as database:
        table = await playing(database)
        await SqlJournal(database).append(deal(table.id), snapshot="dealt", outcome=None)

    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.bot.storage.killed_at_the_end", database_url, str(table.id)
    )
    assert await process.wait() == -signal.SIGKILL

    told = list[EndedGame]()
    async with opened(database_url) as database:
        journal = SqlJournal(database, [lambda _, ended: told.append(ended)])
        game = await journal.newest_game(table.id)
        assert game is not None
        assert game.snapshot == "dealt", "the end of the game is there without its consequences"

        await journal.append(move(table.id, 2), snapshot="over", outcome=FOOL)

    assert [(ended.game, ended.how) for ended in told] == [(1, HowEnded.LOST)]
