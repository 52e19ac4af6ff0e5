"""Opening a live table when the browser stores nothing, or the chat does not answer or repeats a proof."""

import pytest
from playwright.async_api import Frame

from adapters.port import GameRef, ProofProblem, Reply
from tests.adapters.page.frames import framed, in_discord
from tests.adapters.page.test_frames import FINGER
from tests.adapters.web.steps import soon
from tests.adapters.web.tables import ANNA
from tests.wire.browser import PHONE, Browser, Guest

HEARD = "heard.map(([type]) => type)"
CARDS = "#mine.mine .held"


def frame_of(guest: Guest) -> Frame:
    """Returns the frame in a window."""
    return guest.page.frames[1]


# --- a frame that may keep nothing ------------------------------------------------------------------------


async def test_in_discord_a_frame_that_may_keep_nothing_shows_the_table(browser: Browser) -> None:
    guest = await browser.stranger(PHONE)
    await guest.keeps_nothing_in_frames()
    async with in_discord(guest) as discord:
        await discord.table.wait_for_selector(CARDS)


async def test_in_telegram_such_a_frame_shows_the_table_and_goes_to_a_replay_and_back(
    browser: Browser,
) -> None:
    browser.cannot("firefox", FINGER)
    async with framed() as window:
        guest = await browser.stranger(PHONE)
        await guest.keeps_nothing_in_frames()
        window.views.is_over = True
        await guest.page.goto(window.address)
        table = frame_of(guest)
        window.inbox.reply = Reply(review=GameRef(7, 1))
        await table.get_by_role("button", name="Rematch").click()
        await table.wait_for_selector(
            "#refused:has-text('no finished game')"
        )  # it was asked for by its reader
        assert "visit" not in await table.evaluate("location.href")

        await table.locator("#way-back").click()
        await table.wait_for_selector(".outcome:visible")
        assert "visit" not in await table.evaluate("location.href")


async def test_a_browser_that_blocks_by_itself_shows_the_table_in_both_chats(
    blocking_browser: Browser,
) -> None:
    guest = await blocking_browser.stranger(PHONE)
    async with in_discord(guest) as discord:
        await discord.table.wait_for_selector(CARDS)

    async with framed() as window:
        guest = await blocking_browser.stranger(PHONE)
        await guest.page.goto(window.address)
        await frame_of(guest).wait_for_selector(CARDS)


# --- a chat that does not answer --------------------------------------------------------------------------


@pytest.mark.parametrize("is_blocked", [True, False])
async def test_a_frame_that_gets_no_code_says_so_and_tries_again(
    browser: Browser, *, is_blocked: bool
) -> None:
    guest = await browser.stranger(PHONE)
    if is_blocked:
        await guest.keeps_nothing_in_frames()

    async with in_discord(guest, codes=0) as discord:
        await discord.table.wait_for_selector("#closed-why:has-text('Discord hasn’t said who you are.')")
        await guest.page.evaluate(f"codes.push('{ANNA.ref.id}')")
        await discord.table.get_by_role("button", name="Try again").click()
        await discord.table.wait_for_selector(CARDS)


async def test_a_frame_to_which_discord_never_answers_says_so_after_twelve_seconds(browser: Browser) -> None:
    guest = await browser.stranger(PHONE)
    async with in_discord(guest) as discord:
        await discord.table.wait_for_selector(CARDS)
        await guest.page.clock.install()
        discord.views.shut_out.add(ANNA.ref)
        await guest.page.evaluate("window.isSilent = true")
        discord.views.change()
        await discord.table.wait_for_selector("#opening:visible")
        assert not await discord.table.is_visible("#closed")
        await guest.page.clock.fast_forward(12_500)
        await discord.table.wait_for_selector("#closed-why:has-text('Discord hasn’t said who you are.')")


# --- a chat that repeats a proof --------------------------------------------------------------------------


async def test_data_that_comes_again_shows_the_table_that_the_tab_holds(browser: Browser) -> None:
    """Telegram's apps may hand out the same launch data whenever they show the page."""
    browser.cannot("blocking", "keep a secret in a tab")
    async with framed() as window:
        guest = await browser.stranger(PHONE)
        for _ in range(2):
            await guest.page.goto(window.address)
            await frame_of(guest).wait_for_selector(CARDS)
        assert window.door.used == {ANNA.ref.id}, "it was not shown once more"


async def test_a_tab_whose_visit_is_over_comes_in_by_the_data(browser: Browser) -> None:
    async with framed() as window:
        guest = await browser.stranger(PHONE)
        await guest.page.goto(window.address)
        await frame_of(guest).wait_for_selector(CARDS)

        for ended in window.views.on_ended:
            ended(lambda visit: True)
        window.door.used.clear()
        await guest.page.goto(window.address)
        await frame_of(guest).wait_for_selector(CARDS)
        assert window.door.used == {ANNA.ref.id}


@pytest.mark.parametrize("problem", [ProofProblem.USED, ProofProblem.OLD, ProofProblem.STRANGER])
async def test_every_refusal_inside_telegram_has_buttons_that_lead_out(
    browser: Browser, problem: ProofProblem
) -> None:
    browser.cannot("firefox", FINGER)
    async with framed() as window:
        window.door.problem = problem
        window.door.other_way = "https://t.me/durak_bot?start=t7"
        guest = await browser.stranger(PHONE)
        await guest.page.goto(window.address)
        table = frame_of(guest)
        await table.get_by_role("button", name="Back to the chat").wait_for()
        await table.get_by_role("button", name="Get a link instead").click()

        async def is_led() -> bool:
            heard = await guest.page.evaluate("heard")
            link = ["web_app_open_tg_link", {"path_full": "/durak_bot?start=t7"}]
            return link in heard and heard[-1][0] == "web_app_close"

        await soon(is_led)
