"""The bot's environment, which fails on demand: its disk, its chat, and its thinking processes."""

import asyncio
import sqlite3
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, Executor, Future
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from enum import Enum, auto
from functools import partial
from itertools import count
from random import Random
from typing import ParamSpec, TypeVar
from unittest.mock import patch

import sqlalchemy as sa
from sqlalchemy.exc import OperationalError
from sqlalchemy.ext.asyncio import AsyncEngine
from sqlalchemy.pool import ConnectionPoolEntry, PoolProxiedConnection
from sqlalchemy.util.concurrency import greenlet_spawn

from adapters.port import Delivery, Everyone, Gone, Lost, MessageRef, Only, Reply, RoomRef, Screen, User
from bot.app import SCHEMA
from bot.model.messages import Reader
from tests.bot.chat import ROOM, Chat
from tests.bot.databases import WatchedDatabase
from tests.bot.messages import Message

T = TypeVar("T")
P = ParamSpec("P")


class BrokenLineError(ConnectionError):
    """The connection to a chat broke, as planned by the story."""


class BrokenDiskError(sqlite3.OperationalError):
    """The disk failed, as planned by the story."""

    sqlite_errorcode = sqlite3.SQLITE_IOERR


# --- the disk -----------------------------------------------------------------------------------------------


class Fault(Enum):
    """How the next write fails."""

    BEFORE_COMMIT = auto()
    AFTER_COMMIT = auto()


class FaultyDatabase(WatchedDatabase):
    """A database whose disk fails on demand, and whose process can be killed."""

    def __init__(self, url: str) -> None:
        super().__init__(url, SCHEMA)
        self.faults: list[Fault] = []
        self.is_killed = False
        self._lent = dict[ConnectionPoolEntry, PoolProxiedConnection]()  # those in use
        for engine in (self._engine, self._reports):
            sa.event.listen(engine.pool, "checkout", self._lend)
            sa.event.listen(engine.pool, "checkin", self._take_back)

    def _lend(self, _: object, entry: ConnectionPoolEntry, lent: PoolProxiedConnection) -> None:
        self._lent[entry] = lent

    def _take_back(self, _: object, entry: ConnectionPoolEntry) -> None:
        self._lent.pop(entry, None)

    async def _run(self, engine: AsyncEngine, work: Callable[[sa.Connection], T]) -> T:
        if self.is_killed:
            raise asyncio.CancelledError

        is_write = engine is self._writing
        fault = self.faults.pop(0) if self.faults and is_write else None
        if fault is Fault.BEFORE_COMMIT:
            raise _disk_error()

        result = await super()._run(engine, work)
        if fault is Fault.AFTER_COMMIT:
            raise _disk_error()

        return result

    async def bury(self) -> None:
        """Clears the memory of the process."""
        self._asked.clear()
        self._working.clear()
        for connection in list(self._lent.values()):
            await greenlet_spawn(connection.invalidate)
        await self.close()


def _disk_error() -> OperationalError:
    error = BrokenDiskError("disk I/O error")
    return OperationalError("", None, error)


# --- the chat -----------------------------------------------------------------------------------------------


