"""The page without a connection: it says so, and what was tried is not lost."""

from adapters.port import Reply
from tests.adapters.contract import eventually
from tests.adapters.contract.steps import says
from tests.adapters.page.accessibility import violations
from tests.adapters.web_site import Site
from tests.adapters.web_steps import posted, shows
from tests.wire.browser import PHONE, Browser


async def test_what_is_said_and_pressed_without_a_connection_is_sent_once_when_it_is_back(
    site: Site, browser: Browser
) -> None:
    anna = await browser.guest(site.url, "Anna", PHONE)
    await posted(site, says("the table", "Join"))
    await shows(anna, "the table")
    await anna.page.context.set_offline(True)
    await anna.page.wait_for_selector("#offline:not([hidden])", timeout=1000)
    await anna.page.fill("#line", "Hello")
    await anna.page.press("#line", "Enter")
    await anna.page.wait_for_selector("#toasts :text('sent as soon as there is one')")
    site.inbox.reply = Reply(toast="You sit")
    await anna.button("Join").tap()
    assert not await violations(anna)
    assert not site.inbox.pressed
    await anna.page.context.set_offline(False)
    await shows(anna, "the table", "Hello")
    await eventually(lambda: site.inbox.pressed)
    await anna.page.wait_for_selector("#offline", state="hidden")
    await anna.types("Here I am")
    await shows(anna, "the table", "Hello", "Here I am")
    assert [press.token for press in site.inbox.pressed] == ["t:Join"]


async def test_what_is_pressed_while_the_bot_is_down_reaches_the_next_one(
    site: Site, browser: Browser
) -> None:
    anna = await browser.guest(site.url, "Anna", PHONE)
    await posted(site, says("the table", "Join"))
    await shows(anna, "the table")
    await site.stop()
    await anna.page.wait_for_selector("#offline:not([hidden])")
    await anna.button("Join").tap()
    await site.restart()
    await eventually(lambda: site.inbox.pressed)
    await anna.page.wait_for_selector("#offline", state="hidden")
    assert [press.token for press in site.inbox.pressed] == ["t:Join"]


async def test_without_network_an_installed_page_says_so_and_comes_back_by_itself(
    site: Site, browser: Browser
) -> None:
    anna = await browser.stranger(PHONE, installs=True)
    await anna.enters(site.url, "Anna")
    await posted(site, says("my secret words"))
    await anna.page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    await site.stop()
    await anna.page.reload()
    await anna.page.wait_for_selector("#again")
    assert "Your seat and your cards are kept" in await anna.page.inner_text("main")
    kept = await anna.page.evaluate(
        """async () => {
            const names = await caches.keys();
            const kept = await Promise.all(names.map(async name => (await caches.open(name)).keys()));
            return kept.flat().map(request => new URL(request.url).pathname);
        }"""
    )
    assert kept
    assert all(path.startswith("/page/") for path in kept)
    await site.restart()
    await anna.page.click("#again")
    await shows(anna, "my secret words")
