"""Pauses of the event loop: while tables are drawn, and in a walk through all commands."""

import asyncio
import gc
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.bench.crowd import crowd, patient_chat
from tests.bench.rows import Measured
from tests.bench.walk import worst_pauses

TABLES = 6
PRESSES = 12
FEW_PRESSES = 2
TURN = 0.002  # seconds between two turns of the watching task


async def longest_pause(folder: str, presses: int, *, view: str) -> float:
    """Presses at six tables at once; returns the longest pause of the loop."""
    pauses = list[float]()

    async def watch() -> None:
        while True:
            began = time.perf_counter()
            await asyncio.sleep(TURN)
            pauses.append(time.perf_counter() - began - TURN)

    async with crowd(str(Path(folder) / f"{view}.db"), patient_chat(), view=view) as bot:
        tables = [await bot.deal(number, moves=0) for number in range(TABLES)]
        for table in tables:
            await bot.press(table)  # everything that is loaded only once is loaded now

        gc.collect()
        gc.freeze()  # as the bot does at its start; else the collector would walk it, too
        watching = asyncio.create_task(watch())

        for _ in range(presses):
            await asyncio.gather(*map(bot.press, tables))

        watching.cancel()

    return max(pauses)


def measured(is_quick: bool) -> Measured:
    """Measures this row of the list of costs, and lists the worst pauses of the walk."""
    presses = FEW_PRESSES if is_quick else PRESSES
    with TemporaryDirectory() as folder:
        pictures, text = (
            1000 * asyncio.run(longest_pause(folder, presses, view=view)) for view in ("picture", "text")
        )

    worst = worst_pauses(is_quick)
    table = [["act", "longest pause"]]
    table += [[pause.act, f"{pause.milliseconds:.0f} ms"] for pause in worst]
    return Measured(
        (pictures, worst[0].milliseconds),
        f"without pictures, six tables hold up the event loop for {text:.1f} ms",
        table,
    )
