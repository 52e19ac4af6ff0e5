"""From the entry page to the cards: games against bots, a choice of rules, settings as a form."""

from dataclasses import replace

import pytest
from playwright.async_api import ViewportSize

from adapters.port import CallbackButton, Everyone, Form, FormChoice, FormField, Reply, Screen, Span
from adapters.web.refs import room_ref
from tests.adapters.boards import board, hand, screen
from tests.adapters.contract import eventually
from tests.adapters.contract.steps import says
from tests.adapters.page.accessibility import violations
from tests.adapters.page.live_table import TWO_TO_BEAT, card, seated, sits_down
from tests.adapters.web.site import Site
from tests.adapters.web.steps import posted, shows, soon
from tests.wire.browser import DESKTOP, PHONE, Browser, Device, tap

TINY_AND_DARK = Device(320, 640, has_touch=True, is_dark=True, locale="uk-UA")

DECKS = (FormChoice("o:deck=36", "36", "36 cards."), FormChoice("o:deck=52", "52", "52 cards."))
TRANSFER = (FormChoice("o:on", "on", "Cards may be passed on."), FormChoice("o:off", "off"))


def form(transfer: int = 1, *, about: str = "") -> Form:
    return Form(
        "Throw-in, 36 cards",
        about,
        (
            FormField(
                "Deck",
                (FormChoice("o:deck=36", "36", "36 cards."), FormChoice("o:deck=52", "52", "52 cards.")),
                0,
            ),
            FormField(
                "Transfer",
                (FormChoice("o:on", "on", "Cards may be passed on."), FormChoice("o:off", "off")),
                transfer,
                is_switch=True,
            ),
        ),
        (CallbackButton("o:deal", "Deal"),),
    )


@pytest.mark.parametrize("device", [PHONE, DESKTOP, TINY_AND_DARK])
async def test_a_name_and_one_tap_begin_a_game_against_the_house(
    site: Site, browser: Browser, device: Device
) -> None:
    anna = await browser.stranger(device)
    await anna.page.goto(site.url)
    assert not await violations(anna)
    await anna.page.fill("#name", "Anna")
    await anna.page.press("#name", "Enter")
    expert = anna.page.locator("#hello [data-say='/durak bots=expert']")
    await expert.wait_for()
    assert not await violations(anna)
    await expert.click()
    await eventually(lambda: site.inbox.commands)
    assert [(command.name, command.args) for command in site.inbox.commands] == [("durak", ("bots=expert",))]


@pytest.mark.parametrize("device", [PHONE, TINY_AND_DARK])
async def test_usual_rules_are_shown_and_the_others_unfolded(
    site: Site, browser: Browser, device: Device
) -> None:
    anna = await browser.guest(site.url, "Anna", device)
    await anna.page.click("header [data-play]")
    await anna.page.wait_for_selector(".rule-set:has-text('Plain rules')")
    card = anna.page.locator(".rule-set", has_text="Transfers")
    assert not await card.is_visible()

    await anna.page.focus("#more-games summary")
    await anna.page.keyboard.press("Enter")
    await card.wait_for()
    told = (await card.locator(".text").inner_text()).strip()  # WebKit ends it with a line
    assert told == "Transfers\nDefenders may pass cards on.\n36 cards, 2–6 players."
    assert not await violations(anna)
    await card.click()
    await soon(lambda: anna.page.is_hidden("#play"))
    await eventually(lambda: site.inbox.commands)
    assert site.inbox.commands[-1].args == ("transfers",)


@pytest.mark.parametrize("device", [PHONE, TINY_AND_DARK])
async def test_settings_are_a_form_that_presses_what_is_chosen(
    site: Site, browser: Browser, device: Device
) -> None:
    anna = await browser.guest(site.url, "Anna", device)
    await posted(site, says("Who plays?", "Join", "Settings"))
    site.inbox.reply = Reply(form=form())
    await anna.touches("Settings")
    transfer = anna.page.locator("#form label", has_text="Transfer").locator("input")
    assert not await transfer.is_checked()
    assert (
        await anna.page.locator(".field", has_text="Transfer").locator("p").inner_text()
        == "Cards may be passed on."
    )
    assert not await violations(anna)

    site.inbox.reply = Reply(form=form(0, about="Transfer: on"))
    await transfer.click()
    await anna.page.wait_for_selector("#form-about:text('Transfer: on')")
    assert await transfer.is_checked()
    assert await transfer.evaluate("input => input === document.activeElement")

    site.inbox.reply = Reply(toast="Too many sit at this table.")
    decks = anna.page.get_by_role("radiogroup", name="Deck")
    assert await decks.get_by_role("radio", checked=True).count() == 1
    await decks.get_by_role("radio", name="52").check()
    await anna.page.wait_for_selector("#form-refused:text('Too many sit')")
    assert [press.token for press in site.inbox.pressed] == ["t:Settings", "o:on", "o:deck=52"]
    assert len({press.message for press in site.inbox.pressed}) == 1
    await shows(anna, "Who plays?")
    assert not anna.complaints


