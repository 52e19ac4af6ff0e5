"""Every request of the bot, and the readers of its texts."""

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
        readers: Ids of the people who see its text, or would have seen it had it not been refused.
        chat: The id of its chat, if any.
        parameters: Its decoded parameters.
        raw: Its body as it came over the wire.
        refused: The error that it was refused with; empty: it was carried out.
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
        """All its text, one piece a line, with no escapes but HTML's."""
        return "\n".join(_strings(self.parameters))


class Transcript:
    """All requests, in the order of their answers."""

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
        """Returns the requests whose text this person could read."""
        return (sent for sent in self.entries if user in sent.readers)

    def rang_for(self, user: int) -> list[Sent]:
        """Returns the messages that this person's phone announced from the private chat; edits don't ring."""
        return [sent for sent in self.of(*POSTS) if sent.chat == user and not sent.refused]

    def of(self, *methods: str) -> list[Sent]:
        """Returns the requests with these methods."""
        return [sent for sent in self.entries if sent.method in methods]


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, dict):
        for part in value.values():
            yield from _strings(part)
    elif isinstance(value, list):
        for part in value:
            yield from _strings(part)
    elif isinstance(value, Upload):
        yield repr(value.content)
    else:
        yield value if isinstance(value, str) else json.dumps(value)
