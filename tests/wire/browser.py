"""A real browser on the local page, as its guests use it.

async with Browser(chromium) as browser:
    anna = await browser.guest("http://127.0.0.1:8080/", "Anna")
    boris = await browser.guest("http://127.0.0.1:8080/", "Boris", PHONE)
    await anna.types("/durak")
    await boris.touches("Join")
    again = await browser.guest(anna.secret_link)
"""

import json
import re
import time
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Self

import pytest
from playwright.async_api import (
    BrowserContext,
    CDPSession,
    Error,
    Frame,
    Locator,
    Page,
    Position,
    Response,
    WebSocket,
)
from playwright.async_api import TimeoutError as Overdue

from tests.wire.browser_program import BrowserProgram, Device

__all__ = [
    "DESKTOP",
    "PHONE",
    "Browser",
    "Device",
    "Guest",
    "Message",
    "Received",
    "frame_in",
    "is_chromium",
    "needs_chromium",
    "tap",
    "tap_at",
]

PHONE = Device(390, 844, has_touch=True)
DESKTOP = Device(1280, 800)
STANDARD_TEXT = 16  # pixels, as browsers have it
FIXED_TEXT = 13
_ENLARGE = """() => {
    const enlarge = () => document.documentElement?.style.setProperty("font-size", "%d%%");
    new MutationObserver(enlarge).observe(document, { childList: true });
    enlarge();
}"""  # a document begins without its root
_AS_TEXT = "\ufe0e"  # the page puts this sign after each suit, so that no phone draws an emoji

_READ = """list => [...document.querySelectorAll(`#${list} > li`)].map(item => ({
    id: item.dataset.id,
    text: [...item.querySelectorAll(
        ".body, .figures > div, .typed, .rules > h2, .rules li, details:not([open]) > summary"
    )].map(part => part.textContent).join("\\n"),
    buttons: [...item.querySelectorAll("button[data-token]:not([disabled])")].map(
        button => [button.dataset.token, button.textContent])
}))"""
STANDS_STILL = """() => new Promise(resolve => {
    const isEndless = animation => animation.effect.getComputedTiming().endTime === Infinity;
    const isSettling = () => Boolean(document.querySelector("[data-settling]"));
    const isMoving = () => isSettling() || document.getAnimations().some(each => !isEndless(each));
    let quiet = 0;
    const look = () => {
        quiet = isMoving() ? 0 : quiet + 1;
        quiet < 3 ? requestAnimationFrame(look) : resolve();
    };
    requestAnimationFrame(look);
})"""
_HEAR = """() => {
    const { heard } = window;
    window.WebSocket = class extends WebSocket {
        constructor(...given) {
            super(...given);
            this.addEventListener("message", ({ data }) => heard(data));
        }
    };
}"""
_PRESS = """([id, wanted]) => {
    const button = [...document.querySelectorAll(`li[data-id="${id}"] button[data-token]`)].find(
        each => [each.dataset.token, each.textContent.replaceAll("\ufe0e", "")].includes(wanted));
    button?.click();
    return Boolean(button);
}"""


_BLOCK = """() => {
    if (window === top) return;
    const refuse = () => {
        throw new DOMException("Access is denied for this document.", "SecurityError");
    };
    Object.defineProperty(window, "sessionStorage", { get: refuse });
    Object.defineProperty(window, "localStorage", { get: refuse });
    Object.defineProperty(document, "cookie", { get: () => "", set: () => {} });
}"""


@dataclass(frozen=True)
class Message:
    """A message as a guest sees it: its text, and its buttons as (token, label) pairs."""

    id: str
    text: str
    buttons: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Received:
    """A text that the browser got from the server, and its time in Unix seconds."""

    at: float
    text: str = field(repr=False)


