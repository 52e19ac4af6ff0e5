"""Brings the messages in the chats up to date.

The outbox keeps the digest of the screen that each message shows. It renders the current screen, and sends
it if the digests differ. The newest state wins, so ten fast moves cost one edit, and after a crash the same
comparison repairs every message. Each chat has its own queue, so a slow or throttled chat delays no other.
"""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Collection, Coroutine, Mapping
from typing import Any

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
    PinTrouble,
    RoomRef,
    Screen,
    ServerRef,
    Throttled,
    UserRef,
)
from bot.delivery.messages import Message, MessageIndex, counted_as, digest_in, is_news, log_fields
from bot.delivery.outdated import OutdatedSubjects
from bot.delivery.queue import REST_SECONDS, ChatQueue, ChatQueues
from bot.delivery.reachability import Reachability
from bot.delivery.state import (
    Call,
    CameIntoSight,
    Changed,
    Found,
    LeftOut,
    PinRefused,
    Placed,
    PostedAgain,
    Renewed,
    ScreenRefused,
    Told,
)
from bot.metrics import DELIVERIES
from bot.model.messages import (
    UNKNOWN,
    MessageAction,
    OnlyInRoom,
    Place,
    Reader,
    ScreenSource,
    Slot,
    Subject,
    Urgency,
)

log = structlog.get_logger()

# How long a posted message is assumed to stay in sight; chats do not report what was posted after it.
IN_SIGHT_SECONDS = 60.0

MAX_TURN_SECONDS = 0.005  # the computing allowed in one turn of the event loop


