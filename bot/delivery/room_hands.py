"""Hands and reviews that people open in the room, for them alone, and that follow the game there."""

import asyncio
from collections.abc import Mapping
from dataclasses import replace

import structlog

from adapters.port import ChatPort, MessageRef, Screen, UserRef
from bot.delivery.messages import Message, MessageIndex, digest_of, in_room
from bot.delivery.outbox import Outbox
from bot.model.messages import MessageSlot, Urgency

log = structlog.get_logger()

NOTICE_SECONDS = 90.0  # so long before a hand in the room stops following the game its player gets a notice


class RoomHands:
    """Opens, follows and closes ephemeral messages in rooms; only the answer to a press can bring one."""

    def __init__(self, ports: Mapping[str, ChatPort], messages: MessageIndex, outbox: Outbox) -> None:
        self._ports = ports
        self._messages = messages
        self._outbox = outbox

    def opened(self, table_id: int, user: UserRef, screen: Screen, ref: MessageRef) -> None:
        """Lets a hand follow the game in the room, where a press was answered with it."""
        self._outbox.start(self._open(table_id, user, screen, ref))

    async def _open(self, table_id: int, user: UserRef, screen: Screen, ref: MessageRef) -> None:
        try:
            if self._messages.table(table_id).has_changed:
                await self._outbox.mark_messages(table_id)

            hand = await self._messages.newest_hand(table_id, user)
            if hand is not None:
                message = self._messages.record(in_room(hand.slot))
                await self._outbox.move_to(message, ref, digest_of(screen))
                self.follow(message)
                # Two hands with live buttons would contradict each other.
                self._outbox.enqueue(hand, Urgency.ASKED_FOR)
        except Exception:
            log.exception("answer_not_settled", table=table_id)

        self._outbox.mark_dirty(table_id)

    def review_opened(self, slot: MessageSlot, screen: Screen, ref: MessageRef) -> None:
        """Lets a review follow its slot in the room, where a question was answered with it."""
        self._outbox.start(self._open_review(slot, screen, ref))

    async def _open_review(self, slot: MessageSlot, screen: Screen, ref: MessageRef) -> None:
        try:
            message = await self._messages.load(slot)
            await self._outbox.move_to(message, ref, digest_of(screen))
        except Exception:
            log.exception("answer_not_settled", table=slot.table_id)

        self._outbox.mark_dirty(slot.table_id)

    def follow(self, message: Message) -> None:
        """Lets a hand follow the game for as long as the chat lets it, from now."""
        message.stop_fading()
        user = message.slot.user
        if user is None:
            return

        seconds = self._ports[user.platform].limits.ephemeral_seconds
        if seconds < float("inf"):
            message.fading = asyncio.get_running_loop().call_later(
                seconds - NOTICE_SECONDS, self._outbox.mark_dirty, message.slot.table_id
            )

    async def is_open(self, hand: MessageSlot) -> bool:
        """Returns whether a hand is in the room, be it still on record as that of the game before.

        After a deal the next edit shows the new game in the same message, and puts it on record as such.
        """
        slot = in_room(hand)
        before = replace(slot, game=slot.game - 1)
        messages = [await self._messages.message(each) for each in (slot, before)]
        return any(messages)

    async def close(self, hand: MessageSlot) -> bool:
        """Takes a hand out of the room; False if it was not there."""
        message = await self._messages.load(in_room(hand))
        ref = message.ref
        if ref is None:
            return False

        await self._messages.drop(message)
        await self._outbox.delete(message.slot, ref)
        return True

    async def move_to_private(self, hand: MessageSlot) -> None:
        """Shows a person's cards in a new private message, wherever they were before."""
        await self.close(hand)
        self._outbox.renew(hand)
