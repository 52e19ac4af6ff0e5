"""A live table in a frame of its chat's window, and the text shown where it cannot run."""

import time
from urllib.parse import parse_qs, urlsplit

from playwright.async_api import Frame

from adapters.port import CallbackButton, Reply, Screen, Span
from tests.adapters.page.frames import Framed, InDiscord, framed, in_discord
from tests.adapters.page.live_table import card, pair
from tests.adapters.web.steps import soon
from tests.adapters.web.tables import ADDRESS, ANNA
from tests.wire.browser import PHONE, Browser, Guest, tap
from tests.wire.discord.window import FOCUSED, GRID, SMALL

# Chromium opens dialogs in a frame without this.
NO_COMPLAINT = "Blocked autofocusing"

# Seconds, on a machine that is busy with other tests.
FIRST_PAINT_WITHIN = 3.0
FIRST_CARD_WITHIN = 8.0

FINGER = "put a finger into a frame"
HEARD = "heard.map(([type]) => type)"


def complaints_of(guest: Guest) -> list[str]:
    return [line for line in guest.complaints if not line.startswith(NO_COMPLAINT)]


def frame_of(guest: Guest) -> Frame:
    """Returns the frame in a window."""
    return guest.page.frames[1]


async def test_a_table_in_a_frame_is_played_by_touch_and_speaks_with_the_window_around_it(
    browser: Browser,
) -> None:
    browser.cannot("firefox", FINGER)
    async with framed() as window:
        guest = await browser.stranger(PHONE)
        await guest.page.goto(window.address)
        table = frame_of(guest)
        await table.wait_for_selector("#mine.mine .held")
        await table.wait_for_selector(":root[data-theme=dark]")
        heard = await guest.page.evaluate(HEARD)
        assert heard[:3] == ["iframe_ready", "web_app_ready", "web_app_expand"]
        confirms = ["web_app_setup_closing_behavior", {"need_confirmation": True}]
        assert confirms in await guest.page.evaluate("heard")

        await tap(table.locator(card("TD")), position={"x": 9, "y": 16})
        await table.wait_for_selector(f"{pair('9D')}.target")
        await tap(table.locator(card("TD")), position={"x": 9, "y": 16})
        await soon(lambda: _pressed(window))
        assert "web_app_trigger_haptic_feedback" in await guest.page.evaluate(HEARD)

        await tap(table.locator("[data-menu]"))
        await table.wait_for_selector("#menu[open]")
        await soon(lambda: _last_back_button(guest, is_visible=True))
        await guest.page.evaluate("tell('back_button_pressed')")
        await table.wait_for_selector("#menu:not([open])", state="attached")
        await soon(lambda: _last_back_button(guest, is_visible=False))
        await guest.page.evaluate("tell('theme_changed', {theme_params: {bg_color: '#ffffff'}})")
        await table.wait_for_selector(":root[data-theme=light]")
        assert not complaints_of(guest)


async def test_a_replay_inside_telegram_follows_its_colours_too(browser: Browser) -> None:
    async with framed() as window:
        guest = await browser.stranger(PHONE)
        await guest.page.goto(window.address)
        table = frame_of(guest)
        await table.wait_for_selector("#mine.mine .held")
        async with table.expect_navigation():
            await table.evaluate("location.assign('/in/telegram/games/7-1')")
        await table.wait_for_selector(":root[data-theme=dark] #way-back")

        async def is_light() -> bool:
            """Tells the replay again, as it may not have been listening yet."""
            await guest.page.evaluate("tell('theme_changed', {theme_params: {bg_color: '#ffffff'}})")
            return await table.locator(":root[data-theme=light] #way-back").is_visible()

        await soon(is_light)


async def test_a_finished_game_is_sent_to_another_chat_of_telegram(browser: Browser) -> None:
    browser.cannot("firefox", FINGER)
    async with framed() as window:
        window.views.is_over = True
        guest = await browser.stranger(PHONE)
        await guest.page.goto(window.address)
        await tap(frame_of(guest).locator("#mine .share"))
        sent = "heard.filter(([type]) => type === 'web_app_open_tg_link').map(([, data]) => data.path_full)"

        async def is_sent() -> bool:
            return bool(await guest.page.evaluate(sent))

        await soon(is_sent)
        (path,) = await guest.page.evaluate(sent)
        address = urlsplit(path)
        assert address.path == "/share/url"
        assert parse_qs(address.query)["url"] == [ADDRESS]
        assert not complaints_of(guest)


