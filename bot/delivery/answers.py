"""Screens of tables that go out as answers to presses and commands: one path for a message at a time."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from functools import partial
from typing import Any

import structlog
from cachetools import LRUCache

from adapters.port import (
    Delivered,
    Delivery,
    Everyone,
    MessageRef,
    RoomRef,
    Screen,
    UserRef,
    is_refused_picture,
)
from bot.delivery.chat_queue import ChatQueues
from bot.delivery.delivery_outcomes import DeliveryOutcomes
from bot.delivery.message_index import MessageIndex
from bot.delivery.pending_answers import PendingAnswers
from bot.delivery.room_hands import RoomHands
from bot.delivery.watched_slots import WatchedSlots
from bot.model.digests import digest_of
from bot.model.message_slots import (
    UNKNOWN,
    MessageAction,
    MessageKind,
    MessageSlot,
    ScreenSource,
)

log = structlog.get_logger()

MOST_ASKED_FOR = 1000
"""Answers to commands of which is remembered what they show until they have arrived."""


class Answers:
    """Keeps the outbox from messages that are about to change by an answer, and notes what they show then."""

    def __init__(
        self,
        *,
        watched: WatchedSlots,
        queues: ChatQueues,
        message_index: MessageIndex,
        outcomes: DeliveryOutcomes,
        room_hands: RoomHands,
        screens: ScreenSource,
        survey: Callable[[int], Awaitable[None]],
        look_at: Callable[[MessageSlot], None],
        changed: Callable[[int], None],
        start: Callable[[Callable[[], Coroutine[Any, Any, None]]], None],
    ) -> None:
        """Let `survey` watch a table, `look_at` see to a slot, `changed` to all of a table.

        `start` begins something that goes on by itself.
        """
        self._watched = watched
        self._queues = queues
        self._message_index = message_index
        self._outcomes = outcomes
        self._room_hands = room_hands
        self._screens = screens
        self._survey = survey
        self._look_at = look_at
        self._changed = changed
        self._start = start
        self._pending_answers = PendingAnswers()
        self._asked_for = LRUCache[str, MessageSlot](MOST_ASKED_FOR)

    async def expect(self, table_id: int, message: MessageRef) -> bool:
        """Leave a private message to the answer of a press on it; False when it is none of the table's."""
        slot = await self._message_index.slot_in(message, table_id)
        if slot is None or not slot.kind.is_hand:
            return False
        if slot not in self._watched:  # the bot has just started
            await self._survey(table_id)
        if slot not in self._watched:
            return False
        self._pending_answers.expect(message, slot, self._queues.of(self._watched[slot]))
        return True

    def answering(self, message: MessageRef) -> None:
        """The answer to a press on this message is ready, and sent now."""
        self._pending_answers.begin(message)

    def answered(self, message: MessageRef, screen: Screen | None, delivery: Delivery | None) -> bool:
        """The press was answered: with this screen in this message, or without a new one.

        False where no answer was expected.
        """
        settled = self._pending_answers.settle(message)
        if settled is not None:
            slot, is_crowded = settled
            self._start(partial(self.settle, slot, None if is_crowded else screen, delivery))
        return settled is not None

    def opened_in_room(self, table_id: int, user: UserRef, screen: Screen, message: MessageRef) -> None:
        """A press in the room was answered with the presser's hand: from now on it stands there."""
        self._start(partial(self._open_in_room, table_id, user, screen, message))

    async def _open_in_room(self, table_id: int, user: UserRef, screen: Screen, message: MessageRef) -> None:
        try:
            hands = (slot for slot in await self._screens.places(table_id) if slot.kind is MessageKind.HAND)
            if (hand := next((slot for slot in hands if slot.user == user), None)) is not None:
                await self._room_hands.open(hand, message, screen)
        except Exception:
            log.exception("answer_not_settled", table=table_id)
        self._changed(table_id)

    async def settle(self, slot: MessageSlot, screen: Screen | None, delivery: Delivery | None) -> None:
        """Take note of what became of a slot's screen that was sent as an answer, or that there was none."""
        if slot not in self._watched:
            await self._survey(slot.table_id)
        audience = self._watched.get(slot)
        if audience is None:
            return
        queue = self._queues.of(audience)
        try:
            if delivery is not None:
                queue.budget.spend(slot.kind, asyncio.get_running_loop().time())
                if not is_refused_picture(delivery, screen):  # else it is sent the ordinary way, in text
                    await self._outcomes.note(
                        slot, audience, UNKNOWN if screen is None else digest_of(screen), delivery
                    )
                if isinstance(delivery, Delivered):
                    await self._room_hands.pressed(slot)
        except Exception:
            log.exception("answer_not_settled", table=slot.table_id)
        finally:
            queue.release(slot)
            self._look_at(slot)

    def hold(self, slot: MessageSlot, room: RoomRef) -> None:
        """Leave a new slot to the answer to a command, before anybody else can look at it."""
        self._queues.of(Everyone(room)).hold(slot)

    async def answer(self, slot: MessageSlot, key: str) -> Screen | None:
        """Give what a slot shows that was left to an answer; `key` as in `ChatPort.post`.

        None of a slot that is shown already, or about to be.
        """
        screen = await self._screens.screen(slot)
        if isinstance(screen, MessageAction) or await self._message_index.on(slot) is not None:
            return None
        posting = await self._message_index.begin(slot, digest_of(screen), key)
        self._asked_for[key] = slot
        return screen if posting.key == key else None

    def answered_with(self, key: str, screen: Screen, delivery: Delivery) -> None:
        """The command with this key was answered with this screen."""
        if (slot := self._asked_for.pop(key, None)) is not None:
            self._start(partial(self.settle, slot, screen, delivery))
