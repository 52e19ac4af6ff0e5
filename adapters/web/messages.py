"""Puts messages on record and on the open pages, and reports their deliveries."""

import asyncio
import json
import re
import time
from collections import deque
from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any, cast
from weakref import WeakValueDictionary

from adapters import port
from adapters.web.refs import message_id, message_ref
from adapters.web.render import MENTIONS, Content, Json, command_json, guest_json, message_json
from adapters.web.store import SPECTATOR, Draft, Guest, GuestStore, Message

# Frames that may wait for a slow page; beyond that it is closed, and gets everything when it comes back.
MAX_WAITING = 500

MAX_CHARACTERS = 8_000_000  # how long these frames may be together; a single one may be longer


class EventStream:
    """One open page of one guest."""

    def __init__(self, guest: Guest, room: str) -> None:
        self.guest = guest
        self.room = room
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
        text = _text(frame)
        for stream in self._open:
            if stream.room == room and guest in (None, stream.guest.id):
                stream.push_text(text)

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


# --- Takes a guest out of other people's messages: their name becomes a dash ---


NOBODY = "–"
NEVER = "(?!)"
# Under which names the content of a message holds words; the rest is for the page alone.
WORDS = frozenset({"text", "label", "alt", "name"})


class Eraser:
    """Takes one guest out of messages that refer to them.

    Words of other people refer to whom they mentioned as `@name`. The bot's messages refer to a guest by id
    or by name; where another guest has the name, by id alone.
    """

    def __init__(self, guest: str, name: str, telling: Collection[str], *, has_namesake: bool) -> None:
        """Looks for a guest's id, their `name` where it stands alone, and anywhere for `telling` names."""
        self._guest = guest
        self._has_namesake = has_namesake
        pattern = rf"{re.escape(name)}(?: \(\d+\))?" if name else NEVER
        self._alone = re.compile(pattern)
        mentioned = rf"(?<!\S)@{re.escape(name)}(?!\S)" if name else NEVER
        self._mention = re.compile(mentioned, re.IGNORECASE)
        longest_first = sorted(filter(None, telling), key=len, reverse=True)
        words = "|".join(rf"(?<!\w){re.escape(name)}(?!\w)" for name in longest_first)
        self._within = re.compile(words or NEVER)

    def erase(self, message: Message) -> Json | None:
        """Returns the content without the guest; None if it does not refer to them.

        Its picture and its document go: they are drawn and written with the name.
        """
        if message.kind == CHAT:
            rest = self._without_mention(message.content)
        elif self._has_namesake and not self._is_in(message.content):
            return None
        else:
            rest = cast("Json", self._without(message.content))

        if rest == message.content:
            return None

        if "picture" in rest:
            rest["picture"] = None

        rest.pop("document", None)
        return rest

    def is_named_in(self, message: Message, file: bytes) -> bool:
        """Returns whether the file of a message names the guest, or can't be searched."""
        if self._has_namesake and not self._is_in(message.content):
            return False
        try:
            return self._within.search(file.decode()) is not None
        except UnicodeDecodeError:
            return True

    def _is_in(self, value: object) -> bool:
        if isinstance(value, Mapping):
            return any(map(self._is_in, value.values()))
        if isinstance(value, list):
            return any(map(self._is_in, value))
        return value == self._guest

    def _without(self, value: object, key: str = "") -> object:
        match value:
            case Mapping():
                said = self._without_mention(value)
                others = {field: part for field, part in said.items() if part != self._guest}
                return {field: self._without(part, field) for field, part in others.items()}
            case list():
                return [self._without(part, key) for part in value]
            case str() if key in WORDS:
                return NOBODY if self._alone.fullmatch(value) else self._within.sub(NOBODY, value)

        return value

    def _without_mention(self, said: Mapping[str, Any]) -> Json:
        mentioned = said.get(MENTIONS, ())
        if self._guest not in mentioned:
            return dict(said)
        text = said["text"] if self._has_namesake else self._mention.sub(f"@{NOBODY}", said["text"])
        return {**said, "text": text, MENTIONS: [person for person in mentioned if person != self._guest]}


# --- Puts messages on record and on the open pages, and reports their deliveries ---


POST = "post"
CHAT = "chat"
COMMAND_ANSWER = "answer:command"
PRESS_ANSWER = "answer:press"
PUBLIC_SHOWN = 200  # messages of a room that a page shows

# Older messages with buttons that it shows besides: a table must not be talked out of sight.
PRESSABLE_SHOWN = 10

PUBLIC_SEARCHED = 2000  # among how many messages those are looked for
BATCH_SIZE = 200  # messages that are read at once where all are looked through
FORGETTING_BATCH_SIZE = 50  # messages that are forgotten at once, with their pictures
PRIVATE_SHOWN = 40  # private messages that a page shows


