"""Everyone can use the live table: axe-core finds nothing wrong with it, in both themes."""

from dataclasses import replace

import pytest

from adapters.port import CallbackButton, Reply, Span, Tone
from tests.adapters.boards import board, hand, lobby, screen
from tests.adapters.contract.steps import says
from tests.adapters.page.accessibility import violations
from tests.adapters.page.live_table import TWO_TO_BEAT, card, seated, sits_down
from tests.adapters.web.site import Site
from tests.adapters.web.steps import posted
from tests.wire.browser import DESKTOP, PHONE, Browser, Device, needs_chromium


@pytest.mark.parametrize("device", [replace(PHONE, is_dark=True), DESKTOP])
async def test_axe_finds_nothing_wrong_with_a_live_table(
    site: Site, browser: Browser, device: Device
) -> None:
    anna = await seated(site, browser, TWO_TO_BEAT, device, until=1.0, since=0.0, discarded=("6S", "7C"))
    page, found = anna.page, dict[str, list[str]]()
    await anna.guest.sees_nothing_move()
    found["the turn"] = await violations(anna.guest)
    await anna.taps(card("KH"))
    found["a chosen card"] = await violations(anna.guest)
    await anna.holds(hand("6D 7D", "A 6D", "E", "P", note=(Span("💡 An expert would play: 6♦"),)))
    await page.wait_for_selector(".choices .exchange")
    found["a move without cards"] = await violations(anna.guest)
    await page.click("[data-menu]")
    found["the menu"] = await violations(anna.guest)
    await page.click("#menu button[type=submit]")
    asked = (Span("Stop this game?"),)
    user = (await site.store.guests())[0].id
    table = screen(board("Anna", user, asked=asked, step=3, talon=0, turn_up=None), "My hand")
    yes, no = CallbackButton("t:yes", "Yes, stop", Tone.DANGER), CallbackButton("t:no", "Play on", Tone.GOOD)
    await site.adapter.edit(anna.table, replace(table, rows=(*table.rows, (yes, no))))
    await page.wait_for_selector("#question button")
    found["a question"] = await violations(anna.guest)
    if device.has_touch:
        await page.click("#open-chat")
        await anna.guest.sees_nothing_move()
        found["the chat"] = await violations(anna.guest)
        await page.keyboard.press("Escape")
    await site.adapter.delete(anna.mine)
    over = board("Anna", user, is_over=True, losers=(1,), step=9, status=())
    await site.adapter.edit(anna.table, screen(over))
    await posted(site, screen(over, "Rematch"))
    await page.wait_for_selector(".outcome:visible")
    found["the end"] = await violations(anna.guest)
    assert {state: wrong for state, wrong in found.items() if wrong} == {}


_COUNT_MOTION = """() => {
    window.moved = 0;
    const animate = Element.prototype.animate;
    Element.prototype.animate = function (...how) {
        window.moved += 1;
        return animate.apply(this, how);
    };
}"""


@pytest.mark.parametrize("wants_calm", [False, True])
async def test_the_end_of_a_game_is_a_moment_of_its_own_unless_a_reader_wants_no_motion(
    site: Site, browser: Browser, *, wants_calm: bool
) -> None:
    anna = await seated(site, browser, TWO_TO_BEAT, replace(PHONE, is_calm=wants_calm))
    await anna.guest.sees_nothing_move()
    await anna.page.evaluate(_COUNT_MOTION)
    user = (await site.store.guests())[0].id
    over = board("Anna", user, is_over=True, losers=(1,), step=9, status=())
    await site.adapter.edit(anna.table, screen(over))
    await posted(site, screen(over, "Rematch"))
    await anna.page.wait_for_selector(".outcome:visible")
    assert (await anna.page.evaluate("window.moved") == 0) is wants_calm
    await anna.page.wait_for_selector(".moment", state="detached")
    await anna.page.reload()
    await anna.page.wait_for_selector(".outcome:visible")
    assert not await anna.page.locator(".moment").count(), "it is not repeated"


