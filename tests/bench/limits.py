"""Many tables on a Telegram that refuses what is sent too fast: `python -m tests.bench.limits --help`."""

import asyncio
import random
import time
from argparse import ArgumentDefaultsHelpFormatter, ArgumentParser
from collections import Counter, defaultdict
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from math import inf
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.bench.processes import usage
from tests.bench.rows import Measured
from tests.bench.telegram import NAMES
from tests.e2e.game import MOVE, TAKE, gather
from tests.e2e.process import BotProcess
from tests.e2e.telegram import Group, Member
from tests.wire.telegram import Message, Sent, TelegramServer
from tests.wire.telegram.faults import WRITING

ROOT = Path(__file__).parents[2]
PACE = 5.0
"""Seconds between two presses at a table."""

LOOK = 0.2
"""Seconds between two looks of people who wait for something to press."""

OPENING_AT_ONCE = 8
"""So many tables are opened at the same time, before anything is refused."""

LATE = 30.0
"""Seconds after the last press in which hands may still come."""

QUIET = 5.0
"""Seconds in which what is left of openings is sent."""


@dataclass
class Found:
    """What many tables went through; times in seconds, sorted.

    Attributes:
        answered: From a press to the notice that ends its clock.
        own: From a press to the presser's hand as it is then.
        spent: Messages and edits that the bot sent.
        pressed: Who pressed, and when.
        floods: The refusals by what was flooded.
        seconds: For how long.
        cpu: Seconds of CPU of the bot.
    """

    answered: list[float] = field(default_factory=list)
    own: list[float] = field(default_factory=list)
    spent: int = 0
    pressed: list[tuple[int, float]] = field(default_factory=list)
    floods: Counter[str] = field(default_factory=Counter)
    seconds: float = 0.0
    cpu: float = 0.0

    @property
    def presses(self) -> int:
        return len(self.pressed)

    def __str__(self) -> str:
        refused = self.floods.total()
        own = " / ".join(f"{quantile(self.own, each):.2f}" for each in (0.5, 0.9, 0.99))
        return (
            f"{self.presses / self.seconds:.1f} presses/s; {refused / self.seconds:.1f} refusals/s "
            f"({100 * refused / max(1, self.spent):.1f} %: {dict(self.floods)}); "
            f"{self.spent / self.presses:.2f} counted calls and "
            f"{1000 * self.cpu / self.presses:.1f} ms of CPU a press; "
            f"answered p90 {quantile(self.answered, 0.9):.2f} s; own hand p50/p90/p99 {own} s"
        )


def quantile(times: Sequence[float], share: float) -> float:
    """Return the time within which this share of them lies; none is infinite."""
    return sorted(times)[int(share * (len(times) - 1))] if times else inf


class Table:
    """Four people at a table in a group of their own."""

    def __init__(self, people: Sequence[Member], chance: random.Random) -> None:
        self._people = people
        self._chance = chance
        self._pressed: dict[str, float] = {}

    def choice(self) -> tuple[Member, Message, str] | None:
        """Return the newest move that somebody is offered; nobody takes who has another choice."""
        found = [
            (person, message, token)
            for person in self._people
            if (message := _hand(person)) is not None
            for token in _moves(message)
            if self._pressed.get(token.rpartition(":")[0] + person.name, 0.0) < time.monotonic() - LATE
        ]
        bold = [each for each in found if not each[2].endswith(TAKE)] or found
        newest = max((_version(token) for *_, token in bold), default=0)
        choices = [each for each in bold if _version(each[2]) == newest]
        return self._chance.choice(choices) if choices else None

    async def press(self, found: Found) -> None:
        """Press a move as soon as there is one, and wait for the notice."""
        while (choice := self.choice()) is None:
            await asyncio.sleep(LOOK)
        person, message, token = choice
        began = time.time()
        self._pressed[token.rpartition(":")[0] + person.name] = time.monotonic()
        found.pressed.append((person.person.id, began))
        await person.person.presses_token(token, message)
        found.answered.append(time.time() - began)


def _hand(person: Member) -> Message | None:
    messages = reversed(person.person.private.messages)
    return next((each for each in messages if any(_moves(each))), None)


def _moves(message: Message) -> list[str]:
    tokens = (button.token for row in message.rows for button in row)
    return [token for token in tokens if token is not None and token.startswith(MOVE)]


def _version(token: str) -> int:
    return int(token.split(":")[2])