class RoomMessages:
    """The messages of all rooms, each for everybody there or for one guest alone.

    The messages on record for the same readers, and those sent to them, have one order, kept by a lock of
    their own. So a page that comes back needs no list of the missed ones: it gets the newest messages as they
    are now, and every frame after that is newer.
    """

    def __init__(
        self, store: GuestStore, streams: EventStreams, commands: Sequence[port.CommandSpec]
    ) -> None:
        self._store = store
        self._streams = streams
        self._commands = commands
        self._orders = WeakValueDictionary[tuple[str, str | None], asyncio.Lock]()

    async def tidy(self) -> None:
        """Forgets messages that no page would show any more, a few at a time."""
        shown = {"public": PUBLIC_SHOWN, "pressable": PRESSABLE_SHOWN, "private": PRIVATE_SHOWN}
        while await self._store.forget_messages(**shown, most=FORGETTING_BATCH_SIZE) == FORGETTING_BATCH_SIZE:
            pass

    async def add(
        self, room: str, guest: str | None, kind: str, content: Content, *, key: str = ""
    ) -> Message:
        """Shows a new message to one guest, or to everybody; none where one has this key already."""
        async with self._order(room, guest):
            return await self._add(room, guest, kind, content, key)

    async def answer(self, room: str, guest: str, kind: str, content: Content) -> Message:
        """Shows one guest an answer in place of the last one of this kind.

        A message that they have already is not repeated, whatever was asked to get it.
        """
        async with self._order(room, guest):
            shown = await self._store.history(room, guest, PRIVATE_SHOWN)
            for message in shown:
                if {**message.content, "asked": None} == {**content.facts, "asked": None}:
                    return message

            for message in shown:
                if message.kind == kind:
                    await self._delete(message)

            return await self._add(room, guest, kind, content, key="")

    async def edit(self, ref: port.MessageRef, content: Content) -> port.Delivery:
        """Lets a message show something else."""
        async with self._hold(ref) as message:
            if message is None:
                return port.Gone(port.Lost.MESSAGE, "no such message")
            if message.content != content.facts:
                await self._store.change_message(message.id, content.facts, content.files)
                self._show(replace(message, content=content.facts))
            return port.Delivered(ref)

    async def delete(self, ref: port.MessageRef) -> port.Delivery:
        """Removes a message."""
        async with self._hold(ref) as message:
            if message is not None:
                await self._delete(message)
            return port.Delivered(ref)

    async def forget(self, guest: str, telling: Collection[str]) -> list[port.MessageRef]:
        """Forgets a guest: their words and secret messages go, and their name in all that refers to them.

        Returns the messages that were edited. `telling` are names that mean a person wherever they stand.
        """
        guests = await self._store.guests()
        name = next((other.name for other in guests if other.id == guest), "")
        has_namesake = any(other.name.casefold() == name.casefold() for other in guests if other.id != guest)
        eraser = Eraser(guest, name, telling, has_namesake=has_namesake)
        await self._store.remove_guest(guest)

        edited = list[port.MessageRef]()
        newest = 0
        while messages := await self._store.messages(newest, BATCH_SIZE):
            for ref in map(message_ref, messages):
                async with self._hold(ref) as message:
                    if message is not None and message.content.get("by") == guest:
                        await self._delete(message)
                    elif message is not None and await self._erase(message, eraser):
                        edited.append(ref)
            newest = messages[-1].id

        self._streams.forget(guest)
        return edited

    async def _erase(self, message: Message, eraser: Eraser) -> bool:
        content = eraser.erase(message)
        if content is None:
            document = message.content.get("document")
            file = document and await self._store.file(message.id, document["digest"])
            if not file or not eraser.is_named_in(message, file):
                return False
            content = {name: value for name, value in message.content.items() if name != "document"}
            content["picture"] = None

        await self._store.change_message(message.id, content, {})
        self._show(replace(message, content=content))
        return True

    @asynccontextmanager
    async def shown_on(self, stream: EventStream, locale: str) -> AsyncIterator[None]:
        """Keeps an open page up to date: first everything, then the changes."""
        room = stream.room
        guest = stream.guest
        async with self._order(room, None), self._order(room, guest.id):
            public = await self._store.history(room, None, PUBLIC_SEARCHED)
            pressable = [message for message in public[:-PUBLIC_SHOWN] if message.content.get("rows")]
            private = await self._store.history(room, guest.id, PRIVATE_SHOWN)
            shown = (*pressable[-PRESSABLE_SHOWN:], *public[-PUBLIC_SHOWN:], *private)
            stream.push(
                {
                    "type": "all",
                    "you": guest_json(guest) | {"owner": guest.is_owner},
                    "now": time.time(),
                    "commands": [command_json(command, locale) for command in self._commands],
                    "messages": [message_json(message) for message in shown],
                }
            )
            self._streams.add(stream)

        self._show_people(room)
        try:
            yield
        finally:
            self._streams.remove(stream)
            self._show_people(room)

    def _order(self, room: str, guest: str | None) -> asyncio.Lock:
        """Returns the lock for the messages of one guest in a room, or of everybody."""
        return self._orders.setdefault((room, guest), asyncio.Lock())

    @asynccontextmanager
    async def _hold(self, ref: port.MessageRef) -> AsyncIterator[Message | None]:
        """Changes a message in order; gives it as it is then, None when it is gone."""
        found = await self._find(ref)
        if found is None:
            yield None
            return
        async with self._order(found.room, found.guest):
            yield await self._find(ref)

    async def _add(self, room: str, guest: str | None, kind: str, content: Content, key: str) -> Message:
        draft = Draft(room, guest, kind, content.facts, time.time(), key=key)
        message = await self._store.add_message(draft, content.files)
        self._show(message)
        return message

    async def _delete(self, message: Message) -> None:
        await self._store.delete_message(message.id)
        self._streams.send(message.room, message.guest, {"type": "gone", "id": str(message.id)})

    async def _find(self, ref: port.MessageRef) -> Message | None:
        found = message_id(ref)
        return None if found is None else await self._store.message(found)

    def _show(self, message: Message) -> None:
        frame = {"type": "message", "message": message_json(message)}
        self._streams.send(message.room, message.guest, frame)

    def _show_people(self, room: str) -> None:
        people = [guest_json(guest) for guest in self._streams.present(room)]
        self._streams.send(room, None, {"type": "people", "people": people})
