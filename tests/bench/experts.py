"""Many private games against one expert each: `python -m tests.bench.experts --help`.

Each player presses two seconds after each hand. The figures are the share of thoughts with their full budget,
and a player's wait for the next turn.
"""

import asyncio
import logging
import random
import time
from argparse import ArgumentDefaultsHelpFormatter, ArgumentParser, Namespace
from collections.abc import Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import structlog
from prometheus_client import REGISTRY

from adapters.port import User
from bot.app import SCHEMA, Bot
from bot.model.choices import RuleSet
from bot.model.messages import MessageKind, TableSlot
from bot.model.table import Table
from bot.storage import Database
from bot.thinking.cluster import Cluster
from bot.thinking.processes import Processes, default_count
from bot.thinking.queue import OUTCOMES, OtherMachines, ThoughtQueue
from bot.thinking.thoughts import Thought, timed
from engine import PRESETS
from tests.bench.crowd import patient_chat
from tests.bench.limits import quantile
from tests.bot.chat import NOWHERE, PLATFORM, Chat, own_room, person

PAUSE = 2.0  # seconds from a hand to the press
LOOK = 0.05  # seconds between two samples of the budget

COLUMNS = ("", "thoughts/s", "full", "shortened", "replaced", "budget", "waited", "next turn", "loop")


@dataclass
class Found:
    """The figures of many games.

    Attributes:
        seconds: The duration of the measurement.
        turns: Seconds from each press to the player's next turn.
        shares: Samples of the share of the full budget that a thought would get.
        late: The event loop's lateness for each of these samples, in seconds.
        counted: The bot's own metrics over this time.
    """

    seconds: float = 0.0
    turns: list[float] = field(default_factory=list)
    shares: list[float] = field(default_factory=list)
    late: list[float] = field(default_factory=list)
    counted: dict[str, float] = field(default_factory=dict)

    def row(self, title: str) -> str:
        """Returns its line of the table."""
        thoughts = max(1.0, sum(self.counted[each] for each in OUTCOMES))
        percent = [f"{100 * self.counted[each] / thoughts:.1f} %" for each in OUTCOMES]
        budget = 150 * sum(self.shares) / max(1, len(self.shares))

        turns = ", ".join(f"{quantile(self.turns, each):.1f}" for each in (0.5, 0.9))
        cells = (
            title,
            f"{thoughts / self.seconds:.1f}",
            *percent,
            f"{budget:.0f} ms",
            f"{1000 * self.counted['waited'] / thoughts:.0f} ms",
            f"{turns} s",
            f"{1000 * quantile(self.late, 0.99):.0f} ms",
        )

        return _row(cells)


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


class Waiting(Executor):
    """Workers without CPU: a thought takes an expert's time, and a regular player answers it."""

    def __init__(self, places: int, share: float) -> None:
        self.places = places
        self._share = share
        self._threads = ThreadPoolExecutor(places)
        self._given: set[Future[Any]] = set()

    async def run(self) -> None:
        await asyncio.get_running_loop().create_future()

    @property
    def idle(self) -> int:
        self._given = {each for each in self._given if not each.done()}
        return self.places - len(self._given)

    @property
    def room(self) -> int:
        return self.idle

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        del fn, kwargs
        (task,) = args
        thought: Thought = task.func.__self__
        quick = partial(self._think, replace(thought, thinker="regular"), task.args[0])
        future = self._threads.submit(timed, quick)
        self._given.add(future)
        return future

    def _think(self, thought: Thought, seconds: float) -> object:
        time.sleep(seconds * self._share)
        return thought.best_move()


class Crowd:
    """Players against experts, each in a private chat."""

    def __init__(self, bot: Bot, chat: Chat, chance: random.Random) -> None:
        self._bot = bot
        self._chat = chat
        self._chance = chance
        self._changed: dict[int, asyncio.Event] = {}
        bot.table_events.changed.append(self._wake)
        self.found = Found()

    def _wake(self, table_id: int) -> None:
        if table_id in self._changed:
            self._changed[table_id].set()

    async def play(self, number: int) -> None:
        """Plays one game after another."""
        user = person(f"Anna-{number}")
        await self._bot.servers.choose(own_room(user).server, view="text")
        while True:
            await self._play_to_the_end(await self._dealt(user), user)

    async def _dealt(self, user: User) -> Table:
        tables = self._bot.tables
        rule_set = RuleSet("podkidnoy-36", PRESETS["podkidnoy-36"])
        opened = await tables.open(own_room(user), user, rule_set, "en")
        table = await tables.change(opened.table.id, lambda now: now.add_house(user.ref))
        options = replace(table.options, strength="expert", clock=0)
        await tables.change(table.id, lambda now: replace(now, options=options))
        return await tables.start(table.id, user.ref)

    async def _play_to_the_end(self, table: Table, user: User) -> None:
        session = await self._bot.tables.session(table.id)
        changed = self._changed[table.id] = asyncio.Event()
        pressed_at: float | None = None

        while session.outcome is None:
            changed.clear()
            state = session.state
            moves = state.legal_moves(0) if state is not None and 0 in state.awaited else ()
            if not moves:
                await changed.wait()
                continue

            if pressed_at is not None:
                self.found.turns.append(time.monotonic() - pressed_at)

            await asyncio.sleep(PAUSE)
            await self._press(table, user, session.version, str(self._chance.choice(moves)))
            pressed_at = time.monotonic()

        del self._changed[table.id]

    async def _press(self, table: Table, user: User, version: int, move: str) -> None:
        ref = await self._bot.message_index.message(TableSlot(table.id, 1, MessageKind.HAND, user.ref))
        await self._chat.presses_token(user, ref or NOWHERE, f"m:{table.id}:{version}:{move}")


