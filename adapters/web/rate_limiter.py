"""How much one guest, or all who come from one address, may ask for."""

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from ipaddress import IPv6Address, ip_address
from math import ceil

from aiohttp import web
from cachetools import LRUCache

from adapters.web.errors import RefusedError

MOST_KNOWN = 10_000
"""Of how many guests or addresses it is known how much they asked for; of others, those who asked last."""

HOME_BITS = 64
"""One household has as many bits of IPv6 addresses to itself."""


@dataclass(slots=True)
class _Bucket:
    left: float
    counted_at: float


class Patience:
    """A token bucket for each who asks: `burst` times at once, and then once each `seconds`."""

    def __init__(self, burst: int, seconds: float, steady: Callable[[], float]) -> None:
        """Count by the seconds of a steady clock."""
        self._burst = burst
        self._seconds = seconds
        self._steady = steady
        self._buckets = LRUCache[str, _Bucket](MOST_KNOWN)

    def ask(self, who: str) -> None:
        """Count what somebody asks for.

        Raises:
            RefusedError: It is too much; it does not count.
        """
        now = self._steady()
        bucket = self._buckets.setdefault(who, _Bucket(self._burst, now))
        bucket.left = min(self._burst, bucket.left + (now - bucket.counted_at) / self._seconds)
        bucket.counted_at = now
        if bucket.left < 1:
            wait = ceil((1 - bucket.left) * self._seconds)
            moment = "a second" if wait == 1 else f"{wait} seconds"
            raise RefusedError(429, f"Not so fast, please: try again in {moment}.")
        bucket.left -= 1


class Places:
    """Counts what each of many has open, so that nobody has more than `most` at once."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._taken = Counter[str]()

    @contextmanager
    def one(self, who: str) -> Iterator[bool]:
        """Take a place while the context lasts; gives whether there was one."""
        is_free = self._taken[who] < self._most
        self._taken[who] += is_free
        try:
            yield is_free
        finally:
            self._taken[who] -= is_free
            if not self._taken[who]:
                del self._taken[who]


def address_of(request: web.Request) -> str:
    """Give the household that a request comes from.

    What a proxy says about who is behind it is not read: anybody can say such things.
    """
    return household(request.remote or "")


def household(text: str) -> str:
    """Give an address as far as it stands for one household; empty when it is none."""
    try:
        address = ip_address(text)
    except ValueError:
        return ""
    if not isinstance(address, IPv6Address):
        return str(address)
    return str(address.ipv4_mapped or int(address) >> (128 - HOME_BITS))