async def again_and_again(tables: Sequence[Table], seconds: float, found: Found) -> None:
    """Let somebody press at each table every few seconds."""
    end = time.monotonic() + seconds

    async def go_on(table: Table, delay: float) -> None:
        await asyncio.sleep(delay)
        while (began := time.monotonic()) < end:
            with suppress(TimeoutError):
                async with asyncio.timeout_at(asyncio.get_running_loop().time() + end - began):
                    await table.press(found)
            await asyncio.sleep(max(0.0, began + PACE - time.monotonic()))

    await asyncio.gather(*(go_on(each, PACE * n / len(tables)) for n, each in enumerate(tables)))


async def at_once(tables: Sequence[Table], rounds: int, found: Found) -> None:
    """Let somebody press at each table in the same moment, and again when all is quiet."""
    for _ in range(rounds):
        await asyncio.gather(*(table.press(found) for table in tables))
        await asyncio.sleep(LATE)


def forty_tables(is_quick: bool, /) -> Measured:
    """Return the row of the table of costs."""
    found = asyncio.run(measured(2 if is_quick else 40, seconds=6.0 if is_quick else 60.0))
    refused = 100 * found.floods.total() / max(1, found.spent)
    return Measured((refused, quantile(found.own, 0.9), found.spent / found.presses), str(found))


async def measured(tables: int, *, seconds: float = 60.0, rounds: int = 0, root: Path = ROOT) -> Found:
    """Open so many tables, and let people press: each few seconds, or all at once in so many rounds."""
    found = Found()
    async with TelegramServer() as server:
        server.answer_within = 2 * LATE
        groups = [Group(server) for _ in range(tables)]
        settings = {**groups[0].settings, "DURAK_LOG_LEVEL": "info", "PYTHONPATH": str(root)}
        with TemporaryDirectory() as folder:
            bot = BotProcess(Path(folder), settings, is_forked=False)
            await bot.start()
            crowd = await _seated(groups)
            server.faults.budgets_enforced = True
            cpu, began, sent = usage(bot.pid).seconds, time.time(), len(server.transcript.entries)
            if rounds:
                await at_once(crowd, rounds, found)
            else:
                await again_and_again(crowd, seconds, found)
            found.seconds = time.time() - began
            found.cpu = usage(bot.pid).seconds - cpu
            found.spent, found.floods = server.faults.spent, server.faults.floods.copy()
            await asyncio.sleep(LATE)
            found.own = _delays(found.pressed, server.transcript.entries[sent:])
            await bot.stop()
    return found


async def _seated(groups: Sequence[Group]) -> Sequence[Table]:
    """Deal in each group, and wait until nothing more is sent."""
    openings = asyncio.Semaphore(OPENING_AT_ONCE)

    async def opened(group: Group, number: int) -> Table:
        async with openings:
            people = await gather(group, NAMES)
            table = Table([each for each in people if isinstance(each, Member)], random.Random(number))
            while table.choice() is None:
                await asyncio.sleep(LOOK)
            return table

    tables = await asyncio.gather(*(opened(each, number) for number, each in enumerate(groups)))
    await asyncio.sleep(QUIET)
    return tables


def _delays(pressed: Sequence[tuple[int, float]], sent: Sequence[Sent]) -> list[float]:
    """Return after how many seconds each press was followed by the presser's new hand."""
    arrivals = defaultdict[int | None, list[float]](list)
    for each in sent:
        if each.method in WRITING and not each.refused:
            arrivals[each.chat].append(each.at)
    return [next((at - began for at in arrivals[who] if at > began), inf) for who, began in pressed]


def main() -> None:
    """Print what was asked for."""
    parser = ArgumentParser(
        prog="python -m tests.bench.limits",
        description=__doc__,
        formatter_class=ArgumentDefaultsHelpFormatter,
    )
    parser.add_argument("--tables", type=int, nargs="*", default=[20, 40, 80], help="a press each 5 s")
    parser.add_argument("--at-once", type=int, nargs="*", default=[200], help="all press in one moment")
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--root", type=Path, default=ROOT, help="the checkout whose bot plays")
    options = parser.parse_args()
    root = options.root.resolve()
    for tables in options.tables:
        print(
            tables, "tables:", asyncio.run(measured(tables, seconds=options.seconds, root=root)), flush=True
        )
    for groups in options.at_once:
        found = asyncio.run(measured(groups, rounds=options.rounds, root=root))
        print(groups, "groups at once:", found, flush=True)


if __name__ == "__main__":
    main()