@dataclass
class MovingChat(Chat):
    """A chat whose rooms get new ids, as a Telegram group does that becomes a supergroup.

    Messages under an old id can still be seen and pressed, but no longer edited.

    `moved` has the newest id of each room that moved, by every earlier one; `reported` those that the bot
    knows of.
    """

    moved: dict[RoomRef, RoomRef] = field(default_factory=dict)
    reported: dict[RoomRef, RoomRef] = field(default_factory=dict)

    def current(self, room: RoomRef) -> RoomRef:
        """Returns the newest id of a room."""
        return self.moved.get(room, room)

    async def move(self, room: RoomRef) -> None:
        """Gives a room a new id."""
        old = self.current(room)
        number = next(self._numbers)
        new = RoomRef(replace(old.server, id=f"{room.server.id}-{number}"), f"{room.id}-{number}")
        for earlier, newest in self.moved.items():
            if newest == old:
                self.moved[earlier] = new

        self.moved[old] = new
        await self._report(old)

    async def _report(self, old: RoomRef) -> None:
        """Reports the newest id of a room until the bot has it."""
        new = self.moved[old]
        is_known = self.reported.get(old) == new
        if not is_known and await self._inbox.room_moved(old, new):
            self.reported[old] = new

    def room_sees(self, room: RoomRef = ROOM) -> list[Message]:
        newest = self.current(room)
        return [
            message
            for message in self.messages.values()
            if isinstance(message.audience, Everyone) and self.current(message.audience.room) == newest
        ]

    def is_left_behind(self, message: Message) -> bool:
        """Returns whether a message is under an old id of its room."""
        return not isinstance(message.audience, Only) and message.audience.room in self.moved

    async def presses_token(
        self, user: User, ref: MessageRef, token: str, *, seen_in: RoomRef | None = None, text: str = ""
    ) -> Reply:
        message = self.messages.get(ref)
        if message is not None and self.is_left_behind(message):
            seen_in = self.current(message.audience.room)
        return await super().presses_token(user, ref, token, seen_in=seen_in, text=text)

    async def _deliver(self, verb: str, ref: MessageRef, audience: Reader, screen: Screen | None) -> Delivery:
        """Delivers to a room by its newest id, and reports that, as the bot may have missed it."""
        room = audience.room
        if isinstance(audience, Only) or room not in self.moved:
            return await super()._deliver(verb, ref, audience, screen)

        await self._report(room)
        if verb != "post":
            return Gone(Lost.MESSAGE, "it stands in the room as it was")

        return await super()._deliver(verb, ref, replace(audience, room=self.current(room)), screen)


# --- processes that think -----------------------------------------------------------------------------------


class ThinkersOnTheLoop(Executor):
    """Replaces `Processes`: each task is done at once, in the thread of the event loop.

    A task takes an entry of `deaths`, if there is one, and is lost with its process.
    """

    def __init__(self, deaths: list[str], places: int = 1, *, is_patient: bool = False) -> None:
        self.places = places
        self.is_patient = is_patient
        self.has_begun = False
        self._deaths = deaths

    @property
    def idle(self) -> int:
        """Returns the number of places without a task."""
        return self.places

    @property
    def room(self) -> int:
        """Returns the number of tasks that can be handed over now."""
        return self.places

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Does a task."""
        self.has_begun = True
        future = Future[T]()
        if self._deaths:
            future.set_exception(BrokenExecutor(self._deaths.pop()))
        else:
            future.set_result(fn(*args, **kwargs))

        return future

    def warm_up(self, task: Callable[[], object]) -> None:
        """Begins nothing."""

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Ends nothing."""


TICK_SECONDS = 0.005  # the time that passes whenever a thinker looks at its clock


@contextmanager
def thoughts_on_the_loop() -> Iterator[list[str]]:
    """Makes house players think in this thread, with a clock that ticks when read and one random source.

    Yields the coming deaths, which `ThinkersOnTheLoop` consumes.
    """
    deaths: list[str] = []
    ticks = count()
    seeds = count()

    def clock() -> float:
        return next(ticks) * TICK_SECONDS

    def chance() -> Random:
        return Random(next(seeds))

    with ExitStack() as patches:
        for module in ("bot.app", "bot.thinking.queue"):
            patches.enter_context(patch(f"{module}.Processes", partial(ThinkersOnTheLoop, deaths)))

        for module in ("players.expert", "players.search.endgame_solver", "players.search.rollouts"):
            patches.enter_context(patch(f"engine.{module}.thread_time", clock))

        for module in ("bot.thinking.thoughts", "bot.tables.reviews"):
            patches.enter_context(patch(f"{module}.perf_counter", clock))
            patches.enter_context(patch(f"{module}.Random", chance))

        patches.enter_context(patch.dict("engine.players.search.endgame_solver._bounds_by_facts", clear=True))
        yield deaths
