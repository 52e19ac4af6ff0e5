"""A real browser on the local page, as its guests use it.

async with Browser() as browser:
    anna = await browser.guest("http://127.0.0.1:8080/", "Anna")
    await anna.types("/durak")
    await anna.presses("Join")
"""

import shutil
import time
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Self

from playwright.async_api import (
    Browser as Engine,
)
from playwright.async_api import (
    BrowserContext,
    Page,
    Playwright,
    Response,
    ViewportSize,
    WebSocket,
    async_playwright,
)

PHONE = ViewportSize(width=390, height=844)
DESK = ViewportSize(width=1280, height=800)

_READ = """list => [...document.querySelectorAll(`#${list} > li`)].map(item => ({
    id: item.dataset.id,
    text: item.querySelector(".body")?.textContent ?? "",
    buttons: [...item.querySelectorAll("button[data-token]:not([disabled])")].map(
        button => [button.dataset.token, button.textContent])
}))"""
_PRESS = """([id, wanted]) => {
    const button = [...document.querySelectorAll(`li[data-id="${id}"] button[data-token]`)].find(
        each => [each.dataset.token, each.textContent].includes(wanted));
    button?.click();
    return Boolean(button);
}"""


@dataclass(frozen=True)
class Message:
    """A message as a guest sees it: its text, and its buttons as pairs of token and label."""

    id: str
    text: str
    buttons: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Received:
    """Something the page got from the server, and when (Unix seconds)."""

    at: float
    text: str = field(repr=False)


class Guest:
    """Somebody with the page open."""

    def __init__(self, context: BrowserContext, page: Page) -> None:
        self.context = context
        self.page = page
        self.received: list[Received] = []
        self.complaints: list[str] = []
        page.on("response", self._note_response)
        page.on("websocket", self._note_stream)
        page.on("console", lambda line: self.complaints.append(line.text) if line.type == "error" else None)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))

    async def _note_response(self, response: Response) -> None:
        if "/r/" in response.url and response.request.method == "POST":
            self._note(await response.text())

    def _note_stream(self, stream: WebSocket) -> None:
        stream.on("framereceived", lambda frame: self._note(str(frame)))

    def _note(self, text: str) -> None:
        self.received.append(Received(time.time(), text))

    @property
    def own_link(self) -> str:
        """The address that brings this guest back."""
        return self.page.url

    async def enters(self, address: str, name: str | None = None) -> None:
        """Open the page: with a name as somebody new, without one by an own link."""
        await self.page.goto(address)
        if name is not None:
            await self.page.fill("#name", name)
            await self.page.click("#door-form button")
        await self.page.wait_for_selector("#room:not([hidden]) #people:not(:empty)")

    async def types(self, line: str) -> str:
        """Type a line and send it; gives the notice that follows, or an empty text."""
        await self.page.click("#line")
        await self.page.keyboard.type(line)  # key by key, as people do
        async with self.page.expect_response(lambda response: response.url.endswith("/lines")) as answer:
            await self.page.press("#line", "Enter")
        return await _notice(await answer.value)

    async def public(self) -> list[Message]:
        """What everybody in the room sees."""
        return await self._messages("public")

    async def private(self) -> list[Message]:
        """What only this guest sees."""
        return await self._messages("private")

    async def _messages(self, which: str) -> list[Message]:
        found = await self.page.evaluate(_READ, which)
        return [
            Message(each["id"], each["text"].replace("\ufe0e", ""), tuple(map(tuple, each["buttons"])))
            for each in found
        ]

    async def presses(self, message: Message, wanted: str) -> str:
        """Press a button of a message, by token or label; gives the notice that follows, or an empty text.

        Raises:
            LookupError: The message has no such button (any more).
        """
        async with self.page.expect_response(lambda response: response.url.endswith("/presses")) as answer:
            if not await self.page.evaluate(_PRESS, [message.id, wanted]):
                raise LookupError(f"no button {wanted!r} on {message.text!r}")
        return await _notice(await answer.value)


async def _notice(response: Response) -> str:
    reply = await response.json()
    return str(reply.get("toast") or reply.get("error") or "")


class Browser:
    """Chromium without a window; Debian's if it is there, else Playwright's own."""

    def __init__(self) -> None:
        self._playwright: Playwright | None = None
        self._engine: Engine | None = None

    async def __aenter__(self) -> Self:
        self._playwright = await async_playwright().start()
        self._engine = await self._playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox"]
        )
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._engine is not None:
            await self._engine.close()
        if self._playwright is not None:
            await self._playwright.stop()

    async def stranger(self, viewport: ViewportSize = DESK) -> Guest:
        """Somebody with a fresh browser and nothing open."""
        assert self._engine is not None
        context = await self._engine.new_context(viewport=viewport)
        return Guest(context, await context.new_page())

    async def guest(self, address: str, name: str, viewport: ViewportSize = DESK) -> Guest:
        """Somebody who came in by their name."""
        guest = await self.stranger(viewport)
        await guest.enters(address, name)
        return guest


def is_there() -> bool:
    """Whether there is a Chromium to drive."""
    homes = Path.home() / ".cache" / "ms-playwright"
    return shutil.which("chromium") is not None or any(homes.glob("chromium*"))
