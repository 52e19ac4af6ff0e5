"""Makes the chats agree with the tables.

For each slot the outbox knows what it last showed and asks the presenter what it should show now; the
difference is sent. The newest state wins, so ten fast moves cost one edit, and after a crash the same
comparison repairs every message. Each chat is a queue of its own: a slow or throttled chat stops nobody else.
"""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Collection, Coroutine, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from itertools import count, islice
from typing import Any

import structlog
from cachetools import LRUCache

from adapters.port import (
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
from bot.delivery.messages import MessageIndex, RoomHands, WatchedSlots, in_room
from bot.delivery.queue import AFTER_AN_ERROR, ChatQueue, ChatQueues
from bot.delivery.reachability import Reachability
from bot.metrics import DELIVERIES
from bot.model.messages import (
    UNKNOWN,
    MessageAction,
    MessageKind,
    MessageSlot,
    OnlyInRoom,
    Reader,
    ScreenSource,
    SentMessage,
    Urgency,
    digest_of,
    is_news,
)
from bot.model.table import IdleTable, Phase, UnreadTable
from bot.storage import TableStore
from bot.tables.scheduler import Scheduler
from bot.tables.service import TableEvents, TableService
from engine.runtime import SessionFrozenError

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
                await self._refused_by(user, slot)
            case Gone() if isinstance(audience, OnlyInRoom):
                await self._room_hands.lost(slot)
                self._changed(slot.table_id)
            case Gone(Lost.MESSAGE):
                await self._message_index.forget(slot)
                self._look_at(slot)
            case Gone(Lost.ROOM) if isinstance(audience, Only):
                await self._refused_by(audience.user, slot)
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
        if is_first:
            self._watched.posted_at[slot] = asyncio.get_running_loop().time()
        if isinstance(audience, Everyone):
            self._reachability.mark_room_reachable(audience.room)
        elif isinstance(audience, Only):
            was_closed = not self._reachability.is_reachable(audience)
            if is_first or was_closed:
                await self._reachability.mark_person_reachable(audience.user)
            if was_closed:
                self._changed(slot.table_id)
                self._try_again(audience.user)
        if shown.digest == UNKNOWN:
            self._look_at(slot)

    async def _refused_by(self, user: UserRef, slot: MessageSlot) -> None:
        """Leave a person's messages unsent for a while, and let the table say that they cannot be reached."""
        was_open = self._reachability.is_reachable(Only(user, self._watched[slot].room))
        pause = await self._reachability.mark_person_unreachable(user)
        asyncio.get_running_loop().call_later(pause, self._try_again, user)
        if was_open:
            self._changed(slot.table_id)

    def _try_again(self, where: RoomRef | UserRef) -> None:
        """Look at all that a room or person refused; the first that is sent shows how it is now."""
        for slot in self._watched.seen_in(where):
            self._look_at(slot)


# --- Presses that are being answered: until the answer is there, the outbox leaves their message alone ---


@dataclass(slots=True)
class _Pressed:
    slot: MessageSlot
    queue: ChatQueue
    waiting: int = 0
    is_crowded: bool = False


class PendingAnswers:
    """Which message is about to change by the answer to a press."""

    def __init__(self) -> None:
        self._pressed: dict[MessageRef, _Pressed] = {}

    def expect(self, message: MessageRef, slot: MessageSlot, queue: ChatQueue) -> None:
        """A press on this message will be answered; its chat's queue begins no edit of it before."""
        queue.hold(slot)
        pressed = self._pressed.setdefault(message, _Pressed(slot, queue))
        pressed.waiting += 1
        pressed.is_crowded |= pressed.waiting > 1

    def begin(self, message: MessageRef) -> None:
        """The answer to a press on this message is sent now, perhaps while an edit of it is under way."""
        if pressed := self._pressed.get(message):
            pressed.is_crowded |= pressed.queue.writing == pressed.slot

    def settle(self, message: MessageRef) -> tuple[MessageSlot, bool] | None:
        """One press on this message was answered.

        Returns:
            The message's slot, and whether something else was sent there at the same time, so that nobody
            knows what it shows; None when no answer was expected.
        """
        pressed = self._pressed.get(message)
        if pressed is None:
            return None
        pressed.waiting -= 1
        if not pressed.waiting:
            del self._pressed[message]
        return pressed.slot, pressed.is_crowded


# --- Screens of tables that go out as answers to presses and commands: one path for a message at a time ---


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
        look_at: Callable[..., None],
        changed: Callable[[int], None],
        start: Callable[[Callable[[], Coroutine[Any, Any, None]]], None],
    ) -> None:
        """Let `survey` watch a table, `look_at` see to a slot (by an urgency), `changed` to all of a table.

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
                if hand not in self._watched:  # the bot has just started
                    await self._survey(table_id)
                self._look_at(
                    hand, Urgency.ASKED_FOR
                )  # two hands with live buttons would contradict each other
        except Exception:
            log.exception("answer_not_settled", table=table_id)
        self._changed(table_id)

    def shown_in_room(self, slot: MessageSlot, screen: Screen, message: MessageRef) -> None:
        """A question in the room was answered there with this screen, which follows the slot from now on."""
        self._start(partial(self._show_in_room, slot, SentMessage(message, digest_of(screen))))

    async def _show_in_room(self, slot: MessageSlot, shown: SentMessage) -> None:
        try:
            await self._message_index.remember(slot, shown)
        except Exception:
            log.exception("answer_not_settled", table=slot.table_id)
        self._changed(slot.table_id)

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


# --- Which messages may not show yet what they should ---


class PendingChanges:
    """Knows by table what has changed and was not shown yet, as far as anybody knows."""

    def __init__(self) -> None:
        self._numbers = count(1)
        self._tables: dict[int, dict[MessageSlot | None, int]] = {}

    def __contains__(self, table_id: int) -> bool:
        return table_id in self._tables

    def note(self, table_id: int, slot: MessageSlot | None = None) -> None:
        """Note that a slot of a table is to be looked at; None: all of them, as the table has changed."""
        self._tables.setdefault(table_id, {})[slot] = next(self._numbers)

    def newest(self, table_id: int, slot: MessageSlot | None = None) -> int:
        """Return the number of the newest change that was noted here; 0 if none is pending."""
        return self._tables.get(table_id, {}).get(slot, 0)

    def drop(self, number: int, table_id: int, slot: MessageSlot | None = None) -> None:
        """Note that this change is shown, unless there is a newer one."""
        if number and self.newest(table_id, slot) == number:
            del self._tables[table_id][slot]
            if not self._tables[table_id]:
                del self._tables[table_id]

    async def show(
        self,
        repair: Callable[[MessageSlot, ChatQueue], Awaitable[bool]],
        slot: MessageSlot,
        queue: ChatQueue,
    ) -> None:
        """Let a slot show what it should; `repair` gives whether it does so then."""
        number = self.newest(slot.table_id, slot)
        if await repair(slot, queue):
            self.drop(number, slot.table_id, slot)

    def forget(self, table_id: int) -> None:
        """Know nothing of a table any more."""
        self._tables.pop(table_id, None)

    def forget_reader(self, user: UserRef) -> None:
        """Know nothing any more of what a person was to be shown."""
        for table_id, pending in list(self._tables.items()):
            for slot in [each for each in pending if each is not None and each.user == user]:
                self.drop(pending[slot], table_id, slot)


# --- Keeps turns of the event loop short, so that somebody who presses comes in between ---


LONGEST_TURN = 0.005
"""Seconds after which what is left to compute has to wait for the loop's next turn."""


