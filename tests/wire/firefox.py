"""Debian's Firefox, driven by Playwright over WebDriver BiDi.

Playwright sets media features for every new context, which Firefox ESR does not know: it refuses the context.
And its finger does nothing there. So Playwright starts this module in its place, which stands between the
two, answers that command itself, and makes the pointer a finger: `page.mouse.click` is a tap.
"""

import asyncio
import re
import shlex
import sys
from asyncio.subprocess import PIPE
from pathlib import Path
from tempfile import TemporaryDirectory

from aiohttp import ClientSession, ClientWebSocketResponse, web
from playwright.async_api import Browser as Engine
from playwright.async_api import Playwright
from pydantic import BaseModel

from tests.wire.browser_program import BrowserProgram

PROGRAM = "firefox-esr"

UNKNOWN_TO_FIREFOX = "emulation.setMediaFeaturesOverride"

MOUSE, FINGER = '{"pointerType":"mouse"}', '{"pointerType":"touch"}'

ADDRESS = re.compile(r"ws://[\d.]+:\d+")  # what Firefox prints when it listens, and Playwright connects to


class Firefox(BrowserProgram):
    """Firefox without a window, in light colours and with reduced motion: others need the missing command."""

    async def _launched(self, playwright: Playwright) -> Engine:
        stand_in = Path(self._exit.enter_context(TemporaryDirectory())) / PROGRAM
        root, python = (shlex.quote(str(path)) for path in (Path(__file__).parents[2], sys.executable))
        stand_in.write_text(f'#!/bin/sh\ncd {root} && exec {python} -m {__name__} "$@"\n')
        stand_in.chmod(0o700)
        return await playwright.firefox.launch(
            channel="moz-firefox", executable_path=stand_in, firefox_user_prefs={"ui.prefersReducedMotion": 1}
        )


class Command(BaseModel):
    """What Playwright asks for."""

    id: int
    method: str


class Answer(BaseModel):
    """What Firefox would say."""

    id: int
    type: str = "success"
    result: dict[str, str] = {}


async def stand_between(*arguments: str) -> None:
    """Start Firefox, and hand on what it and Playwright say to one another."""
    firefox = await asyncio.create_subprocess_exec(PROGRAM, *arguments, stderr=PIPE)
    address = ""

    async def connect(request: web.Request) -> web.WebSocketResponse:
        playwright = web.WebSocketResponse(max_msg_size=0)
        await playwright.prepare(request)
        async with ClientSession() as session, session.ws_connect(address, max_msg_size=0) as connection:
            answering = asyncio.create_task(_answer(connection, playwright))
            await _ask(playwright, connection)
            answering.cancel()
        return playwright

    application = web.Application()
    application.router.add_get("/{path:.*}", connect)
    runner = web.AppRunner(application)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    here = "ws://{}:{}".format(*runner.addresses[0])
    assert firefox.stderr is not None
    async for line in firefox.stderr:
        said = line.decode()
        if found := ADDRESS.search(said):
            address = f"{found[0]}/session"
        sys.stderr.write(ADDRESS.sub(here, said))
        sys.stderr.flush()
    await firefox.wait()
    await runner.cleanup()


async def _ask(playwright: web.WebSocketResponse, firefox: ClientWebSocketResponse) -> None:
    async for message in playwright:
        command = Command.model_validate_json(message.data)
        if command.method == UNKNOWN_TO_FIREFOX:
            await playwright.send_str(Answer(id=command.id).model_dump_json())
        else:
            await firefox.send_str(message.data.replace(MOUSE, FINGER))


async def _answer(firefox: ClientWebSocketResponse, playwright: web.WebSocketResponse) -> None:
    async for message in firefox:
        await playwright.send_str(message.data)
    await playwright.close()  # Firefox has ended; else Playwright waits for half a minute, and kills


if __name__ == "__main__":
    asyncio.run(stand_between(*sys.argv[1:]))
