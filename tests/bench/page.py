"""The wait for a new hand after a press on the page, alone and among many players."""

import asyncio
import random
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import AsyncExitStack
from functools import partial
from pathlib import Path
from statistics import median, quantiles
from tempfile import TemporaryDirectory
from typing import Any

from aiohttp import ClientSession

from bot.locale import LOCALES
from tests.adapters.web.client import Company, Visitor, visitors
from tests.bench.processes import usage
from tests.bench.rows import Measured
from tests.e2e.game import MOVE, TAKE
from tests.e2e.process import BotProcess

PEOPLE = ("Anna", "Boris", "Clara", "Dora", "Egor")
TABLES = 10
PRESSES = 20
ONLOOKERS = 10
GAMES = 5
QUICK = 2
THINKING = 1.0  # seconds between two presses at a table, on average
WITHIN = 60.0  # seconds in which everything that is waited for has happened, on a busy machine


class Player(Visitor):
    """A player with the page open, reading its stream without waiting for pictures."""

    def __init__(self, session: ClientSession, url: str, language: str = "en") -> None:
        super().__init__(session, url)
        self.language = language
        self.changed = asyncio.Event()

    @property
    def headers(self) -> dict[str, str]:
        return {**super().headers, "Accept-Language": self.language}

    def _take(self, text: str) -> None:
        super()._take(text)
        self.changed.set()

    async def _fetch_files(self) -> None:
        """Skips pictures: a browser fetches them beside the stream."""

    async def sees_that(self, what: Callable[[], Any]) -> Any:
        """Waits until this page shows a matching view."""
        async with asyncio.timeout(WITHIN):
            while not (found := what()):
                self.changed.clear()
                await self.changed.wait()
        return found

    def button(self, label: str) -> tuple[str, str] | None:
        """Returns the message and the token of a public button with this label."""
        found = [button for button in _buttons(self.sees(private=False)) if button[2] == label]
        return found[-1][:2] if found else None

    def moves(self) -> list[tuple[str, str]]:
        """Returns the message of the hand and the tokens of its moves."""
        return [button[:2] for button in _buttons(self.sees(private=True)) if button[1].startswith(MOVE)]

    def is_done_with(self, token: str) -> bool:
        """Returns whether the hand has changed since it offered this move."""
        return all(token != move[1] for move in self.moves())

    async def presses(self, message: str, token: str) -> None:
        await self.send("presses", {"message": message, "token": token})


class Table:
    """Five players in their own room, pressing any button on offer."""

    def __init__(self, people: list[Player], chance: random.Random) -> None:
        self._people = people
        self._chance = chance
        self._stirred = people[0].changed
        for person in people:
            person.changed = self._stirred  # a page that sees something new

    async def begin(self) -> None:
        """Opens a table and starts a game."""
        host, *others = self._people
        await host.send("lines", {"text": "/durak"})
        for other in others:
            await other.presses(*await other.sees_that(partial(other.button, "Join")))

        await host.presses(*await host.sees_that(partial(host.button, "Start")))
        await host.sees_that(self._choices)

    def _choices(self) -> list[tuple[Player, str, str]]:
        return [(person, *move) for person in self._people for move in person.moves()]

    async def play(self, presses: int, thinking: float) -> list[float]:
        """Presses some moves, none without thinking; returns the wait for the next hand, by press."""
        waited = list[float]()
        while len(waited) < presses:
            await asyncio.sleep(thinking * 2 * self._chance.random())
            choices: list[tuple[Player, str, str]] = await self._people[0].sees_that(self._choices)
            bold = [choice for choice in choices if not choice[2].endswith(TAKE)]
            player, message, token = self._chance.choice(bold or choices)
            began = time.perf_counter()
            pressing = asyncio.create_task(player.presses(message, token))
            await player.sees_that(partial(player.is_done_with, token))
            waited.append(time.perf_counter() - began)
            await pressing

        return waited


def press_to_hand(is_quick: bool, /) -> Measured:
    """Compares the wait at one of ten tables with the wait at the only one."""
    presses = QUICK if is_quick else PRESSES
    tables = QUICK if is_quick else TABLES
    alone = asyncio.run(_waits(1, presses))
    among = asyncio.run(_waits(tables, presses))

    one = 1000 * median(alone)
    many = 1000 * median(among)
    slow = 1000 * quantiles(among, n=100, method="inclusive")[98]
    return Measured([many, slow, many / one], f"{len(among)} presses; at the only table {one:.0f} ms")


async def _waits(tables: int, presses: int, thinking: float = THINKING) -> list[float]:
    with TemporaryDirectory() as folder:
        bot = BotProcess(Path(folder), {"DURAK_LOG_LEVEL": "info"}, is_forked=False)
        await bot.start()
        async with AsyncExitStack() as stack:
            rooms = [await _room(number, bot.address, stack) for number in range(tables)]
            await asyncio.gather(*(table.begin() for table in rooms))
            found = await asyncio.gather(*(table.play(presses, thinking) for table in rooms))

        await bot.stop()

    return [wait for each in found for wait in each]


def press_beside_onlookers(is_quick: bool, /) -> Measured:
    """Compares the CPU of a press beside onlookers in every language with that beside as many in one."""
    presses = QUICK if is_quick else 3 * PRESSES  # fewer than those of a game
    games = 1 if is_quick else GAMES
    many, one = list[float](), list[float]()
    for _ in range(games):
        many.append(asyncio.run(_cpu_beside(LOCALES, presses)))
        one.append(asyncio.run(_cpu_beside(LOCALES[:1], presses)))

    return Measured([1000 * median(many), 1000 * median(one)], f"the median of {games} games each")


async def _cpu_beside(languages: Sequence[str], presses: int) -> float:
    """Returns the seconds of CPU of a press at one table that ten onlookers see in these languages."""
    with TemporaryDirectory() as folder:
        bot = BotProcess(Path(folder), {"DURAK_LOG_LEVEL": "info"}, is_forked=False)
        await bot.start()
        async with AsyncExitStack() as stack:
            table = await _room(0, bot.address, stack)
            await table.begin()
            company: Company = await stack.enter_async_context(visitors("127.0.2.1"))
            for n in range(ONLOOKERS):
                onlooker = Player(company.session, f"{bot.address}r/room0", languages[n % len(languages)])
                await onlooker.come_in(f"Onlooker {n}")
                await company.opens(onlooker)

            began = usage(bot.pid).seconds
            await table.play(presses, 0.0)
            await asyncio.sleep(1.0)
            spent = usage(bot.pid).seconds - began

        await bot.stop()

    return spent / presses


async def _room(number: int, address: str, stack: AsyncExitStack) -> Table:
    """Connects visitors from their own address, as at home."""
    company: Company = await stack.enter_async_context(visitors(f"127.0.1.{1 + number}"))
    people = []
    for name in PEOPLE:
        player = Player(company.session, f"{address}r/room{number}")
        await player.come_in(name)
        await company.opens(player)
        people.append(player)

    return Table(people, random.Random(number))


def _buttons(messages: Iterable[dict[str, Any]]) -> list[tuple[str, str, str]]:
    """Returns the buttons that can be pressed: message, token and label."""
    found = []
    for message in messages:
        buttons = [button for row in message["content"].get("rows", ()) for button in row]
        found += [(message["id"], each["token"], each["label"]) for each in buttons if each["enabled"]]

    return found
