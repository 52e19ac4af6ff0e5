"""Queues the messages of each chat, and decides when each may be sent."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from operator import attrgetter

import structlog

from adapters.port import (
    Admission,
    Backoff,
    Budget,
    CallLimiter,
    ChatPort,
    Everyone,
    Only,
    Rank,
    Throttled,
    TokenBucket,
    UserRef,
)
from bot.delivery.messages import Message, log_fields
from bot.delivery.state import Failed, Queued, Sent, UpToDate
from bot.model.messages import OnlyInRoom, Reader, Urgency

log = structlog.get_logger()

# Budgets are kept per private chat, per room, and per person for their ephemeral messages in a room.
Chat = UserRef | Everyone | OnlyInRoom

REST_SECONDS = 5.0  # the pause of a chat after an unexpected error in it

# Pauses before a message is retried after an unexpected error, as each attempt may post it again.
RETRIES = Backoff(first=REST_SECONDS, most=300.0)

# While the whole bot's calls are used up, messages queued up to this many seconds later overtake:
UNHURRIED_WAITS = 5.0  # the hands of players who may act, but are not awaited
ROOM_WAITS = 20.0  # the messages of a room
ONLOOKER_WAITS = 30.0  # the hands of players who cannot act
WAITS = {Urgency.UNHURRIED: UNHURRIED_WAITS, Urgency.CAN_WAIT: ONLOOKER_WAITS}

RESERVED = 1  # messages of a burst to keep for others while people change a table quickly


class ChatBudget:
    """The budget of one chat: `burst` messages at once, then one every `seconds`.

    Paced edits, such as those of a table, are always `seconds` apart, so that the burst is left for urgent
    messages. Those with `ASKED_FOR` may use the burst except its last `RESERVED` messages. Messages that
    `CAN_WAIT` are sent at least `onlooker_pause` seconds after the previous message.

    Answers to presses are sent at once and may leave a debt of at most one burst, so that even a player who
    presses a lot soon sees an up-to-date hand.
    """

    def __init__(self, budget: Budget, onlooker_pause: float = 0.0) -> None:
        self._bucket = TokenBucket(budget)
        self._seconds = budget.seconds
        self._onlooker_pause = onlooker_pause
        self._sent_at = float("-inf")
        self._edited_at = float("-inf")
        # Whether the budget was full before the newest message: a refusal is then not this chat's fault.
        self.cannot_be_flooded = False
        self.paused_until = float("-inf")

    def ready_at(self, now: float, urgency: Urgency = Urgency.ORDINARY, *, is_paced: bool = False) -> float:
        """Returns the earliest time at which a message may be sent; `is_paced` is as in `Place`."""
        ready = max(now + self._bucket.wait(now), self.paused_until)
        if urgency is Urgency.CAN_WAIT:
            return max(ready, self._sent_at + self._onlooker_pause)
        if not is_paced:
            return ready
        if urgency is Urgency.ASKED_FOR and not self._bucket.wait(now, 1 + RESERVED):
            return ready

        return max(ready, self._edited_at + self._seconds)

    def spend(self, now: float, *, is_paced: bool = False) -> None:
        """Counts a message that is sent now."""
        self.cannot_be_flooded = self._bucket.is_full(now) and now >= self.paused_until
        self._bucket.take(now)
        self._sent_at = now
        if is_paced:
            self._edited_at = now

    async def admit(self) -> None:
        """Waits until a message outside the queue may be sent, and counts it."""
        now = asyncio.get_running_loop().time()
        while (ready_at := self.ready_at(now)) > now:
            await asyncio.sleep(ready_at - now)
            now = asyncio.get_running_loop().time()

        self.spend(now)

    def is_rested(self, now: float) -> bool:
        """Returns whether this budget has recovered, so that a new one could replace it."""
        rested_at = max(
            self.paused_until,
            self._edited_at + self._seconds,
            self._sent_at + self._onlooker_pause,
        )
        return self._bucket.is_full(now) and now >= rested_at


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A waiting message, the time at which its chat may get it, and its rank among all chats."""

    ready_at: float
    rank: Rank
    message: Message


