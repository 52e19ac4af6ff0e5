"""What waits to be shown in one chat, when that chat may be written to again, and which chats are closed."""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
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
from bot.model.table import Table
from bot.people import People

log = structlog.get_logger()

Chat = UserRef | RoomRef | OnlyInRoom
"""Where messages have one budget: a private chat, a room, what one person sees alone in a room."""

HOLD_SECONDS = 5.0
"""How long a message waits for the answer to a press before it is sent the ordinary way."""

AFTER_AN_ERROR = 5.0
"""Seconds a chat rests after an unexpected error in it."""

LONGEST_REST = 300.0
"""The longest pause before a retry of what goes wrong again and again: each try may post it once more."""

UNHURRIED_WAITS = 5.0
"""Seconds by which hands that the game does not wait for are overtaken by those that it waits for, where the
whole bot may send no more at once."""

TABLE_WAITS = 20.0
"""The same for what a room sees."""

ONLOOKER_WAITS = 30.0
"""The same for the hands of those who can do nothing."""

LEADS = {MessageKind.CALL, MessageKind.REMINDER}
"""What leads people to the message of a table."""

KEPT = 1
"""So many messages of a burst are left for calls and results when people change a table quickly."""


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
        self._turn: Turn | None = None
        self._is_turn_used = False
        self._unanswered = 0
        self.is_running = False
        self.sending: Message | None = None
        self._waiting: dict[Message, None] = {}
        self._woken = asyncio.Event()

    def is_idle(self, now: float) -> bool:
        """Whether nothing would be lost with this queue."""
        return not (self.is_running or self._waiting) and self.budget.is_rested(now)

    def add(self, message: Message, urgency: Urgency = Urgency.ORDINARY) -> None:
        """Send a message in its turn, as soon as it was ever urgent while it waits."""
        if message in self._waiting:
            urgency = min(urgency, message.urgency)
        else:
            message.queued_at = asyncio.get_running_loop().time()
        message.urgency = urgency
        self._waiting[message] = None
        self._woken.set()

    def hold(self, message: Message) -> None:
        """Send nothing to a message: a press on it is about to be answered."""
        message.held_until = asyncio.get_running_loop().time() + HOLD_SECONDS

    def release(self, message: Message) -> None:
        """Go on with a message: the press was answered."""
        message.held_until = float("-inf")
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
            self._leave()
            self.is_running = False

    async def next(self) -> Message | None:
        """Wait until a message may be sent and take it; None when nothing waits any more.

        The message that may go first is taken, so a call to a player overtakes a table's edit; but not a new
        table, to which it is to lead.
        """
        while self._waiting:
            now = asyncio.get_running_loop().time()
            self._woken.clear()
            new = {
                (each.slot.table_id, each.slot.game)
                for each in self._waiting
                if each.slot.kind is MessageKind.TABLE and each.ref is None
            }
            turns = [
                (
                    max(now, self.budget.ready_at(each.slot.kind, now, each.urgency), each.held_until),
                    _rank(each),
                    each,
                )
                for each in self._waiting
                if each.slot.kind not in LEADS or (each.slot.table_id, each.slot.game) not in new
            ]
            ready_at, rank, message = min(turns, key=itemgetter(0, 1))
            if ready_at > now:
                self._leave()
            elif self._is_admitted(rank):
                del self._waiting[message]
                return message
            later = min([at for at, _, __ in turns if at > now], default=None)
            with suppress(TimeoutError):
                async with asyncio.timeout_at(later):
                    await self._woken.wait()
        return None

    def _is_admitted(self, rank: Rank) -> bool:
        """Whether the whole bot may make a call of this rank for this chat now; else it is told when."""
        if self._turn is not None and rank < self._turn.rank and not self._turn.is_admitted:
            self._leave()
        if self._turn is None:
            self._turn = self._calls.ask(rank, self._woken.set)
        if not self._turn.is_admitted:
            return False
        self._turn = None
        return True

    def _leave(self) -> None:
        if self._turn is not None:
            self._calls.leave(self._turn)
            self._turn = None


def _rank(message: Message) -> Rank:
    """Return who goes first: the presser's own; then by age, where all but those who are awaited can wait."""
    if message.urgency is Urgency.PRESSED:
        return 0, message.queued_at
    if message.urgency is Urgency.CAN_WAIT:
        return 1, message.queued_at + ONLOOKER_WAITS
    if message.urgency is Urgency.UNHURRIED:
        return 1, message.queued_at + UNHURRIED_WAITS
    is_for_all = message.urgency is Urgency.ORDINARY and message.slot.user is None
    return 1, message.queued_at + (
        TABLE_WAITS if is_for_all and message.slot.kind is not MessageKind.CALL else 0.0
    )


