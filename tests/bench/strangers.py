"""Measures how much one attacker delays others: a player in a chat presses while the page is under attack.

`python -m tests.bench.strangers --help`

Each attack runs from its own process, against this machine alone, beside 300 readers that read nothing
of what a busy room of the page sends them.
"""

import asyncio
import gzip
import os
import random
import sys
import time
from argparse import ArgumentDefaultsHelpFormatter, ArgumentParser
from asyncio import StreamReader, StreamWriter
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import urlsplit

from aiohttp import ClientSession

from tests.bench.limits import Found, Table, quantile
from tests.bench.processes import usage
from tests.e2e.game import gather, press
from tests.e2e.process import BotProcess
from tests.e2e.start import ROOT
from tests.e2e.telegram import Group
from tests.wire.telegram import TelegramServer

NAMES = ("Anna", "Boris")
SLOW_READERS = 300
READERS_OF_AN_ADDRESS = 60
TABLES = 6  # in their own chats
PRESS_EACH = 0.2  # seconds between two presses
LINE_EACH = 1.1  # seconds between two lines in the room that nobody reads
RESULT_WITHIN = 10.0

QUESTION = bytes([0x81, 0x81, 0, 0, 0, 0]) + b"?"
PING = bytes([0x89, 0x80, 0, 0, 0, 0])
BOMB_BYTES = 512 * 2**20
PIECE = bytes(2**16)

COLUMNS = ("attack", "presses", "answered: median, 99th percentile, longest", "CPU of the bot")

Line = tuple[StreamReader, StreamWriter]


class Target:
    """The page under attack; each line to it comes from one of this machine's own addresses."""

    def __init__(self, address: str) -> None:
        place = urlsplit(address)
        if place.hostname not in {"127.0.0.1", "localhost"}:
            raise ValueError("only this machine is attacked")
        self.port = place.port
        self.host = f"127.0.0.1:{place.port}"

    async def line(self, source: int = 2) -> Line:
        """Connects without reading, so that the sender's buffers soon fill up."""
        address = (f"127.0.0.{source}", 0)
        return await asyncio.open_connection("127.0.0.1", self.port, local_addr=address, limit=2**12)

    async def stream(self, source: int = 2) -> Line:
        """Opens the stream of a spectator."""
        reader, writer = await self.line(source)
        head = (
            f"GET /r/main/stream HTTP/1.1\r\nHost: {self.host}\r\nOrigin: http://{self.host}\r\n"
            "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
            "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
        )
        writer.write(head.encode())
        await reader.readuntil(b"\r\n\r\n")
        greeting = b'{"looks": true}'
        writer.write(bytes([0x81, 0x80 | len(greeting), 0, 0, 0, 0]) + greeting)
        return reader, writer

    def head(self, method: str, path: str, **headers: object) -> bytes:
        given = {"Host": self.host, "Origin": f"http://{self.host}", **headers}
        lines = [f"{method} {path} HTTP/1.1", *(f"{name}: {value}" for name, value in given.items())]
        return ("\r\n".join(lines) + "\r\n\r\n").encode().replace(b"_", b"-")


async def _flood(target: Target, frame: bytes) -> None:
    """Sends small frames on a stream without a pause; opens another one when that is closed."""
    reader, writer = await target.stream()
    reading = asyncio.create_task(_drain(reader))
    try:
        while True:
            writer.write(frame * 1000)
            await writer.drain()
    finally:
        reading.cancel()
        writer.close()


async def _drain(reader: StreamReader) -> None:
    with suppress(ConnectionError):
        while await reader.read(2**16):
            pass


async def questions(target: Target) -> None:
    """Sends frames of one byte."""
    await _flood(target, QUESTION)


async def pings(target: Target) -> None:
    """Sends pings, which libraries answer by themselves."""
    await _flood(target, PING)


async def bomb(target: Target) -> None:
    """Sends half a megabyte that unpacks to half a gigabyte."""
    _, writer = await target.line()
    body = _packed()
    head = target.head("POST", "/nowhere", Content_Encoding="gzip", Content_Length=len(body))
    writer.write(head + body)
    await writer.drain()
    await asyncio.sleep(2.0)
    writer.close()


_BOMBS: list[bytes] = []


def _packed() -> bytes:
    if not _BOMBS:
        _BOMBS.append(gzip.compress(bytes(BOMB_BYTES)))
    return _BOMBS[0]


async def endless(target: Target) -> None:
    """Sends a body without an end, to nobody."""
    _, writer = await target.line()
    writer.write(target.head("POST", "/nowhere", Content_Length=10**12))
    while True:
        writer.write(PIECE)
        await writer.drain()


async def pages(target: Target) -> None:
    """Loads the page again and again on a line that stays open."""
    reader, writer = await target.line()
    reading = asyncio.create_task(_drain(reader))
    try:
        while not reading.done():
            writer.write(target.head("GET", "/r/main") * 10)
            await writer.drain()
    finally:
        reading.cancel()
        writer.close()


async def busy(target: Target) -> None:
    """Keeps a core busy without using the page: the cost of the attacking process itself."""
    del target
    end = time.monotonic() + 0.1
    while time.monotonic() < end:
        pass