class ChatQueue:
    """One chat's waiting messages; each is queued once, however often it changed.

    A message is sent when both this chat's budget and the limiter of the whole bot's calls allow it; the
    limiter decides by rank.
    """

    def __init__(self, budget: Budget, calls: CallLimiter, onlooker_pause: float = 0.0) -> None:
        self.budget = ChatBudget(budget, onlooker_pause)
        self._calls = calls
        self._is_turn_used = False
        self._unanswered = 0
        self.is_running = False
        self.sending: Message | None = None
        self._waiting: dict[Message, Rank] = {}
        self._woken = asyncio.Event()

    @property
    def queued_at(self) -> list[float]:
        """The times since when messages have been waiting."""
        return [message.state.wanted.queued_at for message in self._waiting]

    def is_idle(self, now: float) -> bool:
        """Returns whether the queue could be dropped without losing anything."""
        return not (self.is_running or self._waiting) and self.budget.is_rested(now)

    def add(self, message: Message, urgency: Urgency = Urgency.ORDINARY) -> None:
        """Queues a message, or raises the urgency of a queued one.

        Messages with `PRESSED` precede all others, which are ranked by age. Messages of a room, and hands of
        players who are not awaited, rank as if they had been queued later.
        """
        queued_at = asyncio.get_running_loop().time()
        if message in self._waiting:
            urgency = min(urgency, message.state.wanted.urgency)
            queued_at = message.state.wanted.queued_at

        message.note(Queued(urgency, queued_at))

        is_ordinary = urgency is Urgency.ORDINARY
        is_of_room = message.slot.user is None and message.leads_to is None
        waits = ROOM_WAITS if is_ordinary and is_of_room else WAITS.get(urgency, 0.0)
        call_class = 0 if urgency is Urgency.PRESSED else 1

        self._waiting[message] = call_class, queued_at + waits
        self._woken.set()

    def rest(self, seconds: float) -> None:
        """Pauses this chat for some seconds."""
        self.budget.paused_until = asyncio.get_running_loop().time() + seconds

    def spend(self, message: Message) -> None:
        """Counts a call for the message that is being sent."""
        self.budget.spend(asyncio.get_running_loop().time(), is_paced=message.is_paced)
        if self._is_turn_used:  # the first call was admitted with the message
            self._calls.take()

        self._is_turn_used = True
        self._unanswered += 1

    def note_answer(self) -> None:
        """Records that all calls for the current message were answered."""
        if self._unanswered:
            self._calls.end(self._unanswered)
        self._unanswered = 0

    async def work(self, send: Callable[[Message, "ChatQueue"], Awaitable[bool]]) -> None:
        """Sends one message after another until none is waiting; an unsent one stays dirty."""
        try:
            while message := await self.next():
                await self._send(message, send)
        finally:
            self.is_running = False

    async def _send(self, message: Message, send: Callable[[Message, "ChatQueue"], Awaitable[bool]]) -> None:
        """Sends a message; after an unexpected error, queues it again with a growing pause (`RETRIES`)."""
        self.sending = message
        self._is_turn_used = False
        changes = message.state.wanted.changes

        try:
            if await send(message, self):
                message.note(UpToDate(changes))
            message.note(Sent())
        except Exception:
            log.exception("delivery_failed", **log_fields(message.slot))
            pause = RETRIES.pause(message.state.doing.failures + 1)
            message.note(Failed(again_at=asyncio.get_running_loop().time() + pause))
            self.rest(REST_SECONDS)
            self.add(message)
        finally:
            self.sending = None
            self.note_answer()
            if not self._is_turn_used:
                self._calls.give_back()

    async def next(self) -> Message | None:
        """Waits until a message may be sent, and removes it from the queue; None if none is waiting.

        The lowest rank goes first. So a call to a player overtakes the edit of a table, but never the new
        message that it leads to.
        """
        turn: Admission | None = None
        try:
            while self._waiting:
                self._woken.clear()
                now = asyncio.get_running_loop().time()
                candidates = self._candidates(now)
                first = min(candidates, key=attrgetter("ready_at", "rank"))
                is_ready = first.ready_at <= now

                if turn is not None and not turn.is_admitted and first.rank < turn.rank:
                    self._calls.leave(turn)
                    turn = None

                if turn is not None and not is_ready:
                    self._calls.leave(turn)
                    turn = None

                if is_ready:
                    turn = turn or self._calls.ask(first.rank, self._woken.set)
                    if turn.is_admitted:
                        turn = None
                        del self._waiting[first.message]
                        return first.message

                later = min(
                    (candidate.ready_at for candidate in candidates if candidate.ready_at > now), default=None
                )
                with suppress(TimeoutError):
                    async with asyncio.timeout_at(later):
                        await self._woken.wait()

            return None
        finally:
            if turn is not None:
                self._calls.leave(turn)

    def _candidates(self, now: float) -> list[_Candidate]:
        """Returns the candidates to be sent next; a pointer waits until the message it leads to is posted."""
        unposted = {message.slot for message in self._waiting if message.ref is None}

        candidates = []
        for message, rank in self._waiting.items():
            if message.leads_to in unposted:
                continue

            state = message.state
            ready_at = self.budget.ready_at(now, state.wanted.urgency, is_paced=message.is_paced)
            candidates.append(_Candidate(max(ready_at, state.doing.held_until), rank, message))

        return candidates


