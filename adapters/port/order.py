"""The order in which one person's events are answered."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from weakref import WeakValueDictionary

from adapters.port.refs import UserRef

PATIENCE_SECONDS = 2.0  # the next event overtakes an answer that takes longer, perhaps delayed by its chat


class AnswerOrder:
    """Serializes the answers to one person's commands and presses; different people never wait."""

    def __init__(self) -> None:
        self._answering = WeakValueDictionary[UserRef, asyncio.Lock]()

    @asynccontextmanager
    async def turn(self, user: UserRef) -> AsyncGenerator[None]:
        """Waits for the answer to the person's previous event, but not longer than `PATIENCE_SECONDS`."""
        lock = self._answering.setdefault(user, asyncio.Lock())
        is_next = await _acquire(lock)
        try:
            yield
        finally:
            if is_next:
                lock.release()


async def _acquire(lock: asyncio.Lock) -> bool:
    """Acquires a lock in first-come order; returns False if that took too long."""
    try:
        async with asyncio.timeout(PATIENCE_SECONDS):
            return await lock.acquire()
    except TimeoutError:
        return False
