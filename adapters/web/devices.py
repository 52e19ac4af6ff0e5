"""Asks the browsers of guests, which run the page's script, to take part in a drawing of lots."""

import asyncio
import re
from dataclasses import dataclass, field
from itertools import count
from typing import Any

from adapters.port import RoomRef, UserRef
from adapters.web.event_streams import EventStreams

ANSWER_SECONDS = 1.5
"""How long a browser may take; one that a phone has put to sleep does not answer at all."""

ANSWER = re.compile(r"[0-9a-f]{64}")


@dataclass(slots=True)
class _Asked:
    """A question to a guest; `pages` counts those that have not answered yet."""

    guest: str
    pages: int
    answer: asyncio.Future[str] = field(repr=False)


class BrowserDevices:
    """Implements `Devices`: a question goes to every page that a guest has open in the room."""

    def __init__(self, streams: EventStreams, seconds: float = ANSWER_SECONDS) -> None:
        """Wait `seconds` for each answer."""
        self._streams = streams
        self._seconds = seconds
        self._asked: dict[str, _Asked] = {}
        self._numbers = count(1)

    async def commit(self, user: UserRef, room: RoomRef) -> str:
        """Let a guest's browser draw a new value; give its hash."""
        return await self._answer(user, room, {"type": "commit"})

    async def reveal(self, user: UserRef, room: RoomRef, commitment: str, terms: str) -> str:
        """Ask for the value behind a commitment."""
        return await self._answer(user, room, {"type": "reveal", "commitment": commitment, "terms": terms})

    def take_answer(self, guest: str, question: str, answer: str) -> None:
        """Take a page's answer: the first value of whoever was asked counts, or that no page has one."""
        asked = self._asked.get(question)
        if asked is None or asked.guest != guest or asked.answer.done():
            return
        asked.pages -= 1
        if ANSWER.fullmatch(answer):
            asked.answer.set_result(answer)
        elif not asked.pages:
            asked.answer.set_result("")

    async def _answer(self, user: UserRef, room: RoomRef, frame: dict[str, Any]) -> str:
        question = str(next(self._numbers))
        pages = self._streams.send(room.id, user.id, frame | {"question": question})
        if not pages:
            return ""
        asked = self._asked[question] = _Asked(user.id, pages, asyncio.get_running_loop().create_future())
        try:
            async with asyncio.timeout(self._seconds):
                return await asked.answer
        except TimeoutError:
            return ""
        finally:
            del self._asked[question]