class ChatQueues:
    """The queue of each chat: of a room, or of a person's private messages."""

    def __init__(self, ports: Mapping[str, ChatPort]) -> None:
        self._ports = ports
        self._queues: dict[Chat, ChatQueue] = {}
        self._leaving: set[Chat] = set()
        self._refused: dict[str, tuple[Chat, float]] = {}

    def of(self, audience: Reader) -> ChatQueue:
        """Return the queue to an audience; what one person sees in a room has a budget of its own."""
        key = _chat_of(audience)
        if key not in self._queues:
            port = self._ports[audience.room.server.platform]
            budgets = port.budgets
            is_public = isinstance(audience, Everyone)
            self._queues[key] = ChatQueue(
                budgets.public if is_public else budgets.private, port.calls, budgets.onlooker_pause
            )
        return self._queues[key]

    def rest(self, audience: Reader, throttled: Throttled) -> None:
        """Let a chat rest that refuses messages, or the whole bot where it is the one that sends too many.

        A platform need not say which it is. But two chats at the same time that had been sent nothing for a
        while do not refuse for what they were sent.
        """
        queue, platform = self.of(audience), audience.room.server.platform
        queue.rest(throttled.retry_after)
        if not (throttled.is_flood and queue.budget.cannot_be_flooded):
            return
        now, chat = asyncio.get_running_loop().time(), _chat_of(audience)
        before, until = self._refused.get(platform, (chat, now))
        if before != chat and now <= until:
            self._ports[platform].calls.rest(throttled.retry_after)
        self._refused[platform] = chat, now + throttled.retry_after

    def forget(self, user: UserRef) -> None:
        """Drop the queues of a person."""
        self._queues = {
            chat: queue
            for chat, queue in self._queues.items()
            if chat != user and not (isinstance(chat, OnlyInRoom) and chat.user == user)
        }

    def tidy(self, audiences: Iterable[Reader]) -> None:
        """Drop the queues to these audiences as soon as nothing is lost without them."""
        now = asyncio.get_running_loop().time()
        self._leaving.update(map(_chat_of, audiences))
        for chat in list(self._leaving):
            if chat not in self._queues or self._queues[chat].is_idle(now):
                self._queues.pop(chat, None)
                self._leaving.discard(chat)


def _chat_of(audience: Reader) -> Chat:
    match audience:
        case Only(user):
            return user
        case Everyone(room):
            return room
        case OnlyInRoom():
            return audience


# --- Which chats are closed to the bot: people it may not write to, rooms that do not take its messages ---


FIRST_PAUSE = 30.0
"""Seconds after which a chat that refused a message is tried again; each refusal doubles them."""

LONGEST_PAUSE = 60 * 60.0
"""A chat that has thrown the bot out for good is asked no oftener: chats ban bots that do not take no."""


@dataclass(frozen=True, slots=True)
class _Closed:
    """A closed chat: when it is worth a try, after which pause, and whether its topics are closed, too."""

    until: float
    pause: float
    with_topics: bool = False


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

    def is_room_reachable(self, room: RoomRef) -> bool:
        """Whether the bot may write in the room."""
        return not self._closing(room)

    def is_served(self, table: Table) -> bool:
        """Whether the bot can be heard where a table stands."""
        return table.room.server.platform in self._platforms and self.is_room_reachable(table.room)

    def may_try(self, audience: Reader) -> bool:
        """Whether a message to this audience is worth sending now.

        What a person sees alone in a room was opened by a press: rights that are taken away in the room leave
        it as it is, and if it is gone with the room, the attempt shows it.
        """
        match audience:
            case Only(user):
                closing = [self.closed_people[user]] if user in self.closed_people else []
            case Everyone(room):
                closing = self._closing(room)
            case OnlyInRoom():
                return True
        return not closing or max(each.until for each in closing) <= asyncio.get_running_loop().time()

    async def was_ever_reached(self, user: UserRef) -> bool:
        """Whether a message has ever reached this person."""
        return bool((await self._people.profile(user)).reachable)

    async def mark_person_unreachable(self, user: UserRef) -> float:
        """Remember that this person cannot be written to; they are to be told once.

        Returns:
            After how many seconds to try again.
        """
        if user not in self.closed_people:
            self._to_tell.add(user)
        pause = _next_pause(self.closed_people.get(user))
        self.closed_people[user] = _Closed(asyncio.get_running_loop().time() + pause, pause)
        await self._people.set_reachable(user, reachable=False)
        return pause

    async def mark_person_reachable(self, user: UserRef) -> None:
        """Remember that this person can be written to."""
        self.closed_people.pop(user, None)
        self._to_tell.discard(user)
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
        before = self._closed_rooms.get(room)
        pause = _next_pause(before)
        self._close(room, pause, with_topics=before is not None and before.with_topics)
        return pause

    def mark_room_unreachable(self, room: RoomRef) -> None:
        """Remember that the bot may not write in the room, nor in its topics: the chat says so."""
        self._close(room, LONGEST_PAUSE, with_topics=True)

    def mark_room_reachable(self, room: RoomRef) -> None:
        """Remember that the bot may write in the room; in a whole one, also in its topics."""
        for each in list(self._closed_rooms):
            if each in (room, _whole(room)) or _whole(each) == room:
                del self._closed_rooms[each]
                for on_opened in self.on_opened:
                    on_opened(each)

    def _close(self, room: RoomRef, pause: float, *, with_topics: bool) -> None:
        until = asyncio.get_running_loop().time() + pause
        self._closed_rooms[room] = _Closed(until, pause, with_topics)

    def _closing(self, room: RoomRef) -> list[_Closed]:
        """Return what closes a room: its own refusals, and a removal from the whole of it."""
        own, whole = self._closed_rooms.get(room), self._closed_rooms.get(_whole(room))
        return [each for each in (own, whole) if each is not None and (each is own or each.with_topics)]


def _next_pause(before: _Closed | None) -> float:
    return FIRST_PAUSE if before is None else min(2 * before.pause, LONGEST_PAUSE)


def _whole(room: RoomRef) -> RoomRef:
    """Return the room without the topic."""
    return RoomRef(room.server, room.id)
