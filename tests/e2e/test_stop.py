"""The bot stops on a signal, whatever hangs."""

import asyncio
import os
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import aiohttp
import pytest

from tests.e2e.process import BotProcess
from tests.e2e.start import ROOT


@contextmanager
def locked(file: Path) -> Iterator[None]:
    """Holds a write transaction of another connection open."""
    with closing(sqlite3.connect(file)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield


async def test_a_bot_that_waits_for_a_locked_database_stops_in_time(tmp_path: Path) -> None:
    bot = BotProcess(tmp_path, {})
    await bot.start()
    async with aiohttp.ClientSession(bot.address, headers={"Origin": bot.address.rstrip("/")}) as browser:
        with locked(bot.database):
            asking = [
                asyncio.create_task(browser.post("/r/main/guests", json={"name": name}))
                for name in ("Anna", "Boris")
            ]
            await asyncio.wait(asking, timeout=0.5)

            async with browser.get("/readyz") as answer:
                assert (answer.status, await answer.text()) == (503, "not ready: database\n")

            await bot.stop()

        await asyncio.gather(*asking, return_exceptions=True)

    await bot.start()
    assert await bot.stop() == 0


async def test_a_slow_reader_does_not_hold_up_the_end(tmp_path: Path) -> None:
    bot = BotProcess(tmp_path, {})
    await bot.start()
    host, port = bot.address.removeprefix("http://").rstrip("/").split(":")
    _, writer = await asyncio.open_connection(host, int(port))
    with closing(writer):
        writer.write(b"POST /r/main/guests HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99\r\n\r\n{")
        await writer.drain()
        assert await bot.stop() == 0


HANGS = """
import asyncio, sys, time
from bot.process.lifecycle import run_until_signal

async def loop_hangs():
    print("ready", flush=True)
    while True:
        time.sleep(0.01)

async def cancellation_is_ignored():
    print("ready", flush=True)
    while True:
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            pass

async def thread_hangs():
    asyncio.get_running_loop().call_later(0.2, print, "ready")
    await asyncio.to_thread(time.sleep, 60)

asyncio.run(run_until_signal(globals()[sys.argv[1]]()))
"""


@pytest.mark.parametrize("what", ["loop_hangs", "cancellation_is_ignored", "thread_hangs"])
async def test_a_process_stops_in_time_whatever_hangs(tmp_path: Path, what: str) -> None:
    program = tmp_path / "hangs.py"
    program.write_text(HANGS)
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-u",
        program,
        what,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
    )
    assert process.stdout is not None
    assert await process.stdout.readline() == b"ready\n"

    process.terminate()
    async with asyncio.timeout(10):
        assert await process.wait() == 1
