"""The streams that send open pages the news of their room and of their guest."""

import asyncio
import json
import time
from collections import deque
from collections.abc import Callable, Mapping
from typing import Any

from adapters.web.store import SPECTATOR, Guest

# Frames queued for a slow page. One more closes its stream; the page gets everything when it reconnects.
MAX_WAITING = 500

# For how many seconds a room is still written in the language of a reader who has closed the page. They may
# only be looking at a replay.
LANGUAGE_SECONDS = 3600.0

MAX_CHARACTERS = 8_000_000  # the total length of the queued frames; a single frame may be longer


class EventStream:
    """One open page of one guest."""

    def __init__(self, guest: Guest, room: str, language: str) -> None:
        self.guest = guest
        self.room = room
        self.language = language
        self._waiting: deque[str] = deque()
        self._characters = 0
        self._woken = asyncio.Event()
        self._is_closed = False
        self._is_finished = False

    def push(self, frame: Mapping[str, Any]) -> None:
        """Queues a frame for the page."""
        self.push_text(_text(frame))

    def finish(self) -> None:
        """Ends the stream once its queued frames are sent."""
        self._is_finished = True
        self._woken.set()

    def close(self) -> None:
        """Ends the stream at once, and drops its queued frames."""
        self._is_closed = True
        self._waiting.clear()
        self._woken.set()

    async def next(self) -> str | None:
        """Waits for a frame and removes it from the queue; returns None when the stream has ended."""
        while not self._waiting and not self._is_closed and not self._is_finished:
            self._woken.clear()
            await self._woken.wait()

        if self._is_closed or not self._waiting:
            return None

        text = self._waiting.popleft()
        self._characters -= len(text)
        return text

    def push_text(self, text: str) -> None:
        """Queues a frame that is already text, such as one for many pages; closes the stream if it's full."""
        if self._is_closed or self._is_finished:
            return

        is_full = len(self._waiting) >= MAX_WAITING or self._characters + len(text) > MAX_CHARACTERS
        if self._waiting and is_full:
            self.close()
            return

        self._waiting.append(text)
        self._characters += len(text)
        self._woken.set()


class EventStreams:
    """All open pages."""

    def __init__(self, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._open: list[EventStream] = []
        self._closed = dict[tuple[str, str], float]()  # by room and language, since when
        self._monotonic = monotonic

    def add(self, stream: EventStream) -> None:
        """Adds the stream of an opened page."""
        self._open.append(stream)

    def remove(self, stream: EventStream) -> None:
        """Removes the stream of a closed page."""
        self._open.remove(stream)
        self._closed[stream.room, stream.language] = self._monotonic()
        self._closed = {key: since for key, since in self._closed.items() if self._is_recent(since)}

    def _is_recent(self, since: float) -> bool:
        return self._monotonic() - since < LANGUAGE_SECONDS

    def send(self, room: str, guest: str | None, frame: Mapping[str, Any]) -> None:
        """Sends a frame to a guest's pages in a room, or to all pages there when `guest` is None."""
        self.send_translated(room, guest, lambda language: frame)

    def send_translated(
        self, room: str, guest: str | None, frame_in: Callable[[str], Mapping[str, Any]]
    ) -> None:
        """Sends a frame like `send`, in each page's language; encodes it once per language."""
        texts = dict[str, str]()
        for stream in self._open:
            if stream.room == room and guest in (None, stream.guest.id):
                if stream.language not in texts:
                    texts[stream.language] = _text(frame_in(stream.language))
                stream.push_text(texts[stream.language])

    def languages(self, room: str) -> set[str]:
        """Returns the languages of a room's pages that are open, or were open within `LANGUAGE_SECONDS`."""
        present = {stream.language for stream in self._open if stream.room == room}
        lately = [key for key, since in self._closed.items() if self._is_recent(since)]
        return present | {language for where, language in lately if where == room}

    def present(self, room: str) -> list[Guest]:
        """Returns the guests with the room open, without spectators, in the order they joined."""
        guests = {stream.guest.id: stream.guest for stream in self._open if stream.room == room}
        guests.pop(SPECTATOR.id, None)
        return sorted(guests.values(), key=lambda guest: guest.joined_at)

    def rooms(self) -> set[str]:
        """Returns the rooms with an open page."""
        return {stream.room for stream in self._open}

    def guests(self) -> set[str]:
        """Returns the ids of all guests with an open page, in any room."""
        return {stream.guest.id for stream in self._open}

    def forget(self, guest: str) -> None:
        """Tells a guest's pages that the guest is deleted, and ends their streams."""
        for stream in self._open:
            if stream.guest.id == guest:
                stream.push({"type": "forgotten"})
                stream.finish()

    def cut_off(self, guest: Guest) -> None:
        """Ends the streams that were opened with the guest's earlier secret, which `guest` still has."""
        for stream in self._open:
            if stream.guest.id == guest.id and stream.guest.secret_hash == guest.secret_hash:
                stream.close()

    def close(self) -> None:
        """Ends every stream."""
        for stream in self._open:
            stream.close()


def _text(frame: Mapping[str, Any]) -> str:
    return json.dumps(frame, ensure_ascii=False, separators=(",", ":"))
