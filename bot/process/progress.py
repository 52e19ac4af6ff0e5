"""Shows the progress of long work: a bar in a terminal, or a line every five seconds in a log."""

import asyncio
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import structlog

log = structlog.get_logger()

LINE_SECONDS = 5.0  # between two lines in a log
DRAW_SECONDS = 0.1  # between two drawings of a bar
BAR_WIDTH = 30


class Display:
    """Shows the newest report, in place of the last one in a terminal, or as a line in a log."""

    def __init__(self) -> None:
        self._is_terminal = sys.stderr is not None and sys.stderr.isatty()
        self._shown_at = 0.0
        self._newest = ("", 0, 0)

    def __call__(self, unit: str, done: int, total: int) -> None:
        """Shows that `done` of `total` parts are done, unless a report was shown just before."""
        is_first = unit != self._newest[0]
        is_last = done == total
        self._newest = unit, done, total
        pause = DRAW_SECONDS if self._is_terminal else LINE_SECONDS
        if is_first or is_last or time.monotonic() >= self._shown_at + pause:
            self._show()

    @asynccontextmanager
    async def repeating(self) -> AsyncIterator[None]:
        """Shows the newest report again every five seconds while the work is not done."""
        task = asyncio.create_task(self._repeat())
        try:
            yield
        finally:
            task.cancel()

    async def _repeat(self) -> None:
        while True:
            await asyncio.sleep(LINE_SECONDS)
            unit, done, total = self._newest
            if unit and done < total:
                self._show()

    def _show(self) -> None:
        self._shown_at = time.monotonic()
        unit, done, total = self._newest
        if not self._is_terminal:
            log.info("progress", of=unit, done=done, total=total)
            return

        with suppress(OSError, ValueError):
            end = "\n" if done == total else ""
            sys.stderr.write(f"\r{bar(done, total)} {done:,} of {total:,} {unit}{end}")
            sys.stderr.flush()


def bar(done: int, total: int) -> str:
    """Returns a bar, filled as far as the work is done."""
    filled = BAR_WIDTH * done // total if total else BAR_WIDTH
    return f"[{'#' * filled}{'.' * (BAR_WIDTH - filled)}]"
