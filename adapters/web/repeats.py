"""Lets a request that is sent again be done once: a page without a connection cannot know what arrived."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from cachetools import LRUCache

MOST_KNOWN = 5_000
"""Of how many requests the answer is known, those of all guests together."""


class Repeats:
    """Remembers the answers to the newest requests, by guest and by what the page calls each request."""

    def __init__(self) -> None:
        self._answers = LRUCache[tuple[str, str], asyncio.Future[dict[str, Any]]](MOST_KNOWN)

    def forget(self) -> None:
        """Know no answer any more: somebody may be named in them who is to be forgotten."""
        self._answers.clear()

    async def once(
        self, guest: str, name: str, answer: Callable[[], Awaitable[dict[str, Any]]]
    ) -> dict[str, Any]:
        """Give the answer to a request; one that has a name is answered once, however often it comes."""
        if not name:
            return await answer()
        known = self._answers.get((guest, name))
        if known is not None:
            return await asyncio.shield(known)
        pending = self._answers[guest, name] = asyncio.get_running_loop().create_future()
        try:
            found = await answer()
        except BaseException as error:
            self._answers.pop((guest, name), None)
            pending.set_exception(error)
            pending.exception()  # whoever waits for it hears of it, and nobody has to
            raise
        pending.set_result(found)
        return found
