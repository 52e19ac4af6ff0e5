"""The bot's own HTTP: whether it lives, whether it is ready, what it counted."""

from collections.abc import Awaitable, Callable, Sequence

from aiohttp import web
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest

Missing = Callable[[], Awaitable[Sequence[str]]]
"""Names what keeps the bot from being ready."""


def http_app(missing: Missing) -> web.Application:
    """Make the application; the local page adds its own routes."""

    async def healthz(_: web.Request) -> web.Response:
        return web.Response(text="ok\n")

    async def readyz(_: web.Request) -> web.Response:
        names = await missing()
        if names:
            return web.Response(text=f"not ready: {', '.join(names)}\n", status=503)
        return web.Response(text="ready\n")

    async def metrics(_: web.Request) -> web.Response:
        return web.Response(body=generate_latest(), headers={"Content-Type": CONTENT_TYPE_LATEST})

    app = web.Application()
    app.add_routes([web.get("/healthz", healthz), web.get("/readyz", readyz), web.get("/metrics", metrics)])
    return app
