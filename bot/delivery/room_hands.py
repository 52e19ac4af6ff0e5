"""Hands that stand in the room, each seen by its player alone, because they pressed there last.

A chat shows such a message only as the answer to a press. It may vanish at any time, and some chats let it be
changed for a while only: then the hand is in the private chat again.
"""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import replace
from math import inf

from adapters.port import ChatPort, MessageRef, Screen, UserRef
from bot.delivery.message_index import MessageIndex
from bot.model.digests import digest_of
from bot.model.message_slots import MessageKind, MessageSlot, SentMessage

NOTICE_SECONDS = 90.0
"""So long before a hand stops following the game its player is told."""


class RoomHands:
    """Knows whose hand stands in the room, and for how long it follows the game."""

    def __init__(self, ports: Mapping[str, ChatPort], message_index: MessageIndex) -> None:
        self._ports = ports
        self._message_index = message_index
        self._fading: dict[MessageSlot, asyncio.TimerHandle] = {}
        self._changed: Callable[[int], None] = lambda _: None

    def subscribe(self, changed: Callable[[int], None]) -> None:
        """Let somebody know of a table where a hand looks different, though nobody has moved."""
        self._changed = changed

    async def is_open(self, hand: MessageSlot) -> bool:
        """Whether this hand stands in the room."""
        return await self._message_index.on(in_room(hand)) is not None

    async def has_place_for(self, slot: MessageSlot) -> bool:
        """Whether a message for this hand is there, or may be posted: none beside the one in the room."""
        if await self._message_index.on(slot) is not None:
            return True
        return slot.kind is MessageKind.HAND and not await self.is_open(slot)

    def is_fading(self, slot: MessageSlot) -> bool:
        """Whether this message of a hand in the room will soon stop following the game."""
        timer = self._fading.get(slot)
        return timer is not None and timer.when() <= asyncio.get_running_loop().time()

    async def open(self, hand: MessageSlot, message: MessageRef, screen: Screen) -> None:
        """Let a hand stand in this message of the room, which shows `screen`; the one before it goes."""
        slot = in_room(hand)
        before = await self._message_index.message(slot)
        await self._message_index.remember(slot, SentMessage(message, digest_of(screen)))
        self._follow(slot)
        if before is not None and before != message:
            await self._ports[before.platform].delete(before)

    async def close(self, hand: MessageSlot) -> bool:
        """Take a hand out of the room; False if it was not there."""
        slot = in_room(hand)
        shown = await self._message_index.message(slot)
        if shown is None:
            return False
        await self.lost(slot)
        await self._ports[shown.platform].delete(shown)
        return True

    async def lost(self, slot: MessageSlot) -> None:
        """Note that the message in the room is gone."""
        self._stop(slot)
        await self._message_index.forget(slot)

    async def pressed(self, slot: MessageSlot) -> None:
        """Let a hand stand where its player has just pressed it; in the room it follows the game anew."""
        if slot.kind is MessageKind.ROOM_HAND:
            self._follow(slot)
        elif slot.kind is MessageKind.HAND and await self.close(slot):
            self._changed(slot.table_id)

    def evict(self, table_id: int) -> None:
        """Know nothing of a table that nobody needs any more."""
        for slot in [slot for slot in self._fading if slot.table_id == table_id]:
            self._stop(slot)

    def forget(self, user: UserRef) -> None:
        """Know nothing any more of where a person's hands stand."""
        for slot in [slot for slot in self._fading if slot.user == user]:
            self._stop(slot)

    def _follow(self, slot: MessageSlot) -> None:
        self._stop(slot)
        seconds = inf if slot.user is None else self._ports[slot.user.platform].limits.ephemeral_seconds
        if seconds < inf:
            self._fading[slot] = asyncio.get_running_loop().call_later(
                seconds - NOTICE_SECONDS, self._changed, slot.table_id
            )

    def _stop(self, slot: MessageSlot) -> None:
        if (timer := self._fading.pop(slot, None)) is not None:
            timer.cancel()


def in_room(hand: MessageSlot) -> MessageSlot:
    """Return where a hand stands that its player opened in the room."""
    return replace(hand, kind=MessageKind.ROOM_HAND)