class ShortTurns:
    """Divides what is to be computed for many at the same moment among several turns of the event loop."""

    def __init__(self) -> None:
        self._began: float | None = None
        self._over = asyncio.Event()

    async def next(self) -> None:
        """Return at once, or in a later turn where others have computed for long enough in this one."""
        loop = asyncio.get_running_loop()
        while self._began is not None and loop.time() - self._began >= LONGEST_TURN:
            await self._over.wait()
        if self._began is None:
            self._began = loop.time()
            self._over.clear()
            loop.call_soon(self._end)

    def _end(self) -> None:
        self._began = None
        self._over.set()


# --- Makes the chats agree with the tables ---


IN_SIGHT_SECONDS = 60.0
"""So long a message is taken to be in sight after it was posted: no chat tells what came after it."""


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

    def bring_down(self, slot: MessageSlot, room: RoomRef) -> bool:
        """Show a public message at the bottom of its room; False where it is still in sight."""
        posted_at = self._watched.posted_at.get(slot, float("-inf"))
        is_in_sight = asyncio.get_running_loop().time() < posted_at + IN_SIGHT_SECONDS
        if is_in_sight or self._ports[room.server.platform].limits.boards:
            return False
        self.renew(slot)
        return True

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
        began = time.perf_counter()
        delivery = await send(screen)
        if is_refused_picture(delivery, screen):  # the game goes on in text
            delivery = await send(replace(screen, picture=None))
        queue.writing = None
        if log.is_enabled_for(logging.DEBUG):
            log.debug(
                "delivery",
                platform=audience.room.server.platform,
                kind=slot.kind.value,
                table=slot.table_id,
                version=await self._screens.version(slot.table_id),
                outcome=type(delivery).__name__.lower(),
                ms=round(1000 * (time.perf_counter() - began), 1),
            )
        if seen is None and not isinstance(delivery, Delivered | Throttled):
            await self._message_index.forget(slot)  # it has not arrived
        return await self._outcomes.note(slot, audience, digest, delivery)