@pytest.mark.parametrize("wants_calm", [False, True])
async def test_cards_move_unless_somebody_wants_no_motion(
    site: Site, browser: Browser, *, wants_calm: bool
) -> None:
    anna = await seated(site, browser, TWO_TO_BEAT, replace(DESKTOP, is_calm=wants_calm))
    await anna.page.evaluate(_COUNT_MOTION)
    await anna.taps(card("TD"), card("TD"))
    await anna.plays("D 9D TD")
    assert (await anna.page.evaluate("window.moved") == 0) is wants_calm
    await anna.page.wait_for_selector(".ghost", state="detached")


async def test_the_focus_goes_to_the_table_when_what_had_it_is_gone(site: Site, browser: Browser) -> None:
    guest = await browser.guest(site.url, "Anna", DESKTOP)
    user = (await site.store.guests())[0].id
    site.inbox.reply = Reply()
    await guest.page.locator("#hello >> text=Open a table").focus()
    await guest.page.keyboard.press("Enter")
    gathering = await posted(site, screen(lobby("Anna", user=user), "Start", "Close"))
    await guest.page.wait_for_function("() => document.activeElement.matches('.lobby .scroll')")
    await guest.page.locator(".lobby-best button").focus()
    await guest.page.keyboard.press("Enter")
    await site.adapter.delete(gathering)
    await sits_down(site, guest, TWO_TO_BEAT)
    await guest.page.wait_for_function("() => document.activeElement.dataset.key === 'TD'")
    await guest.page.click("#open-chat")
    await guest.page.click("#line")
    await site.adapter.edit(gathering, screen(lobby("Anna", user=user), "Start", "Close"))
    assert await guest.page.evaluate("document.activeElement.id") == "line"


async def test_no_news_is_said_twice(site: Site, browser: Browser) -> None:
    anna = await seated(site, browser, replace(TWO_TO_BEAT, moves=(), is_awaited=False), DESKTOP)
    await anna.page.evaluate(
        """() => {
            window.heard = [];
            const news = document.getElementById("news");
            const hear = new MutationObserver(() => window.heard.push(news.textContent));
            hear.observe(news, { childList: true });
        }"""
    )
    told = (Span("Ada attacks with 9♠."),)
    await anna.sees(step=2, latest=told, bout=(("9S", None),), attacker=1)
    await anna.page.wait_for_selector("#news:has-text('nine')", state="attached")
    await anna.holds(replace(TWO_TO_BEAT, step=2, says=(Span("Beat it."),)))
    await anna.page.wait_for_selector("#news:has-text('Beat it.')", state="attached")
    await anna.holds(replace(TWO_TO_BEAT, step=2, says=(Span("Beat it."),), note=(Span("Take it."),)))
    await anna.page.wait_for_selector("#news:has-text('Take it.')", state="attached")
    assert await anna.page.evaluate("heard") == ["Ada attacks with nine of spades.", "Beat it.", "Take it."]


async def test_forced_colours_leave_cards_their_edges_and_every_mark(site: Site, browser: Browser) -> None:
    anna = await seated(site, browser, hand("TD QD KH 6C", "D 9D TD", "D 9D KH", "D JD KH", "T"), DESKTOP)
    needs_chromium(anna.page, "force colours")
    await anna.page.emulate_media(forced_colors="active")
    await anna.taps(card("KH"))
    await anna.page.wait_for_selector(".pair.target")
    await anna.guest.sees_nothing_move()
    lines = await anna.page.evaluate(
        """() => Object.fromEntries(Object.entries({
            idle: ".held.idle .face", playable: ".held.playable:not(.chosen) .face",
            chosen: ".held.chosen .face", target: ".target .face", lying: ".beaten .face",
            back: ".talon .back",
        }).map(([name, selector]) => {
            const { outlineWidth, outlineStyle, color } = getComputedStyle(document.querySelector(selector));
            return [name, [outlineStyle, outlineWidth, color]];
        }))"""
    )
    assert {style for style, _, _ in lines.values()} == {"solid"}
    assert len({width for _, width, _ in map(lines.get, ("idle", "playable", "chosen"))}) == 3
    assert lines["target"][1] != lines["lying"][1]
    assert lines["target"][2] == "rgb(11, 85, 207)", "diamonds are blue"
    avatars = "[...document.querySelectorAll('.avatar')].map(each => getComputedStyle(each).borderStyle)"
    await anna.sees(bout=(("9D", None),), attacker=1, step=2)
    assert "double" in await anna.page.evaluate(avatars)


