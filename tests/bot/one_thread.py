"""Runs SQLite and threads in the event loop's thread: faster, and always in the same order.

A caller that awaits them still gives others a turn of the loop.
"""

import sqlite3
from asyncio import Future
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager
from functools import partial
from typing import TypeVar, TypeVarTuple
from unittest.mock import patch

from tests.bot.settling_loop import SettlingLoop

T = TypeVar("T")
Arguments = TypeVarTuple("Arguments")


class OneThreadLoop(SettlingLoop):
    """An event loop that immediately runs the work that other loops run in a thread."""

    def run_in_executor(
        self, executor: Executor | None, func: Callable[[*Arguments], T], *args: *Arguments
    ) -> Future[T]:
        if isinstance(executor, ProcessPoolExecutor):
            return super().run_in_executor(executor, func, *args)
        future: Future[T] = self.create_future()
        _do(partial(func, *args), future)
        return future


class _Thread:
    """Replaces the thread of a connection, which `_Queue` does not need."""

    def __init__(self, *, target: object, args: object) -> None:
        self.daemon = False

    def start(self) -> None:
        """Starts nothing."""


class _Queue:
    """Replaces the queue to the thread of a connection; runs each task at once."""

    def __init__(self, made: list[sqlite3.Connection]) -> None:
        self._made = made

    def put_nowait(self, task: "tuple[Future[object] | None, Callable[[], object]]") -> None:
        future, function = task
        result = _do(function, future)
        if isinstance(result, sqlite3.Connection):
            self._made.append(result)


@contextmanager
def sqlite_on_the_loop() -> Iterator[list[sqlite3.Connection]]:
    """Runs SQLite in the thread of the event loop; yields the connections made in this block."""
    made: list[sqlite3.Connection] = []
    with patch("aiosqlite.core.Thread", _Thread), patch("aiosqlite.core.SimpleQueue", partial(_Queue, made)):
        yield made


def _do(function: Callable[[], T], future: "Future[T] | None") -> T | None:
    """Runs a task; its outcome reaches the future on the loop's next turn."""
    try:
        result = function()
    except BaseException as error:  # as it would reach the caller of a thread
        _settle(future, "set_exception", error)
        return None

    _settle(future, "set_result", result)
    return result


def _settle(future: "Future[T] | None", verb: str, outcome: object) -> None:
    if future is not None:
        future.get_loop().call_soon(_unless_done, future, verb, outcome)


def _unless_done(future: "Future[T]", verb: str, outcome: object) -> None:
    if not future.done():
        getattr(future, verb)(outcome)
