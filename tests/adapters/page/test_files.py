"""Pictures and documents in a browser."""

from typing import Any

from adapters.port import Delivered, Document, Everyone, Picture, Reply, Screen, Span
from tests.adapters.contract.picturing import png
from tests.adapters.contract.steps import says
from tests.adapters.web.site import Site
from tests.adapters.web.steps import DRAWN, soon
from tests.wire.browser import PHONE, Browser, Guest, needs_chromium, tap

IS_OF_SHADE = """async ([alt, shade]) => {
    const image = document.querySelector(`#public img[alt="${alt}"][src]`);
    if (!image) return false;
    await image.decode();
    const canvas = new OffscreenCanvas(1, 1).getContext("2d");
    canvas.drawImage(image, 0, 0);
    return canvas.getImageData(0, 0, 1, 1).data[0] === shade;
}"""
# Counts the times that the screen is drawn while there is no picture in its place.
COUNT_BLANKS = """() => {
    window.blanks = 0;
    const look = () => {
        window.blanks += !document.querySelector("#public img")?.naturalWidth;
        if (document.querySelector("#public img")) requestAnimationFrame(look);
    };
    look();
}"""


async def test_a_document_is_a_link_that_keeps_it(site: Site, browser: Browser) -> None:
    anna = await browser.guest(site.url, "Anna", PHONE)
    site.inbox.reply = Reply(secret=says("about you"), document=Document("mydata.json", b'{"a": 1}\n'))
    await anna.types("/mydata")
    needs_chromium(anna.page, "wait for a download")
    async with anna.page.expect_download() as begun:
        await tap(anna.page.locator("#panel a.document"))
    download = await begun.value
    assert download.suggested_filename == "mydata.json"
    assert (await download.path()).read_bytes() == b'{"a": 1}\n'
    assert not anna.complaints
    assert anna.page.url == site.url


async def turns(guest: Guest, picture: Picture | None, shade: int) -> None:
    """Waits until a guest sees a picture."""
    assert picture is not None
    await soon(lambda: guest.page.evaluate(IS_OF_SHADE, [picture.alt, shade]))


async def test_a_picture_gives_way_to_another_in_the_browser(site: Site, browser: Browser) -> None:
    anna = await browser.guest(site.url, "Anna")
    delivery = await site.adapter.post(Everyone(site.room), DRAWN)
    assert isinstance(delivery, Delivered)
    await turns(anna, DRAWN.picture, 0)
    await anna.page.evaluate(COUNT_BLANKS)
    for shade in (120, 250):
        picture = Picture(png(shade), f"shade {shade}")
        await site.adapter.edit(delivery.ref, Screen((Span("table"),), picture=picture))
        await turns(anna, picture, shade)
    assert await anna.page.evaluate("window.blanks") == 0
    await site.adapter.edit(delivery.ref, says("no picture"))
    await anna.page.wait_for_selector("#public img", state="detached")
    assert not anna.complaints


async def test_a_page_that_is_loaded_again_asks_for_itself_alone(site: Site, browser: Browser) -> None:
    anna = await browser.guest(site.url, "Anna", PHONE)
    home = site.url.removesuffix("r/main")
    fetched: dict[str, str] = {}

    def note(event: dict[str, Any]) -> None:
        if not event["response"].get("fromDiskCache") and event["requestId"] not in kept:
            fetched[event["requestId"]] = event["response"]["url"].removeprefix(home)

    kept = set[str]()
    session = await anna.devtools()
    await session.send("Network.enable")
    session.on("Network.requestServedFromCache", lambda event: kept.add(event["requestId"]))
    session.on("Network.responseReceived", note)
    await anna.page.reload()
    await anna.page.wait_for_selector("#room:not([hidden]) #people:not(:empty)")
    assert set(fetched.values()) <= {"r/main"}