async def test_the_focus_has_a_ring_only_while_keys_lead(site: Site, browser: Browser) -> None:
    anna = await browser.guest(site.url, "Anna", DESKTOP)
    ring = "getComputedStyle(document.activeElement).outlineStyle"
    await anna.page.click("#place")
    await anna.page.keyboard.press("Escape")
    assert await anna.page.evaluate(f"[document.activeElement.id, {ring}]") == ["place", "none"]

    await anna.page.click("#line")
    await anna.page.keyboard.type("Hi")
    assert await anna.page.evaluate(ring) == "none", "its caret shows it"

    await anna.page.keyboard.press("Tab")
    if await anna.page.evaluate("document.hasFocus()"):  # WebKit's window here never has it
        assert await anna.page.evaluate(ring) == "solid"


@pytest.mark.parametrize("device", [PHONE, DESKTOP])
async def test_how_to_play_opens_at_its_top(site: Site, browser: Browser, device: Device) -> None:
    anna = await browser.guest(site.url, "Anna", device)
    for _ in range(2):
        await anna.page.click("#hello [data-how]")
        await anna.page.wait_for_selector("#how ol li")
        assert await anna.page.evaluate("document.getElementById('how').scrollTop") == 0
        assert await anna.page.evaluate("document.activeElement.id") == "how-title"
        await anna.page.evaluate("document.getElementById('how').scrollTop = 500")
        await anna.page.keyboard.press("Escape")


async def test_the_focus_goes_to_the_next_card_when_one_is_played(site: Site, browser: Browser) -> None:
    anna = await seated(site, browser, TWO_TO_BEAT, DESKTOP)
    await anna.page.locator(card("TD")).focus()
    for _ in range(2):
        await anna.page.keyboard.press("Enter")
    await anna.plays("D 9D TD")
    assert await anna.page.evaluate("document.activeElement.dataset.key") == "QD"


async def test_back_on_a_phone_closes_what_lies_over_the_table_first(site: Site, browser: Browser) -> None:
    guest = await browser.stranger(PHONE)
    await guest.page.goto(site.url.replace("r/main", "results"))  # Back leads there in every browser
    await guest.enters(site.url, "Anna")
    anna = await sits_down(site, guest, TWO_TO_BEAT)
    page, address = anna.page, anna.page.url
    for opens, is_shown in (("#open-chat", "#room.chatting"), ("[data-menu]", "#menu[open]")) * 2:
        await page.click(opens)
        await page.wait_for_selector(is_shown)
        await page.go_back()
        await page.wait_for_selector(is_shown, state="detached")
        assert page.url == address
    entries = await page.evaluate("history.length")
    for _ in range(3):
        await page.click("[data-menu]")
        await page.keyboard.press("Escape")
        await page.wait_for_selector("#menu[open]", state="detached")
    assert await page.evaluate("history.length") <= entries + 1, "what is opened often leaves no trail"
    await page.go_back()
    await page.wait_for_url(lambda url: url != address)


async def test_the_chat_is_scrolled_by_keys(site: Site, browser: Browser) -> None:
    anna = await seated(site, browser, TWO_TO_BEAT, DESKTOP)
    for number in range(40):
        await posted(site, says(f"words {number}"))
    await anna.page.click("#open-chat")
    scroll = anna.page.locator("#chat-scroll")
    await scroll.get_by_text("words 39").wait_for()
    await anna.page.wait_for_function(
        """() => {
            const chat = document.querySelector("#chat-scroll");
            return chat.scrollTop > 0 && chat.scrollTop + chat.clientHeight >= chat.scrollHeight - 1;
        }"""
    )
    await scroll.focus()
    before = await scroll.evaluate("each => each.scrollTop")
    await anna.page.keyboard.press("PageUp")
    await anna.page.wait_for_function(
        "before => document.querySelector('#chat-scroll').scrollTop < before", arg=before
    )
    await anna.page.keyboard.press("1")
    assert not await anna.page.locator(".held.chosen").count()


async def test_a_card_is_called_by_what_stands_on_it_too(site: Site, browser: Browser) -> None:
    anna = await seated(site, browser, TWO_TO_BEAT)
    names = await anna.page.eval_on_selector_all(".held", "cards => cards.map(each => each.ariaLabel)")
    assert names[0] == "ten of diamonds, 10♦"