async def test_an_empty_room_offers_play_beside_what_was_said_there(site: Site, browser: Browser) -> None:
    await posted(site, says("Who is the fool most often", "Seasons"))
    anna = await browser.guest(site.url, "Anna", PHONE)
    await shows(anna, "Who is the fool most often")
    await anna.page.wait_for_selector("#hello [data-say='/durak bots=beginner']:visible")
    assert not await violations(anna)


async def test_the_list_of_commands_says_what_they_do_and_not_what_their_parts_are_called(
    site: Site, browser: Browser
) -> None:
    anna = await browser.guest(site.url, "Anna", PHONE)
    await tap(anna.page.locator("#open-commands"))
    listed = await anna.page.locator(".command").all_inner_texts()
    assert [each.strip() for each in listed] == [
        "/durak\nOpen a table here",
        "/hand\nShow my hand",
        "/leaderboard\nWho is best",
    ]
    listed_from = await anna.page.locator("#commands").evaluate("list => list.getBoundingClientRect().top")
    said_to = await anna.page.locator("#chat-scroll").evaluate("said => said.getBoundingClientRect().bottom")
    assert said_to <= listed_from + 1, "the list lies over nothing"
    faded = "said => getComputedStyle(said).maskImage"
    assert await anna.page.locator("#chat-scroll").evaluate(faded) == "none"
    await tap(anna.page.locator(".command >> text=Who is best"))
    assert await anna.page.input_value("#line") == "/leaderboard "


async def test_who_wants_to_play_where_others_do_gets_a_room_of_their_own(
    site: Site, browser: Browser
) -> None:
    await posted(site, screen(board("Clara", "clara", "Dima")))
    boris = await browser.guest(site.url, "Boris", PHONE)
    menu = await boris.page.locator("[data-menu] .label").bounding_box()
    assert menu is not None
    assert menu["width"] > 1, "a sign alone says nothing"
    await tap(boris.page.locator("#mine >> text=Play in a room of your own"))
    await boris.page.wait_for_selector("#play-elsewhere:visible")
    assert not await boris.page.is_visible("header [data-play]"), "it would promise a game in this room"
    await tap(boris.page.locator("#play [data-say='/durak bots=expert']"))
    await boris.page.wait_for_url("**/r/Boris")
    await eventually(lambda: site.inbox.commands)
    (command,) = site.inbox.commands
    assert (command.room, command.args, command.user.name) == (room_ref("Boris"), ("bots=expert",), "Boris")
    await boris.page.wait_for_selector("#place:has-text('Boris')")
    assert not boris.complaints


async def test_a_room_of_ones_own_is_kept_to_when_the_game_of_the_others_ends_meanwhile(
    site: Site, browser: Browser
) -> None:
    table = await posted(site, screen(board("Clara", "clara", "Dima")))
    boris = await browser.guest(site.url, "Boris", PHONE)
    await tap(boris.page.locator("#mine >> text=Play in a room of your own"))
    await boris.page.wait_for_selector("#play-elsewhere:visible")
    await site.adapter.edit(table, screen(board("Clara", "clara", "Dima", is_over=True, losers=(1,), step=9)))
    await boris.page.wait_for_selector("#mine:not(.watching)", state="attached")

    await tap(boris.page.locator("#play [data-say='/durak bots=beginner']"))
    await boris.page.wait_for_url("**/r/Boris")
    await eventually(lambda: site.inbox.commands)
    (command,) = site.inbox.commands
    assert command.room == room_ref("Boris")

    await boris.page.goto(site.url)
    await boris.page.click("header [data-play]")
    assert not await boris.page.is_visible("#play-elsewhere")
    await tap(boris.page.locator("#play [data-say='/durak bots=expert']"))
    await eventually(lambda: len(site.inbox.commands) == 2)
    assert site.inbox.commands[-1].room == site.room, "no room was promised"


