"""Makes discord.py raise instead of waiting, skip unreadable events, and name the reasons of outages."""

import asyncio
import logging
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import partial
from http import HTTPStatus
from types import SimpleNamespace, TracebackType
from typing import Any

import aiohttp
import discord
from cachetools import LRUCache
from discord.http import HTTPClient, Ratelimit
from discord.state import ConnectionState

from adapters.discord import inbound

# The longest wait within a request that Discord has refused; a longer one raises `RateLimited`.
MAX_WAIT_SECONDS = 1.0

# Rate limits that are tracked: Discord has one for each kind of request in each channel.
MAX_LIMITS = 1000


class FailFastRatelimit(Ratelimit):
    """One rate limit of Discord's; raises if a request would have to wait."""

    async def acquire(self) -> None:
        """Takes one request.

        Raises:
            discord.RateLimited: No request is left until the limit is reset.
        """
        if self.is_expired():
            self.reset()  # type: ignore[no-untyped-call] # discord.py left its type out
        if self.remaining <= 0 and self.expires is not None:
            raise discord.RateLimited(self.expires - asyncio.get_running_loop().time())

        self.remaining -= 1
        self.outgoing += 1

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.outgoing -= 1


def raise_instead_of_waiting(http: HTTPClient) -> Mapping[str, Ratelimit]:
    """Makes a client's requests raise `RateLimited` instead of waiting; returns the tracked limits."""
    limits = LRUCache[str, Ratelimit](MAX_LIMITS)

    def limit(key: str) -> Ratelimit:
        if key not in limits:
            limits[key] = FailFastRatelimit(None)
        return limits[key]

    http.get_ratelimit = limit  # type: ignore[method-assign] # the library offers no other way
    http.max_ratelimit_timeout = MAX_WAIT_SECONDS
    return limits


def global_refusals(on_throttled: Callable[[float], object]) -> aiohttp.TraceConfig:
    """Returns a trace of requests that reports for how many seconds Discord refuses the whole bot."""

    async def ended(
        _session: aiohttp.ClientSession,
        _context: SimpleNamespace,
        request: aiohttp.TraceRequestEndParams,
    ) -> None:
        response = request.response
        is_refused = response.status == HTTPStatus.TOO_MANY_REQUESTS
        if not is_refused or response.headers.get("X-RateLimit-Scope") != "global":
            return

        with suppress(KeyError, ValueError):
            on_throttled(float(response.headers["Retry-After"]))

    trace = aiohttp.TraceConfig()
    trace.on_request_end.append(ended)
    return trace


Parser = Callable[[Any], None]
Skipped = Callable[[str, Exception], None]

NEEDED = frozenset({"READY", "RESUMED"})  # without these there is no session: the connection begins again


def skip_unreadable(connection: "ConnectionState[Any]", skipped: Skipped) -> None:
    """Keeps a connection open after an event that cannot be parsed; the library would close it.

    Interactions are reduced to the parts that the bot needs, so nothing else there can make a press
    unreadable. `skipped` gets the event's name and the error.
    """
    for name, parse in connection.parsers.items():
        if name not in NEEDED:
            connection.parsers[name] = partial(_parse, name, parse, skipped)


def _parse(name: str, parse: Parser, skipped: Skipped, data: Any) -> None:
    try:
        event_data = inbound.essential_interaction(data) if name == "INTERACTION_CREATE" else data
        parse(event_data)
    except Exception as error:  # any error that the library raises
        number = data.get("id") if isinstance(data, Mapping) else None
        is_id = isinstance(number, str) and number.isdecimal()
        event = f"{name} {number}" if is_id else name
        skipped(event, error)


SHARDS_LOG = logging.getLogger("discord.shard")


@contextmanager
def reconnects_noted(note: Callable[[BaseException], None]) -> Iterator[None]:
    """Passes errors after which the library reconnects to `note`, instead of logging a trace for each."""

    def is_other(record: logging.LogRecord) -> bool:
        error = record.exc_info[1] if record.exc_info else None
        if error is None:
            return True

        note(error)
        return False

    SHARDS_LOG.addFilter(is_other)
    try:
        yield
    finally:
        SHARDS_LOG.removeFilter(is_other)
