"""Every dialog in every state fits the screen: nothing in it is cut off, covered or out of sight."""

from dataclasses import replace

import pytest

from adapters.port import (
    BoardMove,
    BoardPair,
    CallbackButton,
    GuidePicture,
    Mark,
    MoveKind,
    PuzzleBoard,
    Reply,
    Screen,
    Span,
)
from adapters.web.render import LIMITS
from bot.app import REGISTRY
from bot.locale import Translator
from bot.model.buttons import TypedCommand
from bot.model.profile import Profile
from bot.screens.help import help_screen
from bot.screens.me import own_screen
from bot.screens.rules import rules_screen
from engine import PRESETS
from tests.adapters.boards import lobby, screen
from tests.adapters.contract import eventually
from tests.adapters.contract.steps import says
from tests.adapters.page.accessibility import violations
from tests.adapters.page.live_table import TWO_TO_BEAT, sits_down
from tests.adapters.page.test_beginning import form
from tests.adapters.page.test_page import overflows
from tests.adapters.web.site import COMMANDS, Site, web_site
from tests.adapters.web.steps import posted
from tests.wire.browser import DESKTOP, PHONE, Browser, Device, Guest, tap, tap_at

SMALL = Device(360, 640, has_touch=True, locale="de-DE")
WIDTHS = (SMALL, PHONE, DESKTOP)

_OUTSIDE = """dialog => {
    const frame = dialog.getBoundingClientRect();
    const { scrollPaddingTop, scrollPaddingBottom } = getComputedStyle(dialog);
    const room = frame.height - parseFloat(scrollPaddingTop) - parseFloat(scrollPaddingBottom);
    const found = [];
    const note = (what, each) => found.push(`${what}: ${each.outerHTML.slice(0, 120)}`);
    for (const each of dialog.querySelectorAll("*")) {
        if (!each.checkVisibility() || each.closest(".unseen, svg, option, [aria-hidden=true]")) continue;
        each.scrollIntoView({ block: "nearest" });
        const { left, right, top, bottom, width, height } = each.getBoundingClientRect();
        if (!width || !height) continue;
        const isOutside = height <= room && (top < -1 || bottom > innerHeight + 1);
        if (isOutside || left < frame.left - 1 || right > frame.right + 1) note("outside", each);
        const isCut = each.clientWidth && each.scrollWidth > each.clientWidth + 1;
        if (isCut && !each.matches("input, select")) note("cut", each);
        if (!each.matches("button, input, select, a")) continue;
        const seen = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
        if (!each.contains(seen) && !seen?.contains(each)) note("covered", each);
    }
    const { left, right, top, bottom } = frame;
    if (left < 0 || right > innerWidth || top < 0 || bottom > innerHeight) note("too large", dialog);
    if (dialog.scrollWidth > dialog.clientWidth) note("scrolls sideways", dialog);
    return found;
}"""


async def outside(guest: Guest) -> list[str]:
    await guest.page.wait_for_load_state("networkidle")
    return list(await guest.page.locator("dialog[open]").evaluate(_OUTSIDE))


async def closes(guest: Guest) -> None:
    await guest.page.keyboard.press("Escape")
    await guest.page.wait_for_selector("dialog[open]", state="detached")


@pytest.mark.parametrize("device", WIDTHS)
async def test_the_invitation_fits_before_and_after_a_deal(browser: Browser, device: Device) -> None:
    async with web_site(public_url="https://durak-with-a-long-name.example") as site:
        anna = await browser.guest(site.url, "Anna", device)
        for _ in ("in the room", "at the table"):
            await anna.page.click("#open-links")
            await anna.page.wait_for_selector("#room-code:visible")
            assert await outside(anna) == []
            await anna.page.click("#show-own-link")
            await anna.page.wait_for_selector("#own-code:visible")
            assert await outside(anna) == []
            await closes(anna)
            await sits_down(site, anna, TWO_TO_BEAT)


