"""A player at a live table, and the elements that they touch."""

from typing import Any

from adapters.port import HandBoard, MessageRef, Only, Reply, UserRef
from tests.adapters.boards import board, hand, screen
from tests.adapters.web.site import Site
from tests.adapters.web.steps import posted, soon
from tests.wire.browser import PHONE, Browser, Device, Guest

BOUT = (("9S", "JS"), ("9D", None), ("JD", None))
TWO_TO_BEAT = hand("TD QD KH 9C", "D 9D TD", "D 9D QD", "D JD QD", "D 9D KH", "D JD KH", "X 9C", "T")


class Player:
    """Anna at a live table."""

    def __init__(self, site: Site, guest: Guest, table: MessageRef, mine: MessageRef) -> None:
        self.site, self.guest, self.table, self.mine = site, guest, table, mine
        self.page = guest.page

    @property
    def pressed(self) -> list[str]:
        return [press.token.split(":", 3)[3] for press in self.site.inbox.pressed]

    async def plays(self, *moves: str) -> None:
        """Waits until exactly these moves have arrived."""

        async def is_there() -> bool:
            return self.pressed == list(moves)

        await soon(is_there)

    async def holds(self, new: HandBoard) -> None:
        await self.site.adapter.edit(self.mine, screen(new, "⇅ By suit", "🚪 Leave"))

    async def sees(self, **different: Any) -> None:
        user = (await self.site.store.guests())[0].id
        await self.site.adapter.edit(self.table, screen(board("Anna", user, **different), "My hand"))

    async def taps(self, *selectors: str) -> None:
        for selector in selectors:
            await self.page.locator(selector).first.click(position={"x": 9, "y": 16})


async def seated(
    site: Site, browser: Browser, holding: HandBoard, device: Device = PHONE, **different: Any
) -> Player:
    return await sits_down(site, await browser.guest(site.url, "Anna", device), holding, **different)


async def sits_down(site: Site, guest: Guest, holding: HandBoard, **different: Any) -> Player:
    """Begins a game of a guest who is in the room."""
    user = (await site.store.guests())[0].id
    facts: dict[str, Any] = {"bout": BOUT, "attacker": 1} | different
    table = await posted(site, screen(board("Anna", user, **facts), "My hand", "⚙️ Table"))
    delivery = await site.adapter.post(
        Only(UserRef("web", user), site.room), screen(holding, "⇅ By suit", "🚪 Leave")
    )
    site.inbox.reply = Reply()
    await guest.page.wait_for_selector(".held")
    return Player(site, guest, table, delivery.ref)  # type: ignore[union-attr] # the page takes it


def card(key: str) -> str:
    return f'.held[data-key="{key}"]'


def pair(attack: str) -> str:
    return f'.pair[data-attack="{attack}"]'
