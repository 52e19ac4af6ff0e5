"""The bot keeps running when its log cannot be written."""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import aiohttp
import pytest

from tests.e2e.process import BotProcess


@pytest.fixture(params=["full disk", "closed pipe"])
def nowhere(request: pytest.FixtureRequest) -> Iterator[int]:
    """Opens a descriptor that cannot be written to."""
    if request.param == "full disk":
        end = os.open("/dev/full", os.O_WRONLY)
    else:
        reader, end = os.pipe()
        os.close(reader)

    yield end
    os.close(end)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a disk that is always full")
async def test_a_bot_that_cannot_log_plays_on(tmp_path: Path, nowhere: int) -> None:
    bot = BotProcess(tmp_path, {})
    await bot.start(err=nowhere)
    with closing(sqlite3.connect(bot.database)) as database:
        database.execute("ALTER TABLE guest RENAME TO out_of_reach")

    async with aiohttp.ClientSession(bot.address, headers={"Origin": bot.address.rstrip("/")}) as browser:
        for _ in range(3):
            async with browser.post("/r/main/guests", json={"name": "Anna"}) as answer:
                assert answer.status == 500

        async with browser.get("/healthz") as answer:
            assert answer.status == 200

        async with browser.get("/metrics") as answer:
            assert "\ndurak_log_lines_lost_total " in (told := await answer.text())
            assert "\ndurak_log_lines_lost_total 0.0" not in told

    assert await bot.stop() == 0


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a disk that is always full")
async def test_a_bot_that_cannot_even_say_where_it_is_plays_on(tmp_path: Path, nowhere: int) -> None:
    bot = BotProcess(tmp_path, {})
    await bot.start()
    assert await bot.stop() == 0
    await bot.start(out=nowhere, err=nowhere)
    assert await bot.stop() == 0
