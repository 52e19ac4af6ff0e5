"""Makes the chats agree with the tables.

For each message the outbox has its screen, and renders the one it should have now; the difference is sent.
The newest state wins, so ten fast moves cost one edit, and after a crash the same comparison repairs every
message. Each chat is a queue of its own: a slow or throttled chat holds up no other.
"""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Collection, Coroutine, Mapping
from typing import Any

import structlog
from cachetools import LRUCache

from adapters.port import (
    NOT_SENT,
    ChatPort,
    Delivered,
    Delivery,
    Document,
    Everyone,
    Gone,
    Lost,
    MessageRef,
    NeedsOptIn,
    Only,
    PinTrouble,
    RoomRef,
    Screen,
    ServerRef,
    Throttled,
    UserRef,
)
from bot.cache import LIMITS
from bot.delivery.messages import Message, MessageIndex, digest_of, digest_of_news, in_room, is_news
from bot.delivery.queue import ONLOOKER_WAITS, RETRY_DELAY_SECONDS, ChatQueue, ChatQueues
from bot.delivery.reachability import Reachability
from bot.metrics import DELIVERIES
from bot.model.messages import (
    HANDS,
    UNKNOWN,
    MessageAction,
    MessageKind,
    MessageSlot,
    OnlyInRoom,
    Reader,
    ScreenSource,
    Urgency,
)

log = structlog.get_logger()

NEWS = "news"  # the kind of messages about no table, among those that are counted

# So long a message is taken to be in sight after it was posted: no chat reports what came after it.
IN_SIGHT_SECONDS = 60.0

NOTICE_SECONDS = 90.0  # so long before a hand in the room stops following the game its player gets a notice
MAX_TURN_SECONDS = 0.005  # seconds after which further computing has to wait for the loop's next turn


class ShortTurns:
    """Divides long computations among turns of the event loop, so that presses get in."""

    def __init__(self) -> None:
        self._began: float | None = None
        self._over = asyncio.Event()

    async def next(self) -> None:
        """Returns at once, or in a later turn where others have computed for long enough in this one."""
        loop = asyncio.get_running_loop()
        while self._began is not None and loop.time() - self._began >= MAX_TURN_SECONDS:
            await self._over.wait()
        if self._began is None:
            self._began = loop.time()
            self._over.clear()
            loop.call_soon(self._end)

    def _end(self) -> None:
        self._began = None
        self._over.set()


