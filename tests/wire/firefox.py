"""Debian's Firefox, driven by Playwright over WebDriver BiDi.

Playwright sets media features for every new context, by a command that Firefox ESR lacks and refuses; and
Playwright's taps do nothing there. So Playwright starts this module in the place of Firefox. It forwards all
other commands, answers that one itself, and makes a phone's pointer a finger: `page.mouse.click` is a tap.
"""

import asyncio
import re
import shlex
import shutil
import sys
from asyncio.subprocess import PIPE
from pathlib import Path
from tempfile import TemporaryDirectory

from aiohttp import ClientSession, ClientWebSocketResponse, web
from playwright.async_api import Browser as Engine
from playwright.async_api import Playwright
from pydantic import BaseModel

from tests.wire.browser_program import BrowserProgram, Device

PROGRAM = "firefox-esr"

PLAIN = Device(1280, 800)

UNKNOWN_TO_FIREFOX = "emulation.setMediaFeaturesOverride"

MOUSE = '{"pointerType":"mouse"}'
FINGER = '{"pointerType":"touch"}'
COARSE = 1
FINE_AND_HOVERING = 6

ADDRESS = re.compile(r"ws://[\d.]+:\d+")  # in the line that Firefox prints when it accepts connections


class Firefox(BrowserProgram):
    """Firefox without a window: a process for each choice of pointer, colours and motion.

    Playwright has no command for the pointer, and Firefox lacks the one for colours and motion.
    """

    name = "firefox"
    package = "apt install firefox-esr"

    def __init__(self) -> None:
        super().__init__()
        self._engines = dict[tuple[bool, bool, bool], Engine]()
        self._device = PLAIN

    def is_there(self) -> bool:
        return shutil.which(PROGRAM) is not None

    async def engine(self, device: Device | None = None) -> Engine:
        device = device or PLAIN
        look = (device.has_touch, device.is_dark, device.is_calm)
        if look not in self._engines:
            self._device = device
            self._engines[look] = await self._start()
        return self._engines[look]

    async def _launched(self, playwright: Playwright) -> Engine:
        device = self._device
        stand_in = Path(self._exit.enter_context(TemporaryDirectory())) / PROGRAM
        root, python = (shlex.quote(str(path)) for path in (Path(__file__).parents[2], sys.executable))
        pointer = "finger" if device.has_touch else "mouse"
        stand_in.write_text(f'#!/bin/sh\ncd {root} && exec {python} -m {__name__} {pointer} "$@"\n')
        stand_in.chmod(0o700)

        capabilities = COARSE if device.has_touch else FINE_AND_HOVERING
        return await playwright.firefox.launch(
            channel="moz-firefox",
            executable_path=stand_in,
            firefox_user_prefs={
                "ui.primaryPointerCapabilities": capabilities,
                "ui.allPointerCapabilities": capabilities,
                "ui.systemUsesDarkTheme": int(device.is_dark),
                "ui.prefersReducedMotion": int(device.is_calm),
                "media.autoplay.default": 0,  # a tap of a test doesn't count as a user's
                "browser.sessionhistory.max_total_viewers": 0,  # Playwright misses pages from the cache
            },
        )


class Command(BaseModel):
    """A command of Playwright."""

    id: int
    method: str


class Answer(BaseModel):
    """An answer in the name of Firefox."""

    id: int
    type: str = "success"
    result: dict[str, str] = {}


async def stand_between(pointer: str, *arguments: str) -> None:
    """Starts Firefox, and connects Playwright to it."""
    firefox = await asyncio.create_subprocess_exec(PROGRAM, *arguments, stderr=PIPE)
    address = ""
    kind = FINGER if pointer == "finger" else MOUSE

    async def connect(request: web.Request) -> web.WebSocketResponse:
        playwright = web.WebSocketResponse(max_msg_size=0)
        await playwright.prepare(request)
        async with ClientSession() as session, session.ws_connect(address, max_msg_size=0) as connection:
            answering = asyncio.create_task(_answer(connection, playwright))
            await _ask(playwright, connection, kind)
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


async def _ask(playwright: web.WebSocketResponse, firefox: ClientWebSocketResponse, pointer: str) -> None:
    async for message in playwright:
        command = Command.model_validate_json(message.data)
        if command.method == UNKNOWN_TO_FIREFOX:
            await playwright.send_str(Answer(id=command.id).model_dump_json())
        else:
            await firefox.send_str(message.data.replace(MOUSE, pointer))


async def _answer(firefox: ClientWebSocketResponse, playwright: web.WebSocketResponse) -> None:
    async for message in firefox:
        await playwright.send_str(message.data)
    await playwright.close()  # else Playwright waits for half a minute, and kills


if __name__ == "__main__":
    asyncio.run(stand_between(*sys.argv[1:]))
