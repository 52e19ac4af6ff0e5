"""Many tables on a Telegram or a Discord with its rate limits.

`python -m tests.bench.limits --help`
"""

import asyncio
import random
import time
from argparse import ArgumentDefaultsHelpFormatter, ArgumentParser
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from math import inf
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.bench.processes import usage
from tests.bench.rows import Measured
from tests.bench.telegram import NAMES
from tests.e2e.chats import Person, Shown
from tests.e2e.discord import Member as DiscordMember
from tests.e2e.discord import Place
from tests.e2e.game import TAKE, gather, moves_of
from tests.e2e.process import BotProcess
from tests.e2e.telegram import Group, Member
from tests.wire.discord import DiscordServer
from tests.wire.discord.rate_limits import EXEMPT
from tests.wire.discord.server import API
from tests.wire.telegram import TelegramServer
from tests.wire.telegram.faults import WRITING

ROOT = Path(__file__).parents[2]
PACE = 5.0  # seconds between two presses at a table
LOOK = 0.2  # seconds between two polls for something to press
MAX_OPENINGS = 8  # so many tables are opened at the same time, before anything is refused
LATE = 30.0  # seconds after the last press in which hands may still come
QUIET = 5.0  # seconds in which the messages left from the openings are sent


COLUMNS = (
    "",
    "presses a second",
    "refused",
    "calls a press",
    "CPU a press",
    "answered, 90th percentile",
    "new hand: median, 90th, 99th percentile",
    "from press to press at a table",
)


@dataclass
class Found:
    """The figures of many tables; times in seconds.

    Attributes:
        answered: From a press to the notice that ends its clock.
        own: From a press to the presser's current hand.
        spent: The calls that the platform counts: on Telegram messages and edits, on Discord all but
            answers to interactions.
        refused: The refused ones among them.
        tables: The number of tables.
        pressed: Each press: its player and its time.
        seconds: The duration of the measurement.
        cpu: Seconds of CPU of the bot.
    """

    answered: list[float] = field(default_factory=list)
    own: list[float] = field(default_factory=list)
    spent: int = 0
    refused: int = 0
    tables: int = 0
    pressed: list[tuple[Person, float]] = field(default_factory=list)
    seconds: float = 0.0
    cpu: float = 0.0

    @property
    def presses(self) -> int:
        return len(self.pressed)

    @property
    def pause(self) -> float:
        """Seconds from a press to the next one at its table: longer than `PACE` where hands are late."""
        return self.tables * self.seconds / self.presses

    @property
    def refusals(self) -> float:
        """The percentage of calls that the platform refused."""
        return 100 * self.refused / max(1, self.spent)

    def row(self, title: str) -> str:
        """Returns its line of the table."""
        own = ", ".join(f"{quantile(self.own, each):.2g}" for each in (0.5, 0.9, 0.99))
        cells = (
            title,
            f"{self.presses / self.seconds:.1f}",
            f"{self.refusals:.2g} %",
            f"{self.spent / self.presses:.2f}",
            f"{1000 * self.cpu / self.presses:.0f} ms",
            f"{quantile(self.answered, 0.9):.2g} s",
            f"{own} s",
            f"{self.pause:.1f} s",
        )

        return _line(cells)


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


class OnTelegram:
    """Groups on Telegram."""

    name = "Telegram"

    def __init__(self, server: TelegramServer, tables: int, limit: int | None = 30) -> None:
        server.faults.whole_bot = limit
        server.answer_within = 2 * LATE
        self._server = server
        self.places = [Group(server) for _ in range(tables)]

    def enforce(self) -> None:
        """Enforces the limits from now on."""
        self._server.faults.budgets_enforced = True

    def counted(self) -> tuple[int, int]:
        """Returns the number of counted calls, and of refused ones among them."""
        return self._server.faults.spent, self._server.faults.floods.total()

    def hands(self, person: Person) -> Sequence[float]:
        """Returns the times of all private messages to a player."""
        assert isinstance(person, Member)
        own = self._server.transcript.readable_by(person.person.id)
        return [
            each.at
            for each in own
            if each.method in WRITING and each.chat == person.person.id and not each.refused
        ]


