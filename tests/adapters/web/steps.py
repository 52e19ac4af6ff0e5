"""Steps of the page's tests: posting to the room, and waiting until a guest sees it."""

import asyncio
import time
from collections.abc import Awaitable, Callable

from adapters.port import (
    CallbackButton,
    Delivered,
    Everyone,
    Mark,
    MessageRef,
    Only,
    Picture,
    Screen,
    Span,
    UserRef,
)
from tests.adapters.contract.picturing import PNG
from tests.adapters.web.site import Site
from tests.wire.browser import Guest

CARDS = ["6♠", "7♠", "10♥", "J♦", "Д♣", "A♦"]
DRAWN = Screen((Span("table"),), picture=Picture(PNG, "the table"))


async def soon(holds: Callable[[], Awaitable[object]]) -> None:
    """Waits until `holds` returns something true in the browser, and fails after ten seconds."""
    deadline = time.monotonic() + 10
    while not await holds():
        assert time.monotonic() < deadline, "waited in vain"
        await asyncio.sleep(0.02)


async def shows(guest: Guest, *texts: str, private: bool = False) -> None:
    """Waits until the guest sees these messages and no others."""

    async def is_shown() -> bool:
        seen = await (guest.private() if private else guest.public())
        return [message.text for message in seen] == list(texts)

    await soon(is_shown)


async def posted(site: Site, screen: Screen) -> MessageRef:
    delivery = await site.adapter.post(Everyone(site.room), screen)
    assert isinstance(delivery, Delivered)
    return delivery.ref


async def posted_privately(site: Site, name: str, screen: Screen) -> MessageRef:
    guest = next(guest for guest in await site.store.guests() if guest.name == name)
    delivery = await site.adapter.post(Only(UserRef("web", guest.id), site.room), screen)
    assert isinstance(delivery, Delivered)
    return delivery.ref


def hand(title: str = "You attack") -> Screen:
    cards = tuple(CallbackButton(f"m:1:1:A {card}", card) for card in CARDS)
    return Screen(
        (Span(f"{title}\n", Mark.BOLD), Span(" ".join(CARDS))), (cards, (CallbackButton("m:1:1:P", "Done"),))
    )
