"""A whole game on the page's live table: one player taps, one drags, one has a keyboard alone."""

import random
from collections.abc import Awaitable, Callable

import pytest
from playwright.async_api import Error, Position

from tests.e2e.chats import Chat
from tests.e2e.game import gather, until
from tests.e2e.knowledge import leaks
from tests.e2e.process import BotProcess
from tests.e2e.record import games
from tests.e2e.web import Visitor
from tests.wire.browser import Guest

pytestmark = [pytest.mark.timeout(240), pytest.mark.parametrize("chat", ["web"], indirect=True)]

BOLDNESS = 0.9
"""How often somebody who could lay a card does so."""

AT = Position(x=15.0, y=18.0)
"""The corner of a card that no other one covers."""

SOON = 2_000.0
"""Milliseconds after which something else may be tried: the table has changed meanwhile."""


async def taps(guest: Guest, chance: random.Random) -> None:
    """Play with a finger: at most two taps for any move."""
    page = guest.page
    cards = await page.locator(".held.playable").all()
    if cards and chance.random() < BOLDNESS:
        card = chance.choice(cards)
        await card.tap(position=AT, timeout=SOON)
        choices = await page.locator(".choices .move").all()
        await chance.choice(choices or [card]).tap(position=AT, timeout=SOON)
    else:
        button = page.locator(".big .move, .choices .move").first
        await button.tap(timeout=SOON)
        await button.tap(timeout=SOON)


async def drags(guest: Guest, chance: random.Random) -> None:
    """Play with a mouse that is held down."""
    page = guest.page
    cards = await page.locator(".held.playable").all()
    if not cards or chance.random() > BOLDNESS:
        await taps_by_mouse(guest)
        return
    box = await chance.choice(cards).bounding_box(timeout=SOON)
    assert box is not None
    await page.mouse.move(box["x"] + AT["x"], box["y"] + AT["y"])
    await page.mouse.down()
    await page.mouse.move(box["x"], box["y"] - 60, steps=3)
    target = page.locator(".pair.target")
    there = await (target.first if await target.count() else page.locator("#table")).bounding_box(
        timeout=SOON
    )
    assert there is not None
    await page.mouse.move(there["x"] + there["width"] / 2, there["y"] + there["height"] / 2, steps=3)
    await page.mouse.up()
    choices = await page.locator(".choices .move").all()
    if choices:  # the card means several things there
        await choices[0].click(timeout=SOON)


async def taps_by_mouse(guest: Guest) -> None:
    button = guest.page.locator(".big .move, .choices .move").first
    await button.click(timeout=SOON)
    await button.click(timeout=SOON)


async def types(guest: Guest, chance: random.Random) -> None:
    """Play with keys alone."""
    page, keys = guest.page, guest.page.keyboard
    await keys.press("Escape")
    playable = await page.evaluate(
        "() => [...document.querySelectorAll('.held')].flatMap((card, n) => "
        "n < 9 && card.classList.contains('playable') ? [n + 1] : [])"
    )
    if playable and chance.random() < BOLDNESS:
        await keys.press(str(chance.choice(playable)))
        if await page.locator(".choices .move").count() > 1:
            await keys.press("ArrowUp")
        await keys.press("Enter")
        return
    key = "t" if await page.locator(".big .take").count() else "d"
    await keys.press(key)
    await keys.press(key)


Way = Callable[[Guest, random.Random], Awaitable[None]]
WAYS: dict[str, Way] = {"Anna": taps, "Boris": drags, "Clara": types}


async def test_a_game_is_played_by_tapping_by_dragging_and_by_keys_and_nobody_gets_a_card_too_many(
    chat: Chat, bot: BotProcess
) -> None:
    people = await gather(chat, list(WAYS), command="/durak perevodnoy deck=24 hand_size=8")
    chance = random.Random(5)
    guests = {person.name: person.guest for person in people if isinstance(person, Visitor)}
    first = guests["Anna"].page

    async def moves_or_ends() -> bool:
        for name, way in WAYS.items():
            page = guests[name].page
            if (
                await page.locator("#mine.turn").count()
                and not await first.locator(".outcome:visible").count()
            ):
                try:
                    await way(guests[name], chance)
                except Error:  # somebody was faster, so what was to be touched is gone
                    await page.mouse.up()
        return await first.locator(".outcome:visible").count() > 0

    await until(moves_or_ends, "the end of the game", within=200)
    (game,) = games(bot.database)
    assert game.outcome is not None
    seated = [line.seat for line in game.lines if line.seat is not None]
    assert set(seated) == {0, 1, 2}
    for person in people:
        read = person.has_read()
        assert any('"seats":[' in piece.text for piece in read)
        assert any('"moves":[' in piece.text for piece in read)
        assert not leaks(game, game.names.index(person.name), read)
    for guest in guests.values():
        assert not guest.complaints
