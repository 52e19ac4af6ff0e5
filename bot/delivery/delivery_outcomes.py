"""What follows from a delivery: a message is there, a chat wants a rest, a person or a room is closed."""

import asyncio
from collections.abc import Callable

import structlog

from adapters.port import Delivered, Delivery, Everyone, Gone, Lost, NeedsOptIn, Only, RoomRef, Throttled
from bot.delivery.chat_queue import ChatQueues
from bot.delivery.message_index import MessageIndex
from bot.delivery.reachability import Reachability
from bot.delivery.room_hands import RoomHands
from bot.delivery.watched_slots import WatchedSlots
from bot.metrics import DELIVERIES
from bot.model.message_slots import UNKNOWN, MessageSlot, OnlyInRoom, Reader, SentMessage

log = structlog.get_logger()


class DeliveryOutcomes:
    """Remembers what became of each message, and lets it be tried again where that helps."""

    def __init__(
        self,
        *,
        watched: WatchedSlots,
        queues: ChatQueues,
        message_index: MessageIndex,
        reachability: Reachability,
        room_hands: RoomHands,
        look_at: Callable[[MessageSlot], None],
        changed: Callable[[int], None],
    ) -> None:
        """Let `look_at` see to a slot again, and `changed` to all of a table."""
        self._watched = watched
        self._queues = queues
        self._message_index = message_index
        self._reachability = reachability
        self._room_hands = room_hands
        self._look_at = look_at
        self._changed = changed

    async def note(self, slot: MessageSlot, audience: Reader, digest: str, delivery: Delivery) -> bool:
        """Take note of what became of a message; gives whether it shows this now."""
        DELIVERIES.labels(audience.room.server.platform, slot.kind, type(delivery).__name__.lower()).inc()
        if slot not in self._watched:
            return False  # nobody remembers that they saw it
        match delivery:
            case Delivered(ref):
                await self._arrived(slot, audience, SentMessage(ref, digest))
            case Throttled(retry_after):
                self._queues.of(audience).rest(retry_after)
                self._look_at(slot)
            case NeedsOptIn(user):
                await self._reachability.mark_person_unreachable(user)
                self._changed(slot.table_id)
            case Gone() if isinstance(audience, OnlyInRoom):
                await self._room_hands.lost(slot)
                self._changed(slot.table_id)
            case Gone(Lost.MESSAGE):
                await self._message_index.forget(slot)
                self._look_at(slot)
            case Gone(Lost.ROOM) if isinstance(audience, Only):
                await self._reachability.mark_person_unreachable(audience.user)
            case Gone(Lost.ROOM):
                pause = self._reachability.refused_in_room(audience.room)
                asyncio.get_running_loop().call_later(pause, self._try_again, audience.room)
            case Gone(Lost.CONTENT, why):
                log.error("content_refused", table=slot.table_id, kind=slot.kind, why=why)
                self._watched.refused[slot] = digest
        return isinstance(delivery, Delivered) and digest != UNKNOWN

    async def _arrived(self, slot: MessageSlot, audience: Reader, shown: SentMessage) -> None:
        is_first = await self._message_index.on(slot) is None
        await self._message_index.remember(slot, shown)
        if isinstance(audience, Everyone):
            self._reachability.mark_room_reachable(audience.room)
        elif isinstance(audience, Only) and is_first:
            await self._reachability.mark_person_reachable(audience.user)
        if shown.digest == UNKNOWN:
            self._look_at(slot)

    def _try_again(self, room: RoomRef) -> None:
        """Look at everything in a room that refused a message; the first that is sent shows how it is now."""
        for slot in self._watched.in_room(room):
            self._look_at(slot)
