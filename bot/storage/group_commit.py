"""What is to be written at the same moment is written in one transaction: a disk takes its time for each."""

import asyncio
from asyncio import Future
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from sqlalchemy.exc import DataError, IntegrityError

from bot.storage.prepared import Done, Step

OWN_FAULT = (IntegrityError, DataError)
"""Errors in what one of them writes; after any other, which may come late, nothing can be written now."""

Transaction = Callable[[Sequence[Step]], Awaitable[list[Done]]]
"""Executes steps, all of them or none, and gives what each did."""


@dataclass(frozen=True, slots=True)
class _Asked:
    steps: Sequence[Step]
    written: Future[list[Done]]


class GroupCommit:
    """Writes for everybody who has asked while the transaction before was under way.

    Each waits until their own steps are on disk. What one of them asks for happens as a whole or not at all,
    and a row that is refused is nobody else's loss.
    """

    def __init__(self, transaction: Transaction) -> None:
        self._transaction = transaction
        self._asked: list[_Asked] = []
        self._writing: asyncio.Task[None] | None = None

    async def write(self, *steps: Step) -> list[Done]:
        """Write some steps, after all that others have asked for; gives what each did.

        Whoever is cancelled meanwhile does not know whether theirs were written.
        """
        asked = _Asked(steps, asyncio.get_running_loop().create_future())
        self._asked.append(asked)
        if self._writing is None:
            self._writing = asyncio.create_task(self._write())
        return await asked.written

    async def settle(self) -> None:
        """Wait until all that others have asked for is on disk, or was refused."""
        if self._writing is not None:
            await self.write()

    async def _write(self) -> None:
        """Write until nobody asks for more; it begins with the loop's next turn, as others may still come."""
        try:
            while self._asked:
                taken, self._asked = self._asked, []
                await self._write_together([each for each in taken if not each.written.cancelled()])
        finally:
            self._writing = None

    async def _write_together(self, asked: Sequence[_Asked]) -> None:
        steps = [step for each in asked for step in each.steps]
        try:
            done = await self._transaction(steps) if steps else []
        except Exception as error:
            if len(asked) > 1 and isinstance(error, OWN_FAULT):
                for each in asked:
                    await self._write_together([each])
                return
            for each in asked:
                if not each.written.done():
                    each.written.set_exception(error)
            return
        for each in asked:
            own, done = done[: len(each.steps)], done[len(each.steps) :]
            if not each.written.done():
                each.written.set_result(own)