# --- Notes which tables are idle, so that a restart need not look at them before something is due there ---


NOTE_SECONDS = 10.0
"""The pause between two notes: a table that changes more often is never idle."""

AT_ONCE = 400
"""So many tables are looked at for one note."""


class IdleTables:
    """Follows tables that have changed until they are idle.

    A kill leaves notes that are too old, but none that is wrong: what changes a table, or takes a message
    from its chat, ends its note on disk in the same transaction.
    """

    def __init__(
        self,
        table_store: TableStore,
        *,
        tables: TableService,
        outbox: Outbox,
        scheduler: Scheduler,
        table_events: TableEvents,
    ) -> None:
        self._table_store = table_store
        self._tables = tables
        self._outbox = outbox
        self._scheduler = scheduler
        self._stirred: dict[int, None] = {}
        self._noted: set[int] = set()
        self._ended: set[int] = set()
        table_events.subscribe(changed=self._stir, evicted=self._end)

    def resume(self, unfinished: Iterable[UnreadTable]) -> None:
        """Take note of what was noted before the bot stopped."""
        self._noted.update(each.id for each in unfinished if each.due_at)

    async def run(self) -> None:
        """Note from time to time what is idle, until cancelled."""
        while True:
            await asyncio.sleep(NOTE_SECONDS)
            try:
                await self.note()
            except Exception:
                log.exception("idle_tables_not_noted")

    async def note(self) -> None:
        """Note which of the tables that have changed are idle now, and which are not any more."""
        looked_at = list(self._stirred)[:AT_ONCE]
        try:
            await self._note(looked_at)
        except BaseException:
            self._stirred |= dict.fromkeys(looked_at)
            raise

    async def _note(self, tables: Iterable[int]) -> None:
        idle = dict[int, IdleTable]()
        for table_id in tables:
            del self._stirred[table_id]  # whatever changes from now on changes again
            try:
                idle_table = await self._if_idle(table_id)
            except SessionFrozenError:
                self._end(table_id)  # it is looked at whenever the bot starts
                continue
            if idle_table is not None:
                idle[table_id] = idle_table
            else:
                self._end(table_id)
                self._stir(table_id)  # behind all others
        ended = set(islice(self._ended, AT_ONCE))
        if idle or ended:
            await self._table_store.note_idle(idle.values(), ended)
            self._noted |= idle.keys()
            self._ended -= ended | idle.keys()

    async def _if_idle(self, table_id: int) -> IdleTable | None:
        """Return what is to be noted of a table that is idle; None if it is not."""
        table, session = await self._tables.table(table_id), await self._tables.session(table_id)
        due_at = self._scheduler.due_at(table)
        is_as_on_disk = table.panel is None and not table.agreed and table.phase is not Phase.CLOSED
        if due_at is None or self._outbox.has_pending_changes(table_id) or not is_as_on_disk:
            return None
        return IdleTable(table_id, session.version, table.touched_at, due_at)

    def _stir(self, table_id: int) -> None:
        self._stirred[table_id] = None

    def _end(self, table_id: int) -> None:
        self._stirred.pop(table_id, None)
        if table_id in self._noted:
            self._noted.discard(table_id)
            self._ended.add(table_id)
