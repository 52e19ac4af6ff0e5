"""Many tables on Telegram, each with half of its players in the live table.

`python -m tests.bench.views --help`
"""

import asyncio
import random
import time
from argparse import ArgumentDefaultsHelpFormatter, ArgumentParser
from collections.abc import Sequence
from contextlib import AsyncExitStack
from math import inf
from pathlib import Path
from tempfile import TemporaryDirectory

from aiohttp import ClientSession, TCPConnector

from tests.bench.limits import Found, OnTelegram, Table, again_and_again, quantile
from tests.bench.processes import usage
from tests.bench.telegram import NAMES
from tests.e2e.chats import Person
from tests.e2e.game import gather
from tests.e2e.process import BotProcess
from tests.e2e.telegram import Group, Member
from tests.e2e.views import Viewer
from tests.wire.telegram import TelegramServer
from tests.wire.telegram.mini_app import proof_of

PUBLIC = "https://durak.example"
MAX_OPENINGS = 8  # so many tables are opened at the same time
LATE = 10.0  # seconds after the last press in which hands may still come

COLUMNS = (
    "",
    "presses a second",
    "calls a press",
    "CPU a press",
    "new hand in live tables: median, 90th, 99th percentile",
    "in the chats",
)


async def measured(tables: int, seconds: float) -> tuple[Found, Sequence[float], Sequence[float]]:
    """Returns all figures, and the times from a press to the presser's hand: in views and in chats."""
    found = Found(tables=tables)
    async with AsyncExitStack() as stack:
        server = await stack.enter_async_context(TelegramServer())
        on = OnTelegram(server, tables)
        folder = stack.enter_context(TemporaryDirectory())
        settings = {"DURAK_LOG_LEVEL": "info", "DURAK_PUBLIC_URL": PUBLIC}
        bot = BotProcess(Path(folder), {**on.places[0].settings, **settings}, is_forked=False)
        await bot.start()
        http = await stack.enter_async_context(ClientSession(connector=TCPConnector(limit=0)))
        streams = await stack.enter_async_context(asyncio.TaskGroup())
        crowd = await _seated(on.places, bot.address, http, streams, server.token)

        on.enforce()
        cpu = usage(bot.pid).seconds
        began = time.time()
        await again_and_again(crowd, seconds, found)
        found.seconds = time.time() - began
        found.cpu = usage(bot.pid).seconds - cpu
        found.spent, found.refused = on.counted()
        await asyncio.sleep(LATE)

        views = list[float]()
        chats = list[float]()
        for person, pressed in found.pressed:
            times = [each.at for each in person.read] if isinstance(person, Viewer) else on.hands(person)
            own = next((at - pressed for at in times if at > pressed), inf)
            (views if isinstance(person, Viewer) else chats).append(own)

        await bot.stop()

    return found, views, chats


async def _seated(
    places: Sequence[Group], address: str, http: ClientSession, streams: asyncio.TaskGroup, token: str
) -> Sequence[Table]:
    """Deals in each room and opens the table for half of the players."""
    openings = asyncio.Semaphore(MAX_OPENINGS)

    async def opened(place: Group, number: int) -> Table:
        async with openings:
            people = await gather(place, NAMES)
            table = Table(people, random.Random(number))
            while (choice := await table.choice()) is None:
                await asyncio.sleep(0.2)

            table_id = int(choice[2].split(":")[1])
            players = list[Person]()
            for seat, person in enumerate(people):
                assert isinstance(person, Member)
                if seat % 2:
                    players.append(person)
                    continue

                viewer = Viewer(person, address, http)
                proof = proof_of(person.person, token)
                await viewer.opens(streams, "telegram", proof, str(table_id))
                players.append(viewer)

            return Table(players, random.Random(number))

    return await asyncio.gather(*(opened(place, number) for number, place in enumerate(places)))


def _quantiles(times: Sequence[float]) -> str:
    return ", ".join(f"{quantile(times, each):.2g}" for each in (0.5, 0.9, 0.99)) + " s"


def main() -> None:
    """Prints a table with a line for each number of tables."""
    parser = ArgumentParser(
        prog="python -m tests.bench.views",
        description=__doc__,
        formatter_class=ArgumentDefaultsHelpFormatter,
    )
    parser.add_argument("--tables", type=int, nargs="*", default=[80, 300], help="a press each 5 s")
    parser.add_argument("--seconds", type=float, default=60.0)
    options = parser.parse_args()

    print(f"| {' | '.join(COLUMNS)} |", "|---" * len(COLUMNS) + "|", sep="\n", flush=True)
    for number in options.tables:
        found, views, chats = asyncio.run(measured(number, options.seconds))
        cells = (
            f"{number} tables",
            f"{found.presses / found.seconds:.1f}",
            f"{found.spent / found.presses:.2f}",
            f"{1000 * found.cpu / found.presses:.0f} ms",
            _quantiles(views),
            _quantiles(chats),
        )
        print(f"| {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
