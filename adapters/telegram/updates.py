"""Handles the updates that come in."""

import asyncio
from collections.abc import Awaitable, Callable

import structlog
from telegram import Update

from adapters.telegram.refs import PLATFORM

log = structlog.get_logger()

AT_A_TIME = 256


class UpdateTasks:
    """Handles each update in a task of its own, many at a time; what goes wrong in one concerns no other."""

    def __init__(self, handle: Callable[[Update], Awaitable[None]]) -> None:
        self._handle = handle
        self._tasks = set[asyncio.Task[None]]()
        self._places = asyncio.Semaphore(AT_A_TIME)

    def start(self, update: Update) -> None:
        """Begin to handle an update."""
        task = asyncio.create_task(self._handled(update))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def finish(self) -> None:
        """Wait until everything that was begun is done."""
        while self._tasks:
            await asyncio.wait(self._tasks)

    async def _handled(self, update: Update) -> None:
        try:
            async with self._places:
                await self._handle(update)
        except Exception:
            log.exception("update_failed", platform=PLATFORM)
