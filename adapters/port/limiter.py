"""Budgets of calls, and the limiter that keeps a whole bot to its own."""

import asyncio
import heapq
from collections import Counter, deque
from collections.abc import AsyncIterator, Callable, Hashable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from itertools import count


@dataclass(frozen=True, slots=True)
class Budget:
    """The rate of messages to one chat: `burst` messages at once, then one each `seconds`."""

    seconds: float
    burst: int


UNLIMITED = Budget(seconds=0.0, burst=1)  # a budget that is never used up


@dataclass(frozen=True, slots=True)
class Budgets:
    """The budgets of one room and of one private chat.

    An onlooker gets the newest state at least `onlooker_pause` seconds after the one before.
    All chats together share the budget of the `whole` bot.
    """

    public: Budget
    private: Budget
    onlooker_pause: float = 0.0
    whole: Budget = UNLIMITED


class TokenBucket:
    """A budget and its rest: `burst` tokens at most, and a new one each `seconds`.

    Each method takes the time `now` in seconds, from a clock that never goes back. A budget of no seconds is
    never used up.
    """

    def __init__(self, budget: Budget) -> None:
        self._seconds = budget.seconds
        self._burst = budget.burst
        self._full_at = float("-inf")

    def is_full(self, now: float) -> bool:
        """Returns whether the bucket is full, like a new one."""
        return self._full_at <= now

    def wait(self, now: float, tokens: int = 1) -> float:
        """Returns the seconds until there are so many tokens."""
        return max(0.0, self._full_at - now - (self._burst - tokens) * self._seconds)

    def take(self, now: float) -> None:
        """Takes a token, even from an empty bucket; the debt never exceeds one burst."""
        if self._seconds:
            most = now + 2 * self._burst * self._seconds
            self._full_at = min(max(self._full_at, now) + self._seconds, most)

    def give_back(self) -> None:
        """Puts back a token that was not used."""
        self._full_at -= self._seconds


Rank = tuple[int, float]  # a class of calls and a time; the least is admitted first


@dataclass(order=True, slots=True)
class Turn:
    """A call that waits for its turn; once admitted, it may be made."""

    rank: Rank
    number: int
    on_admitted: Callable[[], object] = field(compare=False)
    is_admitted: bool = field(default=False, compare=False)
    is_over: bool = field(default=False, compare=False)


class CallLimiter:
    """Limits the rate of a bot's calls to its platform, the least rank first: all chats share one budget.

    Calls are admitted evenly, but they count when they arrive: some time before they are answered. So no
    more are under way, or were answered within the last second, than the budget admits in a second. A message
    is rendered after its call was admitted, so no stale state is sent.
    """

    def __init__(self, budget: Budget) -> None:
        self._bucket = TokenBucket(budget)
        self._most = round(budget.burst + 1 / budget.seconds) if budget.seconds else float("inf")
        self._under_way = 0
        self._answered = deque[float]()
        self._waiting: list[Turn] = []
        self._numbers = count()
        self._paused_until = float("-inf")
        self._is_suspended = False
        self._timer: asyncio.TimerHandle | None = None
        self._waiting_in = Counter[Hashable]()

    def would_wait(self) -> bool:
        """Whether a call would have to wait now."""
        return self._wait() > 0

    def take(self) -> None:
        """Counts a call that did not wait for its turn; `end` ends it."""
        self._bucket.take(asyncio.get_running_loop().time())
        self._under_way += 1

    def end(self, calls: int = 1) -> None:
        """Records that these calls were answered."""
        self._under_way -= calls
        self._answered.extend([asyncio.get_running_loop().time()] * calls)
        self._admit()

    def give_back(self) -> None:
        """Releases the turn of a call that was not made."""
        self._under_way -= 1
        self._bucket.give_back()
        self._admit()

    def ask(self, rank: Rank, on_admitted: Callable[[], object]) -> Turn:
        """Queues a call; `on_admitted` is called when it is admitted, which may be at once."""
        turn = Turn(rank, next(self._numbers), on_admitted)
        heapq.heappush(self._waiting, turn)
        self._admit()
        return turn

    def leave(self, turn: Turn) -> None:
        """Withdraws a call, admitted or not."""
        turn.is_over = True
        if turn.is_admitted:
            self.give_back()

    @asynccontextmanager
    async def turn(self, chat: Hashable, *, can_wait: float = 0.0) -> AsyncIterator[None]:
        """Admits a call to a chat: ahead of all others, or as one that can wait; it ends with the block.

        It can wait a second for each call that waits there already: many commands hold up no other chat.
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

    def rest(self, seconds: float) -> None:
        """Admits no call for this many seconds: the platform has throttled the whole bot."""
        self._paused_until = max(self._paused_until, asyncio.get_running_loop().time() + seconds)

    def suspend(self) -> None:
        """Admits no call until `resume`."""
        self._is_suspended = True

    def resume(self) -> None:
        """Admits calls again."""
        self._is_suspended = False
        self._admit()

    def _wait(self) -> float:
        """Returns the seconds until a call may be admitted; infinite: until one is answered, or for now."""
        if self._is_suspended:
            return float("inf")

        now = asyncio.get_running_loop().time()
        while self._answered and self._answered[0] <= now - 1:
            self._answered.popleft()
        wait = max(self._bucket.wait(now), self._paused_until - now)
        if self._under_way + len(self._answered) < self._most:
            return wait
        return max(wait, self._answered[0] + 1 - now) if self._answered else float("inf")

    def _admit(self) -> None:
        """Admits the calls that the budget allows, and schedules the next check."""
        while self._waiting:
            if self._waiting[0].is_over:
                heapq.heappop(self._waiting)
                continue
            if (wait := self._wait()) > 0:
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
