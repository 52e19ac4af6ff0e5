"""The costs of a press and of tidying with many tables in memory."""

import asyncio
import gc
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from adapters.port import Everyone, Only
from bot.delivery.state import Placed
from bot.model.messages import MessageKind, Place, TableSlot
from bot.model.table import Phase, Player, Table
from tests.bench.crowd import Crowd, crowd, patient_chat, people_at, room_of
from tests.bench.rows import Measured

FEW = 10
QUITE_A_FEW = 200
MANY = 10_000
# presses in each game: before counting begins, and then
WARMING_UP = 4
PRESSES = 24

# How often it is measured, in turn; the least counts, as a machine that does other things only adds.
ROUNDS = 6


@dataclass
class Found:
    """Seconds of CPU: of a press with few and with many tables, and of the longest step of tidying."""

    few: float
    many: float
    longest_step: float


@dataclass
class Steps:
    """The event loop's longest turn, in seconds of CPU."""

    longest: float = 0.0

    @asynccontextmanager
    async def watched(self) -> AsyncIterator[None]:
        """Measures every turn of the loop in this block."""
        task = asyncio.create_task(self._watch())
        await asyncio.sleep(0)
        try:
            yield
        finally:
            task.cancel()

    async def _watch(self) -> None:
        while True:
            before = time.thread_time()
            await asyncio.sleep(0)
            self.longest = max(self.longest, time.thread_time() - before)


async def cpu_of_a_press(bot: Crowd, number: int) -> float:
    """Deals a game and presses its buttons; returns the seconds of CPU of a press."""
    table = await bot.deal(number, moves=0)
    for _ in range(WARMING_UP):
        await bot.press(table)

    gc.collect()  # collects the garbage of the preparations now, and not during a press
    began = bot.cpu
    for _ in range(PRESSES):
        await bot.press(table)

    return (bot.cpu - began) / PRESSES


def remember(bot: Crowd, table: Table, numbers: range) -> None:
    """Puts tables with finished games into memory, as if the bot had rendered them."""
    parts: dict[str, Any] = vars(bot.bot.outbox)
    cache = bot.bot.tables
    for number in numbers:
        people = people_at(number)
        room = room_of(number)
        players = tuple(Player(person.name, person.ref) for person in people)

        cache.known.put(
            replace(table, id=table.id + number, room=room, players=players, phase=Phase.OVER, touched_at=0.0)
        )
        slots = {TableSlot(table.id + number, 1, MessageKind.TABLE): Everyone(room)} | {
            TableSlot(table.id + number, 1, MessageKind.HAND, person.ref): Only(person.ref, room)
            for person in people
        }

        for slot, audience in slots.items():
            parts["_messages"].record(slot).note(Placed(Place(audience)))
            parts["_queues"].of(audience)


async def crowded(folder: str, many: int) -> Found:
    """Presses with few tables in memory and with many, then evicts those."""
    async with crowd(str(Path(folder) / "durak.db"), patient_chat()) as bot:
        table = await bot.deal(0)
        few = list[float]()
        with_many = list[float]()
        steps = Steps()

        for number in range(ROUNDS):
            remember(bot, table, range(1, FEW))
            few.append(await cpu_of_a_press(bot, 2 * many + number))
            remember(bot, table, range(FEW, many))
            with_many.append(await cpu_of_a_press(bot, 3 * many + number))
            async with steps.watched():
                await bot.bot.tables.tidy()

        return Found(min(few), min(with_many), steps.longest)


def measured(is_quick: bool) -> Measured:
    """Measures this row of the list of costs."""
    tables = QUITE_A_FEW if is_quick else MANY
    with TemporaryDirectory() as folder:
        found = asyncio.run(crowded(folder, tables))

    return Measured(
        (found.many / found.few, 1000 * found.longest_step), f"a press: {1000 * found.few:.1f} ms of CPU"
    )
