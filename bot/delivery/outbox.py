"""Makes the chats agree with the tables.

For each slot the outbox knows what it last showed and asks the presenter what it should show now; the
difference is sent. The newest state wins, so ten fast moves cost one edit, and after a crash the same
comparison repairs every message. Each chat is a queue of its own: a slow or throttled chat stops nobody else.
"""

import asyncio
from collections.abc import Callable, Collection, Coroutine, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import structlog

from adapters.port import (
    ChatPort,
    Delivered,
    Gone,
    Lost,
    MessageRef,
    Screen,
    Throttled,
    UserRef,
    is_refused_picture,
)
from bot.delivery.answers import Answers
from bot.delivery.chat_queue import AFTER_AN_ERROR, ChatQueue, ChatQueues
from bot.delivery.delivery_outcomes import DeliveryOutcomes
from bot.delivery.message_index import MessageIndex
from bot.delivery.pending_changes import PendingChanges
from bot.delivery.reachability import Reachability
from bot.delivery.room_hands import RoomHands, in_room
from bot.delivery.short_turns import ShortTurns
from bot.delivery.watched_slots import WatchedSlots
from bot.model.digests import digest_of
from bot.model.message_slots import (
    MessageAction,
    MessageSlot,
    OnlyInRoom,
    Reader,
    ScreenSource,
    SentMessage,
    Urgency,
    is_news,
)

log = structlog.get_logger()


