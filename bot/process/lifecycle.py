"""Ends the process on a signal: in order, and in time even if something hangs."""

import asyncio
import os
import signal
import threading
import time
from collections.abc import Coroutine
from contextlib import suppress
from types import FrameType
from typing import Any

import structlog

log = structlog.get_logger()

ORDERLY_SECONDS = 7.0  # how long an orderly end may take; Docker kills after ten
LAST_WORDS = 0.5  # seconds for logging that it took too long


async def run_until_signal(work: Coroutine[Any, Any, None]) -> None:
    """Runs until the work ends, or Ctrl-C or SIGTERM stops it.

    After the signal the process has a few seconds. Then it exits as if it were killed, which loses nothing.
    """
    loop = asyncio.get_running_loop()
    working = asyncio.ensure_future(work)
    is_stopping = threading.Event()

    # The thread is started in advance: in a signal handler, nothing that takes a lock is safe.
    threading.Thread(target=_end_in_time, args=(is_stopping,), name="stopping", daemon=True).start()

    def stop() -> None:
        log.info("stopping")
        working.cancel()

    def on_signal(_: int, __: FrameType | None) -> None:
        if not is_stopping.is_set():
            is_stopping.set()
            with suppress(RuntimeError):  # the loop is closed: we are ending already
                loop.call_soon_threadsafe(stop)

    # Not with `loop.add_signal_handler`: the loop itself may hang.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, on_signal)

    try:
        await working
    except asyncio.CancelledError:
        if not is_stopping.is_set():
            raise


def _end_in_time(is_stopping: threading.Event) -> None:
    is_stopping.wait()
    time.sleep(ORDERLY_SECONDS)
    late = {"seconds": ORDERLY_SECONDS, "threads": [thread.name for thread in threading.enumerate()]}
    # Separate, because a write to a log may also hang.
    threading.Thread(target=log.error, args=("stop_took_too_long",), kwargs=late, daemon=True).start()
    time.sleep(LAST_WORDS)
    os._exit(1)
