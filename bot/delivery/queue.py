"""What waits to be shown in one chat, when that chat may be written to again, and which chats are closed."""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from operator import itemgetter

import structlog

from adapters.port import (
    Budget,
    CallLimiter,
    ChatPort,
    Everyone,
    Only,
    Rank,
    RoomRef,
    Throttled,
    TokenBucket,
    Turn,
    UserRef,
)
from bot.delivery.messages import Message
from bot.model.messages import MessageKind, OnlyInRoom, Reader, Urgency
from bot.people import People

log = structlog.get_logger()

# Where messages have one budget: a private chat, a room, what one person sees alone in a room.
Chat = UserRef | Everyone | OnlyInRoom

AFTER_AN_ERROR = 5.0  # seconds a chat rests after an unexpected error in it

# The longest pause before a retry of what goes wrong again and again: each try may post it once more.
LONGEST_REST = 300.0

UNHURRIED_WAITS = 5.0
"""Seconds by which hands that the game does not wait for are overtaken by those that it waits for, where the
whole bot may send no more at once."""

TABLE_WAITS = 20.0  # the same for what a room sees
ONLOOKER_WAITS = 30.0  # the same for the hands of those who can do nothing
LEADS = {MessageKind.CALL, MessageKind.REMINDER}  # what leads people to the message of a table
KEPT = 1  # so many messages of a burst are left for calls and results when people change a table quickly


class SendBudget:
    """Keeps to a budget: `burst` messages at once, then one each `seconds`.

    The table's own edits also keep `seconds` apart, so that the burst is left for what must come at once. An
    edit that was asked for uses the burst, too, but for the last `KEPT` messages of it. What can
    wait comes `onlooker_pause` seconds after whatever was sent before.
    What presses are answered with goes out unasked and may leave a debt; it is forgiven beyond one burst, so
    that a person who presses wildly is not left with an old hand for long.
    """

    def __init__(self, budget: Budget, onlooker_pause: float = 0.0) -> None:
        self._bucket = TokenBucket(budget)
        self._seconds = budget.seconds
        self._onlooker_pause = onlooker_pause
        self._sent_at = float("-inf")
        self._edited_at = float("-inf")
        # Whether nothing had been sent for so long that the newest message cannot have been too much.
        self.cannot_be_flooded = False
        self.paused_until = float("-inf")

    def ready_at(self, kind: MessageKind, now: float, urgency: Urgency = Urgency.ORDINARY) -> float:
        """The earliest time at which a message of this kind may go out."""
        ready = max(now + self._bucket.wait(now), self.paused_until)
        if urgency is Urgency.CAN_WAIT:
            return max(ready, self._sent_at + self._onlooker_pause)
        is_asked_for = urgency is Urgency.ASKED_FOR
        if kind is not MessageKind.TABLE or (is_asked_for and not self._bucket.wait(now, 1 + KEPT)):
            return ready
        return max(ready, self._edited_at + self._seconds)

    def spend(self, kind: MessageKind, now: float) -> None:
        """Count a message that goes out now."""
        self.cannot_be_flooded = self._bucket.is_full(now) and now >= self.paused_until
        self._bucket.take(now)
        self._sent_at = now
        if kind is MessageKind.TABLE:
            self._edited_at = now

    async def admit(self, kind: MessageKind) -> None:
        """Wait until a message of this kind may go out that waits in no queue, and count it."""
        now = asyncio.get_running_loop().time()
        while (ready_at := self.ready_at(kind, now)) > now:
            await asyncio.sleep(ready_at - now)
            now = asyncio.get_running_loop().time()
        self.spend(kind, now)

    def is_rested(self, now: float) -> bool:
        """Whether a new budget would be no other than this one."""
        pauses = self._edited_at + self._seconds, self._sent_at + self._onlooker_pause
        return self._bucket.is_full(now) and now >= max(self.paused_until, *pauses)


