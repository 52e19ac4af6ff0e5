"""The page of a puzzle: anybody with its link can solve it, and share it."""

from dataclasses import replace

import pytest

from adapters.port import Screen
from tests.adapters.page.accessibility import violations
from tests.adapters.page.test_page import overflows
from tests.adapters.web.pages import PUZZLE
from tests.adapters.web.site import Site
from tests.adapters.web.steps import posted_privately, soon
from tests.wire.browser import DESKTOP, PHONE, Browser, Device, Guest, tap

TINY_AND_GERMAN = Device(320, 640, has_touch=True, is_dark=True, locale="de-DE")
NOTE_SHARES = """() => {
    window.shared = [];
    Object.defineProperty(navigator, "share", { value: undefined });
    navigator.clipboard.writeText = async text => { window.shared.push(text); };
}"""


def address(site: Site, number: int = PUZZLE.number) -> str:
    return f"{site.url.removesuffix('r/main')}puzzles/{number}"


async def copied(guest: Guest) -> list[str]:
    """Returns the links that a guest has copied, each below a sentence."""
    texts: list[str] = await guest.page.evaluate("shared")
    sentences_and_links = [text.splitlines() for text in texts]
    return [link for _, link in sentences_and_links]


@pytest.mark.parametrize("device", [PHONE, DESKTOP, TINY_AND_GERMAN])
async def test_a_stranger_solves_a_puzzle_and_sends_it_on(
    site: Site, browser: Browser, device: Device
) -> None:
    boris = await browser.stranger(device)
    await boris.page.goto(address(site))
    await boris.page.wait_for_selector(".puzzle")
    await boris.page.evaluate(NOTE_SHARES)
    assert not await violations(boris)
    assert not await overflows(boris)

    take = boris.page.locator("#puzzle .row button")
    assert await take.all_inner_texts() == ["Take"], "the cards themselves are the other moves"
    await boris.page.locator(".puzzle-card").first.click()
    await boris.page.wait_for_selector("#puzzle:has-text('Right!')")
    assert not await violations(boris)
    assert not await overflows(boris)

    await boris.page.locator("#puzzle .row button").click()
    await soon(lambda: copied(boris))
    assert await copied(boris) == [address(site)]
    assert await boris.page.get_attribute("#play-here", "href") == "/"
    assert not boris.complaints


async def test_the_link_of_a_puzzle_has_a_challenge_and_a_picture(site: Site, browser: Browser) -> None:
    boris = await browser.stranger()
    await boris.page.goto(address(site))
    meta = "meta[property='og:{}']"
    assert await boris.page.get_attribute(meta.format("title"), "content") == "🧩 Beat my puzzle"
    sentence = await boris.page.get_attribute(meta.format("description"), "content")
    assert sentence == "One move wins: which one?"

    picture = await boris.page.get_attribute(meta.format("image"), "content")
    assert picture == f"{address(site)}/picture"
    answer = await boris.page.request.get(picture)
    assert answer.headers["content-type"] == "image/png"
    assert (await boris.page.request.get(f"{address(site, 99)}/picture")).status == 404


async def test_a_puzzle_that_nobody_was_shown_is_gone(site: Site, browser: Browser) -> None:
    boris = await browser.stranger()
    await boris.page.goto(address(site, 99))
    await boris.page.wait_for_selector("#refused:has-text('That puzzle is gone.')")
    assert await boris.page.get_by_role("link", name="Play a game").count() == 1


async def test_a_solved_puzzle_in_a_room_is_sent_to_others(site: Site, browser: Browser) -> None:
    anna = await browser.guest(site.url, "Anna", PHONE)
    await anna.page.evaluate(NOTE_SHARES)
    solved = replace(PUZZLE, moves=(), played=PUZZLE.moves[0])
    await posted_privately(site, "Anna", Screen(PUZZLE.text, facts=solved))
    await tap(anna.page.locator("#open-notes"))
    await tap(anna.page.get_by_role("button", name="Challenge friends"))
    await soon(lambda: copied(anna))
    assert await copied(anna) == [address(site)]