async def test_large_text_cuts_neither_dialogs_nor_the_lobby(browser: Browser) -> None:
    async with web_site(public_url="https://durak.example") as site:
        anna = await browser.stranger(replace(PHONE, locale="de-DE"))
        await anna.enlarges_text(200)
        await anna.enters(site.url, "Anna")
        user = (await site.store.guests())[0].id
        gathering = await posted(site, screen(lobby("Anna", user=user), "Start", "Add bot", "Close"))
        await anna.page.wait_for_selector(".lobby-guests .address:visible")  # its picture has no room
        assert await overflows(anna) == []
        await anna.page.click("#open-links")
        await anna.page.click("#show-own-link")
        await anna.page.wait_for_selector("#own-code:visible")
        assert await outside(anna) == []
        await closes(anna)
        await site.adapter.delete(gathering)
        await sits_down(site, anna, TWO_TO_BEAT)
        await anna.page.click("[data-menu]")
        assert await outside(anna) == []


async def test_a_dialog_fades_above_its_last_button_until_all_of_it_was_seen(
    site: Site, browser: Browser
) -> None:
    anna = await browser.guest(site.url, "Anna", SMALL)
    await anna.page.click("#hello [data-how]")
    await anna.page.wait_for_selector("#how.goes-on ol li")
    await anna.page.evaluate("document.getElementById('how').scrollTop = 9999")
    await anna.page.wait_for_selector("#how:not(.goes-on)")
    await closes(anna)
    await anna.page.click("#place")
    await anna.page.wait_for_selector("#rooms:not(.goes-on) .room-way")


async def test_rules_that_go_on_say_so_above_the_way_to_learn_them(site: Site, browser: Browser) -> None:
    anna = await browser.guest(site.url, "Anna", SMALL)
    rules = rules_screen("perevodnoy", PRESETS["perevodnoy"], (), Translator("de"))
    site.inbox.reply = Reply(secret=rules)
    await anna.types("/rules")
    await anna.page.wait_for_selector("#panel.goes-on .rules")
    await anna.sees_nothing_move()
    arrow = "row => getComputedStyle(row, '::before').opacity"
    way = anna.page.locator("#panel .row:has(.primary)")
    assert await way.evaluate(arrow) == "1"
    assert await stands_beside_close(anna)

    await anna.page.evaluate("document.getElementById('panel').scrollTop = 9999")
    await anna.page.wait_for_selector("#panel:not(.goes-on)")
    await anna.sees_nothing_move()
    assert await way.evaluate(arrow) == "0"
    assert await stands_beside_close(anna)


# The place of the arrow: in the middle, above the buttons at the end of the box.
_ARROW = """box => {
    const { bottom, height } = box.getBoundingClientRect();
    const ends = [...box.querySelectorAll(".row:last-child:has(> .primary), form > .button:last-child")]
        .map(each => each.getBoundingClientRect())
        .filter(({ top }) => top > bottom - height / 2);
    const { left, right } = ends[0] ?? box.getBoundingClientRect();
    return { x: (left + right) / 2, y: Math.min(bottom, ...ends.map(({ top }) => top)) - 20 };
}"""


async def scrolls_by_its_arrow(guest: Guest, box: str) -> None:
    """Taps the arrow at the end of a box with more content, and waits until it has scrolled."""
    await guest.page.wait_for_selector(f"{box}.goes-on")
    await guest.sees_nothing_move()
    place = await guest.page.locator(box).evaluate(_ARROW)
    await tap_at(guest.page, place["x"], place["y"])
    scrolled = "box => document.querySelector(box).scrollTop > 0.3 * document.querySelector(box).clientHeight"
    end = "box => !document.querySelector(box).matches('.goes-on')"
    await guest.page.wait_for_function(f"box => ({scrolled})(box) || ({end})(box)", arg=box)