class ChatQueue:
    """One chat's waiting messages; each stands here once, however often it changed.

    A message that this chat may be sent goes out when the whole bot may make a call, too, by its rank there.
    """

    def __init__(self, budget: Budget, calls: CallLimiter, onlooker_pause: float = 0.0) -> None:
        self.budget = SendBudget(budget, onlooker_pause)
        self._calls = calls
        self._is_turn_used = False
        self._unanswered = 0
        self.is_running = False
        self.sending: Message | None = None
        self._waiting: dict[Message, Rank] = {}
        self._woken = asyncio.Event()

    def is_idle(self, now: float) -> bool:
        """Whether nothing would be lost with this queue."""
        return not (self.is_running or self._waiting) and self.budget.is_rested(now)

    def add(self, message: Message, urgency: Urgency = Urgency.ORDINARY) -> None:
        """Send a message in its turn, as soon as it was ever urgent while it waits.

        The presser's own goes first; then it goes by age, where all but those who are awaited can wait.
        """
        if message in self._waiting:
            urgency = min(urgency, message.urgency)
        else:
            message.queued_at = asyncio.get_running_loop().time()
        message.urgency, waits = urgency, 0.0
        match urgency:
            case Urgency.CAN_WAIT:
                waits = ONLOOKER_WAITS
            case Urgency.UNHURRIED:
                waits = UNHURRIED_WAITS
            case Urgency.ORDINARY if message.slot.user is None and message.slot.kind is not MessageKind.CALL:
                waits = TABLE_WAITS
        self._waiting[message] = int(urgency is not Urgency.PRESSED), message.queued_at + waits
        self._woken.set()

    def rest(self, seconds: float) -> None:
        """Send nothing into this chat for so long."""
        self.budget.paused_until = asyncio.get_running_loop().time() + seconds

    def spend(self, message: Message) -> None:
        """Count a call for a message whose turn it is."""
        self.budget.spend(message.slot.kind, asyncio.get_running_loop().time())
        if self._is_turn_used:  # the first was admitted with the message
            self._calls.take()
        self._is_turn_used = True
        self._unanswered += 1

    def answered(self) -> None:
        """Note that all calls for the message whose turn it is were answered."""
        if self._unanswered:
            self._calls.end(self._unanswered)
        self._unanswered = 0

    async def work(self, send: Callable[[Message, "ChatQueue"], Awaitable[bool]]) -> None:
        """Send one message after the other until nothing waits; one not sent stays dirty.

        One that went wrong is tried again, each time after twice as long; its chat rests a little.
        """
        try:
            while message := await self.next():
                self.sending, self._is_turn_used, changes = message, False, message.changes
                try:
                    if await send(message, self):
                        message.shown_changes = max(message.shown_changes, changes)
                except Exception:
                    log.exception("delivery_failed", table=message.slot.table_id, kind=message.slot.kind)
                    pause = min(AFTER_AN_ERROR * 2**message.failures, LONGEST_REST)
                    message.held_until = asyncio.get_running_loop().time() + pause
                    message.failures += 1
                    self.rest(AFTER_AN_ERROR)
                    self.add(message)
                else:
                    message.failures = 0
                finally:
                    self.sending = None
                    self.answered()
                    if not self._is_turn_used:
                        self._calls.give_back()
        finally:
            self.is_running = False

    async def next(self) -> Message | None:
        """Wait until a message may be sent and take it; None when nothing waits any more.

        The message that may go first is taken, so a call to a player overtakes a table's edit; but not a new
        table, to which it is to lead.
        """
        turn: Turn | None = None
        try:
            while self._waiting:
                now = asyncio.get_running_loop().time()
                self._woken.clear()
                new = {
                    (each.slot.table_id, each.slot.game)
                    for each in self._waiting
                    if each.slot.kind is MessageKind.TABLE and each.ref is None
                }
                times = list[tuple[float, Rank, Message]]()
                for each, rank in self._waiting.items():
                    slot = each.slot
                    if slot.kind not in LEADS or (slot.table_id, slot.game) not in new:
                        ready_at = max(self.budget.ready_at(slot.kind, now, each.urgency), each.held_until)
                        times.append((ready_at, rank, each))
                ready_at, rank, message = min(times, key=itemgetter(0, 1))
                if turn is not None and (ready_at > now or (rank < turn.rank and not turn.is_admitted)):
                    self._calls.leave(turn)
                    turn = None
                if ready_at <= now:
                    turn = turn or self._calls.ask(rank, self._woken.set)
                    if turn.is_admitted:
                        turn = None
                        del self._waiting[message]
                        return message
                later = min([at for at, _, __ in times if at > now], default=None)
                with suppress(TimeoutError):
                    async with asyncio.timeout_at(later):
                        await self._woken.wait()
            return None
        finally:
            if turn is not None:
                self._calls.leave(turn)


class ChatQueues:
    """The queue of each chat: of a room, or of a person's private messages."""

    def __init__(self, ports: Mapping[str, ChatPort]) -> None:
        self._ports = ports
        self._queues: dict[Chat, ChatQueue] = {}
        self._leaving: set[Chat] = set()
        self._refused: dict[str, tuple[ChatQueue, float]] = {}

    def of(self, reader: Reader) -> ChatQueue:
        """Return the queue to a reader; what one person sees in a room has a budget of its own."""
        chat = reader.user if isinstance(reader, Only) else reader
        if chat not in self._queues:
            port = self._ports[reader.room.server.platform]
            budget = port.budgets.public if isinstance(reader, Everyone) else port.budgets.private
            self._queues[chat] = ChatQueue(budget, port.calls, port.budgets.onlooker_pause)
        return self._queues[chat]

    def rest(self, reader: Reader, throttled: Throttled) -> None:
        """Let a chat rest that refuses messages, or the whole bot where it is the one that sends too many.

        A platform need not say which it is. But two chats at the same time that had been sent nothing for a
        while do not refuse for what they were sent.
        """
        queue, platform = self.of(reader), reader.room.server.platform
        queue.rest(throttled.retry_after)
        if throttled.is_flood and queue.budget.cannot_be_flooded:
            now = asyncio.get_running_loop().time()
            before, until = self._refused.get(platform, (queue, now))
            if before is not queue and now <= until:
                self._ports[platform].calls.rest(throttled.retry_after)
            self._refused[platform] = queue, now + throttled.retry_after

    def forget(self, user: UserRef) -> None:
        """Drop the queues of a person."""
        for chat in list(self._queues):
            if chat == user or (isinstance(chat, OnlyInRoom) and chat.user == user):
                del self._queues[chat]

    def tidy(self, readers: Iterable[Reader]) -> None:
        """Drop the queues to these readers as soon as nothing is lost without them."""
        now = asyncio.get_running_loop().time()
        self._leaving.update(each.user if isinstance(each, Only) else each for each in readers)
        for chat in list(self._leaving):
            if chat not in self._queues or self._queues[chat].is_idle(now):
                self._queues.pop(chat, None)
                self._leaving.discard(chat)


