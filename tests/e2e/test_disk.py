"""A disk that fills up, and a file that is deleted, under a bot that runs."""

import resource
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from pathlib import Path

import aiohttp
import pytest_asyncio

from tests.e2e.game import until
from tests.e2e.process import BotProcess

DAMAGED = "My database is damaged: the owner of this bot has to restore a backup."
NOT_WRITTEN = "I can’t save anything right now. Nothing is lost: please try again in a minute."


@pytest_asyncio.fixture(loop_scope="session")
async def bot(tmp_path: Path) -> AsyncIterator[BotProcess]:
    bot = BotProcess(tmp_path, {})
    await bot.start()
    yield bot
    assert await bot.stop() == 0


@asynccontextmanager
async def visitor(bot: BotProcess) -> AsyncIterator[aiohttp.ClientSession]:
    async with aiohttp.ClientSession(bot.address, headers={"Origin": bot.address.rstrip("/")}) as session:
        yield session


async def comes_in(session: aiohttp.ClientSession, name: str) -> tuple[int, str]:
    async with session.post("/r/main/guests", json={"name": name}) as response:
        return response.status, str((await response.json()).get("error", ""))


def troubles(bot: BotProcess) -> list[str]:
    return [line for line in bot.output.splitlines() if "[error" in line or "Traceback" in line]


async def test_a_full_disk_is_said_to_people_once_to_the_owner_and_is_over_by_itself(bot: BotProcess) -> None:
    async with visitor(bot) as session:
        assert (await comes_in(session, "Anna"))[0] == 201
        log = bot.database.with_name(f"{bot.database.name}-wal")
        unlimited = resource.prlimit(
            bot.pid, resource.RLIMIT_FSIZE, (log.stat().st_size, resource.RLIM_INFINITY)
        )

        for name in ("Boris", "Clara", "Dora"):
            assert await comes_in(session, name) == (503, NOT_WRITTEN)

        async with session.get("/readyz") as response:
            assert (response.status, await response.text()) == (503, "not ready: database\n")

        resource.prlimit(bot.pid, resource.RLIMIT_FSIZE, unlimited)

        async def is_ready() -> bool:
            async with session.get("/readyz") as response:
                return response.status == 200

        await until(is_ready, "the bot to recover")
        assert (await comes_in(session, "Boris"))[0] == 201

    assert len(troubles(bot)) == 1
    assert "database_out_of_reach" in troubles(bot)[0]


async def test_nobody_plays_on_in_a_file_that_was_deleted(bot: BotProcess) -> None:
    async with visitor(bot) as session:
        bot.database.unlink()
        for name in ("Anna", "Boris"):
            assert await comes_in(session, name) == (503, NOT_WRITTEN)

        async with session.get("/readyz") as response:
            assert response.status == 503

    (trouble,) = troubles(bot)
    assert "was deleted while the bot ran: put the file back or restore a backup" in trouble


def spoil(database: Path, page: int) -> None:
    with database.open("r+b") as file:
        file.seek(4096 * (page - 1))
        file.write(b"\xff" * 200)


async def test_damaged_pages_are_said_to_people_and_to_who_watches_the_bot(bot: BotProcess) -> None:
    with closing(sqlite3.connect(bot.database)) as beside:
        beside.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        (page,) = beside.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'guest'").fetchone()
        spoil(bot.database, page)

    async with visitor(bot) as session:
        for name in ("Anna", "Boris"):
            assert await comes_in(session, name) == (503, DAMAGED)

        for _ in range(2):
            async with session.get("/readyz") as response:
                assert (response.status, await response.text()) == (503, "not ready: damaged database\n")

    (trouble,) = troubles(bot)
    assert "is damaged: restore a backup" in trouble
