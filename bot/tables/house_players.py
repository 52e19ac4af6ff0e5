"""Lets house players think where they hold up nothing else: the strongest one in a process of its own."""

import asyncio
import os
import signal
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from functools import partial
from random import Random, SystemRandom
from threading import Thread
from typing import TYPE_CHECKING, TypeVar

import structlog

import engine

if TYPE_CHECKING:
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing.process import BaseProcess


log = structlog.get_logger()

# Seconds after which a process is said to hang: far more than it takes to begin one and do any task.
LONGEST_TASK = 20.0

_PATIENT = 10  # how far a patient worker steps back (0 to 19): it gets a tenth where others are busy
_PATIENCE = 10  # so many times as long may its tasks take
T = TypeVar("T")


class Worker(AbstractAsyncContextManager["Worker"]):
    """One process, which begins with the first task and ends with the bot, even if that is killed.

    If it dies or hangs, the next task begins another one. A patient one steps back for others.
    """

    def __init__(self, *, is_patient: bool = False) -> None:
        self._niceness = _PATIENT if is_patient else 0
        self._longest_task = LONGEST_TASK * (_PATIENCE if is_patient else 1)
        self._is_free = asyncio.Lock()
        self._pool: ProcessPoolExecutor | None = None
        self._processes: set[BaseProcess] = set()

    async def do(self, task: Callable[[], T]) -> T:
        """Returns the result of a task; tasks are done one after the other.

        A caller that is cancelled waits no longer. A task that has begun is done to its end.

        Raises:
            BrokenExecutor: The process died.
            TimeoutError: It hung.
        """
        await self._is_free.acquire()
        doing = asyncio.create_task(self._done(task))
        # A failure that no caller waits for any more is not reported by the event loop.
        doing.add_done_callback(lambda done: done.cancelled() or done.exception())
        return await asyncio.shield(doing)

    async def __aexit__(self, *_: object) -> None:
        self.end()

    def end(self) -> None:
        """Ends the process at once."""
        if self._pool is not None:
            for process in self._processes:
                process.kill()  # one that hangs hears of no other end
            self._pool.shutdown(wait=False)
            self._pool = None

    async def _done(self, task: Callable[[], T]) -> T:
        from concurrent.futures import BrokenExecutor, ProcessPoolExecutor
        from multiprocessing import active_children, get_context

        hanging = asyncio.timeout(self._longest_task)
        try:
            if self._pool is None:
                others = set(active_children())
                pool = ProcessPoolExecutor(
                    1, get_context("spawn"), initializer=_begin, initargs=(self._niceness,)
                )
                future = pool.submit(task)
                self._pool = pool
                self._processes = set(active_children()) - others
            else:
                future = self._pool.submit(task)

            async with hanging:
                return await asyncio.wrap_future(future)
        except (BrokenExecutor, TimeoutError) as error:
            if hanging.expired():
                log.error("worker_hangs", seconds=self._longest_task)
            elif isinstance(error, BrokenExecutor) and self._pool is not None:  # not ended by the bot
                log.error("worker_died")
            self.end()
            raise
        finally:
            self._is_free.release()


def _begin(niceness: int) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the bot, which ends us in its own time
    if hasattr(os, "nice"):
        os.nice(niceness)
    Thread(target=_end_with_the_bot, daemon=True).start()


def _end_with_the_bot() -> None:
    from multiprocessing import parent_process

    bot = parent_process()
    if bot is not None:
        bot.join()
    os._exit(1)


STAND_IN = "regular"  # the strength that plays for people who are away
ADVISER = "adviser"  # who thinks for people that ask for a hint

# Who thinks, by the name under which it is asked to.
THINKERS: Mapping[str, Callable[[Random], engine.HousePlayer]] = {
    **engine.STRENGTHS,
    ADVISER: lambda _: engine.Adviser(),
}

SLOW = frozenset({"expert", ADVISER})  # strengths that think for longer than a loop may be kept waiting
LONGEST_THOUGHT = 1.0  # seconds after which a quicker player answers


class HousePlayers:
    """Chooses moves for house players."""

    def __init__(self) -> None:
        self._worker = Worker()

    def end(self) -> None:
        """Ends the process for slow thoughts, which begins with the first one."""
        self._worker.end()

    async def choose(
        self, strength: str, state: engine.State, events: Sequence[engine.Event], seat: engine.Seat
    ) -> engine.Move:
        """Chooses a move for a seat, from that seat's knowledge alone.

        One that takes too long, or fails, is replaced by a simpler one: a table never waits for a thought.
        """
        view = state.view_for(seat)
        moves = state.legal_moves(seat)
        for thinker in (strength, STAND_IN):
            try:
                think = partial(
                    _think, thinker, view, moves, engine.Memory.of(view, engine.seen_by(events, seat))
                )

                if thinker not in SLOW or len(moves) == 1:
                    chosen = think()
                else:
                    async with asyncio.timeout(LONGEST_THOUGHT):
                        chosen = await self._worker.do(think)

                if chosen in moves:
                    return chosen
            except TimeoutError:
                log.debug("thought_too_long", strength=thinker)
            except Exception as error:  # after any error, the game goes on
                # Without the trace: it could hold hands.
                log.error("thought_failed", strength=thinker, error=type(error).__name__)

        return engine.Absent().choose(view, moves)

    async def choose_together(
        self,
        strengths: Mapping[engine.Seat, str],
        state: engine.State,
        events: Sequence[engine.Event],
        *,
        pause: float = 1.0,
    ) -> Mapping[engine.Seat, engine.Move]:
        """Chooses moves for several seats, which takes as long for any cards.

        A seat with one legal move needs no thought, so all wait for the longest thought where one of them
        thinks slowly; that time is multiplied by `pause`.
        """
        loop = asyncio.get_running_loop()
        began = loop.time()
        moves = await asyncio.gather(
            *[self.choose(strength, state, events, seat) for seat, strength in strengths.items()]
        )
        if not SLOW.isdisjoint(strengths.values()):
            await asyncio.sleep(began + pause * LONGEST_THOUGHT - loop.time())
        return dict(zip(strengths, moves, strict=True))


def _think(
    strength: str, view: engine.SeatView, moves: Sequence[engine.Move], memory: engine.Memory
) -> engine.Move:
    return THINKERS[strength](SystemRandom()).choose(view, moves, memory)
