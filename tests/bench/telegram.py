"""Games in Telegram groups at full speed, compared with an echo bot that makes as many calls."""

import asyncio
import random
import sys
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.bench.processes import usage
from tests.bench.rows import Measured
from tests.e2e.chats import Person, Shown
from tests.e2e.game import PATIENCE, TAKE, Chosen, choice_of, gather, heard, moves_of, open_choices, result
from tests.e2e.process import BotProcess
from tests.e2e.start import environment
from tests.e2e.telegram import Group
from tests.wire.telegram import Person as Account
from tests.wire.telegram import Status, TelegramServer

TABLES = 4
NAMES = ("Anna", "Boris", "Clara", "Dora")
PRESSES = 160
QUICK = 8
WARMING_UP = 5  # presses at each table before counting begins
QUIET = 1.5  # seconds without a call after which whatever the presses caused is done


@dataclass
class Costs:
    """The costs of many presses together.

    Attributes:
        cpu: Seconds of all processes of the bot.
        seconds: The duration of the presses, one after another at each table.
        calls: The number of calls of each method of Telegram.
    """

    presses: int = 0
    cpu: float = 0.0
    seconds: float = 0.0
    calls: "Counter[str]" = field(default_factory=Counter)

    @property
    def milliseconds(self) -> float:
        """Milliseconds of CPU of a press."""
        return 1000 * self.cpu / self.presses

    @property
    def speed(self) -> float:
        """Presses per second."""
        return self.presses / self.seconds

    @property
    def calls_per_press(self) -> float:
        return self.calls.total() / self.presses


def cpu_in_text(is_quick: bool, /) -> Measured:
    """Measures the CPU time of a press at tables in text."""
    presses = QUICK if is_quick else PRESSES
    ours, echo = both("text", presses)
    return Measured([ours.milliseconds], f"an echo bot: {echo.milliseconds:.1f} ms")


def cpu_with_pictures(is_quick: bool, /) -> Measured:
    """Measures the CPU time of a press at tables with pictures."""
    presses = QUICK if is_quick else PRESSES
    ours, echo = both("picture", presses)
    return Measured([ours.milliseconds], f"an echo bot: {echo.milliseconds:.1f} ms")


def speed(is_quick: bool, /) -> Measured:
    """Compares the answered presses per second, in text and with pictures."""
    presses = QUICK if is_quick else PRESSES
    found = {"in text": both("text", presses), "with pictures": both("picture", presses)}
    told = (f"{how} {ours.speed:.0f}, the echo bot {echo.speed:.0f}" for how, (ours, echo) in found.items())
    return Measured([ours.speed / echo.speed for ours, echo in found.values()], "; ".join(told))


def calls(is_quick: bool, /) -> Measured:
    """Counts the calls of a press by kind, in text and with pictures."""
    presses = QUICK if is_quick else PRESSES
    found = [both(view, presses) for view in ("text", "picture")]
    return Measured((), "; ".join(_listed(ours) for ours, _ in found))


def _listed(costs: Costs) -> str:
    kinds = ", ".join(f"{times / costs.presses:.2f} {name}" for name, times in costs.calls.most_common())
    return f"{costs.calls_per_press:.1f} ({kinds})"


@cache
def both(view: str, presses: int) -> tuple[Costs, Costs]:
    """Returns the costs of presses for the bot, and of as many presses and calls for an echo bot."""
    ours = asyncio.run(costs_of_games(view, presses))
    return ours, asyncio.run(costs_of_echoes(ours.calls_per_press, presses))


async def costs_of_games(view: str, presses: int) -> Costs:
    """Presses moves of four players at each table."""
    async with TelegramServer() as server:
        groups = [Group(server) for _ in range(TABLES)]
        with TemporaryDirectory() as folder:
            settings = {**groups[0].settings, "DURAK_LOG_LEVEL": "info"}
            bot = BotProcess(Path(folder), settings, is_forked=False, program="tests.bench.unlimited")
            await bot.start()
            tables = await asyncio.gather(*(_dealt(group, view) for group in groups))
            players = [Table(server, people, random.Random(n)).press for n, people in enumerate(tables)]
            costs = await _costs(server, bot.pid, players, presses)
            await bot.stop()

    return costs