async def test_the_arrow_of_what_goes_on_scrolls_it(site: Site, browser: Browser) -> None:
    anna = await browser.guest(site.url, "Anna", SMALL)
    await anna.page.click("#hello [data-how]")
    await scrolls_by_its_arrow(anna, "#how")
    await closes(anna)

    rules = rules_screen("perevodnoy", PRESETS["perevodnoy"], (), Translator("de"))
    site.inbox.reply = Reply(secret=rules)
    await anna.types("/rules")
    await anna.page.wait_for_selector("#panel[open] .rules")
    await scrolls_by_its_arrow(anna, "#panel")
    await closes(anna)

    await sits_down(site, anna, TWO_TO_BEAT)
    await anna.page.click("[data-menu]")
    await scrolls_by_its_arrow(anna, "#menu")
    assert await anna.page.locator("dialog[open]").count() == 1, "nothing below the arrow was pressed"


async def test_beside_the_arrow_a_command_is_pressed(browser: Browser) -> None:
    commands = tuple(replace(COMMANDS[0], name=f"durak{number}") for number in range(20))
    async with web_site(commands=commands) as site:
        anna = await browser.guest(site.url, "Anna", SMALL)
        await tap(anna.page.locator("#open-commands"))
        await scrolls_by_its_arrow(anna, "#commands")
        assert await anna.page.input_value("#line") == ""

        box = await anna.page.locator("#commands").bounding_box()
        assert box is not None
        await tap_at(anna.page, box["x"] + 40, box["y"] + box["height"] - 20)
        assert (await anna.page.input_value("#line")).startswith("/durak")


async def stands_beside_close(guest: Guest) -> bool:
    """Returns whether the main button and Close are on the same line, without overlapping."""
    way = await guest.page.locator("#panel .row .primary").bounding_box()
    close = await guest.page.locator("#panel > form > .button").bounding_box()
    assert way is not None
    assert close is not None
    is_level = abs(way["y"] + way["height"] - close["y"] - close["height"]) <= 1
    return is_level and way["x"] + way["width"] < close["x"]


async def test_with_large_text_a_room_opens_at_its_first_button(site: Site, browser: Browser) -> None:
    boris = await browser.guest(site.url, "Boris")
    await boris.types("Hello!")

    anna = await browser.stranger(SMALL)
    await anna.enlarges_text(200)
    await anna.enters(site.url, "Anna")
    await anna.page.wait_for_selector("#public :text('Hello!')")
    await anna.sees_nothing_move()
    assert await anna.page.evaluate("document.getElementById('chat-scroll').scrollTop") == 0

    await boris.types("Hello again!")
    await anna.page.locator("#public :text('Hello again!')").wait_for()
    await anna.page.wait_for_function("() => document.getElementById('chat-scroll').scrollTop > 0")


async def test_a_notice_lies_over_whichever_dialog_was_opened_last(site: Site, browser: Browser) -> None:
    anna = await browser.guest(site.url, "Anna")
    site.inbox.reply = Reply(secret=says("Go on?", "Go"))
    await anna.types("/hand")
    await anna.page.wait_for_selector("#panel[open]")
    await closes(anna)

    await anna.page.click("#open-notes")
    site.inbox.reply = Reply(toast="Noted.", form=form(about="Transfers: on"))
    await anna.page.click("#notes button:text-is('Go')")
    await anna.page.wait_for_selector("#form[open] .toast:has-text('Noted.')")
    await anna.page.keyboard.press("Escape")
    await anna.page.wait_for_selector("#notes[open] .toast:has-text('Noted.')")


async def test_a_game_that_begins_behind_a_dialog_is_announced_over_it(site: Site, browser: Browser) -> None:
    anna = await browser.guest(site.url, "Anna", PHONE)
    user = (await site.store.guests())[0].id
    gathering = await posted(site, screen(lobby("Anna", user=user), "Start"))
    await anna.page.wait_for_selector(".lobby:visible")
    await anna.page.click(".lobby [data-how]")
    await anna.page.wait_for_selector("#how[open]")
    await site.adapter.delete(gathering)
    await sits_down(site, anna, TWO_TO_BEAT)
    await anna.page.wait_for_selector("#how[open] .toast:text-is('The game has begun: it’s your turn.')")
    await closes(anna)


async def test_a_game_that_begins_in_sight_is_not_announced(site: Site, browser: Browser) -> None:
    anna = await browser.guest(site.url, "Anna", PHONE)
    await sits_down(site, anna, TWO_TO_BEAT)
    assert not await anna.page.locator(".toast").count()


