"""The look of the page at moments that everybody sees: a small picture, and the positions of everything.

The picture is compared roughly, since fonts differ between machines. The positions of seats, cards and
buttons, and the colours of suits, are essential and compared separately.
"""

from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from io import BytesIO
from pathlib import Path
from typing import Any

from PIL import Image, ImageChops, ImageFilter

from adapters.port import CallbackButton, GameRef, Mark, Span, Tone
from tests.adapters.boards import board, lobby, screen
from tests.adapters.page.live_table import TWO_TO_BEAT, sits_down
from tests.adapters.web.site import Site
from tests.adapters.web.steps import posted
from tests.wire.browser import DESKTOP, PHONE, Browser, Guest, needs_chromium

FOLDER = Path(__file__).with_name("golden")
DEVICES = {"phone": replace(PHONE, is_calm=True), "desk": replace(DESKTOP, is_calm=True)}
SMALLER = 2  # how many times smaller than the screen a kept picture is, in each direction
COLOURS = 128
FROM_AFAR = 8  # how many times smaller two pictures are compared

# How much a colour of a pixel may differ (of 255), and which share of pixels may differ more.
VISIBLY, MOST = 40, 0.03

# How far something may be from its place, and how much larger or smaller: so much come from other fonts.
PIXELS = 12

_PLACES = """() => {
    const shown = [...document.querySelectorAll(
        `.avatar, .lobby .button, .held, .laid, .talon, .heap, .big .move, .bar .button,
        #name, #enter`
    )].filter(each => each.checkVisibility());
    return shown.map(each => {
        const {x, y, width, height} = each.getBoundingClientRect();
        const {color, backgroundColor} = getComputedStyle(each.querySelector(".face") ?? each);
        return [[x, y, width, height].map(Math.round), color, backgroundColor];
    });
}"""


@dataclass(frozen=True)
class Look:
    """The visible parts: boxes with their colours, and a picture of the whole screen."""

    places: list[Any]
    picture: Image.Image


async def _look(guest: Guest) -> Look:
    await guest.page.mouse.move(0, 0)
    await guest.sees_nothing_move()
    places = await guest.page.evaluate(_PLACES)
    picture = Image.open(BytesIO(await guest.page.screenshot())).convert("RGB")
    small = picture.reduce(SMALLER).quantize(COLOURS, dither=Image.Dither.NONE)
    return Look(places, small)


async def looks(site: Site, browser: Browser, device: str) -> AsyncIterator[tuple[str, Look]]:
    """Goes from the entry page to the end of a game; yields the looks on the way, by name."""
    anna = await browser.stranger(DEVICES[device])
    needs_chromium(anna.page, "compare pictures: they were drawn by it")
    await anna.page.goto(site.url)
    await anna.page.wait_for_selector("#name")
    yield f"{device}-door", await _look(anna)
    await anna.enters(site.url, "Anna")
    user = (await site.store.guests())[0].id
    gathering = await posted(
        site,
        screen(lobby("Anna", user=user), "Join", "Add bot", "Settings", "Start", "Leave", "Close"),
    )
    await anna.page.wait_for_selector(".lobby .button")
    yield f"{device}-lobby", await _look(anna)
    await site.adapter.delete(gathering)
    others = ("Boris", "Clara", "🤖 Ada")
    bout = (("9S", "JS"), ("9D", None), ("6C", "7H"))
    player = await sits_down(site, anna, TWO_TO_BEAT)
    table = board("Anna", user, *others, step=2, bout=bout, attacker=3, discard=6)
    await site.adapter.edit(player.table, screen(table, "My hand"))
    await anna.page.wait_for_selector(".seat:nth-child(3)")
    for theme in ("light", "dark"):
        await anna.page.emulate_media(color_scheme=theme, reduced_motion="reduce")
        yield f"{device}-table-{theme}", await _look(anna)
    over = board("Anna", user, *others, is_over=True, losers=(1,), step=9)
    await site.adapter.delete(player.mine)
    await site.adapter.edit(player.table, screen(over))
    rematch = CallbackButton("m:1:1:rematch", "Rematch", Tone.GOOD)
    body = (Span("Boris is the fool!\n", Mark.BOLD), Span("Clara was out first."))
    await posted(site, replace(screen(over), body=body, rows=((rematch,),), finished_game=GameRef(7, 2)))
    await anna.page.locator(".bar").get_by_role("button", name="Rematch").wait_for()
    yield f"{device}-result", await _look(anna)


def difference(one: Image.Image, other: Image.Image) -> float:
    """Returns the share of two reduced pictures that differs."""
    if one.size != other.size:
        return 1.0
    afar = [
        each.convert("RGB").filter(ImageFilter.GaussianBlur(FROM_AFAR / 2)).reduce(FROM_AFAR // SMALLER)
        for each in (one, other)
    ]
    red, green, blue = ImageChops.difference(*afar).split()
    most = ImageChops.lighter(ImageChops.lighter(red, green), blue).histogram()
    return sum(most[VISIBLY + 1 :]) / sum(most)


def moved(one: list[Any], other: list[Any]) -> list[str]:
    """Returns the boxes of the second list whose place, size or colour has changed."""
    if len(one) != len(other):
        return [f"{len(one)} things became {len(other)}"]
    return [
        f"{was} became {now}"
        for was, now in zip(one, other, strict=True)
        if was[1:] != now[1:] or any(abs(a - b) > PIXELS for a, b in zip(was[0], now[0], strict=True))
    ]
