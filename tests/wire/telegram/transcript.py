"""Everything the bot ever sent, and who could read it."""

import asyncio
import json
import time
from collections.abc import Iterator
from dataclasses import dataclass, field

from tests.wire.telegram.schema import Json, Upload

POSTS = ("sendMessage", "sendPhoto", "sendDocument", "sendAnimation")  # the methods that make a new message


@dataclass(frozen=True)
class Sent:
    """One request of the bot.

    Attributes:
        readers: Ids of the people who see what it says, or would have seen it had it not been refused.
        chat: Where it went, if anywhere.
        parameters: What it says, decoded.
        raw: The body as it came over the wire.
        refused: Why it was not carried out; empty when it was.
    """

    method: str
    chat: int | None
    readers: frozenset[int]
    parameters: Json
    raw: bytes
    refused: str = ""
    at: float = field(default_factory=time.time)

    @property
    def words(self) -> str:
        """All text in it, one piece a line, with nothing escaped but HTML."""
        return "\n".join(_strings(self.parameters))


class Transcript:
    """All requests in the order they were answered."""

    def __init__(self) -> None:
        self.entries: list[Sent] = []
        self._changed = asyncio.Event()

    def add(self, sent: Sent) -> None:
        """Records a request that was answered."""
        self.entries.append(sent)
        self._changed.set()

    async def grows(self) -> None:
        """Waits for the next request."""
        self._changed.clear()
        await self._changed.wait()

    def readable_by(self, user: int) -> Iterator[Sent]:
        """Returns what this person could read."""
        return (sent for sent in self.entries if user in sent.readers)

    def rang_for(self, user: int) -> list[Sent]:
        """The messages that this person's phone announced from their private chat: no edit rings."""
        return [sent for sent in self.of(*POSTS) if sent.chat == user and not sent.refused]

    def of(self, *methods: str) -> list[Sent]:
        """The requests with these methods."""
        return [sent for sent in self.entries if sent.method in methods]


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, dict):
        for each in value.values():
            yield from _strings(each)
    elif isinstance(value, list):
        for each in value:
            yield from _strings(each)
    elif isinstance(value, Upload):
        yield repr(value.content)
    else:
        yield value if isinstance(value, str) else json.dumps(value)
