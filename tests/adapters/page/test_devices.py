"""A real browser takes part in the shuffle: it commits to a value, and reveals it once."""

from hashlib import sha256

from adapters.port import UserRef
from tests.adapters.web_site import Site
from tests.adapters.web_steps import devices
from tests.wire.browser import Browser

HASH = """async texts => {
    const { sha256 } = await import("/page/sha256.js");
    return texts.map(sha256);
}"""

TEXTS = [
    "abc",
    "Ж♠🂡" * 30,
    *("x" * length for length in (0, 1, 54, 55, 56, 57, 63, 64, 65, 118, 119, 120, 121, 128, 1000, 9999)),
]


def digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()


def terms(seal: str, *commitments: str) -> str:
    return f"players=2 dealer=1 seal={seal} contributions={','.join(commitments)} rules: podkidnoy-36"


async def newest(site: Site) -> UserRef:
    return UserRef("web", (await site.store.guests())[-1].id)


async def test_the_page_s_own_sha_256_is_sha_256(site: Site, browser: Browser) -> None:
    anna = await browser.guest(site.url, "Anna")
    assert await anna.page.evaluate(HASH, TEXTS) == [digest(text) for text in TEXTS]


async def test_a_browser_commits_anew_each_time_and_reveals_a_value_for_one_deal_alone(
    site: Site, browser: Browser
) -> None:
    anna = await browser.guest(site.url, "Anna")
    user, asked = await newest(site), devices(site)
    one, other = [await asked.commit(user, site.room) for _ in range(2)]
    assert one != other
    assert await asked.reveal(user, site.room, one, terms("a", other)) == ""
    value = await asked.reveal(user, site.room, one, terms("a", one))
    assert digest(value) == one
    assert await asked.reveal(user, site.room, one, terms("a", one)) == value
    assert await asked.reveal(user, site.room, one, terms("b", one)) == ""
    assert await asked.reveal(user, site.room, "0" * 64, terms("b", "0" * 64)) == ""
    assert await anna.page.inner_text("#toasts") == ""
    assert digest(await asked.reveal(user, site.room, other, terms("a", other))) == other
    assert "started once before" in await anna.page.inner_text("#toasts")


async def test_a_browser_that_was_loaded_anew_still_has_its_value_and_shows_what_it_gave(
    site: Site, browser: Browser
) -> None:
    anna = await browser.guest(site.url, "Anna")
    user, asked = await newest(site), devices(site)
    async with anna.page.expect_event("requestfinished"):
        commitment = await asked.commit(user, site.room)
    await anna.page.wait_for_load_state("networkidle")
    await anna.page.reload()
    await anna.page.wait_for_selector("#offline", state="hidden")
    await anna.page.click("#open-links")
    assert await anna.page.is_hidden("#told")
    await anna.page.click("#links [type=submit]")
    value = ""
    while not value:  # the page has just come back
        value = await asked.reveal(user, site.room, commitment, terms("a", commitment))
    assert digest(value) == commitment
    await anna.page.click("#open-links")
    assert (await anna.page.inner_text("#told-values")).split() == [value]


async def test_a_browser_that_keeps_nothing_takes_part_as_well(site: Site, browser: Browser) -> None:
    anna = await browser.stranger()
    await anna.page.add_init_script("Storage.prototype.setItem = () => { throw new Error('full'); }")
    await anna.enters(site.url, "Anna")
    user, asked = await newest(site), devices(site)
    commitment = await asked.commit(user, site.room)
    assert digest(await asked.reveal(user, site.room, commitment, terms("a", commitment))) == commitment