async def test_a_finished_game_is_sent_to_another_chat_of_discord(browser: Browser) -> None:
    guest = await browser.stranger(PHONE)
    async with in_discord(guest) as discord:
        discord.views.is_over = True
        discord.views.change()
        await tap(discord.table.locator("#mine .share"))

        sent = "heard.filter(([command]) => command === 'SHARE_LINK').map(([, args]) => args.message)"

        async def is_sent() -> bool:
            return bool(await guest.page.evaluate(sent))

        await soon(is_sent)
        (message,) = await guest.page.evaluate(sent)
        assert message.endswith(f" {ADDRESS}")
        assert not complaints_of(guest)


async def test_an_answer_goes_away_once_its_button_has_done_what_the_table_shows(browser: Browser) -> None:
    browser.cannot("firefox", FINGER)
    async with framed() as window:
        guest = await browser.stranger(PHONE)
        await guest.page.goto(window.address)
        table = frame_of(guest)
        await table.wait_for_selector("#mine.mine .held")
        question = Screen((Span("Sure?"),), ((CallbackButton("t:7:1:stop", "Stop"),),))
        window.inbox.reply = Reply(secret=question)
        await tap(table.locator("[data-menu]"))
        await tap(table.locator("#table-buttons button").first)
        await table.wait_for_selector("#panel[open]:has-text('Sure?')")

        window.inbox.reply = Reply(toast="Not yet.")
        await tap(table.locator("#panel-message .row button"))
        await table.wait_for_selector("#panel[open]:has-text('Not yet.')")
        window.inbox.reply = Reply()
        await tap(table.locator("#panel-message .row button"))
        await table.wait_for_selector("#panel:not([open])", state="attached")


async def _pressed(window: Framed) -> bool:
    return bool(window.inbox.pressed)


async def _last_back_button(guest: Guest, *, is_visible: bool) -> bool:
    events = await guest.page.evaluate("heard.filter(([type]) => type === 'web_app_setup_back_button')")
    return bool(events) and events[-1][1]["is_visible"] is is_visible


async def test_the_page_takes_over_the_language_in_which_the_bot_speaks_to_its_reader(
    browser: Browser,
) -> None:
    async with framed() as window:
        window.views.spoken = "de"
        guest = await browser.stranger(PHONE)
        await guest.page.goto(window.table)
        await guest.page.wait_for_selector(":root[lang=de] #mine.mine .held")


async def test_a_frame_that_keeps_no_cookie_shows_the_table_in_the_language_of_the_browser(
    browser: Browser,
) -> None:
    async with framed() as window:
        window.views.spoken = "de"
        guest = await browser.stranger(PHONE)
        await guest.page.goto(window.address)
        await frame_of(guest).wait_for_selector("#mine.mine .held")


async def test_a_frame_without_an_origin_of_its_own_says_how_else_to_play(browser: Browser) -> None:
    async with framed('sandbox="allow-scripts"') as window:
        guest = await browser.stranger(PHONE)
        await guest.page.goto(window.address)
        await frame_of(guest).wait_for_selector("#refused:not([hidden])")
        told = await frame_of(guest).inner_text("#closed")
        assert "The table can’t be shown here. Play by the buttons in the chat." in told


async def test_a_strangers_window_shows_nothing_of_a_table(browser: Browser) -> None:
    browser.cannot("webkit", "be given a page that a test has written")
    async with framed() as window:
        guest = await browser.stranger(PHONE)
        await guest.page.set_content(f'<iframe src="{window.table}"></iframe>')
        await soon(lambda: _is_blocked(guest))
        assert not window.views.watching


async def _is_blocked(guest: Guest) -> bool:
    return any("frame-ancestors" in line for line in guest.complaints)


