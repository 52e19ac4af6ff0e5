"""Deletes the moves of games each night, once they are older than `DURAK_KEEP_MOVES` days."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from functools import partial

import structlog

from bot.model.calendar import DAY_SECONDS
from bot.process.daily_backups import QUIET_HOUR
from bot.storage import OldMoveStore

log = structlog.get_logger()

PAUSE_SECONDS = 0.01  # the least pause between two pieces of the work
PIECE_SECONDS = 0.02  # the aim for a piece of the work, as other writes wait for it

# Sizes of a piece: the number of journal lines to delete, or of pages to release.
MIN_SIZE = 20
FIRST_SIZE = 100
MAX_SIZE = 2000


async def forget_older(moves: OldMoveStore, days: int, now: Callable[[], float]) -> None:
    """Deletes the moves of games that ended at least `days` ago."""
    lines = await forget(moves, now() - days * DAY_SECONDS)
    log.info("old_moves_forgotten", moves=lines)


async def forget(moves: OldMoveStore, before: float, pause: float = PAUSE_SECONDS) -> int:
    """Deletes the moves of games that ended before a given time, in pieces with pauses for other work.

    Returns:
        The number of lines deleted.
    """
    deleting = Pieces(pause)
    deleted = 0
    table_id = await moves.next_table(0)
    while table_id is not None:
        deleted += await deleting.do(partial(moves.forget_some, table_id, before))
        table_id = await moves.next_table(table_id)

    await Pieces(pause).do(moves.shrink)

    return deleted


class Pieces:
    """Cuts long work into pieces, sizes them by the time they take, and pauses after each for as long."""

    def __init__(self, pause: float) -> None:
        self._pause = pause
        self._size = FIRST_SIZE

    async def do(self, piece: Callable[[int], Awaitable[int]]) -> int:
        """Repeats `piece`, which takes a size, until it returns less than the size it was given.

        Returns:
            The sum of all pieces.
        """
        loop = asyncio.get_running_loop()
        total = 0
        while True:
            size = self._size
            began = loop.time()
            did = await piece(size)
            took = loop.time() - began

            total += did
            await asyncio.sleep(max(self._pause, took))
            if did < size:
                return total

            self._size = next_size(size, took)


def next_size(size: int, seconds: float) -> int:
    """Returns the size of the next piece, from the size and seconds of the last: smaller on slow disks."""
    ideal = int(size * PIECE_SECONDS / max(seconds, PIECE_SECONDS / 2))
    return min(max(ideal, size // 2, MIN_SIZE), MAX_SIZE)


def until_quiet_hour() -> float:
    """Returns the seconds until the next quiet hour of this machine begins."""
    return seconds_until_quiet(datetime.now().astimezone())


def seconds_until_quiet(now: datetime) -> float:
    """Returns the seconds from a given time until the next quiet hour begins."""
    begins = now.replace(hour=QUIET_HOUR, minute=0, second=0, microsecond=0)
    if begins <= now:
        begins += timedelta(days=1)
    return (begins - now).total_seconds()
