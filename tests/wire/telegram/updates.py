"""The queue of updates, as `getUpdates` shows it: kept until confirmed by a higher offset."""

import asyncio
import time

from tests.wire.telegram.errors import ApiError
from tests.wire.telegram.schema import Json

FIRST_ID = 7_000_001


class UpdateQueue:
    """The updates that the bot has not confirmed yet."""

    def __init__(self) -> None:
        self.allowed: list[str] | None = None
        self.ignored_confirmations = 0
        self._pending: list[Json] = []
        self._next_id = FIRST_ID
        self._poll = object()
        self._polls = 0
        self._changed = asyncio.Event()

    def put(self, kind: str, content: Json, *, is_filtered: bool = True) -> None:
        """Queues an update; if `is_filtered`, only of a kind that the bot has asked for."""
        if not is_filtered or self.allowed is None or kind in self.allowed:
            self._pending.append({"update_id": self._next_id, kind: content})
            self._next_id += 1
            self._stir()

    @property
    def waiting(self) -> int:
        """The number of unconfirmed updates."""
        return len(self._pending)

    @property
    def newest(self) -> int:
        """The id of the newest update."""
        return self._next_id - 1

    @property
    def is_polled(self) -> bool:
        """Whether the bot is waiting for updates right now."""
        return self._polls > 0

    async def fetch(self, offset: int, limit: int, seconds: float) -> list[Json]:
        """Confirms the updates below `offset`, and waits for others.

        Raises:
            ApiError: Another poll has begun.
        """
        ticket = self._poll = object()
        self._stir()
        if self.ignored_confirmations:
            self.ignored_confirmations -= 1
        else:
            self._pending = [update for update in self._pending if update["update_id"] >= offset]

        deadline = time.monotonic() + seconds
        while not self._pending and (left := deadline - time.monotonic()) > 0:
            self._polls += 1
            try:
                await asyncio.wait_for(self._changed.wait(), left)
            except TimeoutError:
                break
            finally:
                self._polls -= 1

            if self._poll is not ticket:
                raise ApiError(409, "Conflict: terminated by other getUpdates request")

        return self._pending[:limit]

    def _stir(self) -> None:
        self._changed.set()
        self._changed = asyncio.Event()
