"""Ends the process on a signal: in order, and in time even if something hangs."""

import asyncio
import os
import signal
import threading
import time
from collections.abc import Coroutine, Iterable
from contextlib import suppress
from types import FrameType
from typing import Any

import structlog

from adapters.port import AccessDeniedError, Adapter, Inbox
from bot.metrics import CHAT_FAILURES

log = structlog.get_logger()

ORDERLY_SECONDS = 7.0  # how long an orderly end may take; Docker kills after ten
LAST_WORDS = 0.5  # seconds for saying that it took too long


async def until_told(work: Coroutine[Any, Any, None]) -> None:
    """Runs until the work ends, or Ctrl-C or SIGTERM stops it.

    From the signal on the process has a few seconds. Then it ends as if it were killed, which loses nothing.
    """
    loop = asyncio.get_running_loop()
    working = asyncio.ensure_future(work)
    told = threading.Event()

    # The thread is there before it is needed: while a signal is handled, nothing that takes a lock is safe.
    threading.Thread(target=_end_in_time, args=(told,), name="stopping", daemon=True).start()

    def stop() -> None:
        log.info("stopping")
        working.cancel()

    def on_signal(_: int, __: FrameType | None) -> None:
        if not told.is_set():
            told.set()
            with suppress(RuntimeError):  # the loop is closed: we are ending already
                loop.call_soon_threadsafe(stop)

    # Not by the loop's own means: something may hang in the loop itself.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, on_signal)

    try:
        await working
    except asyncio.CancelledError:
        if not told.is_set():
            raise


def _end_in_time(told: threading.Event) -> None:
    told.wait()
    time.sleep(ORDERLY_SECONDS)
    told_late = {"seconds": ORDERLY_SECONDS, "threads": [thread.name for thread in threading.enumerate()]}
    # Apart, because a line may hang, too.
    threading.Thread(target=log.error, args=("stop_took_too_long",), kwargs=told_late, daemon=True).start()
    time.sleep(LAST_WORDS)
    os._exit(1)


# --- Keeps every chat connected, each independent of the others ---


# Seconds before a chat that failed is connected again, doubled each time.
FIRST_PAUSE = 1.0
LONGEST_PAUSE = 300.0

START_SECONDS = 60.0  # how long a token that is refused is a mistake in the settings, which ends the start


class Supervisor:
    """Runs the adapters. Each reconnects by itself after ordinary trouble; this is for unforeseen errors."""

    def __init__(self, adapters: Iterable[Adapter]) -> None:
        self._adapters = tuple(adapters)
        self._running = set[str]()

    @property
    def missing(self) -> list[str]:
        """The platforms that are not connected at the moment."""
        return sorted(
            each.platform for each in self._adapters if each.platform not in self._running or not each.ready
        )

    async def run(self, inbox: Inbox) -> None:
        """Serves every chat until cancelled.

        Raises:
            AccessDeniedError: A token was refused at the start.
        """
        async with asyncio.TaskGroup() as tasks:
            for adapter in self._adapters:
                tasks.create_task(self._keep(adapter, inbox))

    async def _keep(self, adapter: Adapter, inbox: Inbox) -> None:
        """Runs one adapter, again and again."""
        loop = asyncio.get_running_loop()
        began = loop.time()
        pause = FIRST_PAUSE

        while True:
            connected = loop.time()
            try:
                await self._run(adapter, inbox)
            except AccessDeniedError as error:
                if loop.time() < began + START_SECONDS:
                    raise
                log.error("access_lost", platform=adapter.platform, why=str(error), pause=pause)
            except Exception:
                log.exception("chat_failed", platform=adapter.platform, pause=pause)

            CHAT_FAILURES.labels(adapter.platform).inc()
            if loop.time() > connected + LONGEST_PAUSE:
                pause = FIRST_PAUSE

            await asyncio.sleep(pause)
            pause = min(2 * pause, LONGEST_PAUSE)

    async def _run(self, adapter: Adapter, inbox: Inbox) -> None:
        self._running.add(adapter.platform)
        try:
            # A task of its own, as each event wakes it.
            await asyncio.create_task(adapter.run(inbox))
        except asyncio.CancelledError as error:
            task = asyncio.current_task()
            if task is not None and task.cancelling():
                raise
            raise RuntimeError("something inside was cancelled") from error
        finally:
            self._running.discard(adapter.platform)

        raise RuntimeError("it ended by itself")