@pytest.mark.parametrize("device", WIDTHS)
async def test_all_other_dialogs_fit(site: Site, browser: Browser, device: Device) -> None:
    anna = await browser.guest(site.url, "Anna", device)
    for opens in ("#open-links", "#place", "header [data-play]", "#hello [data-how]"):
        await anna.page.click(opens)
        assert await outside(anna) == [], opens
        await closes(anna)
    await posted(site, says("Who plays?", "Settings"))
    site.inbox.reply = Reply(form=form(about="Transfers: on"))
    await anna.touches("Settings")
    await anna.page.wait_for_selector("#form[open]")
    assert await outside(anna) == []
    await closes(anna)
    await sits_down(site, anna, TWO_TO_BEAT)
    await anna.page.click("[data-menu]")
    assert await outside(anna) == []


async def test_a_puzzle_is_played_on_a_table_of_its_own(site: Site, browser: Browser) -> None:
    anna = await browser.guest(site.url, "Anna", PHONE)
    beats = BoardMove("z:1:D 9S JS", MoveKind.BEAT, ("JS",), "9S", "Beat 9♠ with J♠")
    takes = BoardMove("z:1:T", MoveKind.TAKE, (), None, "Take")
    position = PuzzleBoard(
        "H",
        (Span("You defend."),),
        ("9D", "AC"),
        (BoardPair("9S", None, None),),
        ("JS", "KH"),
        (beats, takes),
    )
    rows = ((CallbackButton(beats.token, beats.label), CallbackButton(takes.token, takes.label)),)
    site.inbox.reply = Reply(secret=Screen((Span("the position in words"),), rows, facts=position))
    await anna.types("/puzzle")
    await anna.page.wait_for_selector("#panel[open] .puzzle")
    assert await anna.page.is_hidden("text=the position in words")
    assert not await overflows(anna)
    assert not await violations(anna)
    missed = replace(position, text=(Span("Not solved."),), moves=(), played=takes, better=beats)
    site.inbox.reply = Reply(replacement=Screen((Span("words"),), facts=missed))
    await tap(anna.page.locator("#panel .puzzle-card"))
    await anna.page.wait_for_selector("#panel .body:has-text('Not solved.')")
    assert [press.token for press in site.inbox.pressed] == [beats.token]
    assert not await anna.page.locator(".puzzle-card").count()
    assert await anna.page.locator("#panel .cardless.played").inner_text() == "Take"
    assert await anna.page.locator("#panel .pair.better").count() == 1
    assert await anna.page.locator("#panel .puzzle-hand .puzzle-gap").count() == 1, "it lies on the table"
    assert not await overflows(anna)
    assert not await violations(anna)


async def test_both_answers_to_a_card_lie_beside_one_another_and_in_no_hand(
    site: Site, browser: Browser
) -> None:
    anna = await browser.guest(site.url, "Anna", PHONE)
    played = BoardMove("", MoveKind.BEAT, ("6H",), "9S", "6♥")
    better = BoardMove("", MoveKind.BEAT, ("TS",), "9S", "10♠")
    missed = PuzzleBoard(
        "H",
        (Span("Not solved.", Mark.BOLD),),
        ("KD",),
        (BoardPair("9S", None, None),),
        ("TS", "6H"),
        played=played,
        better=better,
        rival="Ada",
    )
    site.inbox.reply = Reply(secret=Screen((Span("words"),), facts=missed))

    await anna.types("/puzzle")
    await anna.page.wait_for_selector("#panel[open] .puzzle")
    told = await anna.page.locator("#panel .pair .unseen").all_inner_texts()
    assert told == [
        "nine of spades, beaten by six of hearts",
        "nine of spades, beaten by ten of spades",
    ]
    assert await anna.page.locator("#panel .pair.played + .pair.better").count() == 1
    assert not await anna.page.locator("#panel .puzzle-hand:last-child .face").count()
    assert await anna.page.locator("#panel .puzzle-hand p").first.inner_text() == "Ada"
    assert not await overflows(anna)
    assert not await violations(anna)


