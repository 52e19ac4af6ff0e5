"""Private hands and reviews that people open in the room, and that follow the game there."""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import replace

import structlog

from adapters.port import ChatPort, MessageRef, Screen, UserRef
from bot.delivery.memory import TableMemory
from bot.delivery.messages import Message, MessageIndex, digest_of, in_room
from bot.delivery.outbox import Outbox
from bot.model.messages import HANDS, MessageKind, Subject, TableSlot, Urgency

log = structlog.get_logger()

ANSWER_SECONDS = 5.0  # how long to wait for an answer that is to show a hand
NOTICE_SECONDS = 90.0  # how long before a hand in the room stops following the game its player gets a notice


class RoomHands:
    """Opens, follows and closes ephemeral messages in rooms, which only the answer to a press can create."""

    def __init__(
        self,
        ports: Mapping[str, ChatPort],
        memory: Callable[[int], TableMemory],
        messages: MessageIndex,
        outbox: Outbox,
    ) -> None:
        self._ports = ports
        self._memory = memory
        self._messages = messages
        self._outbox = outbox

    def expect(self, table_id: int, user: UserRef) -> None:
        """Keeps a hand out of the private chat while an answer is about to show it in the room."""
        self._memory(table_id).in_answer.add(user)
        asyncio.get_running_loop().call_later(ANSWER_SECONDS, self._stop_expecting, table_id, user)

    def _stop_expecting(self, table_id: int, user: UserRef) -> None:
        self._memory(table_id).in_answer.discard(user)
        self._outbox.mark_dirty(Subject.of_table(table_id))

    def open(self, table_id: int, user: UserRef, screen: Screen, ref: MessageRef) -> None:
        """Starts updating a hand that was shown in the room as the answer to a press."""
        self._outbox.start(self._open(table_id, user, screen, ref))

    async def _open(self, table_id: int, user: UserRef, screen: Screen, ref: MessageRef) -> None:
        subject = Subject.of_table(table_id)
        try:
            if self._messages.about(subject).has_changed:
                await self._outbox.mark_messages(subject)

            hand = await self._newest_hand(subject, user)
            if hand is not None:
                message = self._messages.record(in_room(hand))
                await self._outbox.move_to(message, ref, digest_of(screen))
                self.follow(message)
                # Two hands with live buttons would contradict each other.
                self._outbox.enqueue(self._messages.record(hand), Urgency.ASKED_FOR)
        except Exception:
            log.exception("answer_not_settled", table=table_id)

        self._stop_expecting(table_id, user)

    async def _newest_hand(self, subject: Subject, user: UserRef) -> TableSlot | None:
        """Returns the slot of a person's newest hand in the private chat; None if they have none."""
        messages = await self._messages.of(subject)
        hands = [
            slot
            for slot, message in messages.items()
            if slot.kind is MessageKind.HAND and slot.user == user and message.place is not None
        ]
        return max(hands, key=lambda hand: hand.game, default=None)

    def open_review(self, slot: TableSlot, screen: Screen, ref: MessageRef) -> None:
        """Starts updating a review that was shown in the room as an answer."""
        self._outbox.start(self._open_review(slot, screen, ref))

    async def _open_review(self, slot: TableSlot, screen: Screen, ref: MessageRef) -> None:
        try:
            message = await self._messages.load(slot)
            await self._outbox.move_to(message, ref, digest_of(screen))
        except Exception:
            log.exception("answer_not_settled", table=slot.table_id)

        self._outbox.mark_dirty(slot.subject)

    def follow(self, message: Message) -> None:
        """Restarts the time in which the chat can edit a hand; schedules the notice before its end."""
        message.stop_fading()
        user = message.slot.user
        if user is None:
            return

        seconds = self._ports[user.platform].limits.ephemeral_seconds
        if seconds < float("inf"):
            message.fading = asyncio.get_running_loop().call_later(
                seconds - NOTICE_SECONDS, self._outbox.mark_dirty, message.slot.subject
            )

    async def is_open(self, hand: TableSlot) -> bool:
        """Returns whether a hand is in the room, even if it is still recorded as that of the previous game.

        After a deal, the next edit shows the new game in the same message and updates the record.
        """
        slot = in_room(hand)
        before = replace(slot, game=slot.game - 1)
        messages = [await self._messages.message(each) for each in (slot, before)]
        return any(messages)

    async def close(self, hand: TableSlot) -> bool:
        """Removes a hand from the room; returns False if it was not there."""
        message = await self._messages.load(in_room(hand))
        ref = message.ref
        if ref is None:
            return False

        await self._messages.drop(message)
        await self._outbox.delete(message.slot, ref)
        return True

    async def move_to_private(self, hand: TableSlot) -> None:
        """Shows a person's cards in a new message of the private chat, and removes them from the room."""
        await self.close(hand)
        self._outbox.renew(hand)

    # --- hands that were not updated while their player had a view of the table open ------------------------

    def catch_up(self, table_id: int, user: UserRef) -> None:
        """Queues updates of a person's hands."""
        self._outbox.start(self._catch_up(Subject.of_table(table_id), user))

    async def _catch_up(self, subject: Subject, user: UserRef) -> None:
        await self._outbox.mark_messages(subject)
        for slot, message in list((await self._messages.of(subject)).items()):
            is_shown_or_due = message.ref is not None or slot.kind is MessageKind.HAND
            if slot.user == user and slot.kind in HANDS and is_shown_or_due:
                self._outbox.enqueue(message, Urgency.ASKED_FOR)