class OnDiscord:
    """Channels on Discord, each on its own server."""

    name = "Discord"

    def __init__(self, server: DiscordServer, tables: int) -> None:
        server.state.answer_within = 2 * LATE
        self._server = server
        owner = server.person("Owner").account
        self.places = [Place(server, server.state.guild(f"Friends {n}", owner)) for n in range(tables)]
        self._before = 0

    def enforce(self) -> None:
        """Enforces the limits from now on."""
        self._server.state.limits.enforce()
        self._before = len(self._server.state.requests)

    def counted(self) -> tuple[int, int]:
        """Returns the number of counted calls, and of refused ones among them."""
        sent = self._server.state.requests[self._before :]
        paths = [request.path.removeprefix(API) for request in sent]
        counted = [path for path in paths if not path.startswith(EXEMPT)]
        return len(counted), self._server.state.limits.refused

    def hands(self, person: Person) -> Sequence[float]:
        """Returns the times of all private messages to a player."""
        assert isinstance(person, DiscordMember)
        own = self._server.state.transcript.seen_by(person.person.account)
        return [each.at for each in own if each.channel.guild is None or each.only is not None]


def quantile(times: Sequence[float], share: float) -> float:
    """Returns this quantile of the times; infinity if there are none."""
    return sorted(times)[int(share * (len(times) - 1))] if times else inf


class Table:
    """Four players at a table in their own room."""

    def __init__(self, people: Sequence[Person], chance: random.Random) -> None:
        self._people = people
        self._chance = chance
        self._pressed: dict[str, float] = {}

    async def choice(self) -> tuple[Person, Shown, str] | None:
        """Returns the newest move on offer; a take only where nothing else is."""
        found = list[tuple[Person, Shown, str]]()
        for person in self._people:
            for shown, token in await moves_of(person):
                pressed_at = self._pressed.get(token.rpartition(":")[0] + person.name, 0.0)
                if pressed_at < time.monotonic() - LATE:
                    found.append((person, shown, token))

        bold = [each for each in found if not each[2].endswith(TAKE)] or found
        newest = max((_version(token) for *_, token in bold), default=0)
        choices = [each for each in bold if _version(each[2]) == newest]

        return self._chance.choice(choices) if choices else None

    async def press(self, found: Found) -> None:
        """Waits for a legal move, presses it, and waits for the notice."""
        while (choice := await self.choice()) is None:
            await asyncio.sleep(LOOK)

        person, shown, token = choice
        began = time.time()
        self._pressed[token.rpartition(":")[0] + person.name] = time.monotonic()
        found.pressed.append((person, began))
        await person.presses(shown, token)
        found.answered.append(time.time() - began)


def _version(token: str) -> int:
    return int(token.split(":")[2])


async def again_and_again(tables: Sequence[Table], seconds: float, found: Found) -> None:
    """Presses a button at each table every few seconds."""
    end = time.monotonic() + seconds

    async def go_on(table: Table, delay: float) -> None:
        await asyncio.sleep(delay)
        while (began := time.monotonic()) < end:
            with suppress(TimeoutError):
                async with asyncio.timeout_at(asyncio.get_running_loop().time() + end - began):
                    await table.press(found)
            await asyncio.sleep(max(0.0, began + PACE - time.monotonic()))

    await asyncio.gather(*(go_on(each, PACE * n / len(tables)) for n, each in enumerate(tables)))


async def at_once(tables: Sequence[Table], rounds: int, found: Found, late: float) -> None:
    """Presses a button at each table in the same moment, and again after every pause of the wire."""
    for _ in range(rounds):
        await asyncio.gather(*(table.press(found) for table in tables))
        await asyncio.sleep(late)


