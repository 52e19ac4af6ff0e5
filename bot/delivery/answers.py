"""Reserves messages for the answers to presses and commands; the outbox leaves them alone meanwhile.

The answer itself edits a pressed hand, at once and in the chat's own way. The outbox holds back its own edit
until then, and compares afterwards as usual. If two edits of one message overlap, its content is unknown,
and the outbox sends it again.
"""

import asyncio
from collections.abc import Mapping
from typing import Any

import structlog
from cachetools import LRUCache

from adapters.port import NOT_SENT, ChatPort, Delivered, Delivery, Gone, MessageRef, Screen
from bot.cache import LIMITS
from bot.delivery.messages import Message, MessageIndex, digest_in, log_fields
from bot.delivery.outbox import Outbox
from bot.delivery.queue import ChatQueues
from bot.delivery.room_hands import RoomHands
from bot.delivery.state import AnsweredWhileSent, PressAnswered, Pressed, Released
from bot.model.messages import (
    HANDS,
    UNKNOWN,
    MessageAction,
    MessageKind,
    Place,
    Reader,
    ScreenSource,
    Slot,
    TableSlot,
    Urgency,
)

log = structlog.get_logger()


class Answers:
    """Holds messages for their answers, and records what the answers showed."""

    def __init__(
        self,
        ports: Mapping[str, ChatPort],
        *,
        screens: Mapping[str, ScreenSource[Any]],
        messages: MessageIndex,
        queues: ChatQueues,
        outbox: Outbox,
        room_hands: RoomHands,
    ) -> None:
        self._ports = ports
        self._screens = screens
        self._messages = messages
        self._queues = queues
        self._outbox = outbox
        self._room_hands = room_hands

        self._pressed: dict[MessageRef, Message] = {}
        self._asked_for = LRUCache[str, Slot](LIMITS.known)
        self._beside = LRUCache[str, tuple[Slot, Place]](LIMITS.known)

    # --- answers to presses ---------------------------------------------------------------------------------

    async def hold_hand(self, slot: TableSlot, ref: MessageRef) -> bool:
        """Reserves a pressed hand for the answer; False if it is not a hand, or nothing is sent to it."""
        if slot.kind not in HANDS:
            return False

        message = await self._load_with_reader(slot)
        if message.reader is None:
            return False

        message.hold()
        message.note(Pressed())
        self._pressed[ref] = message

        return True

    def begin(self, ref: MessageRef) -> None:
        """Records that the answer to a press on this message is being sent, perhaps during an edit."""
        message = self._pressed.get(ref)
        if message is None or message.reader is None:
            return
        if self._queues.of(message.reader).sending is message:
            message.note(AnsweredWhileSent())

    def press_answered(self, ref: MessageRef, screen: Screen | None, delivery: Delivery | None) -> bool:
        """Records that a press was answered, with this screen in the pressed message or without a screen.

        Returns False if no answer was expected.
        """
        message = self._pressed.get(ref)
        if message is None:
            return False

        has_moved = message.ref not in {None, ref}  # the hand was reopened in the meantime
        is_of_old_message = delivery == Delivered(ref) or isinstance(delivery, Gone)
        if has_moved and is_of_old_message:
            delivery = None

        visible = None if message.state.doing.is_crowded else screen
        message.note(PressAnswered())
        if not message.state.doing.presses:
            self._pressed = {ref: pressed for ref, pressed in self._pressed.items() if pressed is not message}

        self._outbox.start(self._settle(message, visible, delivery))
        return True

    # --- answers to commands: a new message ---------------------------------------------------------------

    def hold(self, slot: Slot) -> None:
        """Reserves a new message for the answer to a command, before its subject is looked at."""
        self._messages.record(slot).hold()

    def release(self, slot: Slot) -> None:
        """Returns a reserved message to the outbox, as no answer will show it."""
        message = self._messages.record(slot)
        message.note(Released())
        self._outbox.enqueue(message)

    async def screen(self, slot: Slot, key: str) -> Screen | None:
        """Renders a message reserved for the answer to a command; `key` is as in `ChatPort.post`.

        Returns None if the message is already shown or being posted, or has nothing to show. If the chat gave
        no key, returns None and leaves the message to the outbox.
        """
        if not key:
            self.release(slot)
            return None

        screen = await self._screens[slot.subject.kind].screen(slot)
        message = await self._load_with_reader(slot)
        if isinstance(screen, MessageAction) or message.ref is not None:
            return None

        await self._messages.begin_post(message, self._digest(message.place, screen), key)
        self._asked_for[key] = slot
        return screen if message.state.doing.key == key else None

    async def move_here(self, slot: Slot, key: str) -> Screen | None:
        """Renders a slot for the answer to a command, and deletes the message that showed it before.

        `key` and the result are as in `screen`.
        """
        message = await self._load_with_reader(slot)
        message.hold()
        if message.ref is not None:
            await self._outbox.delete(slot, message.ref)
            await self._messages.drop(message, is_replaced=True)

        return await self.screen(slot, key)

    def command_answered(self, key: str, screen: Screen, delivery: Delivery) -> None:
        """Records that the command with this key was answered with this screen."""
        slot = self._asked_for.pop(key, None)
        if slot is not None:
            self._outbox.start(self._settle(self._messages.record(slot), screen, delivery))

    async def existing_message(self, slot: Slot) -> MessageRef | None:
        """Updates the message of a slot and returns it; None if it does not exist.

        In a chat without edits, posts a new message in its place and returns None.
        """
        message = await self._load_with_reader(slot)
        screen = await self._screens[slot.subject.kind].screen(slot)
        if message.reader is None or message.ref is None or isinstance(screen, MessageAction):
            return None

        if not self._ports[message.ref.platform].limits.edits:
            self._outbox.renew(slot)
            return None

        message.hold()
        delivery = await self._ports[message.ref.platform].edit(message.ref, screen)
        await self._settle(message, screen, delivery)
        return message.ref

    # --- answers beside the pressed message -----------------------------------------------------------------

    def expect_ephemeral(self, event: str, slot: Slot, place: Place) -> None:
        """Notes that the ephemeral answer to an event will show this slot, at this place."""
        self._beside[event] = slot, place

    async def ephemeral_answered(self, event: str, screen: Screen, delivery: Delivery) -> None:
        """Records that an event was answered with this screen, in a separate message."""
        slot, place = self._beside.pop(event, (None, None))
        if slot is None or place is None or not isinstance(delivery, Delivered):
            return

        await self._outbox.take(slot, place, delivery.ref, self._digest(place, screen))

    # --- what an answer showed ------------------------------------------------------------------------------

    async def _load_with_reader(self, slot: Slot) -> Message:
        """Returns a message with its reader, even right after a start."""
        message = await self._messages.load(slot)
        if message.reader is None:
            await self._outbox.mark_messages(slot.subject)
            message = await self._messages.load(slot)
        return message

    async def _settle(self, message: Message, screen: Screen | None, delivery: Delivery | None) -> None:
        """Records the delivery of an answer, and returns its message to the outbox.

        `screen` is None if the content of the message is unknown, `delivery` if nothing was sent to it.
        """
        if message.reader is None:  # the bot has just started
            await self._outbox.mark_messages(message.slot.subject)

        reader = message.reader
        if reader is None:
            return

        try:
            if delivery is not None and delivery != NOT_SENT:
                await self._record(message, reader, screen, delivery)
        except Exception:
            log.exception("answer_not_settled", **log_fields(message.slot))
        finally:
            message.note(Released())
            urgency = Urgency.PRESSED if delivery == NOT_SENT else Urgency.ORDINARY
            self._outbox.enqueue(message, urgency)

    def _digest(self, place: Place | None, screen: Screen | None) -> str:
        """Returns the digest of a screen shown at a place; `UNKNOWN` if either is None."""
        if place is None or screen is None:
            return UNKNOWN
        return digest_in(place, screen, self._ports[place.reader.room.server.platform].limits)

    async def _record(
        self, message: Message, reader: Reader, screen: Screen | None, delivery: Delivery
    ) -> None:
        """Records the delivery of an answer, and moves the hand to where its player pressed last."""
        slot = message.slot
        self._outbox.log_delivery("answer", slot, reader.room.server.platform, delivery)
        self._queues.of(reader).budget.spend(asyncio.get_running_loop().time(), is_paced=message.is_paced)

        digest = self._digest(message.place, screen)
        await self._outbox.record_delivery(message, reader, digest, delivery)
        if not isinstance(delivery, Delivered) or not isinstance(slot, TableSlot):
            return

        if slot.kind is MessageKind.ROOM_HAND:
            self._room_hands.follow(message)
        elif slot.kind is MessageKind.HAND and await self._room_hands.close(slot):
            self._outbox.mark_dirty(slot.subject)
