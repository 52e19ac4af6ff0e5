"""Rate limits: headers on every answer, refusals on demand, and real budgets when switched on."""

import math
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from hashlib import blake2b

# Answers to interactions count against no global limit; here they have no budget at all.
EXEMPT = ("/interactions/", "/webhooks/")

ROOMY = 50  # the limit shown in the headers while no budget is switched on


@dataclass(frozen=True)
class Flooded:
    """An answer with the status 429."""

    retry_after: float
    everywhere: bool
    headers: dict[str, str]


@dataclass
class Planned:
    """A refusal ordered by a test."""

    retry_after: float
    method: str | None
    channel: int | None
    everywhere: bool
    times: int


@dataclass
class Bucket:
    """The rest of a budget until it is full again."""

    left: int
    resets: float


@dataclass
class Limits:
    """All the limits of this Discord.

    Attributes:
        budget: The requests that a bucket accepts in so many seconds; None: any number.
        overall: The requests that the whole bot may make in a second; None: any number.
        refused: The number of requests that were answered with 429.
        now: Returns the time in seconds.
    """

    budget: tuple[int, float] | None = None
    overall: int | None = None
    refused: int = 0
    now: Callable[[], float] = time.monotonic
    _counted: deque[float] = field(default_factory=deque)
    _planned: list[Planned] = field(default_factory=list)
    _buckets: dict[str, Bucket] = field(default_factory=dict)

    def enforce(self) -> None:
        """Enforces Discord's limits: 50 requests a second, and 5 in 5 seconds in one bucket."""
        self.budget = (5, 5.0)
        self.overall = 50

    def refuse(
        self,
        retry_after: float,
        *,
        method: str | None = None,
        channel: int | None = None,
        everywhere: bool = False,
        times: int = 1,
    ) -> None:
        """Refuses the next requests of this kind, to this channel, with 429."""
        self._planned.append(Planned(retry_after, method, channel, everywhere, times))

    def count(self, method: str, path: str, params: dict[str, str]) -> dict[str, str] | Flooded:
        """Counts a request, and returns the headers of its answer, or its refusal."""
        planned = self._plan_for(method, path, params)
        if planned is not None:
            self.refused += 1
            return Flooded(
                planned.retry_after, planned.everywhere, self._headers(method, path, 0, planned.retry_after)
            )

        if not path.startswith(EXEMPT) and (wait := self._overall_wait()):
            self.refused += 1
            return Flooded(wait, everywhere=True, headers=self._headers(method, path, 1, wait))
        if self.budget is None or path.startswith(EXEMPT):
            return self._headers(method, path, ROOMY - 1, 1.0)

        limit, seconds = self.budget
        major = "+".join(
            value for name, value in sorted(params.items()) if name in {"channel_id", "guild_id"}
        )
        bucket = self._buckets.setdefault(f"{method} {path} {major}", Bucket(limit, 0.0))
        now = self.now()
        if now >= bucket.resets:
            bucket.left = limit
            bucket.resets = now + seconds

        wait = bucket.resets - now
        if bucket.left == 0:
            self.refused += 1
            return Flooded(wait, everywhere=False, headers=self._headers(method, path, 0, wait))

        bucket.left -= 1
        return self._headers(method, path, bucket.left, wait)

    def _overall_wait(self) -> float:
        """Counts a request of the whole bot, and returns the seconds it has to wait; 0: none."""
        if self.overall is None:
            return 0.0

        now = self.now()
        while self._counted and now - self._counted[0] > 1.0:
            self._counted.popleft()

        if len(self._counted) >= self.overall:
            return 1.0 - (now - self._counted[0])

        self._counted.append(now)
        return 0.0

    def _plan_for(self, method: str, path: str, params: dict[str, str]) -> Planned | None:
        for planned in self._planned:
            fits = planned.method in {None, method} and not path.startswith(EXEMPT)
            if fits and (planned.channel is None or params.get("channel_id") == str(planned.channel)):
                planned.times -= 1
                if planned.times == 0:
                    self._planned.remove(planned)
                return planned
        return None

    def _headers(self, method: str, path: str, left: int, wait: float) -> dict[str, str]:
        limit = self.budget[0] if self.budget is not None else ROOMY
        return {
            "X-RateLimit-Limit": str(limit),
            "X-RateLimit-Remaining": str(left),
            "X-RateLimit-Reset": f"{time.time() + wait:.3f}",
            "X-RateLimit-Reset-After": f"{math.ceil(wait * 1000) / 1000:.3f}",
            "X-RateLimit-Bucket": blake2b(f"{method} {path}".encode(), digest_size=8).hexdigest(),
        }
