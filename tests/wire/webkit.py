"""Debian's WebKit, driven by W3C WebDriver's own protocol.

async with WebKit(390, 844) as page:
    await page.goto("http://127.0.0.1:8080/")
    await page.types("#name", f"Anna{ENTER}")
    await page.evaluate("document.title")
"""

import asyncio
import os
import shutil
import signal
from asyncio.subprocess import DEVNULL, Process
from pathlib import Path
from socket import socket
from types import TracebackType
from typing import Any, Self

from aiohttp import ClientSession
from aiohttp.test_utils import unused_port

from tests.adapters.contract import eventually

PROGRAM = "WebKitWebDriver"

# Where Debian puts the window in which the driver opens pages.
BROWSERS = ("/usr/lib/*/webkit2gtk-4.1/MiniBrowser", "/usr/lib/*/webkit2gtk-4.0/MiniBrowser")

ENTER = "\ue007"  # how the protocol calls the key
ELEMENT = "element-6066-11e4-a52e-4f735466cecf"  # how the protocol calls the id of an element


def is_there() -> bool:
    """Return whether WebKit and a screen that nobody sees are installed."""
    return bool(shutil.which(PROGRAM) and shutil.which("xvfb-run") and _browser())


def _browser() -> str:
    found = [str(path) for pattern in BROWSERS for path in Path("/").glob(pattern[1:])]
    return found[0] if found else ""


class Eyes:
    """A value that a script has made, which stays in the page."""

    def __init__(self, page: "WebKit", name: str) -> None:
        self._page, self._name = page, name

    async def evaluate(self, function: str, given: object = None) -> Any:
        return await self._page.runs(f"return ({function})({self._name}, ...arguments)", given)


class Mouse:
    """The pointer."""

    def __init__(self, page: "WebKit") -> None:
        self._page = page

    async def click(self, x: float, y: float) -> None:
        moves = {"type": "pointerMove", "duration": 0, "x": round(x), "y": round(y)}
        presses = [{"type": kind, "button": 0} for kind in ("pointerDown", "pointerUp")]
        pointer = {"type": "pointer", "id": "mouse", "actions": [moves, *presses]}
        await self._page.asks("POST", "actions", {"actions": [pointer]})


class WebKit:
    """One window with one page, as far as Playwright's page is needed to play a game."""

    def __init__(self, width: int, height: int) -> None:
        self._size = {"width": width, "height": height}
        self._address = ""
        self._session: ClientSession | None = None
        self._program: Process | None = None
        self.mouse = Mouse(self)

    async def __aenter__(self) -> Self:
        port = unused_port()
        command = ("xvfb-run", "-a", PROGRAM, f"--port={port}")
        environment = os.environ | {"GDK_BACKEND": "x11"}
        self._program = await asyncio.create_subprocess_exec(
            *command, env=environment, stdout=DEVNULL, stderr=DEVNULL, start_new_session=True
        )
        self._session = ClientSession()
        self._address = f"http://127.0.0.1:{port}"
        await eventually(lambda: _is_open(port))
        options = {"binary": _browser(), "args": ["--automation"]}
        wanted = {"capabilities": {"alwaysMatch": {"webkitgtk:browserOptions": options}}}
        session = await self.asks("POST", "session", wanted)
        self._address += f"/session/{session['sessionId']}"
        await self.asks("POST", "window/rect", self._size)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._session is not None
        assert self._program is not None
        await self.asks("DELETE", "")
        await self._session.close()
        os.killpg(self._program.pid, signal.SIGTERM)  # the screen, and all that shows something there
        await self._program.wait()

    async def asks(self, method: str, what: str, body: object = None) -> Any:
        """Give the driver a command; gives what it answers.

        Raises:
            RuntimeError: It refuses.
        """
        assert self._session is not None
        address = f"{self._address}/{what}".removesuffix("/")
        async with self._session.request(method, address, json=body) as response:
            answer = (await response.json(content_type=None))["value"]
            if response.ok:
                return answer
        raise RuntimeError(f"{what}: {answer['message']}")

    async def runs(self, script: str, *given: object) -> Any:
        """Run the body of a function in the page; gives what it returns, or its promise brings."""
        return await self.asks("POST", "execute/sync", {"script": script, "args": given})

    async def evaluate(self, expression: str) -> Any:
        return await self.runs(f"return ({expression})")

    async def evaluate_handle(self, expression: str) -> Eyes:
        await self.runs(f"window.kept = ({expression.rstrip().removesuffix(';')})")
        return Eyes(self, "window.kept")

    async def goto(self, address: str) -> None:
        await self.asks("POST", "url", {"url": address})

    async def enters_frame(self, number: int) -> None:
        """Look at a frame of the page from now on."""
        await self.asks("POST", "frame", {"id": number})

    async def leaves_frame(self) -> None:
        """Look at the page itself again."""
        await self.asks("POST", "frame/parent", {})

    async def wait_for_selector(self, selector: str) -> None:
        """Wait until an element is there that can be seen."""
        await self.runs(
            """const [selector] = arguments;
            const isSeen = () => document.querySelector(selector)?.getClientRects().length;
            return new Promise(resolve => {
                const look = () => isSeen() ? resolve() : setTimeout(look, 50);
                look();
            });""",
            selector,
        )

    async def click(self, selector: str) -> None:
        await self.wait_for_selector(selector)
        await self.asks("POST", f"element/{await self._element(selector)}/click", {})

    async def taps(self, selector: str) -> None:
        """Put a finger on an element."""
        await self.wait_for_selector(selector)
        element = {ELEMENT: await self._element(selector)}
        moves = {"type": "pointerMove", "duration": 0, "origin": element, "x": 0, "y": 0}
        presses = [{"type": kind, "button": 0} for kind in ("pointerDown", "pointerUp")]
        finger = {"pointerType": "touch"}
        pointer = {"type": "pointer", "id": "finger", "parameters": finger, "actions": [moves, *presses]}
        await self.asks("POST", "actions", {"actions": [pointer]})

    async def types(self, selector: str, text: str) -> None:
        """Type into a field, key by key."""
        await self.click(selector)
        await self.asks("POST", f"element/{await self._element(selector)}/value", {"text": text})

    async def _element(self, selector: str) -> str:
        found = await self.asks("POST", "element", {"using": "css selector", "value": selector})
        return str(found[ELEMENT])


def _is_open(port: int) -> bool:
    with socket() as tried:
        return tried.connect_ex(("127.0.0.1", port)) == 0