async def test_something_is_seen_before_the_scripts_are_there(site: Site, browser: Browser) -> None:
    anna = await browser.stranger(PHONE)
    await anna.page.route("**/*.js", lambda route: route.abort())
    await anna.page.goto(site.url)
    assert await anna.page.is_visible("#opening")
    await anna.page.unroute_all()
    await anna.page.reload()
    await anna.page.wait_for_selector("#name")
    assert not await anna.page.is_visible("#opening")


# Their words, or that they are pictures.
_KINDS = "all => all.map(each => each.matches('figure') ? each.tagName : each.innerText)"


@pytest.mark.parametrize("device", [PHONE, DESKTOP, TINY_AND_DARK])
async def test_how_to_play_begins_with_the_goal_and_goes_on_in_pictures_and_the_rules_of_the_room(
    site: Site, browser: Browser, device: Device
) -> None:
    anna = await browser.guest(site.url, "Anna", device)
    await anna.page.click("#hello [data-how]")
    await anna.page.wait_for_selector("#how ul li")
    assert await anna.page.locator("#how .goal, #how figure, #how ol li").evaluate_all(_KINDS) == [
        "Get rid of all cards.",
        *4 * ["FIGURE"],
        "Beat or take.",
    ]
    assert await anna.page.evaluate("document.querySelector('#how').scrollTop") == 0
    assert not await violations(anna)
    assert not site.inbox.commands
    await anna.page.keyboard.press("Escape")
    await sits_down(site, anna, hand("6D 7C", "A 6D"))
    await anna.page.click(".tip button")  # no one here has played a card yet
    await anna.page.wait_for_selector("#how[open]")


# Everything at the table that the messages cover.
_COVERED = """() => {
    const told = document.querySelector(".coach").getBoundingClientRect();
    const isUnder = ({ left, right, top, bottom }) =>
        left < told.right - 1 && right > told.left + 1 && top < told.bottom - 1 && bottom > told.top + 1;
    return [...document.querySelectorAll(".laid, .seat > *, .pile > *, .held, #mine button")]
        .filter(each => !each.closest(".coach") && isUnder(each.getBoundingClientRect()))
        .map(each => each.className);
}"""


async def test_a_beginner_reads_how_cards_are_played_and_which_and_sees_the_whole_table(
    site: Site, browser: Browser
) -> None:
    lesson = "🎓 Beat it: same suit and higher, or a trump. Or pass it on with the same rank."
    anna = await seated(site, browser, replace(TWO_TO_BEAT, note=(Span(lesson),)))
    for width, height in ((360, 640), (390, 844), (640, 360), (1280, 800)):
        await anna.page.set_viewport_size(ViewportSize(width=width, height=height))
        await anna.page.wait_for_selector(f".note:has-text('{lesson[2:]}')")
        assert await anna.page.is_visible(".tip")
        await anna.guest.sees_nothing_move()
        assert await anna.page.evaluate(_COVERED) == []

    await anna.taps(card("TD"), card("TD"))
    await anna.plays("D 9D TD")


async def test_the_welcome_recommends_a_table_for_others_and_no_bot(site: Site, browser: Browser) -> None:
    anna = await browser.guest(site.url, "Anna", PHONE)
    await anna.page.wait_for_selector("#hello:visible")
    assert await anna.page.locator("#hello .primary").all_inner_texts() == ["Open a table"]
    await anna.page.click("header [data-play]")
    assert await anna.page.locator("#play .primary").all_inner_texts() == ["Open a table"]


async def test_lessons_are_offered_beside_a_game_of_others(site: Site, browser: Browser) -> None:
    anna = await browser.guest(site.url, "Anna", PHONE)
    await sits_down(site, anna, hand("6D 7C", "A 6D"))
    await anna.page.click("[data-menu]")
    await anna.page.click("#menu [data-how]")
    await anna.page.click("#how [data-say='/learn']")
    await anna.page.wait_for_selector("dialog[open]", state="detached")
    await eventually(lambda: site.inbox.commands)
    assert [command.name for command in site.inbox.commands] == ["learn"]


async def test_the_page_keeps_a_hundred_messages_and_does_not_grow_with_each_game(
    site: Site, browser: Browser
) -> None:
    anna = await browser.guest(site.url, "Anna", PHONE)
    for number in range(115):
        await site.adapter.post(Everyone(site.room), Screen((Span(f"line {number}"),)))
    await anna.page.wait_for_selector("#public > li:has-text('line 114')")
    assert await anna.page.locator("#public > li").count() == 100
    assert await anna.page.locator("#public > li:has-text('line 14')").count() == 0