class Guest:
    """A person with the page open.

    Attributes:
        page: Playwright's page, for everything beyond these methods.
        received: The texts of all answers and frames, in order.
        complaints: The errors in the browser's console.
        secret_link: The address that brings this guest back from any browser.
    """

    def __init__(self, context: BrowserContext, page: Page, device: Device) -> None:
        self.page = page
        self.received: list[Received] = []
        self.complaints: list[str] = []
        self.secret_link = ""

        self._context = context
        self._device = device

        page.on("response", self._note_response)
        page.on("websocket", self._note_stream)
        page.on("console", lambda line: self.complaints.append(line.text) if line.type == "error" else None)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))

    async def _note_response(self, response: Response) -> None:
        is_file = response.request.method == "GET"  # the same for everyone, and often cached
        if is_file:
            return

        try:
            self._note(await response.text())
        except Error as error:
            is_left = self.page.is_closed() or "navigated away" in error.message
            if not is_left:  # otherwise nobody awaits this answer
                raise

    async def listens(self) -> None:
        """Records the frames of streams, also in browsers where Playwright reports none."""
        if not is_chromium(self.page):
            await self.page.expose_function("heard", self._note)
            await self.page.add_init_script(f"({_HEAR})()")

    async def keeps_nothing_in_frames(self) -> None:
        """Blocks the storage of other sites' frames, as browsers can be set to, and some are."""
        await self.page.context.add_init_script(f"({_BLOCK})()")

    async def devtools(self) -> CDPSession:
        """Opens Chromium's developer tools; skips the test in another browser."""
        needs_chromium(self.page, "use its developer tools")
        return await self.page.context.new_cdp_session(self.page)

    async def enlarges_text(self, percent: int) -> None:
        """Sets the browser's own text size, before a page is opened or after.

        Where only Chromium has a command for that, the pages' root has the size instead.
        """
        if is_chromium(self.page):
            devtools = await self.devtools()
            await devtools.send("Page.enable")
            sizes = {"standard": STANDARD_TEXT * percent // 100, "fixed": FIXED_TEXT}
            await devtools.send("Page.setFontSizes", {"fontSizes": sizes})
            return

        script = _ENLARGE % percent
        await self.page.add_init_script(f"({script})()")
        await self.page.evaluate(script)

    def _note_stream(self, stream: WebSocket) -> None:
        stream.on("framereceived", lambda frame: self._note(str(frame)))

    def _note(self, text: str) -> None:
        self.received.append(Received(time.time(), text))

    def rang(self) -> list[str]:
        """Returns the first frame of every private message that came unasked."""
        first: dict[str, str] = {}
        for received in self.received:
            frame = json.loads(received.text)
            message = frame.get("message") if isinstance(frame, dict) else None
            if isinstance(message, dict) and message["private"] and message["kind"] != "answer":
                first.setdefault(message["id"], received.text)
        return list(first.values())

    async def enters(self, address: str, name: str | None = None) -> None:
        """Opens the page: as a newcomer with this name, or without a name by a secret link."""
        await self.page.goto(address)
        if name is not None:
            await self.page.fill("#name", name)
            await self.page.click("#enter")
        await self.page.wait_for_selector("#room:not([hidden]) #people:not(:empty)")
        secret = await self.page.evaluate("""sessionStorage.getItem("durak-guest")""")
        self.secret_link = f"{self.page.url}#{secret}"

    async def opens_another_tab(self) -> "Guest":
        """Opens the same page in a second tab of the same browser."""
        other = Guest(self._context, await self._context.new_page(), self._device)
        await other.listens()
        await other.enters(self.secret_link)
        return other

    async def types(self, line: str) -> str:
        """Types a line and sends it, and returns the notice that follows, or an empty text."""
        await self._writes(line)
        async with self.page.expect_response(lambda response: response.url.endswith("/lines")) as answer:
            await self.page.press("#line", "Enter")
        return await _notice(await answer.value)

    async def sends(self, line: str) -> None:
        """Types a line and sends it, after which the page may be left before the answer has come."""
        await self._writes(line)
        await self.page.press("#line", "Enter")

    async def _writes(self, line: str) -> None:
        """Types a line key by key, as people do."""
        await self._goes_to_the_line()
        await self.page.keyboard.type(line)

    async def _goes_to_the_line(self) -> None:
        """Focuses the line, in the chat that a phone has below a game, which may close meanwhile."""
        await self.page.wait_for_selector("#room:not([hidden])")
        await self.closes_dialogs()
        for patience in (2_000, 10_000, 30_000):
            if not await self.page.is_visible("#line"):
                await self.page.click("#open-chat")
            with suppress(Overdue):
                return await self.page.click("#line", timeout=patience)
        raise LookupError("there is no line to type in")

    async def closes_dialogs(self) -> None:
        """Closes every dialog over the room."""
        await self.page.evaluate("document.querySelectorAll('dialog[open]').forEach(each => each.close())")

    async def public(self) -> list[Message]:
        """Returns the public messages, oldest first."""
        return await self._messages("public")

    async def private(self) -> list[Message]:
        """Returns the private messages of this guest, oldest first."""
        return await self._messages("private")

    async def _messages(self, which: str) -> list[Message]:
        found = await self.page.evaluate(_READ, which)
        return [
            Message(
                each["id"],
                each["text"].replace(_AS_TEXT, ""),
                tuple((token, label.replace(_AS_TEXT, "")) for token, label in each["buttons"]),
            )
            for each in found
        ]

    async def presses(self, message: Message, wanted: str) -> str:
        """Presses a button of a message, by token or label, in view or not.

        Returns the notice that follows, or an empty text.

        Raises:
            LookupError: The message has no such button.
        """
        async with self.page.expect_response(lambda response: response.url.endswith("/presses")) as answer:
            if not await self.page.evaluate(_PRESS, [message.id, wanted]):
                raise LookupError(f"no button {wanted!r} on {message.text!r}")
        return await _notice(await answer.value)

    async def touches(self, wanted: str) -> str:
        """Taps or clicks the newest button with this token or label.

        Waits until nothing covers the button. Returns the notice that follows, or an empty text.
        """
        button = self.button(wanted)
        async with self.page.expect_response(lambda response: response.url.endswith("/presses")) as answer:
            await (tap(button) if self._device.has_touch else button.click())
        return await _notice(await answer.value)

    def button(self, wanted: str) -> Locator:
        """Finds the newest button with this token or label, public or private."""
        buttons = self.page.locator("button:is([data-token], [data-other]):enabled:visible")
        by_token = self.page.locator(f'[data-token="{wanted}"], [data-other="{wanted}"]')
        label = f"{_AS_TEXT}?".join(map(re.escape, wanted))
        by_label = buttons.filter(has_text=re.compile(rf"^{label}{_AS_TEXT}?$"))
        return buttons.and_(by_token.or_(by_label)).last

    async def sees_nothing_move(self) -> None:
        """Waits until every animation has ended, except for endless ones, and buttons accept presses."""
        await self.page.evaluate(STANDS_STILL)

    async def photographs(self, file: Path) -> None:
        """Saves a picture of the visible part of the page."""
        file.parent.mkdir(parents=True, exist_ok=True)
        await self.page.screenshot(path=file)


async def frame_in(page: Page) -> Frame:
    """Waits for the frame in a page."""
    element = await page.wait_for_selector("iframe")
    assert element is not None
    frame = await element.content_frame()
    assert frame is not None
    return frame


def is_chromium(page: Page) -> bool:
    """Returns whether a page is Chromium's, in which Playwright can do most."""
    browser = page.context.browser
    return browser is not None and browser.browser_type.name == "chromium"


def needs_chromium(page: Page, what: str) -> None:
    """Skips a test of a Chromium feature in another browser."""
    if not is_chromium(page):
        pytest.skip(f"only Chromium lets a test {what}")


async def tap(target: Locator, position: Position | None = None) -> None:
    """Taps an element, or clicks it where Playwright's taps do nothing."""
    await (target.tap(position=position) if is_chromium(target.page) else target.click(position=position))


async def tap_at(page: Page, x: float, y: float) -> None:
    """Taps a point of a page, or clicks it where Playwright's taps do nothing."""
    await (page.touchscreen.tap(x, y) if is_chromium(page) else page.mouse.click(x, y))


async def _notice(response: Response) -> str:
    reply = await response.json()
    return str(reply.get("toast") or reply.get("error") or "")


class Browser:
    """The browser of all people of one test."""

    def __init__(self, program: BrowserProgram) -> None:
        """Keeps a browser's program, which starts at the first need."""
        self._program = program
        self._exit = AsyncExitStack()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._exit.aclose()

    def cannot(self, name: str, what: str) -> None:
        """Skips a test in the browser of this name, for a missing feature."""
        if self._program.name == name:
            pytest.skip(f"{name} cannot {what}")

    async def stranger(self, device: Device = DESKTOP, *, installs: bool = False) -> Guest:
        """Creates a person with an empty page in a fresh context; `installs`: service workers may run."""
        context = await self._program.context(device, installs=installs)
        self._exit.push_async_callback(context.close)
        guest = Guest(context, await context.new_page(), device)
        await guest.listens()
        return guest

    async def guest(self, address: str, name: str | None = None, device: Device = DESKTOP) -> Guest:
        """Opens the page for a person: as a newcomer with this name, or without one by a secret link."""
        guest = await self.stranger(device)
        await guest.enters(address, name)
        return guest
