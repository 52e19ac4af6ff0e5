"""Discord's own window around an Activity, and its proxy, as far as a browser sees them."""

import asyncio
import json
import re
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from types import TracebackType
from typing import Self

from aiohttp import ClientError, ClientSession, ClientWebSocketResponse, WSMsgType
from playwright.async_api import BrowserContext, Error, Frame, Page, Route, WebSocketRoute

from tests.wire.browser import Received, frame_in, needs_chromium

CHANNEL = "https://discord.com/channels/1/2"
PROXY = "https://101.discordsays.com"  # of the application whose id begins the test's token
FOCUSED, SMALL, GRID = range(3)  # the space of an Activity

# The owner's URL mappings in the portal, the longest first.
MAPPINGS: Mapping[str, str] = {"/page": "page", "/visits": "visits", "/": "in/discord"}
STREAM = "/visits/stream"
BOTS_OWN = 4000  # the first of the codes that the bot itself closes a stream with

HTML = """<!doctype html><meta name="viewport" content="width=device-width"><body style="margin: 0">
<iframe src="{address}" style="display: block; width: 100vw; height: 100vh; border: 0"></iframe><script>
const codes = {codes};
window.heard = [];
addEventListener("message", ({{ source, origin, data: [opcode, asked] }}) => {{
  const say = (data) => source.postMessage([1, data], origin);
  window.lay = (mode) =>
    say({{ cmd: "DISPATCH", evt: "ACTIVITY_LAYOUT_MODE_UPDATE", data: {{ layout_mode: mode }} }});
  if (window.isSilent) return;
  if (opcode === 0) say({{ cmd: "DISPATCH", evt: "READY", data: {{}} }});
  const {{ cmd, nonce, args }} = asked;
  heard.push([cmd, args]);
  if (cmd === "AUTHORIZE") say({{ cmd, nonce, data: {{ code: codes.shift() }} }});
}});
</script>"""


class DiscordWindow:
    """Discord in one browser, with an Activity behind its proxy.

    async with DiscordWindow(guest.page.context, bot.address) as window:
        table = await window.opens(guest.page, instance, codes)

    Attributes:
        received: The messages of the page's streams, in order.
    """

    def __init__(self, context: BrowserContext, address: str) -> None:
        """Leads to the pages at `address`, which ends with a slash."""
        self.received: list[Received] = []
        self._context = context
        self._address = address
        self._html = ""
        self._tasks = set[asyncio.Task[None]]()
        self._awake = asyncio.Event()
        self._awake.set()

    async def __aenter__(self) -> Self:
        await self._context.route(f"{PROXY}/**", self._proxy)
        await self._context.route(CHANNEL, self._show)
        await self._context.route_web_socket(re.compile("discordsays"), self._begin)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._context.unroute_all(behavior="ignoreErrors")
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def opens(self, page: Page, instance: str, codes: Sequence[str], *, query: str = "") -> Frame:
        """Opens the Activity; its reader is authorized by the `codes`, one after the other.

        Skips the test in browsers other than Chromium, for which the proxy cannot be replaced.
        """
        needs_chromium(page, "stand in for the proxy of Discord")
        address = f"{PROXY}/?frame_id=1&instance_id={instance}&platform=mobile{query}"
        self._html = HTML.format(address=address, codes=json.dumps(codes))
        await page.goto(CHANNEL)
        return await frame_in(page)

    def sleeps(self) -> None:
        """Cuts the phone off, without closing its connections."""
        self._awake.clear()

    def wakes(self) -> None:
        """Restores the phone's connection."""
        self._awake.set()

    async def _show(self, route: Route) -> None:
        await route.fulfill(body=self._html, content_type="text/html")

    def _behind(self, path: str) -> str:
        """Returns the address behind the proxy for a path."""
        prefix = next(prefix for prefix in MAPPINGS if path.startswith(prefix))
        rest = path.removeprefix(prefix)
        return f"{self._address}{MAPPINGS[prefix]}{rest and '/' + rest.lstrip('/')}"

    async def _proxy(self, route: Route) -> None:
        path = route.request.url.removeprefix(PROXY).partition("?")[0]
        try:
            response = await route.fetch(url=self._behind(path))
        except Error:  # nothing answers there
            await route.abort()
        else:
            await route.fulfill(response=response)

    async def _begin(self, socket: WebSocketRoute) -> None:
        said = asyncio.Queue[str | None]()  # None: it is closed
        socket.on_message(lambda message: said.put_nowait(str(message)))
        socket.on_close(lambda code, reason: said.put_nowait(None))
        self._tasks.add(asyncio.create_task(self._carry(socket, said)))

    async def _carry(self, socket: WebSocketRoute, said: asyncio.Queue[str | None]) -> None:
        await self._awake.wait()
        code = None
        with suppress(ClientError):
            async with ClientSession() as session:
                address = self._behind(STREAM)
                async with session.ws_connect(address, origin=PROXY, autoping=False) as stream:
                    code = await self._carry_on(socket, said, stream)

        if code is not None and code < BOTS_OWN:
            code = None  # browsers accept no other code from a script

        with suppress(Error):  # the page is closed
            await socket.close(code=code)

    async def _carry_on(
        self, socket: WebSocketRoute, said: asyncio.Queue[str | None], stream: ClientWebSocketResponse
    ) -> int | None:
        """Forwards all messages while the phone is awake, and returns the code that the bot closed with."""
        to_the_bot = asyncio.create_task(self._carry_to(stream, said))
        try:
            async for message in stream:
                if not self._awake.is_set():
                    continue

                if message.type is WSMsgType.PING:
                    await stream.pong(message.data)
                else:
                    self.received.append(Received(time.time(), message.data))
                    socket.send(message.data)
        finally:
            to_the_bot.cancel()

        return stream.close_code

    async def _carry_to(self, stream: ClientWebSocketResponse, said: asyncio.Queue[str | None]) -> None:
        while (text := await said.get()) is not None:
            await self._awake.wait()
            await stream.send_str(text)
        await self._awake.wait()
        await stream.close()
