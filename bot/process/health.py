"""The HTTP endpoints for operating the bot: liveness, readiness, and metrics."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from ipaddress import ip_address
from urllib.parse import urlsplit

from aiohttp import web
from aiohttp.typedefs import Handler
from cachetools import TTLCache
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, generate_latest
from prometheus_client.registry import Collector

from bot.locale import Translator
from bot.process.connections import Connections
from bot.screens import refusals
from bot.storage import Database, DatabaseDamagedError, DatabaseUnreachableError

# Headers that a proxy on this machine adds: the client is elsewhere.
PASSED_ON = ("Forwarded", "Via", "X-Forwarded-For", "X-Forwarded-Host", "X-Real-IP")

METRICS_SECONDS = 1.0  # how long public metrics are cached
NOT_FROM_HERE = "Only this machine may read this; DURAK_METRICS=public lets everybody.\n"


def http_app(
    missing: Callable[[], Awaitable[Sequence[str]]],
    *,
    damaged: Callable[[], Sequence[int]] = tuple,
    gauges: Collector | None = None,
    public_metrics: bool = False,
) -> web.Application:
    """Returns the application; the local page adds its own routes.

    Args:
        missing: Returns the obstacles to being ready.
        damaged: Returns the tables that cannot be read; the bot is ready for all others.
        gauges: Metrics of the bot's state, in addition to the counters.
        public_metrics: Whether metrics are public, rather than only for this machine.
    """
    registry = CollectorRegistry()
    if gauges is not None:
        registry.register(gauges)

    async def healthz(_: web.Request) -> web.Response:
        return web.Response(text="ok\n")

    async def readyz(_: web.Request) -> web.Response:
        names = await missing()
        if names:
            return web.Response(text=f"not ready: {', '.join(names)}\n", status=503)

        tables = ", ".join(map(str, damaged()))
        text = f"ready, but for damaged tables: {tables}\n" if tables else "ready\n"
        return web.Response(text=text)

    newest: TTLCache[str, bytes] = TTLCache(1, METRICS_SECONDS)

    async def metrics(request: web.Request) -> web.Response:
        is_from_here = _is_from_here(request)
        if not (public_metrics or is_from_here):
            return web.Response(text=NOT_FROM_HERE, status=403)

        if is_from_here or "" not in newest:
            newest[""] = generate_latest() + generate_latest(registry)
        return web.Response(body=newest[""], headers={"Content-Type": CONTENT_TYPE_LATEST})

    app = web.Application(middlewares=[_while_out_of_reach])
    app.add_routes([web.get("/healthz", healthz), web.get("/readyz", readyz), web.get("/metrics", metrics)])
    return app


@web.middleware
async def _while_out_of_reach(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Answers with a sentence if the database is needed and cannot be used."""
    try:
        return await handler(request)
    except DatabaseUnreachableError as error:
        why = refusals.DAMAGED if isinstance(error, DatabaseDamagedError) else refusals.NOT_WRITTEN
        return web.json_response({"error": Translator("").text(why)}, status=503)


def _is_from_here(request: web.Request) -> bool:
    """Returns whether a request was made on this machine, and not by a page of another site."""
    try:
        host = urlsplit(f"//{request.host}").hostname or ""
    except ValueError:
        return False

    is_direct = not any(header in request.headers for header in PASSED_ON)
    names_this_machine = host == "localhost" or _is_loopback(host)
    return is_direct and names_this_machine and _is_loopback(request.remote or "")


def _is_loopback(text: str) -> bool:
    try:
        address = ip_address(text)
    except ValueError:
        return False
    return (getattr(address, "ipv4_mapped", None) or address).is_loopback


# --- The answer of `/readyz` ---


PATIENCE = 2.0  # seconds the database has to answer


class Readiness:
    """Checks the parts that may be out of reach."""

    def __init__(self, connections: Connections, database: Database) -> None:
        self._connections = connections
        self._database = database
        self._asking: asyncio.Task[bool] | None = None

    async def missing(self) -> list[str]:
        """Returns the parts that are out of reach or damaged; empty if the bot is ready.

        The database is asked once for all simultaneous requests, and has `PATIENCE` seconds to answer.
        """
        if self._asking is None or self._asking.done():
            self._asking = asyncio.create_task(self._database.is_healthy())

        done, _ = await asyncio.wait({self._asking}, timeout=PATIENCE)
        answers = bool(done) and self._asking.exception() is None and self._asking.result()
        database = "damaged database" if self._database.is_damaged else "database"
        return [*([] if answers else [database]), *self._connections.missing]