ATTACKS: Mapping[str, tuple[Callable[[Target], Awaitable[None]], int]] = {
    "busy": (busy, 1),
    "questions": (questions, 1),
    "pings": (pings, 1),
    "bomb": (bomb, 1),
    "endless": (endless, 4),
    "pages": (pages, 20),
}
"""Each attack, and how often it runs at the same time."""


async def attack(name: str, target: Target) -> None:
    """Repeats an attack until the process ends.

    It takes no CPU from the bot, as it would take none from another machine.
    """
    os.nice(19)
    run, times = ATTACKS[name]

    async def again_and_again() -> None:
        while True:
            with suppress(ConnectionError, asyncio.IncompleteReadError):
                await run(target)
            await asyncio.sleep(0.01)

    await asyncio.gather(*(again_and_again() for _ in range(times)))


# --- those who suffer -------------------------------------------------------------------------------------


@asynccontextmanager
async def slow_readers(target: Target) -> AsyncIterator[None]:
    """Opens streams whose readers read nothing, and a guest who talks in their room."""
    lines = [await target.stream(10 + number // READERS_OF_AN_ADDRESS) for number in range(SLOW_READERS)]
    talking = asyncio.create_task(_talk(target))
    try:
        yield
    finally:
        talking.cancel()
        for _, writer in lines:
            writer.close()


async def _talk(target: Target) -> None:
    base = f"http://{target.host}"
    async with ClientSession(headers={"Origin": base}) as http:
        async with http.post(f"{base}/r/main/guests", json={"name": "Olga"}) as response:
            secret = (await response.json())["secret"]

        for number in count():
            line = {"text": f"{number} " + "x" * 900}
            headers = {"Authorization": f"Bearer {secret}"}
            with suppress(OSError):
                async with http.post(f"{base}/r/main/lines", json=line, headers=headers):
                    pass
            await asyncio.sleep(LINE_EACH)


async def _play(place: Group, seconds: float, found: Found) -> None:
    """Presses moves in the chat, and opens another game after each."""
    end = time.monotonic() + seconds
    people = await gather(place, NAMES)
    table = Table(people, random.Random(1))

    while time.monotonic() < end:
        try:
            async with asyncio.timeout(RESULT_WITHIN):
                await table.press(found)
        except TimeoutError:  # the game is over
            with suppress(AssertionError):
                await press(people[0], "Rematch")
                await press(people[1], "Join")
                await press(people[0], "Start")

        await asyncio.sleep(PRESS_EACH)


async def measured(name: str, seconds: float) -> tuple[Found, float]:
    """Returns the presses beside an attack, and the CPU of the bot in seconds for each second."""
    async with TelegramServer() as server:
        places = [Group(server) for _ in range(TABLES)]
        with TemporaryDirectory() as folder:
            settings = {
                **places[0].settings,
                "DURAK_WEB": "on",
                "DURAK_LOG_LEVEL": "info",
            }
            bot = BotProcess(Path(folder), settings, is_forked=False)
            await bot.start()
            target = Target(bot.address)
            found = Found(tables=TABLES)

            async with slow_readers(target):
                attacker = await _attacker(name, bot.address)
                cpu = usage(bot.pid).seconds
                began = time.monotonic()
                try:
                    await asyncio.gather(*(_play(place, seconds, found) for place in places))
                finally:
                    share = (usage(bot.pid).seconds - cpu) / (time.monotonic() - began)
                    if attacker is not None:
                        attacker.kill()
                        await attacker.wait()

            await bot.stop()

    return found, share


async def _attacker(name: str, address: str) -> asyncio.subprocess.Process | None:
    if name not in ATTACKS:
        return None
    arguments = ("-m", "tests.bench.strangers", "--attack", name, "--address", address)
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return await asyncio.create_subprocess_exec(sys.executable, *arguments, env=environment)


def main() -> None:
    """Prints a table with a line for each attack, or attacks a page on this machine."""
    parser = ArgumentParser(
        prog="python -m tests.bench.strangers",
        description=__doc__,
        formatter_class=ArgumentDefaultsHelpFormatter,
    )
    parser.add_argument("--seconds", type=float, default=20.0, help="for each attack")
    parser.add_argument("--only", nargs="*", default=["nobody", *ATTACKS], help="of these attacks")
    parser.add_argument("--attack", choices=list(ATTACKS), help="run one attack alone")
    parser.add_argument("--address", default="", help="of the page that it attacks")
    options = parser.parse_args()

    if options.attack:
        asyncio.run(attack(options.attack, Target(options.address)))
        return

    print(f"| {' | '.join(COLUMNS)} |", "|---" * len(COLUMNS) + "|", sep="\n", flush=True)
    for name in options.only:
        found, share = asyncio.run(measured(name, options.seconds))
        times = found.answered
        waits = (quantile(times, 0.5), quantile(times, 0.99), max(times))
        shown = ", ".join(f"{1000 * wait:.0f}" for wait in waits)
        print(f"| {name} | {len(times)} | {shown} ms | {100 * share:.0f} % |", flush=True)


if __name__ == "__main__":
    main()
