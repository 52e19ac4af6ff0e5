"""The open pages: what is sent to one waits in its own queue, so that a slow phone delays nobody."""

import asyncio
import json
from collections import deque
from collections.abc import Mapping
from typing import Any

from adapters.web.store import SPECTATOR, Guest

MOST_WAITING = 500
"""Frames that may wait for a slow page; beyond that it is closed, and gets everything when it comes back."""

MOST_CHARACTERS = 8_000_000
"""How long these frames may be together; a single one may be longer."""


class EventStream:
    """One open page of one guest."""

    def __init__(self, guest: Guest, room: str) -> None:
        self.guest = guest
        self.room = room
        self._waiting: deque[str] = deque()
        self._characters = 0
        self._stirred = asyncio.Event()
        self._is_closed = False
        self._is_finished = False

    def push(self, frame: Mapping[str, Any]) -> None:
        """Let a frame wait until the page takes it."""
        self.push_text(_text(frame))

    def finish(self) -> None:
        """End the stream after what waits in it."""
        self._is_finished = True
        self._stirred.set()

    def close(self) -> None:
        """End the stream."""
        self._is_closed = True
        self._waiting.clear()
        self._stirred.set()

    async def next(self) -> str | None:
        """Wait for a frame and take it; None when the stream has ended."""
        while not self._waiting and not self._is_closed and not self._is_finished:
            self._stirred.clear()
            await self._stirred.wait()
        if self._is_closed or not self._waiting:
            return None
        text = self._waiting.popleft()
        self._characters -= len(text)
        return text

    def push_text(self, text: str) -> None:
        """Let a frame wait that is text already, as one for many pages is."""
        if self._is_closed or self._is_finished:
            return
        is_full = len(self._waiting) >= MOST_WAITING or self._characters + len(text) > MOST_CHARACTERS
        if self._waiting and is_full:
            self.close()
            return
        self._waiting.append(text)
        self._characters += len(text)
        self._stirred.set()


class EventStreams:
    """All open pages."""

    def __init__(self) -> None:
        self._open: list[EventStream] = []

    def add(self, stream: EventStream) -> None:
        """Count a page as open."""
        self._open.append(stream)

    def remove(self, stream: EventStream) -> None:
        """Count a page as closed."""
        self._open.remove(stream)

    def send(self, room: str, guest: str | None, frame: Mapping[str, Any]) -> None:
        """Send a frame to every page of one guest in the room, or of everybody there when `guest` is None."""
        text = _text(frame)
        for stream in self._open:
            if stream.room == room and guest in (None, stream.guest.id):
                stream.push_text(text)

    def present(self, room: str) -> list[Guest]:
        """Return who has the room open, in the order they first joined."""
        guests = {stream.guest.id: stream.guest for stream in self._open if stream.room == room}
        guests.pop(SPECTATOR.id, None)
        return sorted(guests.values(), key=lambda guest: guest.joined_at)

    def rooms(self) -> set[str]:
        """Return the rooms that are open somewhere."""
        return {stream.room for stream in self._open}

    def guests(self) -> set[str]:
        """Return the ids of all who have a page open, in whatever room."""
        return {stream.guest.id for stream in self._open}

    def forget(self, guest: str) -> None:
        """Send a guest's pages away, and let all others come again: they get everything as it is now."""
        for stream in self._open:
            if stream.guest.id == guest:
                stream.push({"type": "forgotten"})
                stream.finish()
            else:
                stream.close()

    def close(self) -> None:
        """End every stream."""
        for stream in self._open:
            stream.close()


def _text(frame: Mapping[str, Any]) -> str:
    return json.dumps(frame, ensure_ascii=False, separators=(",", ":"))