async def test_on_a_slow_line_a_table_that_opens_is_announced_at_once_and_soon_there(
    browser: Browser,
) -> None:
    async with framed() as window:
        guest = await browser.stranger(PHONE)
        network = await guest.devtools()
        slow = {"latency": 150, "downloadThroughput": 200_000, "uploadThroughput": 200_000}
        await network.send("Network.enable")
        await network.send("Network.emulateNetworkConditions", {"offline": False, **slow})
        began = time.monotonic()
        await guest.page.goto(window.table, wait_until="commit")
        await guest.page.wait_for_selector("#opening:visible")
        assert time.monotonic() - began < FIRST_PAINT_WITHIN
        await guest.page.wait_for_selector("#mine.mine .held")
        assert time.monotonic() - began < FIRST_CARD_WITHIN
        assert not await guest.page.is_visible("#opening")


async def test_where_scripts_do_not_come_the_page_says_so(browser: Browser) -> None:
    async with framed() as window:
        guest = await browser.stranger(PHONE)
        await guest.page.route("**/page/*/view.js", lambda route: route.abort())
        await guest.page.goto(window.address)
        await frame_of(guest).wait_for_selector("#refused:not([hidden])")


async def test_a_page_that_runs_never_says_that_it_does_not(browser: Browser) -> None:
    async with framed() as window:
        guest = await browser.stranger(PHONE)
        await guest.page.clock.install()
        await guest.page.goto(window.address)
        await frame_of(guest).wait_for_selector("#mine.mine .held")
        await guest.page.clock.fast_forward(60_000)
        assert not await frame_of(guest).is_visible("#closed")


async def test_a_small_window_of_discord_shows_the_table_and_whose_turn_it_is(browser: Browser) -> None:
    guest = await browser.stranger(PHONE)
    async with in_discord(guest) as discord:
        await discord.table.wait_for_selector("#mine.mine .held")
        for mode in (SMALL, GRID):
            await guest.page.evaluate(f"lay({mode})")
            await discord.table.wait_for_selector("#mine .fan", state="hidden")
            assert await discord.table.is_visible("#mine .status")
        await guest.page.evaluate(f"lay({FOCUSED})")
        await discord.table.wait_for_selector("#mine.mine .held")
        assert not complaints_of(guest)


async def test_inside_discord_the_edges_of_a_phone_stay_free(browser: Browser) -> None:
    guest = await browser.stranger(PHONE)
    async with in_discord(guest) as discord:
        await discord.table.wait_for_selector("#mine.mine .held")
        await discord.table.evaluate(
            "document.documentElement.style.setProperty('--discord-safe-area-inset-top', '40px')"
        )
        assert (
            await discord.table.evaluate("document.getElementById('stage').getBoundingClientRect().top") == 40
        )


async def test_a_frame_of_discord_comes_back_by_itself_as_long_as_its_reader_may_see_the_table(
    browser: Browser,
) -> None:
    guest = await browser.stranger(PHONE)
    async with in_discord(guest) as discord:
        await discord.table.wait_for_selector("#mine.mine .held")
        await _ends(discord)
        discord.views.shut_out.clear()
        await discord.table.wait_for_selector("#mine.mine .held")

        await _ends(discord)
        await discord.table.wait_for_selector("#closed-why:has-text('for the people of its chat')")


async def _ends(discord: InDiscord) -> None:
    """Has the reader's secret, and the view that is open, end at once."""
    discord.views.shut_out.add(ANNA.ref)
    discord.views.change()

    async def is_closed() -> bool:
        return not discord.views.watching

    await soon(is_closed)


async def test_one_tap_is_switched_on_in_the_menu_of_a_view(browser: Browser) -> None:
    browser.cannot("firefox", FINGER)
    async with framed() as window:
        guest = await browser.stranger(PHONE)
        await guest.page.goto(window.address)
        table = frame_of(guest)
        await table.wait_for_selector("#mine.mine .held")
        await tap(table.locator("[data-menu]"))
        await table.check('[data-preference="undo"]')
        await tap(table.locator("#menu button[type=submit]"))
        await tap(table.locator(card("TD")), position={"x": 9, "y": 16})
        await table.wait_for_selector(f"{pair('9D')}.beaten")
        await tap(table.locator("#undo"))
        await table.wait_for_selector(card("TD"))
        assert not window.inbox.pressed