class ChatQueues:
    """The queues of all chats."""

    def __init__(self, ports: Mapping[str, ChatPort]) -> None:
        self._ports = ports
        self._queues: dict[Chat, ChatQueue] = {}
        self._leaving: set[Chat] = set()

    def of(self, reader: Reader) -> ChatQueue:
        """Returns the queue for a reader; ephemeral messages in a room have a separate one."""
        chat = _chat_of(reader)
        if chat not in self._queues:
            port = self._ports[reader.room.server.platform]
            budget = port.budgets.public if isinstance(reader, Everyone) else port.budgets.private
            self._queues[chat] = ChatQueue(budget, port.calls, port.budgets.onlooker_pause)

        return self._queues[chat]

    def queued_at(self) -> dict[str, list[float]]:
        """Returns the times since when messages have been waiting, by platform."""
        ages = {platform: list[float]() for platform in self._ports}
        for chat, queue in self._queues.items():
            ages[_platform_of(chat)] += queue.queued_at
        return ages

    def rest(self, reader: Reader, throttled: Throttled) -> None:
        """Pauses a chat that throttles; reports a flood to the limiter, which may pause the whole bot."""
        queue = self.of(reader)
        queue.rest(throttled.retry_after)
        if throttled.is_flood:
            calls = self._ports[reader.room.server.platform].calls
            calls.note_refusal(
                _chat_of(reader), throttled.retry_after, kept_limits=queue.budget.cannot_be_flooded
            )

    def forget(self, user: UserRef) -> None:
        """Drops the queues of a person."""
        for chat in list(self._queues):
            if chat == user or (isinstance(chat, OnlyInRoom) and chat.user == user):
                del self._queues[chat]

    def tidy(self, readers: Iterable[Reader]) -> None:
        """Drops the queues of these readers once they are idle, and earlier ones that are idle now."""
        now = asyncio.get_running_loop().time()
        self._leaving.update(map(_chat_of, readers))

        for chat in list(self._leaving):
            if chat not in self._queues or self._queues[chat].is_idle(now):
                self._queues.pop(chat, None)
                self._leaving.discard(chat)


def _platform_of(chat: Chat) -> str:
    return chat.platform if isinstance(chat, UserRef) else chat.room.server.platform


def _chat_of(reader: Reader) -> Chat:
    return reader.user if isinstance(reader, Only) else reader
