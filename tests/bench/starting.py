"""The cost of the bot's start, before anyone plays."""

import asyncio
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from tests.bench.processes import Usage, usage
from tests.bench.rows import Measured
from tests.e2e.process import BotProcess

STARTS = 5


def start(is_quick: bool, /) -> Measured:
    """Starts a bot without tokens on an existing database and measures it until it is ready."""
    starts = 1 if is_quick else STARTS
    used = asyncio.run(_starts(starts))
    return Measured([median(each.seconds for each in used), median(each.peak for each in used)])


async def _starts(times: int) -> list[Usage]:
    used = []
    with TemporaryDirectory() as folder:
        settings = {"DURAK_LOG_LEVEL": "info"}
        bot = BotProcess(Path(folder), settings, is_forked=False, program="tests.bench.as_installed")
        for _ in range(1 + times):  # the first makes the database
            await bot.start()
            used.append(usage(bot.pid))
            await bot.stop()

    return used[1:]
