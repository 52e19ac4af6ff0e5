"""The longest pauses of the event loop in a tour of everything that a bot does, each for the first time."""

import asyncio
import gc
import time
from collections.abc import Awaitable
from dataclasses import dataclass
from heapq import nlargest
from pathlib import Path
from tempfile import TemporaryDirectory

from bot.app import REGISTRY
from bot.locale import LOCALES, load_languages
from tests.bench.crowd import Crowd, crowd, patient_chat, people_at, room_of
from tests.bot.chat import person

WORST = 10  # pauses that are listed
SETTLING = 0.3  # seconds in which whatever an act causes comes
MAX_MOVES = 400  # of a game that is played to its end


@dataclass(frozen=True, slots=True)
class Pause:
    """The longest time for which the loop computed at once, in milliseconds of CPU, and the act behind it."""

    milliseconds: float
    act: str


class WatchedLoop(asyncio.SelectorEventLoop):
    """An event loop that measures how long it computes without a pause.

    CPU time is that of its thread, so a busy machine does not count.
    """

    longest = 0.0

    def _run_once(self) -> None:
        began = time.thread_time()
        super()._run_once()  # type: ignore[misc] # all turns of a loop go through it
        self.longest = max(self.longest, time.thread_time() - began)


class Walk:
    """A walk, and its pauses."""

    def __init__(self, loop: WatchedLoop) -> None:
        self._loop = loop
        self.pauses: list[Pause] = []

    async def takes(self, act: str, doing: Awaitable[object], settling: float = SETTLING) -> None:
        """Does something, and notes the longest pause until it has settled."""
        await asyncio.sleep(0)  # earlier work belongs to an earlier turn
        self._loop.longest = 0.0
        await doing
        await asyncio.sleep(settling)
        self.pauses.append(Pause(1000 * self._loop.longest, act))


def worst_pauses(is_quick: bool) -> list[Pause]:
    """Walks through a bot that has just started; returns the worst pauses, the longest first."""
    settling = 0.01 if is_quick else SETTLING
    with TemporaryDirectory() as folder, asyncio.Runner(loop_factory=WatchedLoop) as runner:
        loop = runner.get_loop()
        assert isinstance(loop, WatchedLoop)
        walk = Walk(loop)
        runner.run(_walk(walk, str(Path(folder) / "walk.db"), settling))

    return nlargest(WORST, walk.pauses, key=lambda pause: pause.milliseconds)


async def _walk(walk: Walk, file: str, settling: float) -> None:
    await asyncio.to_thread(load_languages)  # as at a start
    async with crowd(file, patient_chat(), view="picture") as bot:
        gc.collect()
        gc.freeze()  # as a start does
        await _greetings(walk, bot, settling)
        await walk.takes("first table with a picture", bot.deal(0, moves=0), settling)
        await walk.takes("first moves with a picture", _moves(bot, 3), settling)
        await walk.takes("end of the first game", _play_to_the_end(bot), settling)
        await _commands(walk, bot, settling)
        await bot.deal(1)
        await bot.quiet()

    async with crowd(file, patient_chat(), view="picture") as bot:
        table = await bot.bot.tables.in_room(room_of(1))
        assert table is not None
        await walk.takes("first press after a restart", bot.press(table), settling)


async def _greetings(walk: Walk, bot: Crowd, settling: float) -> None:
    """Comes to a new group, and answers its first command, in each language."""
    inbox = bot.chat.inbox
    assert inbox is not None
    for number, locale in enumerate(LOCALES, 100):
        room = room_of(number)
        await walk.takes(f"greeting a new group ({locale})", inbox.greet(room, locale), settling)
        reader = person(f"Reader-{locale}", locale)
        await walk.takes(f"first /help ({locale})", bot.chat.types(reader, "/help", room), settling)
        await walk.takes(f"first /durak ({locale})", bot.chat.types(reader, "/durak", room), settling)


async def _moves(bot: Crowd, number: int) -> None:
    table = await bot.bot.tables.in_room(room_of(0))
    assert table is not None
    for _ in range(number):
        await bot.press(table)


async def _play_to_the_end(bot: Crowd) -> None:
    table = await bot.bot.tables.in_room(room_of(0))
    assert table is not None
    for _ in range(MAX_MOVES):
        await bot.move(table)


async def _commands(walk: Walk, bot: Crowd, settling: float) -> None:
    """Types every command that there is, for the first and for the second time."""
    player = people_at(0)[0]
    for name in REGISTRY.commands:
        for time_typed in ("first", "second"):
            typing = bot.chat.types(player, f"/{name}", room_of(0))
            await walk.takes(f"{time_typed} /{name}", typing, settling)
