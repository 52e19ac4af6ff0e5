"""Stores messages and shows them on open pages."""

import asyncio
import time
from collections.abc import AsyncIterator, Collection, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from weakref import WeakValueDictionary

from adapters import port
from adapters.web.eraser import Eraser
from adapters.web.event_streams import EventStream, EventStreams
from adapters.web.refs import message_id, message_ref
from adapters.web.render import Content, command_json, guest_json, message_json
from adapters.web.store import Draft, GuestStore, SavedMessage

PUBLIC_SHOWN = 200  # messages of a room that a page shows

# Older messages with buttons that a page also shows, so that a long chat never hides a table.
PRESSABLE_SHOWN = 10

PUBLIC_SEARCHED = 2000  # the newest messages, which are searched for those with buttons
BATCH_SIZE = 200  # messages read at once when all are searched
FORGETTING_BATCH_SIZE = 50  # messages deleted at once, with their pictures
PRIVATE_SHOWN = 40  # private messages that a page shows


class RoomMessages:
    """The messages of all rooms, each for everybody in the room or for one guest.

    A lock for each group of readers keeps its messages in the same order in the store and on pages. So a page
    that reconnects gets the newest messages as they are now, and every frame after that is newer.
    """

    def __init__(
        self, store: GuestStore, streams: EventStreams, commands: Sequence[port.CommandSpec]
    ) -> None:
        self._store = store
        self._streams = streams
        self._commands = commands
        self._orders = WeakValueDictionary[tuple[str, str | None], asyncio.Lock]()

    async def tidy(self) -> None:
        """Deletes messages that pages no longer show, in batches."""
        limits = {"public": PUBLIC_SHOWN, "pressable": PRESSABLE_SHOWN, "private": PRIVATE_SHOWN}
        while (
            await self._store.forget_messages(**limits, most=FORGETTING_BATCH_SIZE) == FORGETTING_BATCH_SIZE
        ):
            pass

    async def add(
        self, room: str, guest: str | None, kind: str, content: Content, *, key: str = ""
    ) -> SavedMessage:
        """Stores and shows a message to one guest, or to everybody if `guest` is None.

        If a message already has the key, that message is shown instead.
        """
        async with self._order(room, guest):
            return await self._add(room, guest, kind, content, key)

    async def answer(self, room: str, guest: str, kind: str, content: Content) -> SavedMessage:
        """Shows one guest an answer in place of their last one of this kind.

        If they already have a message with the same content, apart from the command, that one is returned.
        """
        async with self._order(room, guest):
            messages = await self._store.history(room, guest, PRIVATE_SHOWN)
            for message in messages:
                if {**message.content, "asked": None} == {**content.facts, "asked": None}:
                    return message

            for message in messages:
                if message.kind == kind:
                    await self._delete(message)

            return await self._add(room, guest, kind, content, key="")

    async def edit(self, ref: port.MessageRef, content: Content) -> port.Delivery:
        """Replaces the content of a message; does nothing if it is unchanged."""
        async with self._hold(ref) as message:
            if message is None:
                return port.Gone(port.Lost.MESSAGE, "no such message")

            if message.content != content.facts:
                await self._store.change_message(message.id, content.facts, content.files)
                self._show(replace(message, content=content.facts))

            return port.Delivered(ref)

    async def delete(self, ref: port.MessageRef) -> port.Delivery:
        """Deletes a message; one that is gone counts as delivered."""
        async with self._hold(ref) as message:
            if message is not None:
                await self._delete(message)
            return port.Delivered(ref)

    async def forget(self, guest: str, own_names: Collection[str]) -> list[port.MessageRef]:
        """Deletes a guest with the messages they wrote or got alone, and their name in all other messages.

        Returns the messages that were edited. `own_names` identify the guest wherever they appear.
        """
        guests = await self._store.guests()
        name = next((other.name for other in guests if other.id == guest), "")
        has_namesake = any(other.name.casefold() == name.casefold() for other in guests if other.id != guest)
        eraser = Eraser(guest, name, own_names, has_namesake=has_namesake)
        await self._store.remove_guest(guest)

        changes = list[port.MessageRef]()
        newest = 0
        while messages := await self._store.messages(newest, BATCH_SIZE):
            for ref in map(message_ref, messages):
                async with self._hold(ref) as message:
                    if message is not None and message.content.get("by") == guest:
                        await self._delete(message)
                    elif message is not None and await self._erase(message, eraser):
                        changes.append(ref)

            newest = messages[-1].id

        self._streams.forget(guest)
        return changes

    async def _erase(self, message: SavedMessage, eraser: Eraser) -> bool:
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
    async def follow(self, stream: EventStream) -> AsyncIterator[None]:
        """Sends an open page everything it shows, then the changes while the context lasts."""
        room = stream.room
        guest = stream.guest
        async with self._order(room, None), self._order(room, guest.id):
            public = await self._store.history(room, None, PUBLIC_SEARCHED)
            pressable = [message for message in public[:-PUBLIC_SHOWN] if message.content.get("rows")]
            private = await self._store.history(room, guest.id, PRIVATE_SHOWN)
            newest = (*pressable[-PRESSABLE_SHOWN:], *public[-PUBLIC_SHOWN:], *private)
            stream.push(
                {
                    "type": "all",
                    "you": guest_json(guest) | {"owner": guest.is_owner},
                    "now": time.time(),
                    "commands": [command_json(command, stream.language) for command in self._commands],
                    "messages": [message_json(message, stream.language) for message in newest],
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
        """Returns the lock for a guest's messages in a room, or for the public ones."""
        return self._orders.setdefault((room, guest), asyncio.Lock())

    @asynccontextmanager
    async def _hold(self, ref: port.MessageRef) -> AsyncIterator[SavedMessage | None]:
        """Locks the order of a message's readers; yields its current state, or None if it is gone."""
        message = await self._find(ref)
        if message is None:
            yield None
            return

        async with self._order(message.room, message.guest):
            yield await self._find(ref)

    async def _add(self, room: str, guest: str | None, kind: str, content: Content, key: str) -> SavedMessage:
        draft = Draft(room, guest, kind, content.facts, time.time(), key=key)
        message = await self._store.add_message(draft, content.files)
        self._show(message)
        return message

    async def _delete(self, message: SavedMessage) -> None:
        await self._store.delete_message(message.id)
        self._streams.send(message.room, message.guest, {"type": "gone", "id": str(message.id)})

    async def _find(self, ref: port.MessageRef) -> SavedMessage | None:
        number = message_id(ref)
        return None if number is None else await self._store.message(number)

    def _show(self, message: SavedMessage) -> None:
        self._streams.send_translated(
            message.room,
            message.guest,
            lambda language: {"type": "message", "message": message_json(message, language)},
        )

    def _show_people(self, room: str) -> None:
        people = [guest_json(guest) for guest in self._streams.present(room)]
        self._streams.send(room, None, {"type": "people", "people": people})
