"""The page without a connection: it shows that, and loses no request."""

from playwright.async_api import WebSocketRoute

from adapters.port import Reply
from tests.adapters.contract import eventually
from tests.adapters.contract.steps import says
from tests.adapters.page.accessibility import violations
from tests.adapters.web.site import Site
from tests.adapters.web.steps import posted, shows
from tests.wire.browser import PHONE, Browser, tap


async def test_what_is_said_and_pressed_without_a_connection_is_sent_once_when_it_is_back(
    site: Site, browser: Browser
) -> None:
    anna = await browser.guest(site.url, "Anna", PHONE)
    await posted(site, says("the table", "Join"))
    await shows(anna, "the table")
    await anna.page.context.set_offline(True)
    await anna.page.wait_for_selector("#offline:not([hidden])", timeout=9_000)  # sooner than by silence
    await anna.page.fill("#line", "Hello")
    await anna.page.press("#line", "Enter")
    await anna.page.wait_for_selector("#toasts :text('sent as soon as there is one')")
    site.inbox.reply = Reply(toast="You sit")
    await tap(anna.button("Join"))
    assert not await violations(anna)
    assert not site.inbox.pressed
    await anna.page.context.set_offline(False)
    await shows(anna, "the table", "Hello")
    await eventually(lambda: site.inbox.pressed)
    await anna.page.wait_for_selector("#offline", state="hidden")
    await anna.types("Here I am")
    await shows(anna, "the table", "Hello", "Here I am")
    assert [press.token for press in site.inbox.pressed] == ["t:Join"]


async def test_what_only_the_bot_can_answer_rests_without_a_connection_and_says_why(
    site: Site, browser: Browser
) -> None:
    anna = await browser.guest(site.url, "Anna", PHONE)
    await anna.page.context.set_offline(True)
    await anna.page.wait_for_selector("#offline:not([hidden])", timeout=9_000)
    for opens in ("header [data-play]", "#open-links"):
        assert await anna.page.get_attribute(opens, "aria-disabled") == "true"
        await anna.page.click(opens, force=True)
        await anna.page.wait_for_selector("#toasts :text('Connection lost.')")
        assert not await anna.page.locator("dialog[open]").count()

    await anna.page.context.set_offline(False)
    await anna.page.wait_for_selector("#offline", state="hidden")
    await anna.page.click("#open-links")
    await anna.page.wait_for_selector("#links[open]")


async def test_what_is_pressed_while_the_bot_is_down_reaches_the_next_one(
    site: Site, browser: Browser
) -> None:
    anna = await browser.guest(site.url, "Anna", PHONE)
    await posted(site, says("the table", "Join"))
    await shows(anna, "the table")
    await site.stop()
    await anna.page.wait_for_selector("#offline:not([hidden])")
    await tap(anna.button("Join"))
    await site.restart()
    await eventually(lambda: site.inbox.pressed)
    await anna.page.wait_for_selector("#offline", state="hidden")
    assert [press.token for press in site.inbox.pressed] == ["t:Join"]


async def test_a_connection_that_has_fallen_silent_is_found_out_while_nobody_presses_anything(
    site: Site, browser: Browser
) -> None:
    anna, is_silent, asked = await browser.stranger(PHONE), False, list[str]()

    def between(page: WebSocketRoute) -> None:
        bot = page.connect_to_server()

        def to_bot(message: str | bytes) -> None:
            asked.append(str(message))
            bot.send(message)

        def to_page(message: str | bytes) -> None:
            if not is_silent:
                page.send(message)

        page.on_message(to_bot)
        bot.on_message(to_page)

    await anna.page.route_web_socket("**/stream?*", between)
    await anna.page.clock.install(time=0)
    await anna.page.clock.pause_at(1_000)  # from here on only the test lets time pass
    await anna.enters(site.url, "Anna")
    lost = anna.page.locator("#offline")

    async def answers(times: int) -> None:
        """Waits until the bot was asked this often, and a little longer than it may take to answer."""
        await eventually(lambda: asked.count("?") == times)
        await posted(site, says(f"words {times}"))
        await anna.page.wait_for_selector(f"#public :text('words {times}')")
        await anna.page.clock.fast_forward(4_000)
        assert await lost.is_hidden()

    await anna.page.clock.fast_forward(12_500)
    await answers(1)
    await anna.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    await answers(2)
    is_silent = True
    await anna.page.evaluate("dispatchEvent(new Event('pageshow'))")
    await anna.page.clock.fast_forward(2_900)
    assert await lost.is_hidden()
    await anna.page.clock.fast_forward(200)
    await lost.wait_for()
    is_silent = False
    await anna.page.clock.fast_forward(2_000)
    await lost.wait_for(state="hidden")


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
    await site.restart()
    await anna.page.click("#again")
    await shows(anna, "my secret words")

    # The page without network reloads itself at any time; this one stays.
    kept = await anna.page.evaluate(
        """async () => {
            const names = await caches.keys();
            const kept = await Promise.all(names.map(async name => (await caches.open(name)).keys()));
            return kept.flat().map(request => new URL(request.url).pathname);
        }"""
    )
    assert kept
    assert {path for path in kept if not path.startswith("/page/")} == set()  # no message, no answer
