"""The local page, with players in a real browser."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from tests.e2e.chats import Read, Shown
from tests.e2e.process import BotProcess
from tests.wire.browser import PHONE, Browser, Device, Guest, Message
from tests.wire.chromium import Chromium

# Presses a button that is not there, as a player with the developer tools can.
FORGE = """async ([message, token, secret]) => {
    const answer = await fetch(`${location.pathname}/presses`, {
        method: "POST",
        headers: {"Content-Type": "application/json", Authorization: `Bearer ${secret}`},
        body: JSON.stringify({message, token}),
    });
    return answer.json();
}"""


class Visitor:
    """A person with the page open."""

    def __init__(self, name: str, guest: Guest) -> None:
        self.name = name
        self.guest = guest

    async def types(self, line: str) -> str:
        return await self.guest.types(line)

    async def public(self) -> Sequence[Shown]:
        return [_shown(message) for message in await self.guest.public()]

    async def private(self) -> Sequence[Shown]:
        return [_shown(message) for message in await self.guest.private()]

    async def presses(self, shown: Shown, token: str) -> str:
        assert isinstance(shown.message, Message)
        return await self.guest.presses(shown.message, token)

    async def forces(self, shown: Shown, token: str) -> str:
        assert isinstance(shown.message, Message)
        _, _, secret = self.guest.secret_link.partition("#")
        answer = await self.guest.page.evaluate(FORGE, [shown.message.id, token, secret])
        return str(answer.get("toast") or answer.get("error") or "")

    async def looks(self) -> None:
        """Does nothing: the page gets everything at once."""

    def has_read(self) -> Sequence[Read]:
        return [Read(received.at, received.text) for received in self.guest.received]

    async def keeps(self) -> Sequence[Shown]:
        """Returns the private messages without answers, which the next question replaces."""
        stays = await self.guest.page.eval_on_selector_all(
            "#private > li:not(.answer)", "items => items.map(item => item.dataset.id)"
        )
        return [_shown(message) for message in await self.guest.private() if message.id in stays]

    def rang(self) -> Sequence[str]:
        return self.guest.rang()


class Site:
    """The page's main room."""

    admits_the_nameless = False

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._address = ""
        self.settings: dict[str, str] = {}
        self.visitors: list[Visitor] = []

    async def met(self, bot: BotProcess) -> None:
        self._address = bot.address

    async def newcomer(self, name: str, device: Device = PHONE) -> Visitor:
        self.visitors.append(Visitor(name, await self._browser.guest(self._address, name, device)))
        return self.visitors[-1]

    async def comes_back(self, name: str, secret: str, room: str = "main") -> Visitor:
        """Lets a player enter a room by their own link."""
        link = f"{self._address}r/{room}#{secret}"
        self.visitors.append(Visitor(name, await self._browser.guest(link, device=PHONE)))
        return self.visitors[-1]


def _shown(message: Message) -> Shown:
    return Shown(message.text, dict(message.buttons), message)


@asynccontextmanager
async def local_page(chromium: Chromium) -> AsyncIterator[Site]:
    async with Browser(chromium) as browser:
        yield Site(browser)
