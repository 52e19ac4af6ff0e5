"""Portraits at the seats of a live table, in the frames of both chats."""

from functools import partial
from io import BytesIO

from PIL import Image
from playwright.async_api import Frame

from bot.pictures.portraits import small_portrait
from tests.adapters.contract.portraits import RED, square
from tests.adapters.page.frames import PlayedTable, framed, in_discord
from tests.adapters.page.test_frames import complaints_of, frame_of
from tests.adapters.web.steps import soon
from tests.wire.browser import PHONE, Browser

KEY = "k" * 22
NEAR = 20  # how far a colour may be off, of 255
BORIS = ".seat:has-text('Boris')"
SHOWN = "document.querySelector('.seat .portrait')?.naturalWidth > 0"


def portray(views: PlayedTable) -> None:
    """Gives Boris a portrait."""
    portrait = small_portrait(square(RED))
    assert portrait is not None
    views.portraits[KEY] = portrait
    views.boris_portrait = KEY


async def is_round_and_covers_the_letter(table: Frame) -> bool:
    """Returns whether a picture of Boris's face is red, but for its corners."""
    png = await table.locator(f"{BORIS} .avatar").screenshot()
    with Image.open(BytesIO(png)) as picture:
        face = picture.convert("RGB")

    def is_red(x: float, y: float) -> bool:
        dot = face.getpixel((round(face.width * x), round(face.height * y)))
        assert isinstance(dot, tuple)
        return all(abs(a - b) < NEAR for a, b in zip(dot, RED, strict=True))

    inside = [is_red(x, y) for x, y in ((0.5, 0.5), (0.2, 0.5), (0.5, 0.8), (0.45, 0.4))]
    return all(inside) and not is_red(0.1, 0.1) and not is_red(0.1, 0.9)


async def test_a_portrait_covers_the_letter_of_a_face_in_telegram(browser: Browser) -> None:
    async with framed() as window:
        portray(window.views)
        guest = await browser.stranger(PHONE)
        await guest.page.goto(window.address)
        table = frame_of(guest)
        await soon(partial(table.evaluate, SHOWN))
        assert not complaints_of(guest)  # before a screenshot: in Firefox a test's own style is one
        assert await is_round_and_covers_the_letter(table)


async def test_a_portrait_comes_through_the_proxy_of_discord_and_may_come_later(browser: Browser) -> None:
    guest = await browser.stranger(PHONE)
    async with in_discord(guest) as discord:
        await discord.table.wait_for_selector(BORIS)
        assert await discord.table.locator(".portrait").count() == 0

        portray(discord.views)
        discord.views.change()
        await soon(partial(discord.table.evaluate, SHOWN))
        assert await is_round_and_covers_the_letter(discord.table)


async def test_a_portrait_that_is_not_there_leaves_the_letter(browser: Browser) -> None:
    async with framed() as window:
        window.views.boris_portrait = KEY
        guest = await browser.stranger(PHONE)
        await guest.page.goto(window.address)
        table = frame_of(guest)
        await table.wait_for_selector(f"{BORIS} .initial:visible")
        await soon(partial(table.evaluate, "!document.querySelector('.portrait')"))