async def costs_of_echoes(calls_per_press: float, presses: int) -> Costs:
    """Presses a button of the echo bot again and again, one person for each table."""
    async with TelegramServer() as server, _echo_bot(server, calls_per_press) as pid:
        people = [server.person(name) for name in NAMES[:TABLES]]
        for person in people:
            person.starts()

        while any(not person.sees(person.private) for person in people):
            await server.transcript.grows()

        return await _costs(server, pid, [Presser(server, each).press for each in people], presses)


class Table:
    """Four players at one table, pressing each move as soon as it is on offer."""

    def __init__(self, server: TelegramServer, people: Sequence[Person], chance: random.Random) -> None:
        self._server = server
        self._people = people
        self._chance = chance
        self._chosen: Chosen = {}

    async def press(self) -> bool:
        """Presses a move and waits for the presser's next hand; returns False if the game is over."""
        while not (choices := await self._choices()):
            if await result(self._people[0]) is not None:
                return False
            await self._something_new()

        person, shown, token = self._chance.choice(choices)
        self._chosen[person, choice_of(token)] = time.monotonic()
        await person.presses(shown, token)

        while not self._is_given_up(person, token) and token in {each for _, each in await moves_of(person)}:
            await self._something_new()

        return True

    async def _choices(self) -> list[tuple[Person, Shown, str]]:
        """Returns the newest moves on offer; older ones may be about to be replaced."""
        found = [
            (person, *move) for person in self._people for move in await open_choices(person, self._chosen)
        ]
        bold = [choice for choice in found if not choice[2].endswith(TAKE)] or found
        newest = max((_version(token) for *_, token in bold), default=0)
        return [choice for choice in bold if _version(choice[2]) == newest]

    def _is_given_up(self, person: Person, token: str) -> bool:
        return self._chosen[person, choice_of(token)] < time.monotonic() - PATIENCE

    async def _something_new(self) -> None:
        """Waits for a call, but not forever: a player whose press had no effect presses again."""
        with suppress(TimeoutError):
            async with asyncio.timeout(PATIENCE):
                await self._server.transcript.grows()


class Presser:
    """A person with an echo bot, pressing as soon as the message has changed."""

    def __init__(self, server: TelegramServer, person: Account) -> None:
        self._server = server
        self._person = person

    async def press(self) -> bool:
        """Presses a button and waits for the next one."""
        (message,) = self._person.sees(self._person.private)
        edits = message.edits
        await self._person.presses(message.labels[0], message)
        while message.edits == edits:
            await self._server.transcript.grows()

        return True


async def _costs(
    server: TelegramServer, pid: int, pressers: Sequence[Callable[[], Awaitable[bool]]], presses: int
) -> Costs:
    """Presses for everyone at once, each again and again, until there were enough presses."""
    for _ in range(WARMING_UP):
        await asyncio.gather(*(press() for press in pressers))

    await _quiet(server)
    costs = Costs()
    used = usage(pid).seconds
    sent = len(server.transcript.entries)
    began = time.perf_counter()

    async def again_and_again(press: Callable[[], Awaitable[bool]]) -> None:
        while costs.presses < presses and await press():
            costs.presses += 1

    await asyncio.gather(*map(again_and_again, pressers))
    costs.seconds = time.perf_counter() - began
    await _quiet(server)
    costs.cpu = usage(pid).seconds - used
    costs.calls.update(entry.method for entry in server.transcript.entries[sent:])

    return costs


async def _quiet(server: TelegramServer) -> None:
    """Waits until no more calls come."""
    while True:
        try:
            async with asyncio.timeout(QUIET):
                await server.transcript.grows()
        except TimeoutError:
            return


async def _dealt(group: Group, view: str) -> Sequence[Person]:
    """Returns the players of a table with a game that has begun."""
    host = await group.newcomer("Host")
    group.group.members[host.person.id] = Status.ADMINISTRATOR
    await heard(host, f"/settings view {view}")
    return await gather(group, NAMES)


@asynccontextmanager
async def _echo_bot(server: TelegramServer, calls_per_press: float) -> AsyncIterator[int]:
    """Runs an echo bot; yields its process id."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.bench.echo", server.url, server.token, str(calls_per_press),
        env=environment({}),
    )  # fmt: skip

    try:
        yield process.pid
    finally:
        process.kill()
        await process.wait()


def _version(token: str) -> int:
    return int(token.split(":")[2])
