"""The order in which one person's events are answered."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from weakref import WeakValueDictionary

from adapters.port.refs import UserRef

PATIENCE_SECONDS = 2.0  # an answer that takes longer, as its chat holds it up, is overtaken by the next one


class AnswerOrder:
    """Answers the lines and presses of one person one after another; nobody waits for anybody else."""

    def __init__(self) -> None:
        self._answering = WeakValueDictionary[UserRef, asyncio.Lock]()

    @asynccontextmanager
    async def turn(self, user: UserRef) -> AsyncGenerator[None]:
        """Waits until what a person did before is answered; their next event waits for the end of this."""
        lock = self._answering.setdefault(user, asyncio.Lock())
        is_next = await _acquire(lock)
        try:
            yield
        finally:
            if is_next:
                lock.release()


async def _acquire(lock: asyncio.Lock) -> bool:
    """Takes a lock in the order of asking; returns whether that was possible in time."""
    try:
        async with asyncio.timeout(PATIENCE_SECONDS):
            return await lock.acquire()
    except TimeoutError:
        return False
