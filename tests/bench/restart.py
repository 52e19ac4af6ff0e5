"""The cost of a restart with many running games."""

import asyncio
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from adapters.port import MessageRef
from tests.bench.crowd import crowd, fill, let_rest, patient_chat, people_at
from tests.bench.rows import Measured
from tests.bot.chat import PLATFORM

GAMES = 1000
FEW_GAMES = 10

A_WHILE = 3.0  # seconds after the start in which a bot that reads its tables one after the other is busy


@dataclass
class Found:
    """The figures of one restart.

    Attributes:
        answered: Seconds until the chats were answered.
        cpu: Seconds of CPU until the bot was idle.
        press_cpu: Seconds of CPU for the first press at a table.
    """

    answered: float
    cpu: float
    press_cpu: float


async def restarted(folder: str, games: int) -> Found:
    """Starts a bot that was killed during this many games, and presses a button at one of them."""
    file = str(Path(folder) / "durak.db")
    chat = patient_chat()
    await fill(file, games)
    let_rest(file)

    async with crowd(file, chat) as bot:
        answered = bot.seconds
        await asyncio.sleep(A_WHILE)
        cpu = await bot.quiet()
        await chat.presses_token(people_at(games - 1)[0], MessageRef(PLATFORM, "old"), f"h:{games}")
        return Found(answered, cpu, await bot.quiet() - cpu)


def measured(is_quick: bool) -> Measured:
    """Measures this row of the list of costs."""
    games = FEW_GAMES if is_quick else GAMES
    with TemporaryDirectory() as folder:
        found = asyncio.run(restarted(folder, games))

    return Measured(
        (found.cpu, found.answered), f"the first press at a table: {1000 * found.press_cpu:.0f} ms of CPU"
    )
