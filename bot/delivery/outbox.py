"""Makes the chats agree with the tables.

For each slot the outbox knows what it last showed and asks the presenter what it should show now; the
difference is sent. The newest state wins, so ten fast moves cost one edit, and after a crash the same
comparison repairs every message. Each chat is a queue of its own: a slow or throttled chat stops nobody else.
"""

import asyncio
from collections.abc import Collection, Mapping
from dataclasses import replace
from functools import partial

import structlog

from adapters.port import (
    Audience,
    ChatPort,
    Delivered,
    Delivery,
    Everyone,
    Gone,
    Lost,
    MessageRef,
    NeedsOptIn,
    Only,
    RoomRef,
    Screen,
    Throttled,
    UserRef,
    is_refused_picture,
)
from bot.delivery.chat_queue import AFTER_AN_ERROR, ChatQueue, ChatQueues
from bot.delivery.debts import Debts
from bot.delivery.message_index import MessageIndex
from bot.delivery.pending_answers import PendingAnswers
from bot.delivery.reachability import Reachability
from bot.delivery.watched_slots import WatchedSlots
from bot.metrics import DELIVERIES
from bot.model.message_slots import (
    UNKNOWN,
    MessageAction,
    MessageKind,
    MessageSlot,
    ScreenSource,
    SentMessage,
    digest_of,
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
    ) -> None:
        self._ports = ports
        self._screens = screens
        self._message_index = message_index
        self._reachability = reachability
        self._queues = ChatQueues(ports)
        self._watched = WatchedSlots()
        self._debts = Debts()
        self._pending_answers = PendingAnswers()
        self._changed: dict[int, None] = {}
        self._stirred = asyncio.Event()
        self._tasks: asyncio.TaskGroup | None = None

    def changed(self, table_id: int) -> None:
        """Note that the table looks different now."""
        self._debts.owe(table_id)
        self._changed[table_id] = None
        self._stirred.set()

    def owes(self, table_id: int) -> bool:
        """Whether some message of a table may not show what it should."""
        return table_id in self._debts

    def evict(self, table_id: int) -> None:
        """Know nothing of a table that nobody needs any more; what it has shown stays as it is."""
        self._queues.tidy(self._watched.drop_table(table_id))
        self._debts.forget(table_id)
        self._message_index.evict(table_id)

    def forget(self, user: UserRef) -> None:
        """Send a person nothing more, and know nothing of what they were sent."""
        self._watched.drop_reader(user)
        self._debts.forget_reader(user)
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
                        await self._survey(table_id)
            finally:
                self._tasks = None  # a group that ends takes no more work

    # --- answers to presses: one path for a screen at a time --------------------------------------------

    async def expect(self, table_id: int, message: MessageRef) -> bool:
        """Leave a private message to the answer of a press on it; False when it is none of the table's."""
        slot = await self._message_index.slot_in(message, table_id)
        if slot is None or slot.kind is not MessageKind.HAND:
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

    def answered(self, message: MessageRef, screen: Screen | None, delivery: Delivery | None) -> None:
        """The press was answered: with this screen in this message, or without a new one."""
        settled = self._pending_answers.settle(message)
        if settled is not None and self._tasks is not None:
            slot, is_crowded = settled
            self._tasks.create_task(self._settle(slot, None if is_crowded else screen, delivery))

    async def _settle(self, slot: MessageSlot, screen: Screen | None, delivery: Delivery | None) -> None:
        audience = self._watched.get(slot)
        if audience is None:
            return
        queue = self._queues.of(audience)
        try:
            if delivery is not None:
                queue.budget.spend(slot.kind, asyncio.get_running_loop().time())
                if not is_refused_picture(delivery, screen):  # else it is sent the ordinary way, in text
                    await self._delivered(
                        slot, audience, UNKNOWN if screen is None else digest_of(screen), delivery
                    )
        except Exception:
            log.exception("answer_not_settled", table=slot.table_id)
        finally:
            queue.release(slot)
            self._look_at(slot)

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
        await self._settle(slot, screen, delivery)
        return await self._message_index.message(slot)

    async def bring(self, slot: MessageSlot) -> bool:
        """Renew somebody's private message that is shown already.

        False where it is not, or where an answer to them alone stands in the room and goes by itself: there
        a second one does no harm.
        """
        seen = await self._message_index.on(slot)
        if seen is None or self._ports[seen.ref.platform].limits.ephemeral_answers:
            return False
        self.renew(slot)
        return True

    def renew(self, slot: MessageSlot) -> None:
        """Show a slot in a new message, where it is seen at once; the old one goes."""
        self._watched.renewed.add(slot)
        self.changed(slot.table_id)

    # --- the ordinary path --------------------------------------------------------------------------------

    async def _survey(self, table_id: int) -> None:
        debt = self._debts.owed(table_id)
        try:
            places = await self._screens.places(table_id)
            asked_for = await self._screens.asked_for(table_id)
            shown = await self._message_index.of(table_id)
        except Exception:
            log.exception("survey_failed", table=table_id)
            asyncio.get_running_loop().call_later(AFTER_AN_ERROR, self.changed, table_id)
            return
        self._watched.watch(places, served=self._ports)
        for slot in dict.fromkeys((*places, *shown)):
            self._look_at(slot, is_asked_for=slot in asked_for)
        self._debts.settle(debt, table_id)

    def _look_at(self, slot: MessageSlot, *, is_asked_for: bool = False) -> None:
        if slot not in self._watched:
            return
        self._debts.owe(slot.table_id, slot)
        queue = self._queues.of(self._watched[slot])
        queue.add(slot, is_asked_for=is_asked_for)
        if not queue.is_running and self._tasks is not None:
            queue.is_running = True
            self._tasks.create_task(queue.work(partial(self._debts.pay, self._repair)))

    async def _repair(self, slot: MessageSlot, queue: ChatQueue) -> bool:
        """Let a slot show what it should; False if it may not do so yet."""
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
                    return await self._delivered(slot, audience, seen.digest, refusal)
            await self._message_index.forget(slot)
            seen = None
        self._watched.renewed.discard(slot)
        if isinstance(screen, MessageAction):
            return True
        digest = digest_of(screen)
        if slot not in self._watched or digest == self._watched.refused.get(slot):
            return False  # its reader was forgotten meanwhile; or it is refused until it changes
        if seen is None:
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
        return await self._delivered(slot, audience, digest, delivery)

    async def _delivered(
        self, slot: MessageSlot, audience: Audience, digest: str, delivery: Delivery
    ) -> bool:
        """Note what became of a message; gives whether it shows this now."""
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
                self.changed(slot.table_id)
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

    async def _arrived(self, slot: MessageSlot, audience: Audience, shown: SentMessage) -> None:
        is_first = await self._message_index.on(slot) is None
        await self._message_index.remember(slot, shown)
        if isinstance(audience, Everyone):
            self._reachability.mark_room_reachable(audience.room)
        elif is_first:
            await self._reachability.mark_person_reachable(audience.user)
        if shown.digest == UNKNOWN:
            self._look_at(slot)

    def _try_again(self, room: RoomRef) -> None:
        """Look at everything in a room that refused a message; the first that is sent shows how it is now."""
        for slot in self._watched.in_room(room):
            self._look_at(slot)
