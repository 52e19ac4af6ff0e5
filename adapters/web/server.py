"""The HTTP server. No other one stands in front of the page, so it cuts off who is slow or takes too much."""

import asyncio
import logging
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import cast

from aiohttp import web
from aiohttp.http_exceptions import HttpProcessingError

from adapters.web.proxies import NO_PROXIES, TrustedProxies
from adapters.web.rate_limiter import network

IDLE_SECONDS = 20.0
"""How long a connection may take for the head of a request, from its beginning or from the last answer on."""

ENDING_SECONDS = 2.0
"""How long the rest of a request is waited for when its answer is sent."""

STUCK_SECONDS = 30.0
"""How long a connection may take nothing of what is sent to it."""

STOPPING_SECONDS = 2.0
"""How long answers that are on their way hold up the end."""

MOST_CONNECTIONS = 300
"""Connections that one address may hold open; a browser has up to six, and one for each page's stream.

A trusted proxy may hold as many as it likes: it counts those for whom it asks.
"""


def _is_fault_of_the_bot(record: logging.LogRecord) -> bool:
    """Return whether a record of aiohttp's log tells of a fault of the bot, not of a malformed request.

    Such records quote what was sent, which may be a secret. None keeps the address that a request came from.
    """
    error = record.exc_info[1] if record.exc_info else None
    record.msg, record.args = "request_failed", ()
    return not isinstance(error, HttpProcessingError)


log = logging.getLogger(__name__)
log.addFilter(_is_fault_of_the_bot)


@asynccontextmanager
async def listening(
    app: web.Application, host: str, port: int, proxies: TrustedProxies = NO_PROXIES
) -> AsyncIterator[str]:
    """Serve an application while the context lasts; gives its address, like `http://127.0.0.1:8080`.

    Raises:
        OSError: The host or the port cannot be used.
    """
    runner = web.AppRunner(
        app,
        access_log=None,
        logger=log,
        keepalive_timeout=IDLE_SECONDS,
        lingering_time=ENDING_SECONDS,
        shutdown_timeout=STOPPING_SECONDS,
    )
    await runner.setup()
    try:
        make, connections = cast("web.Server", runner.server), Counter[str]()
        server = await asyncio.get_running_loop().create_server(
            lambda: _Connection(make, connections, proxies), host, port
        )
        try:
            host, port = server.sockets[0].getsockname()[:2]
            yield f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
        finally:
            server.close()
    finally:
        await runner.cleanup()


class _Connection(asyncio.Protocol):
    """One connection: aiohttp serves it, unless its address has too many or nobody reads at the other end."""

    def __init__(
        self, make: Callable[[], asyncio.Protocol], connections: Counter[str], proxies: TrustedProxies
    ) -> None:
        self._make = make
        self._connections = connections
        self._proxies = proxies
        self._address = ""
        self._served: asyncio.Protocol | None = None
        self._transport: asyncio.Transport | None = None
        self._stuck: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        peer = (transport.get_extra_info("peername") or [""])[0]
        self._address = network(peer)
        if self._connections[self._address] >= MOST_CONNECTIONS and not self._proxies.trusts(peer):
            cast("asyncio.Transport", transport).abort()
            return
        self._connections[self._address] += 1
        self._transport = cast("asyncio.Transport", transport)
        self._served = self._make()
        self._served.connection_made(transport)

    def data_received(self, data: bytes) -> None:
        if self._served is not None:
            self._served.data_received(data)

    def eof_received(self) -> bool | None:
        return None if self._served is None else self._served.eof_received()

    def pause_writing(self) -> None:
        if self._served is not None and self._transport is not None:
            self._served.pause_writing()
            self._stuck = asyncio.get_running_loop().call_later(STUCK_SECONDS, self._transport.abort)

    def resume_writing(self) -> None:
        self._unstick()
        if self._served is not None:
            self._served.resume_writing()

    def connection_lost(self, error: Exception | None) -> None:
        self._unstick()
        if self._served is None:
            return
        self._connections[self._address] -= 1
        if not self._connections[self._address]:
            del self._connections[self._address]
        self._served.connection_lost(error)

    def _unstick(self) -> None:
        if self._stuck is not None:
            self._stuck.cancel()
            self._stuck = None