def row(tables: int, *, rounds: int = 0, is_discord: bool = False) -> Callable[[bool], Measured]:
    """Returns the measurement of a row: refusals, own hand, and calls a press or answers."""

    def measure(is_quick: bool, /) -> Measured:
        number, seconds, late = (2, 3.0, 1.0) if is_quick else (tables, 60.0, LATE)
        found = asyncio.run(
            measured(number, seconds=seconds, rounds=rounds, is_discord=is_discord, late=late)
        )
        calls = found.spent / found.presses
        answered = quantile(found.answered, 0.9)
        told = f"new hand, median: {quantile(found.own, 0.5):.2f} s; "

        if rounds:
            told += f"{calls:.2f} calls a press"
        else:
            told += (
                f"{found.presses / found.seconds:.1f} presses a second, one every {found.pause:.1f} s at "
                f"each table; answered, 90th percentile: {answered:.2f} s"
            )

        told += f"; {1000 * found.cpu / found.presses:.0f} ms of CPU a press"
        return Measured((found.refusals, quantile(found.own, 0.9), answered if rounds else calls), told)

    return measure


async def measured(
    tables: int,
    *,
    seconds: float = 60.0,
    rounds: int = 0,
    root: Path = ROOT,
    is_discord: bool = False,
    late: float = LATE,
    limit: int | None = 30,
) -> Found:
    """Opens this many tables and presses there: every few seconds, or all at once in so many rounds."""
    async with DiscordServer() if is_discord else TelegramServer() as server:
        on = (
            OnDiscord(server, tables)
            if isinstance(server, DiscordServer)
            else OnTelegram(server, tables, limit)
        )
        return await _played(on, seconds, rounds, root, late)


async def _played(on: OnTelegram | OnDiscord, seconds: float, rounds: int, root: Path, late: float) -> Found:
    found = Found(tables=len(on.places))
    settings = {"DURAK_LOG_LEVEL": "info", "PYTHONPATH": str(root)}
    with TemporaryDirectory() as folder:
        bot = BotProcess(Path(folder), {**on.places[0].settings, **settings}, is_forked=False)
        await bot.start()
        crowd = await _seated(on.places)
        on.enforce()
        cpu = usage(bot.pid).seconds
        began = time.time()

        if rounds:
            await at_once(crowd, rounds, found, late)
        else:
            await again_and_again(crowd, seconds, found)

        found.seconds = time.time() - began
        found.cpu = usage(bot.pid).seconds - cpu
        found.spent, found.refused = on.counted()
        await asyncio.sleep(late)

        for person, pressed in found.pressed:
            found.own.append(next((at - pressed for at in on.hands(person) if at > pressed), inf))

        await bot.stop()

    return found


async def _seated(places: Sequence[Group | Place]) -> Sequence[Table]:
    """Deals in each room and waits until nothing more is sent."""
    openings = asyncio.Semaphore(MAX_OPENINGS)

    async def opened(place: Group | Place, number: int) -> Table:
        async with openings:
            table = Table(await gather(place, NAMES), random.Random(number))
            while await table.choice() is None:
                await asyncio.sleep(LOOK)
            return table

    tables = await asyncio.gather(*(opened(each, number) for number, each in enumerate(places)))
    await asyncio.sleep(QUIET)
    return tables


def main() -> None:
    """Prints the chosen figures as a table."""
    parser = ArgumentParser(
        prog="python -m tests.bench.limits",
        description=__doc__,
        formatter_class=ArgumentDefaultsHelpFormatter,
    )
    parser.add_argument("--tables", type=int, nargs="*", default=[20, 40, 80], help="a press each 5 s")
    parser.add_argument("--at-once", type=int, nargs="*", default=[200], help="all press in one moment")
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--discord", action="store_true", help="on Discord, and not on Telegram")
    parser.add_argument("--limit", type=int, default=30, help="calls a second of a Telegram; 0: any number")
    parser.add_argument("--before", type=Path, help="another checkout whose bot is measured as well")
    options = parser.parse_args()

    bots = {"now": ROOT} if options.before is None else {"before": options.before.resolve(), "now": ROOT}
    print(_line(COLUMNS), "|---" * len(COLUMNS) + "|", sep="\n", flush=True)

    for number, title, rounds in (
        *((table, f"{table} tables", 0) for table in options.tables),
        *((each, f"{each} at once", options.rounds) for each in options.at_once),
    ):
        for which, root in bots.items():
            found = asyncio.run(
                measured(
                    number,
                    seconds=options.seconds,
                    rounds=rounds,
                    root=root,
                    is_discord=options.discord,
                    limit=options.limit or None,
                )
            )
            print(found.row(f"{title}, {which}"), flush=True)


if __name__ == "__main__":
    main()
