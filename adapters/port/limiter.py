"""Budgets of calls, and the limiter that keeps the whole bot within its budget."""

import asyncio
import heapq
from collections import Counter, deque
from collections.abc import AsyncIterator, Callable, Hashable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from itertools import count

from adapters.port.call_rate import CallRate


@dataclass(frozen=True, slots=True)
class Budget:
    """The rate of messages to one chat: `burst` messages at once, then one every `seconds`."""

    seconds: float
    burst: int


UNLIMITED = Budget(seconds=0.0, burst=1)  # a budget that is never used up


@dataclass(frozen=True, slots=True)
class Budgets:
    """The budgets of one room, of one private chat, and of the `whole` bot, which all chats share.

    An onlooker gets a new state at most every `onlooker_pause` seconds.
    """

    public: Budget
    private: Budget
    onlooker_pause: float = 0.0
    whole: Budget = UNLIMITED


class TokenBucket:
    """The rest of a budget: at most `burst` tokens, and a new one every `seconds`.

    Each method takes the time `now` in seconds, from a monotonic clock. A budget of 0 seconds is never used
    up.
    """

    def __init__(self, budget: Budget) -> None:
        self._seconds = budget.seconds
        self._burst = budget.burst
        self._full_at = float("-inf")

    def is_full(self, now: float) -> bool:
        """Returns whether the bucket is full, like a new one."""
        return self._full_at <= now

    def wait(self, now: float, tokens: int = 1) -> float:
        """Returns the seconds until the bucket has this many tokens."""
        return max(0.0, self._full_at - now - (self._burst - tokens) * self._seconds)

    def take(self, now: float) -> None:
        """Takes a token, even from an empty bucket; the debt never exceeds one burst."""
        if self._seconds:
            most = now + 2 * self._burst * self._seconds
            self._full_at = min(max(self._full_at, now) + self._seconds, most)

    def give_back(self) -> None:
        """Puts back a token that was not used."""
        self._full_at -= self._seconds

    def change(self, budget: Budget, now: float) -> None:
        """Changes the budget; the number of missing tokens stays the same."""
        missing = max(0.0, self._full_at - now) / self._seconds
        self._seconds = budget.seconds
        self._burst = budget.burst
        self._full_at = now + missing * budget.seconds


SAME_MOMENT_SECONDS = 1.0  # refusals in two chats within this time mean a limit of the whole bot
ENOUGH_ANSWERED = 0.75  # the rate rises only while the platform answers this share of it

Rank = tuple[int, float]  # a class of calls and a time; the lowest is admitted first


@dataclass(order=True, slots=True)
class Admission:
    """A call that waits for its turn; once admitted, it may be made."""

    rank: Rank
    number: int
    on_admitted: Callable[[], object] = field(compare=False)
    is_admitted: bool = field(default=False, compare=False)
    is_over: bool = field(default=False, compare=False)


