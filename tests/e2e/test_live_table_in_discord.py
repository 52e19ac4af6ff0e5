"""A press in the channel launches the Activity, and the table in Discord's frame is that of the channel."""

import asyncio
import json
import re
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import cast

import aiohttp
import pytest
import pytest_asyncio
from playwright.async_api import BrowserContext, Frame, Route, WebSocketRoute

from tests.e2e.chats import Shown
from tests.e2e.discord import Member, Place
from tests.e2e.game import gather, until
from tests.e2e.process import BotProcess
from tests.wire.browser import PHONE, Browser
from tests.wire.chromium import Chromium
from tests.wire.discord import CLIENT_SECRET, Callback

pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(240),
    pytest.mark.parametrize("chat", ["discord"], indirect=True),
]

GAME = "/durak podkidnoy-24 throw_in=attacker"
CHANNEL = "https://discord.com/channels/1/2"
PROXY = "https://101.discordsays.com"  # of the application that the test's token begins with

# What the owner enters as URL mappings, the longest first.
MAPPINGS: Mapping[str, str] = {"/page": "page", "/visits": "visits", "/": "in/discord"}

# Discord's own window, as far as an Activity sees it.
HOST = """<!doctype html><iframe src="{address}" style="width: 380px; height: 760px"></iframe><script>
addEventListener("message", ({{ source, origin, data: [opcode, asked] }}) => {{
  const say = (data) => source.postMessage([1, data], origin);
  window.lay = (mode) =>
    say({{ cmd: "DISPATCH", evt: "ACTIVITY_LAYOUT_MODE_UPDATE", data: {{ layout_mode: mode }} }});
  if (opcode === 0) say({{ cmd: "DISPATCH", evt: "READY", data: {{}} }});
  if (asked.cmd === "AUTHORIZE") say({{ cmd: "AUTHORIZE", nonce: asked.nonce, data: {{ code: {code} }} }});
}});
</script>"""


@pytest_asyncio.fixture(loop_scope="session")
async def bot(chat: Place, tmp_path: Path) -> AsyncIterator[BotProcess]:
    settings = {"DURAK_PUBLIC_URL": "https://durak.example", "DURAK_DISCORD_CLIENT_SECRET": CLIENT_SECRET}
    process = BotProcess(tmp_path, {**chat.settings, **settings})
    await process.start()
    yield process
    assert await process.stop() == 0
    assert "[error" not in process.output


def behind_the_proxy(address: str, path: str) -> str:
    """Where Discord's proxy looks for a path."""
    prefix = next(prefix for prefix in MAPPINGS if path.startswith(prefix))
    rest = path.removeprefix(prefix)
    return f"{address}{MAPPINGS[prefix]}{rest and '/' + rest.lstrip('/')}"


@asynccontextmanager
async def discord_around(context: BrowserContext, bot: BotProcess, host: str) -> AsyncIterator[None]:
    """Lets a browser find Discord's window and its proxy, which leads to the bot."""
    bridges = set[asyncio.Task[None]]()

    async def proxy(route: Route) -> None:
        path = route.request.url.removeprefix(PROXY).partition("?")[0]
        await route.fulfill(response=await route.fetch(url=behind_the_proxy(bot.address, path)))

    async def window(route: Route) -> None:
        await route.fulfill(body=host, content_type="text/html")

    async def bridge(socket: WebSocketRoute) -> None:
        address = behind_the_proxy(bot.address, "/visits/stream")
        session = aiohttp.ClientSession()
        stream = await session.ws_connect(address, origin=PROXY)
        socket.on_message(lambda message: bridges.add(asyncio.create_task(stream.send_str(str(message)))))

        async def pump() -> None:
            async with session, stream:
                async for message in stream:
                    socket.send(message.data)

        bridges.add(asyncio.create_task(pump()))

    await context.route(f"{PROXY}/**", proxy)
    await context.route(CHANNEL, window)
    await context.route_web_socket(re.compile("discordsays"), bridge)
    try:
        yield
    finally:
        for task in bridges:
            task.cancel()
        await asyncio.gather(*bridges, return_exceptions=True)


async def test_the_table_of_a_channel_is_played_in_discords_own_frame(
    chat: Place, bot: BotProcess, chromium: Chromium
) -> None:
    anna, _ = cast("Sequence[Member]", await gather(chat, ["Anna", "Boris"], command=GAME))

    async def button() -> tuple[Shown, str] | None:
        for shown in reversed(await anna.public()):
            for token, label in shown.buttons.items():
                if label == "📱 Open the table":
                    return shown, token
        return None

    await anna.presses(*await until(button, "the button under the table"))
    assert any(each.callback is Callback.LAUNCH for each in chat.server.state.interactions.values())

    activities = chat.server.state.activities
    instance = activities.opened(chat.channel, anna.person.account)
    code = json.dumps(activities.authorized(anna.person.account))
    host = HOST.format(address=f"{PROXY}/?frame_id=1&instance_id={instance}&platform=mobile", code=code)

    async with Browser(chromium) as browser:
        guest = await browser.stranger(PHONE)
        async with discord_around(guest.page.context, bot, host):
            await guest.page.goto(CHANNEL)

            async def frame() -> Frame | None:
                return next((each for each in guest.page.frames if each.url.startswith(PROXY)), None)

            table = await until(frame, "Discord's frame")
            await table.wait_for_selector("#mine.mine .held")
            await guest.page.evaluate("lay(1)")
            await table.wait_for_selector("#mine .fan", state="hidden")
            assert await table.is_visible("#mine .status")
            await guest.page.evaluate("lay(0)")
            await table.wait_for_selector("#mine.mine .held")
    assert CLIENT_SECRET not in bot.output