# --- Which chats are closed to the bot: people it may not write to, rooms that do not take its messages ---


# Seconds after which a chat that refused a message is tried again; each refusal doubles them.
FIRST_PAUSE = 30.0

# A chat that has thrown the bot out for good is asked no oftener: chats ban bots that do not take no.
LONGEST_PAUSE = 60 * 60.0


@dataclass(frozen=True, slots=True)
class _Closed:
    """A closed chat: when it is worth a try, after which pause, and whether its topics are closed, too."""

    until: float = 0.0
    pause: float = FIRST_PAUSE / 2
    with_topics: bool = False

    def after_refusal(self) -> "_Closed":
        """Return it closed for twice as long, from now."""
        pause = min(2 * self.pause, LONGEST_PAUSE)
        return replace(self, until=asyncio.get_running_loop().time() + pause, pause=pause)


class Reachability:
    """Who cannot be written to; all can until a delivery or the chat says otherwise.

    That a person can be written to is also kept in storage, so that no person is asked twice to open the
    private chat. That they cannot is tried again after a restart.

    Chats do not report every change of rights, so a closed room or person is tried again after a pause.
    """

    def __init__(self, people: People, platforms: Collection[str]) -> None:
        """Serve these platforms."""
        self._people = people
        self._platforms = platforms
        self.closed_people: dict[UserRef, _Closed] = {}
        self._to_tell: set[UserRef] = set()
        self._closed_rooms: dict[RoomRef, _Closed] = {}
        self.on_opened: list[Callable[[RoomRef], None]] = []

    def is_served(self, room: RoomRef) -> bool:
        """Whether the bot can be heard in a room."""
        return room.server.platform in self._platforms and not self._closing(room)

    def may_try(self, reader: Reader) -> bool:
        """Whether a message to this reader is worth sending now.

        What a person sees alone in a room was opened by a press: rights that are taken away in the room leave
        it as it is, and if it is gone with the room, the attempt shows it.
        """
        match reader:
            case Only(user):
                closing = [self.closed_people[user]] if user in self.closed_people else []
            case Everyone(room):
                closing = self._closing(room)
            case OnlyInRoom():
                return True
        return not closing or max(each.until for each in closing) <= asyncio.get_running_loop().time()

    async def mark_person_unreachable(self, user: UserRef) -> float:
        """Remember that this person cannot be written to; they are to be told once.

        Returns:
            After how many seconds to try again.
        """
        if user not in self.closed_people:
            self._to_tell.add(user)
        closed = self.closed_people[user] = self.closed_people.get(user, _Closed()).after_refusal()
        await self._people.set_reachable(user, reachable=False)
        return closed.pause

    async def mark_person_reachable(self, user: UserRef) -> None:
        """Remember that this person can be written to."""
        self.forget(user)
        await self._people.set_reachable(user, reachable=True)

    def take_untold(self, user: UserRef) -> bool:
        """Whether a person has yet to be told that nothing can be written to them; the caller tells them."""
        is_untold = user in self._to_tell
        self._to_tell.discard(user)
        return is_untold

    def forget(self, user: UserRef) -> None:
        """Drop what is known of a person."""
        self.closed_people.pop(user, None)
        self._to_tell.discard(user)

    def refused_in_room(self, room: RoomRef) -> float:
        """Remember that a message was refused in the room; returns after how many seconds to try again."""
        closed = self._closed_rooms[room] = self._closed_rooms.get(room, _Closed()).after_refusal()
        return closed.pause

    def mark_room_unreachable(self, room: RoomRef) -> None:
        """Remember that the bot may not write in the room, nor in its topics: the chat says so."""
        until = asyncio.get_running_loop().time() + LONGEST_PAUSE
        self._closed_rooms[room] = _Closed(until, LONGEST_PAUSE, with_topics=True)

    def mark_room_reachable(self, room: RoomRef) -> None:
        """Remember that the bot may write in the room; in a whole one, also in its topics."""
        for each in list(self._closed_rooms):
            if each in (room, RoomRef(room.server, room.id)) or RoomRef(each.server, each.id) == room:
                del self._closed_rooms[each]
                for on_opened in self.on_opened:
                    on_opened(each)

    def _closing(self, room: RoomRef) -> list[_Closed]:
        """Return what closes a room: its own refusals, and a removal from the whole of it."""
        own, whole = self._closed_rooms.get(room), self._closed_rooms.get(RoomRef(room.server, room.id))
        return [each for each in (own, whole) if each is not None and (each is own or each.with_topics)]
