"""How much one guest, or all who come from one address, may ask for."""

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from ipaddress import IPv6Address, ip_address
from math import ceil

from aiohttp import web
from cachetools import LRUCache

from adapters.port import Budget, TokenBucket
from adapters.web.errors import RefusedError, gettext_noop

MOST_KNOWN = 10_000
"""Of how many guests or addresses it is known how much they asked for; of others, those who asked last."""

HOME_BITS = 64
"""One household has as many bits of IPv6 addresses to itself."""


class RateLimiter:
    """Keeps everybody who asks for something to the same budget."""

    def __init__(self, budget: Budget, monotonic: Callable[[], float]) -> None:
        """Count by the seconds of a clock that nobody sets."""
        self._budget = budget
        self._monotonic = monotonic
        self._buckets = LRUCache[str, TokenBucket](MOST_KNOWN)

    def count(self, who: str) -> None:
        """Count a request of somebody.

        Raises:
            RefusedError: It is too much; it does not count.
        """
        now, bucket = self._monotonic(), self._buckets.setdefault(who, TokenBucket(self._budget))
        if wait := ceil(bucket.wait(now)):
            if wait == 1:
                raise RefusedError(429, gettext_noop("Not so fast, please: try again in a second."))
            raise RefusedError(429, gettext_noop("Not so fast, please: try again in {n} seconds."), n=wait)
        bucket.take(now)


class ConcurrencyLimit:
    """Counts what each of many has open, so that nobody has more than `most` at once."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._taken = Counter[str]()

    @contextmanager
    def slot(self, who: str) -> Iterator[bool]:
        """Take a slot while the context lasts; gives whether there was one."""
        is_free = self._taken[who] < self._most
        self._taken[who] += is_free
        try:
            yield is_free
        finally:
            self._taken[who] -= is_free
            if not self._taken[who]:
                del self._taken[who]


def network_of(request: web.Request) -> str:
    """Return the network that a request comes from: an address, or the part of it that one household shares.

    Where a proxy asks for others, the guard has put theirs in place of its own (`adapters/web/proxies.py`).
    """
    return network(request.remote or "")


def network(text: str) -> str:
    """Return the part of an address that one household shares; empty when it is no address."""
    try:
        address = ip_address(text)
    except ValueError:
        return ""
    if not isinstance(address, IPv6Address):
        return str(address)
    return str(address.ipv4_mapped or int(address) >> (128 - HOME_BITS))