class Outbox:
    """Sends changes. `mark_dirty` is all that is called when a table moves on."""

    def __init__(
        self,
        ports: Mapping[str, ChatPort],
        screens: ScreenSource,
        messages: MessageIndex,
        reachability: Reachability,
        pin_refused: Callable[[ServerRef, PinTrouble], Awaitable[None]],
    ) -> None:
        """Sends to these chats; `pin_refused` gets the reason when a table can't be pinned."""
        self._ports = ports
        self._pin_refused = pin_refused
        self._screens = screens
        self._messages = messages
        self._reachability = reachability

        self._queues = ChatQueues(ports)
        self._turns = ShortTurns()

        self._pressed: dict[MessageRef, Message] = {}
        self._asked_for = LRUCache[str, MessageSlot](LIMITS.known)
        self._dirty_tables: dict[int, None] = {}
        self._woken = asyncio.Event()
        self._tasks: asyncio.TaskGroup | None = None

    # --- tables that change -------------------------------------------------------------------------------

    def mark_dirty(self, table_id: int) -> None:
        """Records that the table looks different now."""
        self._messages.table(table_id).changes += 1
        self._dirty_tables[table_id] = None
        self._woken.set()

    def queued_at(self) -> dict[str, list[float]]:
        """Returns the times since when messages wait to be sent, by platform."""
        return self._queues.queued_at()

    def is_dirty(self, table_id: int) -> bool:
        """Whether some message of a table may be out of date."""
        return self._messages.table(table_id).is_dirty

    async def repair(self, messages: Collection[MessageRef]) -> None:
        """Sends a message again that its chat has changed by itself."""
        for table_id in await self._messages.mark_unknown(messages):
            self.mark_dirty(table_id)

    def evict(self, table_id: int) -> None:
        """Drops a table from memory; its messages stay as they are."""
        self._dirty_tables.pop(table_id, None)
        self._queues.tidy(self._messages.evict(table_id))

    def forget(self, user: UserRef) -> None:
        """Sends a person nothing more, and drops their messages from memory."""
        self._messages.forget(user)
        self._queues.forget(user)

    async def run(self) -> None:
        """Sends until cancelled."""
        async with asyncio.TaskGroup() as tasks:
            self._tasks = tasks
            for table_id in self._messages.dirty_tables():  # left undone by an earlier run
                self.mark_dirty(table_id)

            try:
                while True:
                    await self._woken.wait()
                    self._woken.clear()

                    for table_id in list(self._dirty_tables):
                        if table_id in self._dirty_tables:
                            del self._dirty_tables[table_id]
                            await self._turns.next()
                            await self._mark_messages(table_id)
            finally:
                self._tasks = None  # a group that ends takes no more work

    def _start(self, doing: Coroutine[Any, Any, None]) -> None:
        if self._tasks is not None:
            self._tasks.create_task(doing)
        else:
            doing.close()

    # --- the loop: mark dirty, render, diff, send, retry ----------------------------------------------------

    async def _mark_messages(self, table_id: int) -> None:
        """Marks all messages of a table dirty, including stale ones."""
        table = self._messages.table(table_id)
        changes = table.changes
        try:
            places = await self._screens.places(table_id)
            messages = await self._messages.of(table_id)
        except Exception:
            log.exception("survey_failed", table=table_id)
            asyncio.get_running_loop().call_later(RETRY_DELAY_SECONDS, self.mark_dirty, table_id)
            return

        for slot, place in places.items():
            if place.reader.room.server.platform not in self._ports:
                continue

            message = messages.get(slot) or self._messages.record(slot)
            message.reader = place.reader
            message.is_to_be_pinned = place.is_pinned
            if place.urgency is Urgency.RINGS and message.ref is not None:
                room_hand = messages.get(in_room(slot))
                message.is_renewed |= room_hand is None or room_hand.ref is None

            # In the room a hand comes only as the answer to a press.
            if message.ref is not None or not isinstance(place.reader, OnlyInRoom):
                self._enqueue(message, place.urgency)

        for slot, message in list(messages.items()):
            if slot not in places and message.ref is not None:
                message.is_to_be_pinned = False
                self._enqueue(message)

        table.placed_changes = max(table.placed_changes, changes)

    def _enqueue(self, message: Message, urgency: Urgency = Urgency.ORDINARY) -> None:
        """Marks a message dirty, and lets its chat's queue send the change."""
        if message.reader is None:
            return
        message.changes += 1
        queue = self._queues.of(message.reader)
        its_urgency = Urgency.ORDINARY if message.is_renewed else urgency
        queue.add(message, its_urgency)
        if not queue.is_running and self._tasks is not None:
            queue.is_running = True
            self._tasks.create_task(queue.work(self._update))

    async def _update(self, message: Message, queue: ChatQueue) -> bool:
        """Brings a message and its pin up to date; returns whether they are now."""
        version = self._screens.version(message.slot.table_id)
        found = message.found
        message.found = None
        if found is not None and found != message.ref:
            if message.ref is not None:
                queue.spend(message)
            await self._move_to(message, found, UNKNOWN)

        if not await self._show(message, queue):
            return False

        if version is not None and message.ref is not None:
            self._screens.shown(message.slot, version)

        return await self._pin(message, queue)

    async def _pin(self, message: Message, queue: ChatQueue) -> bool:
        """Pins a message or unpins it, as it should be; returns whether it is so now."""
        reader = message.reader
        is_pinned = message.is_to_be_pinned
        if message.ref is None or reader is None or is_pinned is message.is_pinned:
            return True
        if is_pinned and message.ref == message.unpinnable:
            return True

        if is_pinned:  # a kill at any moment leaves nothing pinned that is not unpinned in time
            await self._messages.note_pin(message, is_pinned=True)

        queue.spend(message)
        ref = message.ref
        problem = await self._ports[ref.platform].pin(ref, is_pinned=is_pinned)
        if isinstance(problem, Throttled):
            await self._messages.note_pin(message, is_pinned=not is_pinned)
            self._queues.rest(reader, problem)
            self._enqueue(message, message.urgency)
            return False

        if problem is not None or not is_pinned:
            await self._messages.note_pin(message, is_pinned=False)

        if problem is not None and is_pinned:
            message.unpinnable = ref
            await self._pin_refused(reader.room.server, problem)

        return True

    async def _show(self, message: Message, queue: ChatQueue) -> bool:
        """Renders a message, and sends the difference; returns whether it is up to date now."""
        await self._turns.next()
        reader = message.reader
        if reader is None or not self._reachability.may_try(reader):
            return False

        port = self._ports[reader.room.server.platform]
        screen = await self._screens.screen(message.slot)
        notifies = message.slot.kind is MessageKind.CALL  # which an edit does not
        digest_of_kind = digest_of_news if notifies else digest_of
        digest = UNKNOWN if isinstance(screen, MessageAction) else digest_of_kind(screen)
        message.is_renewed |= notifies and digest != UNKNOWN and is_news(digest, message.digest)
        if message.ref is not None and (screen is MessageAction.REMOVE or message.is_renewed):
            queue.spend(message)
            match await self._delete(message.slot, message.ref):
                case (Throttled() | Gone(Lost.ROOM)) as refusal:
                    return await self._note(message, reader, message.digest, refusal)
            await self._messages.drop(message)

        message.is_renewed = False
        if isinstance(screen, MessageAction):
            return True
        if message.reader is None or digest == message.refused:
            return False  # its reader was forgotten; or it is refused until it changes

        if message.ref is None:
            if isinstance(reader, OnlyInRoom):
                return True  # it comes as the answer to a press
            message.is_doubled |= bool(message.key)
            await self._messages.begin_post(message, digest)
            digest = message.digest
            verb = "post"
            sending = port.post(reader, screen, message.key)
        elif message.digest != digest:
            verb = "edit"
            sending = port.edit(message.ref, screen)
        else:
            return True

        queue.spend(message)
        began = time.perf_counter()
        delivery = await sending
        queue.sending = None
        queue.answered()  # before it is written down, which takes the disk a while
        self._log(verb, message.slot, port.platform, delivery, began)

        if verb == "post" and not isinstance(delivery, Delivered | Throttled):
            await self._messages.drop(message)  # it has not arrived

        return await self._note(message, reader, digest, delivery)

    async def adopt(self, ref: MessageRef, table_id: int, user: UserRef | None) -> None:
        """Takes in a message that was pressed and shows no slot, if one was sent whose arrival is not known.

        It is edited from now on; one that was sent in its place goes. `user` is its only reader, if it isn't
        public.
        """
        message = await self._messages.lost(ref, table_id, user)
        if message is not None:
            message.found = ref
            self._enqueue(message)

    async def _move_to(self, message: Message, ref: MessageRef, digest: str) -> None:
        """Lets a slot be shown by this message from now on; another that was sent for it is deleted."""
        before = message.ref
        await self._messages.save(message, ref, digest)
        if before is not None and before != ref:
            await self._delete(message.slot, before)

    async def _delete(self, slot: MessageSlot, ref: MessageRef) -> Delivery:
        began = time.perf_counter()
        delivery = await self._ports[ref.platform].delete(ref)
        self._log("delete", slot, ref.platform, delivery, began)
        return delivery

    def _log(
        self, verb: str, slot: MessageSlot, platform: str, delivery: Delivery, began: float | None = None
    ) -> None:
        """Logs at the finest level how a message arrived; a chat answers a press at a time of its own."""
        if not log.is_enabled_for(logging.DEBUG):
            return

        ms = None if began is None else round(1000 * (time.perf_counter() - began), 1)
        log.debug(
            "delivery",
            platform=platform,
            verb=verb,
            kind=slot.kind.value,
            table=slot.table_id,
            version=self._screens.version(slot.table_id),
            outcome=type(delivery).__name__.lower(),
            ms=ms,
        )

    async def _note(self, message: Message, reader: Reader, digest: str, delivery: Delivery) -> bool:
        """Records how a screen arrived, and retries where that helps.

        Returns:
            Whether the message shows the screen with this digest now.
        """
        outcome = type(delivery).__name__.lower()
        DELIVERIES.labels(reader.room.server.platform, message.slot.kind, outcome).inc()
        if message.reader is None:
            return False  # its reader was forgotten

        slot = message.slot
        reachability = self._reachability
        match delivery:
            case Delivered(ref):
                await self._record_arrival(message, reader, ref, digest)
            case Throttled():
                self._queues.rest(reader, delivery)
                self._enqueue(message, message.urgency)
            case Gone() if isinstance(reader, OnlyInRoom):
                await self._messages.drop(message)
                self.mark_dirty(slot.table_id)
            case Gone(Lost.MESSAGE):
                await self._messages.drop(message)
                self._enqueue(message)
            case NeedsOptIn() | Gone(Lost.ROOM) if not isinstance(reader, Everyone):
                was_open = reader.user not in reachability.closed_people
                pause = await reachability.mark_person_unreachable(reader.user)
                asyncio.get_running_loop().call_later(pause, self._retry_in, reader.user)
                if was_open:
                    self.mark_dirty(slot.table_id)  # it shows that they can't be reached
            case Gone(Lost.ROOM):
                pause = reachability.refused_in_room(reader.room)
                asyncio.get_running_loop().call_later(pause, self._retry_in, reader.room)
            case Gone(Lost.CONTENT, why):
                log.error("content_refused", table=slot.table_id, kind=slot.kind, why=why)
                message.refused = digest

        return isinstance(delivery, Delivered) and digest != UNKNOWN

    async def _record_arrival(self, message: Message, reader: Reader, ref: MessageRef, digest: str) -> None:
        """Records that a message shows a screen, and that its reader can be written to."""
        is_first = message.ref is None
        await self._move_to(message, ref, digest)
        if is_first:
            message.posted_at = asyncio.get_running_loop().time()
            if message.slot.kind is MessageKind.TABLE:
                self.mark_dirty(message.slot.table_id)  # the other messages lead to it

        if isinstance(reader, Everyone):
            self._reachability.mark_room_reachable(reader.room)
        elif isinstance(reader, Only):
            was_closed = reader.user in self._reachability.closed_people
            if is_first or was_closed:
                await self._reachability.mark_person_reachable(reader.user)
            if was_closed:
                self.mark_dirty(message.slot.table_id)
                self._retry_in(reader.user)

        if digest == UNKNOWN:
            self._enqueue(message)

    def _retry_in(self, where: RoomRef | UserRef) -> None:
        """Retries all that a room or person refused; the first that is sent shows how it is now."""
        for message in self._messages.seen_in(where):
            self._enqueue(message)

    # --- messages about no table ----------------------------------------------------------------------------

    async def announce(
        self,
        reader: Everyone | Only,
        screen: Screen,
        key: str = "",
        *,
        document: Document | None = None,
        is_answer: bool = False,
    ) -> Delivery:
        """Posts a message that never changes, within the budgets of its chat and of the whole bot.

        It is sent once: the caller decides what follows a delivery that is not `Delivered`. `key` and
        `document` are as in `ChatPort.post`. An answer to a press goes out before all else, to a chat that
        was closed, too.
        """
        if not is_answer and not self._reachability.may_try(reader):
            return NeedsOptIn(reader.user) if isinstance(reader, Only) else Gone(Lost.ROOM, "closed for now")

        platform = reader.room.server.platform
        budget = self._queues.of(reader).budget
        if is_answer:
            budget.spend(MessageKind.RESULT, asyncio.get_running_loop().time())
        else:
            await budget.admit(MessageKind.RESULT)

        port = self._ports[platform]
        can_wait = 0.0 if is_answer else ONLOOKER_WAITS
        async with port.calls.turn(reader, can_wait=can_wait):
            delivery = await port.post(reader, screen, key, document)

        DELIVERIES.labels(platform, NEWS, type(delivery).__name__.lower()).inc()
        match delivery:
            case Throttled():
                self._queues.rest(reader, delivery)
            case NeedsOptIn(user):
                await self._reachability.mark_person_unreachable(user)
            case Delivered() if isinstance(reader, Only):
                await self._reachability.mark_person_reachable(reader.user)
            case Gone(Lost.ROOM) if isinstance(reader, Everyone):
                self._reachability.refused_in_room(reader.room)

        return delivery

    async def revise(self, room: RoomRef, message: MessageRef, screen: Screen) -> Delivery:
        """Edits a message of no table in a room, within the budgets of its chat and of the whole bot."""
        reader = Everyone(room)
        await self._queues.of(reader).budget.admit(MessageKind.RESULT)
        port = self._ports[room.server.platform]
        async with port.calls.turn(reader, can_wait=ONLOOKER_WAITS):
            delivery = await port.edit(message, screen)

        if isinstance(delivery, Throttled):
            self._queues.rest(reader, delivery)

        DELIVERIES.labels(room.server.platform, NEWS, type(delivery).__name__.lower()).inc()
        return delivery

    # --- answers to presses: one path for a message at a time -----------------------------------------------

    async def expect_answer(self, slot: MessageSlot, ref: MessageRef) -> bool:
        """Leaves a hand to the answer of a press on it; False where nothing is sent to it any more."""
        if slot.kind not in HANDS:
            return False

        message = await self._watch(slot)
        if message.reader is None:
            return False

        message.hold()
        self._pressed[ref] = message
        message.presses += 1
        message.is_crowded |= message.presses > 1

        return True

    def begin_answer(self, ref: MessageRef) -> None:
        """Records that the answer to a press on this message is sent now, perhaps during an edit."""
        message = self._pressed.get(ref)
        if message is not None and message.reader is not None:
            message.is_crowded |= self._queues.of(message.reader).sending is message

    def note_answer(self, ref: MessageRef, screen: Screen | None, delivery: Delivery | None) -> bool:
        """Records that a press was answered: with this screen in the pressed message, or without a new one.

        False where no answer was expected.
        """
        message = self._pressed.get(ref)
        if message is None:
            return False

        is_crowded = message.is_crowded
        message.presses -= 1
        if not message.presses:
            message.is_crowded = False
            self._pressed = {ref: each for ref, each in self._pressed.items() if each is not message}

        shown = None if is_crowded else screen
        self._start(self._note_answer(message, shown, delivery))
        return True

    async def _note_answer(self, message: Message, screen: Screen | None, delivery: Delivery | None) -> None:
        if message.reader is None:  # the bot has just started
            await self._mark_messages(message.slot.table_id)

        reader = message.reader
        if reader is None:
            return

        queue = self._queues.of(reader)
        urgency = Urgency.ORDINARY
        try:
            if delivery == NOT_SENT:
                urgency = Urgency.PRESSED
            elif delivery is not None:
                self._log("answer", message.slot, reader.room.server.platform, delivery)
                queue.budget.spend(message.slot.kind, asyncio.get_running_loop().time())
                digest = UNKNOWN if screen is None else digest_of(screen)
                await self._note(message, reader, digest, delivery)

                if isinstance(delivery, Delivered):  # a hand follows its player's last press
                    if message.slot.kind is MessageKind.ROOM_HAND:
                        self._follow(message)
                    elif message.slot.kind is MessageKind.HAND and await self._close_in_room(message.slot):
                        self.mark_dirty(message.slot.table_id)
        except Exception:
            log.exception("answer_not_settled", table=message.slot.table_id)
        finally:
            message.held_until = float("-inf")
            self._enqueue(message, urgency)

    async def _watch(self, slot: MessageSlot) -> Message:
        """Returns a message with its reader, right after a start as well."""
        message = await self._messages.load(slot)
        if message.reader is None:
            await self._mark_messages(slot.table_id)
            message = await self._messages.load(slot)
        return message

    # --- answers to commands: the table itself --------------------------------------------------------------

    def hold(self, slot: MessageSlot) -> None:
        """Leaves a new message to the answer to a command, before its table is looked at."""
        self._messages.record(slot).hold()

    async def answer(self, slot: MessageSlot, key: str) -> Screen | None:
        """Renders a message that was left to an answer; `key` as in `ChatPort.post`.

        None of one that is shown already, or about to be.
        """
        screen = await self._screens.screen(slot)
        message = await self._messages.load(slot)
        if isinstance(screen, MessageAction) or message.ref is not None:
            return None
        await self._messages.begin_post(message, digest_of(screen), key)
        self._asked_for[key] = slot
        return screen if message.key == key else None

    def answered_with(self, key: str, screen: Screen, delivery: Delivery) -> None:
        """Records that the command with this key was answered with this screen."""
        if (slot := self._asked_for.pop(key, None)) is not None:
            self._start(self._note_answer(self._messages.record(slot), screen, delivery))

    # --- hands that were left alone while their player had a view of the table open -------------------------

    def catch_up(self, table_id: int, user: UserRef) -> None:
        """Brings a person's hands up to date soon."""
        self._start(self._catch_up(table_id, user))

    async def _catch_up(self, table_id: int, user: UserRef) -> None:
        await self._mark_messages(table_id)
        for slot, message in list((await self._messages.of(table_id)).items()):
            is_shown_or_due = message.ref is not None or slot.kind is MessageKind.HAND
            if slot.user == user and slot.kind in HANDS and is_shown_or_due:
                self._enqueue(message, Urgency.ASKED_FOR)

    # --- hands and reviews that people opened in the room, for them alone -----------------------------------

    def opened_in_room(self, table_id: int, user: UserRef, screen: Screen, ref: MessageRef) -> None:
        """Lets a hand stand in the room, where a press was answered with it."""
        self._start(self._open_in_room(table_id, user, screen, ref))

    async def _open_in_room(self, table_id: int, user: UserRef, screen: Screen, ref: MessageRef) -> None:
        try:
            if self._messages.table(table_id).has_changed:
                await self._mark_messages(table_id)

            if (hand := await self._messages.newest_hand(table_id, user)) is not None:
                message = self._messages.record(in_room(hand.slot))
                await self._move_to(message, ref, digest_of(screen))
                self._follow(message)
                # Two hands with live buttons would contradict each other.
                self._enqueue(hand, Urgency.ASKED_FOR)
        except Exception:
            log.exception("answer_not_settled", table=table_id)

        self.mark_dirty(table_id)

    def shown_in_room(self, slot: MessageSlot, screen: Screen, ref: MessageRef) -> None:
        """Lets a message follow its slot that answered a question in the room with this screen."""
        self._start(self._show_in_room(slot, screen, ref))

    async def _show_in_room(self, slot: MessageSlot, screen: Screen, ref: MessageRef) -> None:
        try:
            await self._move_to(await self._messages.load(slot), ref, digest_of(screen))
        except Exception:
            log.exception("answer_not_settled", table=slot.table_id)
        self.mark_dirty(slot.table_id)

    def _follow(self, message: Message) -> None:
        """Lets a hand in the room follow the game for as long as the chat lets it, from now."""
        message.stop_fading()
        if (user := message.slot.user) is None:
            return
        seconds = self._ports[user.platform].limits.ephemeral_seconds
        if seconds < float("inf"):
            message.fading = asyncio.get_running_loop().call_later(
                seconds - NOTICE_SECONDS, self.mark_dirty, message.slot.table_id
            )

    async def _close_in_room(self, hand: MessageSlot) -> bool:
        """Takes a hand out of the room; False if it was not there."""
        message = await self._messages.load(in_room(hand))
        ref = message.ref
        if ref is None:
            return False
        await self._messages.drop(message)
        await self._delete(message.slot, ref)
        return True

    # --- messages in a better place -------------------------------------------------------------------------

    async def checked_message(self, slot: MessageSlot) -> MessageRef | None:
        """Returns the message of a slot, if it still exists; else posts it again and returns None."""
        message = await self._watch(slot)
        screen = await self._screens.screen(slot)
        if message.reader is None or message.ref is None or isinstance(screen, MessageAction):
            return None
        message.hold()
        delivery = await self._ports[message.ref.platform].edit(message.ref, screen)
        await self._note_answer(message, screen, delivery)
        return message.ref

    def renew(self, slot: MessageSlot) -> None:
        """Shows a slot in a new message, where it is seen at once; the old one goes."""
        self._messages.record(slot).is_renewed = True
        self.mark_dirty(slot.table_id)

    async def renew_if_shown(self, slot: MessageSlot) -> bool:
        """Shows a private message again that is shown already; False where it is not."""
        if await self._messages.message(slot) is None:
            return False
        await self.renew_in_private(slot)
        return True

    async def renew_in_private(self, hand: MessageSlot) -> None:
        """Shows a person's cards in a new private message, wherever they were before."""
        await self._close_in_room(hand)
        self.renew(hand)

    def renew_if_out_of_sight(self, slot: MessageSlot, room: RoomRef) -> bool:
        """Shows a public message at the bottom of its room; False where it is still in sight."""
        posted_at = self._messages.record(slot).posted_at
        is_in_sight = asyncio.get_running_loop().time() < posted_at + IN_SIGHT_SECONDS
        if is_in_sight or self._ports[room.server.platform].limits.boards:
            return False
        self.renew(slot)
        return True