class ShortTurns:
    """Divides long computations among turns of the event loop, so that presses are answered in between."""

    def __init__(self) -> None:
        self._began: float | None = None
        self._over = asyncio.Event()

    async def next(self) -> None:
        """Waits for a later turn of the event loop if this one has computed for `MAX_TURN_SECONDS`."""
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
    """Sends changes to the chats; callers only have to `mark_dirty` a subject that looks different."""

    def __init__(
        self,
        ports: Mapping[str, ChatPort],
        *,
        screens: Mapping[str, ScreenSource[Any]],
        messages: MessageIndex,
        queues: ChatQueues,
        reachability: Reachability,
        outdated: OutdatedSubjects,
        pin_refused: Callable[[ServerRef, PinTrouble], Awaitable[None]],
    ) -> None:
        """Sends to these chats.

        `screens` maps each kind of subject to its source of screens; `pin_refused` is called with the reason
        when a message cannot be pinned.
        """
        self._ports = ports
        self._pin_refused = pin_refused
        self._screens = screens
        self._messages = messages
        self._reachability = reachability
        reachability.on_retry.append(self._retry_in)

        self._outdated = outdated
        self._queues = queues
        self._turns = ShortTurns()

        self._dirty: dict[Subject, None] = {}
        self._woken = asyncio.Event()
        self._tasks: asyncio.TaskGroup | None = None

    # --- subjects that change -----------------------------------------------------------------------------

    def mark_dirty(self, subject: Subject) -> None:
        """Schedules updates of a subject's messages, as it looks different now."""
        self._messages.about(subject).changes += 1
        self._dirty[subject] = None
        self._woken.set()

    def queued_at(self) -> dict[str, list[float]]:
        """Returns the times (of the event loop) since when messages have been waiting, by platform."""
        return self._queues.queued_at()

    def is_dirty(self, subject: Subject) -> bool:
        """Returns whether some message about a subject may be out of date."""
        return self._messages.about(subject).is_dirty

    async def repair(self, messages: Collection[MessageRef]) -> None:
        """Sends messages again after their chat has changed them by itself."""
        for subject in await self._messages.mark_unknown(messages):
            self.mark_dirty(subject)

    async def show_outdated(self) -> None:
        """Schedules the subjects of features that are listed on disk as changed, also before a kill."""
        for subject in await self._outdated.on_disk():
            self.mark_dirty(subject)

    def evict(self, subject: Subject) -> None:
        """Drops a subject from memory; its messages in the chat stay as they are."""
        self._dirty.pop(subject, None)
        self._outdated.forget(subject)
        self._queues.tidy(self._messages.evict(subject))

    def forget(self, user: UserRef) -> None:
        """Stops sending to a person, and drops their messages from memory."""
        self._messages.forget(user)
        self._queues.forget(user)

    async def run(self) -> None:
        """Sends until cancelled."""
        async with asyncio.TaskGroup() as tasks:
            self._tasks = tasks
            for subject in self._messages.dirty_subjects():  # left over from an earlier run
                self.mark_dirty(subject)

            try:
                while True:
                    await self._woken.wait()
                    self._woken.clear()

                    for subject in list(self._dirty):
                        if subject in self._dirty:
                            del self._dirty[subject]
                            await self._turns.next()
                            await self.mark_messages(subject)
            finally:
                self._tasks = None  # a group that is ending accepts no more tasks

    def start(self, doing: Coroutine[Any, Any, None]) -> None:
        """Runs a coroutine as a task of the outbox; drops it if the outbox is not running."""
        if self._tasks is not None:
            self._tasks.create_task(doing)
        else:
            doing.close()

    # --- the loop: mark dirty, render, compare, send, retry -------------------------------------------------

    async def mark_messages(self, subject: Subject) -> None:
        """Looks up the places of a subject's messages, and queues each message that may have changed.

        After an error this is retried in `REST_SECONDS`.
        """
        about = self._messages.about(subject)
        changes = about.changes
        try:
            await self._outdated.note_being_shown(subject)
            places = await self._screens[subject.kind].places(subject)
            messages = await self._messages.of(subject)
        except Exception:
            log.exception("survey_failed", **{subject.kind: subject.number})
            asyncio.get_running_loop().call_later(REST_SECONDS, self.mark_dirty, subject)
            return

        for slot, place in places.items():
            if place.reader.room.server.platform not in self._ports:
                continue

            message = messages.get(slot) or self._messages.record(slot)
            message.note(Placed(place))
            if place.continues is not None and place.continues in messages:
                await self._messages.take_over(message, messages[place.continues])

            if place.is_final and message.is_settled:
                continue

            # A private message in the room can only be created as the answer to a press.
            if message.ref is not None or not isinstance(place.reader, OnlyInRoom):
                self.enqueue(message, place.urgency)

        for slot, message in list(messages.items()):
            if slot not in places and message.ref is not None:
                message.note(LeftOut())
                self.enqueue(message)

        about.placed_changes = max(about.placed_changes, changes)
        await self._settle()

    def enqueue(self, message: Message, urgency: Urgency = Urgency.ORDINARY) -> None:
        """Marks a message dirty, and queues it in its chat."""
        if message.reader is None:
            return

        message.note(Changed())
        queue = self._queues.of(message.reader)
        its_urgency = Urgency.ORDINARY if message.state.wanted.is_renewed else urgency
        queue.add(message, its_urgency)
        if not queue.is_running and self._tasks is not None:
            queue.is_running = True
            self._tasks.create_task(self._work(queue))

    async def _work(self, queue: ChatQueue) -> None:
        await queue.work(self._update)
        await self._settle()

    async def _settle(self) -> None:
        """Notes which subjects of features are up to date, so that the next start skips them."""
        for subject in await self._outdated.take_off():
            self.evict(subject)

    async def _update(self, message: Message, queue: ChatQueue) -> bool:
        """Brings a message and its pin up to date; returns whether that succeeded."""
        screens = self._screens[message.slot.subject.kind]
        version = screens.version(message.slot.subject)
        await self._move_to_found(message, queue)
        if not await self._show(message, queue):
            return False

        if message.ref is not None:
            await screens.note_shown(message.slot, version)

        return await self._pin(message, queue)

    async def _move_to_found(self, message: Message, queue: ChatQueue) -> None:
        """Moves to the pressed message that was recognized as this one, if there is one."""
        ref = message.state.wanted.found
        if ref is None:
            return

        message.note(Found(None))
        if ref == message.ref:
            return
        if message.ref is not None:
            queue.spend(message)

        await self.move_to(message, ref, UNKNOWN)

    async def _pin(self, message: Message, queue: ChatQueue) -> bool:
        """Pins or unpins a message as its place requires; returns False if that has to be retried."""
        place = message.place
        if message.ref is None or place is None or place.is_pinned is message.state.shown.is_pinned:
            return True

        reader = place.reader
        is_pinned = place.is_pinned
        if is_pinned and message.ref == message.state.shown.unpinnable:
            return True

        if is_pinned:  # noted first, so that a pinned message is still unpinned after a kill
            await self._messages.note_pin(message, is_pinned=True)

        queue.spend(message)
        ref = message.ref
        problem = await self._ports[ref.platform].pin(ref, is_pinned=is_pinned)
        if isinstance(problem, Throttled):
            await self._messages.note_pin(message, is_pinned=not is_pinned)
            self._queues.rest(reader, problem)
            self.enqueue(message, message.state.wanted.urgency)
            return False

        if problem is not None or not is_pinned:
            await self._messages.note_pin(message, is_pinned=False)

        if problem is not None and is_pinned:
            message.note(PinRefused())
            await self._pin_refused(reader.room.server, problem)

        return True

    async def _show(self, message: Message, queue: ChatQueue) -> bool:
        """Renders a message, and sends it if it changed; returns whether it is up to date now."""
        await self._turns.next()
        place = message.place
        if place is None or not self._reachability.may_try(place.reader):
            return False

        reader = place.reader
        screen = await self._screens[message.slot.subject.kind].screen(message.slot)
        limits = self._ports[reader.room.server.platform].limits
        digest = UNKNOWN if isinstance(screen, MessageAction) else digest_in(place, screen, limits)
        if place.rings and not isinstance(screen, MessageAction):
            call = Call.of(screen)
            message.note(Told(call, is_news=_rings_anew(message, call, digest)))

        is_change = message.ref is not None and not isinstance(screen, MessageAction)
        if is_change and not limits.edits:
            if not self._is_worth_a_message(message, place, digest):
                return True
            message.note(Renewed())

        is_to_go = screen is MessageAction.REMOVE or message.state.wanted.is_renewed
        is_replaced = not isinstance(screen, MessageAction)
        if is_to_go and not await self._remove(message, reader, queue, is_replaced=is_replaced):
            return False

        if message.state.wanted.is_renewed:
            message.note(Renewed(is_due=False))
        if isinstance(screen, MessageAction):
            return True

        was_forgotten = message.place is None
        if was_forgotten or digest == message.state.shown.refused:  # not sent again until it changes
            return False

        send = self._post if message.ref is None else self._edit
        return await send(message, reader, screen, digest, queue)

    def _is_worth_a_message(self, message: Message, place: Place, digest: str) -> bool:
        """Returns whether a change of a message that cannot be edited justifies a new message.

        Always true in a closed chat, where an edit would be sent as well.
        """
        if message.state.wanted.is_renewed or self._reachability.is_closed(place.reader):
            return True
        if place.rings or place.news is None:
            return False

        return is_news(digest, message.state.shown.digest)

    async def _remove(self, message: Message, reader: Reader, queue: ChatQueue, *, is_replaced: bool) -> bool:
        """Deletes a message, perhaps to post it again; returns whether it is no longer recorded."""
        if message.ref is None:
            return True

        ref = message.ref
        if self._ports[ref.platform].limits.edits:
            queue.spend(message)

        delivery = await self.delete(message.slot, ref)
        if self._has_moved(message, ref):
            return False

        if isinstance(delivery, Throttled) or (isinstance(delivery, Gone) and delivery.what is Lost.ROOM):
            await self.record_delivery(message, reader, message.state.shown.digest, delivery)
            return message.ref is None

        await self._messages.drop(message, is_replaced=is_replaced)
        return True

    async def _post(
        self, message: Message, reader: Reader, screen: Screen, digest: str, queue: ChatQueue
    ) -> bool:
        """Posts a message; returns whether nothing is left to send, as in `record_delivery`."""
        if isinstance(reader, OnlyInRoom) or self._shows_only_answers(reader):
            return True  # only an answer can create it

        if message.state.doing.key:
            message.note(PostedAgain())

        await self._messages.begin_post(message, digest)
        digest = message.state.shown.digest

        port = self._ports[reader.room.server.platform]
        posting = port.post(reader, screen, message.state.doing.key)
        delivery = await self._send(message, posting, "post", queue)
        if not isinstance(delivery, Delivered | Throttled):
            await self._messages.drop(message)  # it has not arrived

        return await self.record_delivery(message, reader, digest, delivery)

    def _shows_only_answers(self, audience: Audience) -> bool:
        """Returns whether nothing can be posted to these readers."""
        limits = self._ports[audience.room.server.platform].limits
        return isinstance(audience, Everyone) and limits.only_answers

    async def _edit(
        self, message: Message, reader: Reader, screen: Screen, digest: str, queue: ChatQueue
    ) -> bool:
        """Edits a message; returns whether nothing is left to send, as in `record_delivery`.

        In a closed chat it is edited even if it is up to date: only a delivery opens the chat again, and the
        clocks of its tables stop until then.
        """
        is_shown = message.state.shown.digest == digest and not self._reachability.is_closed(reader)
        if message.ref is None or is_shown:
            return True

        port = self._ports[reader.room.server.platform]
        ref = message.ref
        delivery = await self._send(message, port.edit(ref, screen), "edit", queue)
        if self._has_moved(message, ref) and not isinstance(delivery, Throttled):
            return False

        return await self.record_delivery(message, reader, digest, delivery)

    def _has_moved(self, message: Message, ref: MessageRef) -> bool:
        """Returns whether an answer has moved the slot to a newer message; if so, queues it again.

        The outcome of the old message no longer matters then.
        """
        if message.ref == ref:
            return False

        self.enqueue(message, message.state.wanted.urgency)
        return True

    async def _send(
        self, message: Message, sending: Awaitable[Delivery], verb: str, queue: ChatQueue
    ) -> Delivery:
        """Makes the call that the queue has admitted; counts and logs it."""
        queue.spend(message)
        began = time.perf_counter()
        delivery = await sending
        queue.sending = None
        queue.note_answer()  # before it is stored, which takes a while

        if message.reader is not None:
            platform = message.reader.room.server.platform
            self.log_delivery(verb, message.slot, platform, delivery, began)

        return delivery

    async def adopt(self, ref: MessageRef, subject: Subject, user: UserRef | None) -> None:
        """Adopts a pressed message that belongs to no slot, if a post about its subject was never confirmed.

        It must be that post. It is edited from now on, and a message posted in its place is deleted. `user`
        is its only reader, None if it is public.
        """
        message = await self._messages.find_lost(ref, subject, user)
        if message is not None:
            message.note(Found(ref))
            self.enqueue(message)

    async def take(self, slot: Slot, place: Place, ref: MessageRef, digest: str = UNKNOWN) -> None:
        """Adopts a message that an answer created as the message of a slot."""
        message = await self._messages.load(slot)
        message.note(Placed(place))
        await self.move_to(message, ref, digest)
        self.mark_dirty(slot.subject)

    async def move_to(self, message: Message, ref: MessageRef, digest: str) -> None:
        """Shows a slot in this message from now on, and deletes its previous message."""
        before = message.ref
        await self._messages.save(message, ref, digest)
        if before is not None and before != ref:
            await self.delete(message.slot, before)

    async def delete(self, slot: Slot, ref: MessageRef) -> Delivery:
        """Deletes a message from its chat, if the chat can; the caller drops it from the index."""
        port = self._ports[ref.platform]
        if not port.limits.edits:
            return Delivered(ref)

        began = time.perf_counter()
        delivery = await port.delete(ref)
        self.log_delivery("delete", slot, ref.platform, delivery, began)
        return delivery

    def log_delivery(
        self, verb: str, slot: Slot, platform: str, delivery: Delivery, began: float | None = None
    ) -> None:
        """Logs a delivery at debug level, with its duration if `began` is given."""
        if not log.is_enabled_for(logging.DEBUG):
            return

        ms = None if began is None else round(1000 * (time.perf_counter() - began), 1)
        log.debug(
            "delivery",
            platform=platform,
            verb=verb,
            **log_fields(slot),
            version=self._screens[slot.subject.kind].version(slot.subject),
            outcome=type(delivery).__name__.lower(),
            ms=ms,
        )

    async def record_delivery(
        self, message: Message, reader: Reader, digest: str, delivery: Delivery
    ) -> bool:
        """Records the outcome of sending a screen, and queues a retry if that can help.

        Returns:
            Whether nothing is left to send: the message shows the screen with this digest now, or only the
            answer to a press can restore it.
        """
        outcome = type(delivery).__name__.lower()
        DELIVERIES.labels(reader.room.server.platform, counted_as(message.slot), outcome).inc()
        if message.reader is None:
            return False  # the reader was forgotten

        slot = message.slot
        reachability = self._reachability
        match delivery:
            case Delivered(ref):
                await self._record_arrival(message, reader, ref, digest)
            case Throttled():
                self._queues.rest(reader, delivery)
                self.enqueue(message, message.state.wanted.urgency)
            case Gone() if isinstance(reader, OnlyInRoom):
                await self._messages.drop(message)
                self.mark_dirty(slot.subject)
                return True
            case Gone(Lost.MESSAGE):
                await self._messages.drop(message)
                self.enqueue(message)
            case NeedsOptIn() | Gone(Lost.ROOM) if not isinstance(reader, Everyone):
                was_open = reader.user not in reachability.closed_people
                await reachability.mark_person_unreachable(reader.user)
                if was_open:
                    self.mark_dirty(slot.subject)  # other messages show that they cannot be reached
            case Gone(Lost.ROOM):
                self._record_refusal(slot, reader.room)
            case Gone(Lost.CONTENT, why):
                log.error("content_refused", **log_fields(slot), why=why)
                message.note(ScreenRefused(digest))

        return isinstance(delivery, Delivered) and digest != UNKNOWN

    def _record_refusal(self, slot: Slot, room: RoomRef) -> None:
        """Records that a room refused a message; other messages then say that it is not shown there."""
        was_served = self._reachability.is_served(room)
        self._reachability.refused_in_room(room)
        if was_served:
            self.mark_dirty(slot.subject)

    async def _record_arrival(self, message: Message, reader: Reader, ref: MessageRef, digest: str) -> None:
        """Records that a message shows a screen, and that its reader is reachable."""
        is_first = message.ref is None
        await self.move_to(message, ref, digest)
        if is_first:
            message.note(CameIntoSight(asyncio.get_running_loop().time()))
            if message.place is not None and message.place.is_led_to:
                self.mark_dirty(message.slot.subject)  # the other messages lead to it

        if isinstance(reader, Everyone):
            was_served = self._reachability.is_served(reader.room)
            self._reachability.mark_room_reachable(reader.room)
            if not was_served:
                self.mark_dirty(message.slot.subject)
        elif isinstance(reader, Only):
            was_closed = reader.user in self._reachability.closed_people
            if is_first or was_closed:
                await self._reachability.mark_person_reachable(reader.user)

            if was_closed:
                self.mark_dirty(message.slot.subject)

        if digest == UNKNOWN:
            self.enqueue(message)

    def show_again_to(self, user: UserRef) -> None:
        """Queues a person's messages again, as after a change of language."""
        self._retry_in(user)

    def _retry_in(self, where: RoomRef | UserRef) -> None:
        """Queues all messages of a room or a person; the first one sent shows whether the chat is open."""
        for message in self._messages.seen_in(where):
            self.enqueue(message)

    async def leave_room(self, subject: Subject) -> None:
        """Drops the records of a subject's messages in a room that is gone, so that they are posted again."""
        for message in list((await self._messages.of(subject)).values()):
            is_there = message.slot.user is None or isinstance(message.reader, OnlyInRoom)
            if is_there:
                await self._messages.drop(message)

        self.mark_dirty(subject)

    # --- messages moved to the end of their chat ------------------------------------------------------------

    def renew(self, slot: Slot) -> None:
        """Shows a slot in a new message at the end of its chat, and deletes the old one."""
        self._messages.record(slot).note(Renewed())
        self.mark_dirty(slot.subject)

    def renew_if_out_of_sight(self, slot: Slot, room: RoomRef) -> bool:
        """Reposts a public message at the end of its room; returns False if it is still in sight."""
        if self.is_in_sight(slot, room):
            return False

        self.renew(slot)
        return True

    def is_in_sight(self, slot: Slot, room: RoomRef) -> bool:
        """Returns whether a public message is presumably still on people's screens."""
        limits = self._ports[room.server.platform].limits
        if limits.boards or limits.only_answers:
            return True

        posted_at = self._messages.record(slot).state.shown.posted_at
        return asyncio.get_running_loop().time() < posted_at + IN_SIGHT_SECONDS


def _rings_anew(message: Message, call: Call, digest: str) -> bool:
    """Returns whether a call must be noticed; not if it only mentions fewer people than the one shown."""
    before = message.state.shown.call
    is_for_fewer = before is not None and message.ref is not None and call.names_fewer(before)
    return is_news(digest, message.state.shown.digest) and not is_for_fewer