class Outbox:
    """Sends what changed. `changed` is all that others call when a table moves on."""

    def __init__(
        self,
        ports: Mapping[str, ChatPort],
        screens: ScreenSource,
        message_index: MessageIndex,
        reachability: Reachability,
        room_hands: RoomHands,
    ) -> None:
        self._ports = ports
        self._screens = screens
        self._message_index = message_index
        self._reachability = reachability
        self._room_hands = room_hands
        self._queues = ChatQueues(ports)
        self._turns = ShortTurns()
        self._watched = WatchedSlots()
        self._pending_changes = PendingChanges()
        self._outcomes = DeliveryOutcomes(
            watched=self._watched,
            queues=self._queues,
            message_index=message_index,
            reachability=reachability,
            room_hands=room_hands,
            look_at=self._look_at,
            changed=self.changed,
        )
        self.answers = Answers(
            watched=self._watched,
            queues=self._queues,
            message_index=message_index,
            outcomes=self._outcomes,
            room_hands=room_hands,
            screens=screens,
            survey=self._survey,
            look_at=self._look_at,
            changed=self.changed,
            start=self._start,
        )
        self._changed: dict[int, None] = {}
        self._stirred = asyncio.Event()
        self._tasks: asyncio.TaskGroup | None = None
        room_hands.subscribe(self.changed)

    def changed(self, table_id: int) -> None:
        """Note that the table looks different now."""
        self._pending_changes.note(table_id)
        self._changed[table_id] = None
        self._stirred.set()

    def has_pending_changes(self, table_id: int) -> bool:
        """Whether some message of a table may not show what it should."""
        return table_id in self._pending_changes

    def evict(self, table_id: int) -> None:
        """Know nothing of a table that nobody needs any more; what it has shown stays as it is."""
        self._queues.tidy(self._watched.drop_table(table_id))
        self._pending_changes.forget(table_id)
        self._room_hands.evict(table_id)
        self._message_index.evict(table_id)

    def forget(self, user: UserRef) -> None:
        """Send a person nothing more, and know nothing of what they were sent."""
        self._watched.drop_reader(user)
        self._pending_changes.forget_reader(user)
        self._room_hands.forget(user)
        self._message_index.forget_reader(user)
        self._queues.forget(user)

    async def recheck(self, messages: Collection[MessageRef]) -> None:
        """Put messages right that a chat has changed by itself."""
        for table_id in await self._message_index.mark_unknown(messages):
            self.changed(table_id)

    async def run(self) -> None:
        """Send until cancelled."""
        async with asyncio.TaskGroup() as tasks:
            self._tasks = tasks
            try:
                while True:
                    await self._stirred.wait()
                    self._stirred.clear()
                    for table_id in list(self._changed):
                        del self._changed[table_id]
                        await self._turns.next()
                        await self._survey(table_id)
            finally:
                self._tasks = None  # a group that ends takes no more work

    def _start(self, doing: Callable[[], Coroutine[Any, Any, None]]) -> None:
        if self._tasks is not None:
            self._tasks.create_task(doing())

    # --- what others may ask for --------------------------------------------------------------------------

    async def checked_message(self, slot: MessageSlot) -> MessageRef | None:
        """Return the message that shows a slot, which still stands; None if it is gone, and posted anew."""
        if slot not in self._watched:
            await self._survey(slot.table_id)
        seen, screen = await self._message_index.on(slot), await self._screens.screen(slot)
        if slot not in self._watched or seen is None or isinstance(screen, MessageAction):
            return None
        self._queues.of(self._watched[slot]).hold(slot)
        delivery = await self._ports[seen.ref.platform].edit(seen.ref, screen)
        await self.answers.settle(slot, screen, delivery)
        return await self._message_index.message(slot)

    async def bring(self, slot: MessageSlot) -> bool:
        """Renew somebody's private message that is shown already; False where it is not."""
        if await self._message_index.on(slot) is None:
            return False
        await self.bring_to_private_chat(slot)
        return True

    async def bring_to_private_chat(self, hand: MessageSlot) -> None:
        """Show somebody's cards in a new private message, wherever they were before."""
        await self._room_hands.close(hand)
        self.renew(hand)

    def renew(self, slot: MessageSlot) -> None:
        """Show a slot in a new message, where it is seen at once; the old one goes."""
        self._watched.renewed.add(slot)
        self.changed(slot.table_id)

    # --- the ordinary path --------------------------------------------------------------------------------

    async def _survey(self, table_id: int) -> None:
        newest = self._pending_changes.newest(table_id)
        try:
            places = await self._screens.places(table_id)
            urgencies = await self._screens.urgencies(table_id)
            shown = await self._message_index.of(table_id)
        except Exception:
            log.exception("survey_failed", table=table_id)
            asyncio.get_running_loop().call_later(AFTER_AN_ERROR, self.changed, table_id)
            return
        self._watched.watch(places, served=self._ports)
        ringing = {slot for slot in shown if urgencies.get(slot) is Urgency.RINGS}
        self._watched.renewed |= {slot for slot in ringing if in_room(slot) not in shown}
        # In the room a hand comes only as the answer to a press.
        wanted = (slot for slot, reader in places.items() if not isinstance(reader, OnlyInRoom))
        for slot in dict.fromkeys((*wanted, *shown)):
            self._look_at(slot, urgencies.get(slot, Urgency.ORDINARY))
        self._pending_changes.drop(newest, table_id)

    def _look_at(self, slot: MessageSlot, urgency: Urgency = Urgency.ORDINARY) -> None:
        if slot not in self._watched:
            return
        self._pending_changes.note(slot.table_id, slot)
        queue = self._queues.of(self._watched[slot])
        queue.add(slot, Urgency.ORDINARY if slot in self._watched.renewed else urgency)
        if not queue.is_running and self._tasks is not None:
            queue.is_running = True
            self._tasks.create_task(queue.work(partial(self._pending_changes.show, self._repair)))

    async def _repair(self, slot: MessageSlot, queue: ChatQueue) -> bool:
        """Let a slot show what it should; False if it may not do so yet."""
        await self._turns.next()
        audience = self._watched.get(slot)
        if audience is None or not self._reachability.may_try(audience):
            return False
        port = self._ports[audience.room.server.platform]
        screen = await self._screens.screen(slot)
        seen = await self._message_index.on(slot)
        if seen is not None and (
            screen is MessageAction.REMOVE or slot in self._watched.renewed or is_news(slot, seen, screen)
        ):
            queue.budget.spend(slot.kind, asyncio.get_running_loop().time())
            match await port.delete(seen.ref):
                case (Throttled() | Gone(Lost.ROOM)) as refusal:
                    return await self._outcomes.note(slot, audience, seen.digest, refusal)
            await self._message_index.forget(slot)
            seen = None
        self._watched.renewed.discard(slot)
        if isinstance(screen, MessageAction):
            return True
        return await self._show(slot, audience, screen, seen, queue)

    async def _show(
        self, slot: MessageSlot, audience: Reader, screen: Screen, seen: SentMessage | None, queue: ChatQueue
    ) -> bool:
        port = self._ports[audience.room.server.platform]
        digest = digest_of(screen)
        if slot not in self._watched or digest == self._watched.refused.get(slot):
            return False  # its reader was forgotten meanwhile; or it is refused until it changes
        if seen is None:
            if isinstance(audience, OnlyInRoom):
                return True  # it comes as the answer to a press
            posting = await self._message_index.begin(slot, digest)
            send, digest = partial(port.post, audience, key=posting.key), posting.digest
        elif seen.digest != digest:
            send = partial(port.edit, seen.ref)
        else:
            return True
        queue.budget.spend(slot.kind, asyncio.get_running_loop().time())
        delivery = await send(screen)
        if is_refused_picture(delivery, screen):  # the game goes on in text
            delivery = await send(replace(screen, picture=None))
        queue.writing = None
        if seen is None and not isinstance(delivery, Delivered | Throttled):
            await self._message_index.forget(slot)  # it has not arrived
        return await self._outcomes.note(slot, audience, digest, delivery)
