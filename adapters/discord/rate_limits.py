"""Discord's rate limits as outcomes.

discord.py waits inside a request until a limit has passed, and the last request of a bucket waits before it
returns. Here nobody waits: the outbox keeps the newest screen and tries again, so it must hear of it at once.
"""

from types import TracebackType

import discord
from discord.http import HTTPClient, Ratelimit

LONGEST_WAIT = 1.0
"""Seconds that are waited inside a request after Discord refused one; longer ones become `RateLimited`."""


class FailFastRatelimit(Ratelimit):
    """What Discord said about one limit; refuses where the library's own waits."""

    async def acquire(self) -> None:
        """Take one request.

        Raises:
            discord.RateLimited: None is left until the limit is reset.
        """
        now = self._last_request = self._loop.time()
        if self.is_expired():
            self.reset()  # type: ignore[no-untyped-call] # discord.py left its type out
        if self.remaining <= 0 and self.expires is not None:
            raise discord.RateLimited(self.expires - now)
        self.remaining -= 1
        self.outgoing += 1

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.outgoing -= 1


def refuse_instead_of_waiting(http: HTTPClient) -> None:
    """Make a client's requests raise `RateLimited` where they would wait."""

    def bucket(key: str) -> Ratelimit:
        if key not in http._buckets:
            http._buckets[key] = FailFastRatelimit(None)
            http._try_clear_expired_ratelimits()
        return http._buckets[key]

    http.get_ratelimit = bucket  # type: ignore[method-assign] # the library offers no other way
    http.max_ratelimit_timeout = LONGEST_WAIT
