"""The streams of events to open pages: what is new in a room, and for one guest there."""

import asyncio
import json
from collections import deque
from collections.abc import Callable, Mapping
from typing import Any

from adapters.web.store import SPECTATOR, Guest

# Frames that may wait for a slow page; beyond that it is closed, and gets everything when it comes back.
MAX_WAITING = 500

MAX_CHARACTERS = 8_000_000  # how long these frames may be together; a single one may be longer


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
        """Lets a frame wait until the page takes it."""
        self.push_text(_text(frame))

    def finish(self) -> None:
        """Ends the stream after the events that wait in it."""
        self._is_finished = True
        self._woken.set()

    def close(self) -> None:
        """Ends the stream."""
        self._is_closed = True
        self._waiting.clear()
        self._woken.set()

    async def next(self) -> str | None:
        """Waits for a frame and takes it; None when the stream has ended."""
        while not self._waiting and not self._is_closed and not self._is_finished:
            self._woken.clear()
            await self._woken.wait()

        if self._is_closed or not self._waiting:
            return None

        text = self._waiting.popleft()
        self._characters -= len(text)
        return text

    def push_text(self, text: str) -> None:
        """Lets a frame wait that is text already, as one for many pages is."""
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

    def __init__(self) -> None:
        self._open: list[EventStream] = []

    def add(self, stream: EventStream) -> None:
        """Counts a page as open."""
        self._open.append(stream)

    def remove(self, stream: EventStream) -> None:
        """Counts a page as closed."""
        self._open.remove(stream)

    def send(self, room: str, guest: str | None, frame: Mapping[str, Any]) -> None:
        """Sends a frame to every page of one guest in the room, or of all its guests when `guest` is None."""
        self.send_translated(room, guest, lambda language: frame)

    def send_translated(
        self, room: str, guest: str | None, frame_in: Callable[[str], Mapping[str, Any]]
    ) -> None:
        """Sends a frame to these pages, to each in its language; it becomes text once for each language."""
        texts = dict[str, str]()
        for stream in self._open:
            if stream.room == room and guest in (None, stream.guest.id):
                if stream.language not in texts:
                    texts[stream.language] = _text(frame_in(stream.language))
                stream.push_text(texts[stream.language])

    def languages(self, room: str) -> set[str]:
        """Returns the languages in which a room is open."""
        return {stream.language for stream in self._open if stream.room == room}

    def present(self, room: str) -> list[Guest]:
        """Returns the guests with the room open, in the order of their first joining."""
        guests = {stream.guest.id: stream.guest for stream in self._open if stream.room == room}
        guests.pop(SPECTATOR.id, None)
        return sorted(guests.values(), key=lambda guest: guest.joined_at)

    def rooms(self) -> set[str]:
        """Returns the rooms that are open somewhere."""
        return {stream.room for stream in self._open}

    def guests(self) -> set[str]:
        """Returns the ids of all guests with an open page, in any room."""
        return {stream.guest.id for stream in self._open}

    def forget(self, guest: str) -> None:
        """Sends a guest's pages away."""
        for stream in self._open:
            if stream.guest.id == guest:
                stream.push({"type": "forgotten"})
                stream.finish()

    def cut_off(self, guest: Guest) -> None:
        """Ends the streams that a guest's secret opened before it was renewed."""
        for stream in self._open:
            if stream.guest.id == guest.id and stream.guest.secret_hash == guest.secret_hash:
                stream.close()

    def close(self) -> None:
        """Ends every stream."""
        for stream in self._open:
            stream.close()


def _text(frame: Mapping[str, Any]) -> str:
    return json.dumps(frame, ensure_ascii=False, separators=(",", ":"))
