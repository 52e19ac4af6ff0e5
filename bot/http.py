"""The bot's own HTTP: whether it lives, whether it is ready, what it counted."""

from collections.abc import Awaitable, Callable

from aiohttp import web
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest

IsReady = Callable[[], Awaitable[bool]]


def http_app(is_ready: IsReady) -> web.Application:
    """Make the application; the local page adds its own routes."""

    async def healthz(_: web.Request) -> web.Response:
        return web.Response(text="ok\n")

    async def readyz(_: web.Request) -> web.Response:
        ready = await is_ready()
        return web.Response(text="ready\n" if ready else "not ready\n", status=200 if ready else 503)

    async def metrics(_: web.Request) -> web.Response:
        return web.Response(body=generate_latest(), headers={"Content-Type": CONTENT_TYPE_LATEST})

    app = web.Application()
    app.add_routes([web.get("/healthz", healthz), web.get("/readyz", readyz), web.get("/metrics", metrics)])
    return app