class CallLimiter:
    """Limits the rate of all the bot's calls to a platform, and admits the lowest rank first.

    Calls are admitted evenly, but the platform counts them on arrival, some time before it answers. So the
    calls under way and those answered within the last second together never exceed what the budget admits in
    a second. Messages are rendered after their call is admitted, so they are never stale.

    A limiter that learns begins with the budget's rate and finds out how much the platform accepts. A lower
    rate makes bursts smaller as well, as a burst counts against what may be sent in a second.
    """

    def __init__(self, budget: Budget, *, learns: bool = False) -> None:
        self._budget = budget
        self._bucket = TokenBucket(budget)
        self._burst = budget.burst
        self._rate = round(1 / budget.seconds) if budget.seconds else None
        self._learned = CallRate(self._rate) if learns and self._rate is not None else None

        self._under_way = 0
        self._answered = deque[float]()
        self._waiting: list[Admission] = []
        self._numbers = count()

        self._paused_until = float("-inf")
        self._is_suspended = False
        self._timer: asyncio.TimerHandle | None = None

        self._waiting_in = Counter[Hashable]()
        self._short_since: float | None = None  # the time since which calls wait for the rate alone
        self._refused: tuple[Hashable, float] | None = None
        self._lowered_at = float("-inf")

    @property
    def rate(self) -> int | None:
        """The calls admitted in a second; None if unlimited."""
        return self._rate

    @property
    def learns(self) -> bool:
        """Whether the rate changes with the platform's answers."""
        return self._learned is not None

    def restore(self, rate: int) -> None:
        """Begins with the rate that an earlier process learned."""
        if self._learned is not None:
            self._learned.restore(rate)
            self._change_rate(self._learned.calls)

    def would_wait(self) -> bool:
        """Returns whether a call would have to wait now."""
        return self._wait() > 0

    def take(self) -> None:
        """Counts a call that starts without waiting for its turn; call `end` when it is answered."""
        self._bucket.take(asyncio.get_running_loop().time())
        self._under_way += 1

    def end(self, calls: int = 1) -> None:
        """Records that calls were answered, and admits waiting ones."""
        self._under_way -= calls
        self._answered.extend([asyncio.get_running_loop().time()] * calls)
        self._admit()

    def give_back(self) -> None:
        """Returns the turn of a call that was not made, and admits waiting ones."""
        self._under_way -= 1
        self._bucket.give_back()
        self._admit()

    def ask(self, rank: Rank, on_admitted: Callable[[], object]) -> Admission:
        """Queues a call; `on_admitted` is called when it is admitted, which may be at once."""
        turn = Admission(rank, next(self._numbers), on_admitted)
        heapq.heappush(self._waiting, turn)
        self._admit()
        return turn

    def leave(self, turn: Admission) -> None:
        """Withdraws a call, admitted or not."""
        turn.is_over = True
        if turn.is_admitted:
            self.give_back()

    @asynccontextmanager
    async def turn(self, chat: Hashable, *, can_wait: float = 0.0) -> AsyncIterator[None]:
        """Waits until a call to a chat is admitted; the call ends with the block.

        A call with `can_wait` 0 precedes all others. Each call already waiting for the same chat adds a
        second, so that many commands in one chat do not delay the others.
        """
        now = asyncio.get_running_loop().time()
        granted = asyncio.Event()
        can_wait += self._waiting_in[chat]
        rank = (1, now + can_wait) if can_wait else (0, now)
        turn = self.ask(rank, granted.set)
        self._waiting_in[chat] += 1

        try:
            await granted.wait()
        except asyncio.CancelledError:
            self.leave(turn)
            raise
        finally:
            self._waiting_in -= Counter([chat])

        try:
            yield
        finally:
            self.end()

    def note_refusal(self, chat: Hashable, seconds: float, *, kept_limits: bool) -> None:
        """Notes that the platform refuses calls to a chat for some seconds.

        Platforms need not name the exceeded limit. If the chat kept to its own limits, or a second chat is
        refused at the same moment, it must be the whole bot's: then `throttle` applies.
        """
        now = asyncio.get_running_loop().time()
        before = self._refused
        self._refused = chat, now

        is_second = before is not None and before[0] != chat and now <= before[1] + SAME_MOMENT_SECONDS
        if kept_limits or is_second:
            self.throttle(seconds)

    def throttle(self, seconds: float) -> None:
        """Stops all calls for some seconds, and lowers a learned rate: the platform throttles the whole bot.

        Refusals at the same moment lower the rate only once.
        """
        now = asyncio.get_running_loop().time()
        is_known = now < max(self._paused_until, self._lowered_at + SAME_MOMENT_SECONDS)
        if self._learned is not None and not is_known:
            self._learned.lower(self._sent_lately(now) - self._burst)
            self._lowered_at = now
            self._change_rate(self._learned.calls)

        self._paused_until = max(self._paused_until, now + seconds)
        self._short_since = None

    def suspend(self) -> None:
        """Admits no call until `resume`."""
        self._is_suspended = True

    def resume(self) -> None:
        """Admits calls again."""
        self._is_suspended = False
        self._admit()

    def _wait(self) -> float:
        """Returns the seconds until a call may be admitted; infinity while suspended or until an answer."""
        if self._is_suspended:
            return float("inf")

        now = asyncio.get_running_loop().time()
        is_free = self._rate is None or self._sent_lately(now) < self._burst + self._rate
        wait = max(self._bucket.wait(now), self._paused_until - now)
        if is_free:
            return wait

        return max(wait, self._answered[0] + 1 - now) if self._answered else float("inf")

    def _sent_lately(self, now: float) -> int:
        """Returns the number of calls that are under way, or were answered within the last second."""
        while self._answered and self._answered[0] <= now - 1:
            self._answered.popleft()

        return self._under_way + len(self._answered)

    def _admit(self) -> None:
        """Admits the calls that the budget allows, and schedules the next check."""
        self._learn()
        while self._waiting:
            if self._waiting[0].is_over:
                heapq.heappop(self._waiting)
                continue

            wait = self._wait()
            if wait > 0:
                self._note_shortage()
                if self._timer is None and wait < float("inf"):
                    self._timer = asyncio.get_running_loop().call_later(wait, self._admit_later)
                return

            turn = heapq.heappop(self._waiting)
            self.take()
            turn.is_admitted = True
            turn.on_admitted()

    def _admit_later(self) -> None:
        self._timer = None
        self._admit()

    # --- the rate that is learned ---------------------------------------------------------------------------

    def _note_shortage(self) -> None:
        """Notes that calls wait from now on, if only the rate delays them."""
        now = asyncio.get_running_loop().time()
        if self._learned is None or self._is_suspended or now < self._paused_until:
            return

        if len(self._answered) >= ENOUGH_ANSWERED * self._learned.calls:
            self._short_since = now

    def _learn(self) -> None:
        """Counts the time that calls waited for the rate, which may raise the rate."""
        since = self._short_since
        self._short_since = None
        if self._learned is None or since is None:
            return

        if self._learned.wait(asyncio.get_running_loop().time() - since):
            self._change_rate(self._learned.calls)

    def _change_rate(self, calls: int) -> None:
        slowed = min(1.0, calls * self._budget.seconds)
        self._rate = calls
        self._burst = max(1, round(slowed * self._budget.burst))
        self._bucket.change(Budget(1 / calls, self._burst), asyncio.get_running_loop().time())


def limiter_of(budgets: Budgets, calls: int | None) -> CallLimiter:
    """Returns the limiter of the whole bot; `calls` fixes its rate (calls per second), None: learn it."""
    if calls is None:
        return CallLimiter(budgets.whole, learns=True)
    return CallLimiter(Budget(1 / calls, budgets.whole.burst))