def counted() -> dict[str, float]:
    """Returns the bot's metrics of thoughts in games."""
    found = {
        outcome: REGISTRY.get_sample_value("durak_thoughts_total", {"kind": "game", "outcome": outcome})
        for outcome in OUTCOMES
    }

    for spent in ("waited", "thought"):
        labels = {"kind": "game", "spent": spent}
        found[spent] = REGISTRY.get_sample_value("durak_thought_seconds_total", labels)

    return {name: value or 0.0 for name, value in found.items()}


async def measured(games: int, seconds: float, thinking: ThoughtQueue, *, warm: float, pace: float) -> Found:
    """Runs games with this many players for a while, after a warm-up in which they all begin."""
    chat = patient_chat()
    with TemporaryDirectory() as folder:
        database = Database(f"sqlite+aiosqlite:///{Path(folder) / 'durak.db'}", SCHEMA)
        await database.open()
        bot = Bot({PLATFORM: chat}, database, time.time, pace=pace, locale="en", thinking=thinking)
        running = asyncio.create_task(bot.run())
        while chat.inbox is None and not running.done():
            await asyncio.sleep(LOOK)

        crowd = Crowd(bot, chat, random.Random(games))
        playing = [
            asyncio.create_task(_later(crowd, number, warm * number / games)) for number in range(games)
        ]
        await asyncio.sleep(warm + 2 * PAUSE)
        crowd.found.turns.clear()
        before = counted()
        began = time.monotonic()
        while (now := time.monotonic()) < began + seconds:
            await asyncio.sleep(LOOK)
            crowd.found.late.append(time.monotonic() - now - LOOK)
            crowd.found.shares.append(thinking.share)

        crowd.found.seconds = time.monotonic() - began
        crowd.found.counted = {name: value - before[name] for name, value in counted().items()}
        for task in (*playing, running):
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task

        await database.close()

    return crowd.found


async def _later(crowd: Crowd, number: int, delay: float) -> None:
    await asyncio.sleep(delay)
    await crowd.play(number)


def queue_of(options: Namespace) -> ThoughtQueue:
    """Returns the queue of thoughts that the options select."""
    workers: OtherMachines | None = None
    if options.simulated:
        workers = Waiting(options.simulated, options.share)
    elif options.dask:
        workers = Cluster(options.dask)

    return ThoughtQueue(Processes(options.thinkers), workers)


def main() -> None:
    """Prints a table with a line for each number of games."""
    parser = ArgumentParser(
        prog="python -m tests.bench.experts",
        description=__doc__,
        formatter_class=ArgumentDefaultsHelpFormatter,
    )
    parser.add_argument("--games", type=int, nargs="+", default=[8, 24, 80])
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--warm", type=float, default=10.0, help="seconds in which the games begin")
    parser.add_argument("--pace", type=float, default=1.0, help="of the pauses of house players")
    parser.add_argument("--thinkers", type=int, default=default_count(), help="processes of this machine")
    parser.add_argument("--simulated", type=int, default=0, help="workers whose thoughts only wait")
    parser.add_argument(
        "--share", type=float, default=0.75, help="of its budget that a simulated thought waits"
    )
    parser.add_argument("--dask", default="", help="a scheduler, as in tcp://127.0.0.1:8786")
    options = parser.parse_args()

    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING))
    print(_row(COLUMNS), "|---" * len(COLUMNS) + "|", sep="\n", flush=True)

    for games in options.games:
        work = measured(games, options.seconds, queue_of(options), warm=options.warm, pace=options.pace)
        print(asyncio.run(work).row(f"{games} games"), flush=True)


if __name__ == "__main__":
    main()
