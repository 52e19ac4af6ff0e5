"""What waits to be shown in one chat, and when that chat may be written to again."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping

import structlog

from adapters.port import Budget, ChatPort, Everyone, Only, RoomRef, TokenBucket, UserRef
from bot.model.messages import MessageKind, MessageSlot, OnlyInRoom, Reader, Urgency

log = structlog.get_logger()

Chat = UserRef | RoomRef | OnlyInRoom
"""Where messages have one budget: a private chat, a room, what one person sees alone in a room."""

HOLD_SECONDS = 5.0
"""How long a slot waits for the answer to a press before it is repaired the ordinary way."""

AFTER_AN_ERROR = 5.0
"""Seconds a chat rests after something unforeseen went wrong in it."""

LONGEST_REST = 300.0
"""How long a slot rests at most that goes wrong again and again: each try may post it once more."""

KEPT = 1
"""So many messages of a burst are left for calls and results when people change a table quickly."""


class SendBudget:
    """Keeps to a budget: `burst` messages at once, then one each `seconds`.

    The table's own edits also keep `seconds` apart, so that the burst is left for what must come at once. An
    edit that somebody has asked for uses the burst, too, but for the last `KEPT` messages of it. What can
    wait comes `onlooker_pause` seconds after whatever was sent before.
    What presses are answered with goes out unasked and may leave a debt; it is forgiven beyond one burst, so
    that somebody who presses wildly is not left with an old hand for long.
    """

    def __init__(self, budget: Budget, onlooker_pause: float = 0.0) -> None:
        self._bucket = TokenBucket(budget)
        self._seconds = budget.seconds
        self._onlooker_pause = onlooker_pause
        self._sent_at = float("-inf")
        self._edited_at = float("-inf")
        self.paused_until = float("-inf")

    def ready_at(self, kind: MessageKind, now: float, urgency: Urgency = Urgency.ORDINARY) -> float:
        """The earliest time at which a message of this kind may go out."""
        ready = max(now + self._bucket.wait(now), self.paused_until)
        if urgency is Urgency.CAN_WAIT:
            return max(ready, self._sent_at + self._onlooker_pause)
        is_asked_for = urgency is Urgency.ASKED_FOR
        if kind is not MessageKind.TABLE or (is_asked_for and self._bucket.tokens(now) >= 1 + KEPT):
            return ready
        return max(ready, self._edited_at + self._seconds)

    def spend(self, kind: MessageKind, now: float) -> None:
        """Count a message that goes out now."""
        self._bucket.take(now)
        self._sent_at = now
        if kind is MessageKind.TABLE:
            self._edited_at = now

    def is_rested(self, now: float) -> bool:
        """Whether a new budget would be no other than this one."""
        pauses = self._edited_at + self._seconds, self._sent_at + self._onlooker_pause
        return self._bucket.is_full(now) and now >= max(self.paused_until, *pauses)


class ChatQueue:
    """One chat's waiting slots; each stands here once, however often it changed."""

    def __init__(self, budget: Budget, onlooker_pause: float = 0.0) -> None:
        self.budget = SendBudget(budget, onlooker_pause)
        self.is_running = False
        self.writing: MessageSlot | None = None
        self._waiting: dict[MessageSlot, Urgency] = {}
        self._held: dict[MessageSlot, float] = {}
        self._failures: dict[MessageSlot, int] = {}
        self._stirred = asyncio.Event()

    def is_idle(self, now: float) -> bool:
        """Whether nothing would be lost with this queue."""
        is_held = any(until > now for until in self._held.values())
        return not (self.is_running or self._waiting or is_held) and self.budget.is_rested(now)

    def add(self, slot: MessageSlot, urgency: Urgency = Urgency.ORDINARY) -> None:
        """Let this slot be looked at, as soon as it was ever urgent while it waits."""
        self._waiting[slot] = min(urgency, self._waiting.get(slot, urgency))
        self._stirred.set()

    def hold(self, slot: MessageSlot) -> None:
        """Leave this slot alone: a press on it is about to be answered."""
        self._held[slot] = asyncio.get_running_loop().time() + HOLD_SECONDS

    def release(self, slot: MessageSlot) -> None:
        """The press was answered."""
        self._held.pop(slot, None)
        self._stirred.set()

    async def work(self, repair: Callable[[MessageSlot, "ChatQueue"], Awaitable[None]]) -> None:
        """Repair one slot after the other until nothing waits."""
        try:
            while slot := await self.next():
                self.writing = slot
                try:
                    await repair(slot, self)
                except Exception:
                    log.exception("delivery_failed", table=slot.table_id, kind=slot.kind)
                    self._rest_after(slot)
                else:
                    self._failures.pop(slot, None)
                self.writing = None
        finally:
            self.is_running = False

    def rest(self, seconds: float) -> None:
        """Write nothing into this chat for so long."""
        self.budget.paused_until = asyncio.get_running_loop().time() + seconds

    def _rest_after(self, failed: MessageSlot) -> None:
        """Try a slot again that went wrong, each time after twice as long; its chat rests a little."""
        now = asyncio.get_running_loop().time()
        failures = self._failures.get(failed, 0)
        self._failures[failed] = failures + 1
        self._held[failed] = now + min(AFTER_AN_ERROR * 2**failures, LONGEST_REST)
        self.rest(AFTER_AN_ERROR)
        self.add(failed)

    async def next(self) -> MessageSlot | None:
        """Wait until a slot may be written and take it; None when nothing waits any more.

        The slot that may go first is taken, so a call to a player overtakes a table's edit.
        """
        while self._waiting:
            now = asyncio.get_running_loop().time()
            self._stirred.clear()
            ready, slot = min(
                ((self._ready_at(slot, now), slot) for slot in self._waiting),
                key=lambda pair: pair[0],
            )
            if ready <= now:
                del self._waiting[slot]
                return slot
            try:
                async with asyncio.timeout(ready - now):
                    await self._stirred.wait()
            except TimeoutError:
                continue
        return None

    def _ready_at(self, slot: MessageSlot, now: float) -> float:
        ready = self.budget.ready_at(slot.kind, now, self._waiting[slot])
        return max(ready, self._held.get(slot, now))


class ChatQueues:
    """The queue of each chat: of a room, or of a person's private messages."""

    def __init__(self, ports: Mapping[str, ChatPort]) -> None:
        self._ports = ports
        self._queues: dict[Chat, ChatQueue] = {}
        self._leaving: set[Chat] = set()

    def of(self, audience: Reader) -> ChatQueue:
        """Return the queue to an audience; what one person sees in a room has a budget of its own."""
        key = _chat_of(audience)
        if key not in self._queues:
            budgets = self._ports[audience.room.server.platform].budgets
            is_public = isinstance(audience, Everyone)
            self._queues[key] = ChatQueue(
                budgets.public if is_public else budgets.private, budgets.onlooker_pause
            )
        return self._queues[key]

    def forget(self, user: UserRef) -> None:
        """Know nothing of a person any more."""
        self._queues = {chat: queue for chat, queue in self._queues.items() if not _is_of(chat, user)}

    def tidy(self, audiences: Iterable[Reader]) -> None:
        """Let go of the queues to these audiences as soon as nothing is lost without them."""
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


def _is_of(chat: Chat, user: UserRef) -> bool:
    return chat == user or (isinstance(chat, OnlyInRoom) and chat.user == user)