@pytest.mark.parametrize("device", [replace(PHONE, width=360, height=640), DESKTOP])
async def test_six_cards_of_a_puzzle_lie_in_one_row(site: Site, browser: Browser, device: Device) -> None:
    anna = await browser.guest(site.url, "Anna", device)
    six = ("6S", "7S", "8S", "9S", "TS", "JS")
    position = PuzzleBoard("H", (Span("You attack."),), ("9D", "AC"), (), six)
    site.inbox.reply = Reply(secret=Screen((Span("words"),), facts=position))

    await anna.types("/puzzle")
    await anna.page.wait_for_selector("#panel[open] .puzzle")
    tops = await anna.page.eval_on_selector_all(
        "#panel .puzzle-hand:last-child .face",
        "faces => faces.map(face => face.getBoundingClientRect().top)",
    )
    assert len(tops) == len(six)
    assert len(set(tops)) == 1


async def test_the_help_is_cards_to_press_and_few_commands_to_type(site: Site, browser: Browser) -> None:
    anna = await browser.guest(site.url, "Anna", PHONE)
    shown = help_screen(Translator("en"), LIMITS, commands=REGISTRY.specs, is_private=False)
    site.inbox.reply = Reply(secret=shown)
    await anna.types("/help")
    await anna.page.wait_for_selector("#panel[open] .way")
    assert await anna.page.locator("#panel .way .drawn").count() == len(GuidePicture)
    assert not await anna.page.locator("#panel .row").count(), "a card is the button"
    assert not await overflows(anna)
    assert not await violations(anna)
    await tap(anna.page.get_by_role("button", name="Play against a bot"))
    await eventually(lambda: site.inbox.pressed)
    assert site.inbox.pressed[0].token == str(TypedCommand("durak bots"))


async def test_a_setting_that_is_on_or_off_is_a_switch_and_others_open_their_values(
    site: Site, browser: Browser
) -> None:
    anna = await browser.guest(site.url, "Anna", PHONE)
    settings = own_screen(Profile(), LIMITS, Translator("en"))
    site.inbox.reply = Reply(secret=settings)
    await anna.types("/me")
    switch = anna.page.get_by_role("switch", name="One tap plays a card")
    assert await switch.get_attribute("aria-checked") == "false"
    assert not await anna.page.locator("#panel .row").count(), "a line is the button"
    assert not await overflows(anna)
    assert not await violations(anna)

    site.inbox.reply = Reply(replacement=own_screen(Profile(one_tap=True), LIMITS, Translator("en")))
    await switch.focus()
    await anna.page.keyboard.press("Enter")
    await anna.page.wait_for_selector("[aria-checked=true]:has-text('One tap')")
    await anna.page.wait_for_function("() => document.activeElement.role === 'switch'")
    await anna.page.get_by_role("button", name="Your language").click()
    await eventually(lambda: len(site.inbox.pressed) > 1)
    assert [press.token for press in site.inbox.pressed] == [
        str(TypedCommand("me tap on")),
        str(TypedCommand("me language")),
    ]


async def test_rules_are_numbered_and_the_name_of_each_stands_out(site: Site, browser: Browser) -> None:
    anna = await browser.guest(site.url, "Anna", PHONE)
    site.inbox.reply = Reply(secret=rules_screen("perevodnoy", PRESETS["perevodnoy"], (), Translator("en")))
    await anna.types("/rules")
    await anna.page.wait_for_selector("#panel .rules")
    assert await anna.page.locator("#panel h2").all_inner_texts() == ["How to play", "By these rules"]
    assert await anna.page.inner_text("#panel .variant") == "Transfer"
    await anna.page.click("#panel .rules summary")
    names = await anna.page.locator("#panel li b").all_inner_texts()
    assert [name.strip() for name in names] == ["First game:", "Later games:", "Transfer:"]
    gap = await anna.page.evaluate("parseFloat(getComputedStyle(document.querySelector('#panel ol')).rowGap)")
    assert gap >= 8
    assert not await violations(anna)
