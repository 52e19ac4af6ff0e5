"""A table before the deal is shown in the same place as the game."""

from dataclasses import replace

import pytest

from adapters.port import Everyone, GameRef, LobbyBoard, LobbySeat, MessageRef, Reply, Screen, Span, UserRef
from tests.adapters.boards import board, lobby, screen
from tests.adapters.page.accessibility import violations
from tests.adapters.page.test_page import overflows
from tests.adapters.web.site import Site, web_site
from tests.adapters.web.steps import posted, soon
from tests.wire.browser import DESKTOP, PHONE, Browser, Device, Guest

SMALL = Device(320, 568, has_touch=True)
ZOOMED = Device(640, 400)
ON_ITS_SIDE = replace(PHONE, width=844, height=390)
LABELS = ("Join", "Add bot", "Settings", "Start", "Leave", "Close")
FOR_HOST = ["Start", "Add bot", "Settings", "Leave", "Close"]


async def gathering(site: Site, *names: str) -> Screen:
    """Returns a lobby opened by the first guest of the page."""
    return screen(lobby(*names, user=(await site.store.guests())[0].id), *LABELS)


async def at_the_lobby(site: Site, browser: Browser, device: Device) -> tuple[Guest, MessageRef]:
    anna = await browser.guest(site.url, "Anna", device)
    site.inbox.reply = Reply()
    message = await posted(site, await gathering(site, "Anna"))
    await anna.page.wait_for_selector(".lobby:visible")
    return anna, message


async def offered(guest: Guest) -> list[str]:
    return list(await guest.page.locator(":is(.lobby-best, .lobby-buttons) button:visible").all_inner_texts())


@pytest.mark.parametrize("device", [PHONE, DESKTOP])
async def test_an_invitation_has_the_letters_of_the_room_and_stays_in_its_box(
    site: Site, browser: Browser, device: Device
) -> None:
    kitchen = "Кухня-нашей-бабушки"
    anna = await browser.guest(site.url.replace("main", kitchen), "Anna", device)
    await site.adapter.post(Everyone(replace(site.room, id=kitchen)), await gathering(site, "Anna"))

    address = anna.page.locator(".lobby-guests .address")
    await address.wait_for()
    assert (await address.inner_text()).endswith(kitchen)
    box, link = await anna.page.locator(".lobby-guests").bounding_box(), await address.bounding_box()
    assert box is not None
    assert link is not None
    assert box["x"] <= link["x"]
    assert link["x"] + link["width"] <= box["x"] + box["width"]


@pytest.mark.parametrize("device", [PHONE, SMALL, ON_ITS_SIDE, DESKTOP, ZOOMED])
async def test_the_felt_says_who_sits_and_what_the_host_can_press(
    site: Site, browser: Browser, device: Device
) -> None:
    anna, message = await at_the_lobby(site, browser, device)
    await site.adapter.edit(message, await gathering(site, "Anna", "🤖 Ada"))
    names = anna.page.locator(".lobby-seat .name")
    await names.filter(has_text="Ada").wait_for()
    assert await names.all_inner_texts() == ["Anna", "Ada", "still free"]
    assert await anna.page.locator(".lobby-seat.mine .part").inner_text() == "you · host"
    heard = "Players 2 of 4: Anna, 🤖 Ada."
    await anna.page.wait_for_selector(f"#news:text-is('{heard}')", state="attached")
    assert not await overflows(anna)
    assert await offered(anna) == FOR_HOST
    for label in FOR_HOST:
        button = anna.button(label)
        await button.scroll_into_view_if_needed()
        box = await button.bounding_box()
        assert box is not None
        assert box["height"] >= 40
        assert await anna.touches(label) == ""
    assert [press.token for press in site.inbox.pressed] == [f"t:{label}" for label in FOR_HOST]


async def test_everybody_is_told_what_they_can_do_themselves(site: Site, browser: Browser) -> None:
    anna = await browser.guest(site.url, "Anna", PHONE)
    boris = await browser.guest(site.url, "Boris")
    clara = await browser.guest(site.url, "Clara", PHONE)
    ids = {guest.name: guest.id for guest in await site.store.guests()}
    table = lobby("Anna", "Boris", user=ids["Anna"])
    players = (table.players[0], replace(table.players[1], user=UserRef("web", ids["Boris"])))
    await posted(site, screen(replace(table, players=players), *LABELS))
    for guest, says, best, others in (
        (anna, "Press Start.", ["Start"], ["Add bot", "Settings", "Leave", "Close"]),
        (boris, "Waiting for Anna to start.", [], ["Leave"]),
        (clara, "There is a seat for you.", ["Sit down"], []),
    ):
        await guest.page.wait_for_selector(f".lobby > .hint:has-text('{says}')")
        assert await guest.page.locator(".lobby-best button").all_inner_texts() == best
        assert await offered(guest) == best + others
        assert await guest.page.is_visible(".lobby-guests") == (guest is not clara)
        assert not await guest.page.is_visible("header [data-play]")  # Join and Start are the way to play


async def test_those_who_have_not_come_to_a_rematch_yet_are_faded_beside_those_who_have(
    site: Site, browser: Browser
) -> None:
    anna = await browser.guest(site.url, "Anna", PHONE)
    boris = await browser.guest(site.url, "Boris")
    ids = {guest.name: guest.id for guest in await site.store.guests()}
    table = lobby("Anna", user=ids["Anna"], expected=(LobbySeat("Boris", UserRef("web", ids["Boris"])),))
    message = await posted(site, screen(table, *LABELS))

    for guest, part in ((anna, "not here yet"), (boris, "you")):
        await guest.page.wait_for_selector(f".lobby-seat.expected:has-text('Boris') .part:text-is('{part}')")
        assert await guest.page.inner_text(".lobby-seat.free .avatar") == "+2"

    both = lobby("Anna", "Boris", user=ids["Anna"])
    await site.adapter.edit(message, screen(both, *LABELS))
    await anna.page.wait_for_selector(".lobby-seat:not(.expected):has-text('Boris')")
    assert not await anna.page.locator(".lobby-seat.expected").count()


async def test_the_last_game_is_at_hand_before_and_in_its_rematch(site: Site, browser: Browser) -> None:
    anna = await browser.guest(site.url, "Anna", PHONE)
    boris = await browser.guest(site.url, "Boris", DESKTOP)
    ids = {guest.name: guest.id for guest in await site.store.guests()}
    user = {name: UserRef("web", ids[name]) for name in ids}
    over = board("Anna", ids["Anna"], "Boris", is_over=True, losers=(1,), step=9)
    over = replace(over, seats=(over.seats[0], replace(over.seats[1], user=user["Boris"])))
    await posted(site, screen(over))
    ended = replace(screen(over, "Rematch"), body=(Span("Boris is the fool!"),), finished_game=GameRef(1, 1))
    await posted(site, ended)
    await boris.page.wait_for_selector(".outcome:visible")

    gathered = lobby("Anna", user=ids["Anna"], expected=(LobbySeat("Boris", user["Boris"]),))
    rematch = await posted(site, screen(replace(gathered, id="1:2"), *LABELS))
    await anna.page.reload()
    last = ".lobby .last-game:has-text('Boris is the fool!') a[href='/games/1-1']"
    await anna.page.wait_for_selector(last)

    for _ in range(2):  # at once, and after reading something else
        await boris.page.wait_for_selector(".outcome .opener:has-text('Anna wants to play again!')")
        assert await boris.page.get_by_role("button", name="Rematch").is_visible()
        await boris.page.reload()

    both = replace(lobby("Anna", "Boris", user=ids["Anna"]), id="1:2")
    players = (both.players[0], replace(both.players[1], user=user["Boris"]))
    await site.adapter.edit(rematch, screen(replace(both, players=players), *LABELS))
    await boris.page.wait_for_selector(last)


async def test_what_leads_away_from_a_table_is_folded_and_buttons_for_bots_stand_out(
    site: Site, browser: Browser
) -> None:
    anna = await browser.guest(site.url, "Anna", PHONE)
    user = (await site.store.guests())[0].id
    table = lobby("Anna", user=user)
    host = replace(table.for_host, bots=("t:Add bot",), out=("t:Leave", "t:Close"), closes="t:Close")
    await posted(
        site, screen(replace(table, for_host=host), "Leave", "Add bot", "Close", "Settings", "Start")
    )
    await anna.page.wait_for_selector(".lobby:visible")
    assert await offered(anna) == ["Start", "Add bot", "Settings"]
    await anna.page.click(".lobby-more summary")
    assert await offered(anna) == FOR_HOST
    assert not await overflows(anna)
    assert await anna.touches("Leave") == ""
    assert await anna.page.locator(".lobby-buttons .primary").all_inner_texts() == ["Add bot"]
    assert await anna.page.locator(".lobby-buttons .danger").all_inner_texts() == ["Close"]


async def test_a_host_who_cannot_start_yet_is_shown_the_invitation_first(browser: Browser) -> None:
    async with web_site(public_url="https://durak.example") as site:
        anna = await browser.guest(site.url, "Anna", PHONE)
        table = lobby("Anna", user=(await site.store.guests())[0].id)
        alone = replace(table.for_host, best="t:Add bot", bots=("t:Add bot",))
        message = await posted(site, screen(replace(table, for_host=alone), *LABELS))
        invite = anna.page.locator(".lobby-guests .copy button")
        best = anna.page.locator(".lobby-best button")
        colour = "each => getComputedStyle(each).backgroundColor"

        await best.filter(has_text="Add bot").wait_for()
        await anna.page.wait_for_selector(".lobby-guests .code-picture:visible")
        gold, outlined = [await each.evaluate(colour) for each in (invite, best)]
        assert gold != outlined

        await site.adapter.edit(message, await gathering(site, "Anna", "Boris"))
        await best.filter(has_text="Start").wait_for()
        assert [await each.evaluate(colour) for each in (best, invite)] == [gold, outlined]


async def test_the_seal_is_there_for_whoever_asks_for_it(site: Site, browser: Browser) -> None:
    anna, _ = await at_the_lobby(site, browser, PHONE)
    assert not await anna.page.is_visible(".lobby .seal")
    await anna.page.click(".lobby-seal summary")
    assert await anna.page.inner_text(".lobby .seal") == "Deal sealed"
    assert not await overflows(anna)


async def test_a_table_of_ones_own_can_be_had_from_a_lobby_by_way_of_the_rooms(
    site: Site, browser: Browser
) -> None:
    anna, _ = await at_the_lobby(site, browser, PHONE)
    await anna.page.click("#place")
    await anna.page.click("#rooms [data-play]")
    await anna.page.wait_for_selector("#play:visible")
    assert not await anna.page.is_visible("#rooms")


async def test_those_who_play_together_stand_together_and_ones_own_team_comes_first(
    site: Site, browser: Browser
) -> None:
    anna = await browser.guest(site.url, "Anna", PHONE)
    table = lobby("Boris", "Anna", "Clara", "Dima")
    ids = {"Anna": (await site.store.guests())[0].id}
    players = tuple(
        replace(player, user=UserRef("web", ids.get(player.name, "x")), team="🔴🔵"[seat % 2])
        for seat, player in enumerate(table.players)
    )
    await posted(site, screen(replace(table, players=players), *LABELS))
    teams = anna.page.locator(".lobby-team")
    await teams.first.wait_for()
    names = [await team.locator(".name").all_inner_texts() for team in await teams.all()]
    assert names == [["Anna", "Dima"], ["Boris", "Clara"]]
    assert await teams.locator("b").all_inner_texts() == ["🔵 Your team", "🔴 Red team"]
    for team, sign in zip(await teams.all(), "🔵🔴", strict=True):
        assert await team.locator(f".avatar[data-team='{sign}']").count() == 2
    assert not await overflows(anna)


async def test_the_link_and_its_picture_stand_where_people_gather(browser: Browser) -> None:
    async with web_site(public_url="https://durak.example") as site:
        anna, _ = await at_the_lobby(site, browser, PHONE)
        await anna.page.wait_for_selector(".lobby-guests .code-picture:visible")
        assert await anna.page.inner_text(".lobby-guests a") == "https://durak.example/r/main"
        await anna.page.click(".lobby-guests button")
        await anna.page.wait_for_selector(".lobby-guests button:text-is('Copied')")
        await anna.page.wait_for_selector(".lobby-guests button:text-is('Copy invite link')")
        assert not await overflows(anna)


async def test_a_button_that_is_held_while_others_sit_down_counts(site: Site, browser: Browser) -> None:
    anna, message = await at_the_lobby(site, browser, DESKTOP)
    await anna.button("Start").hover()
    await anna.page.mouse.down()
    await site.adapter.edit(message, await gathering(site, "Anna", "Boris"))
    await anna.page.locator(".lobby-seat .name").filter(has_text="Boris").wait_for()
    await anna.page.mouse.up()

    async def counts() -> bool:
        return [press.token for press in site.inbox.pressed] == ["t:Start"]

    await soon(counts)


async def test_the_cards_are_dealt_where_the_lobby_was_and_it_comes_back_after_the_game(
    site: Site, browser: Browser
) -> None:
    anna, message = await at_the_lobby(site, browser, PHONE)
    user = (await site.store.guests())[0].id
    await site.adapter.edit(message, screen(board("Anna", user)))
    await anna.page.wait_for_selector("#table .seat")
    assert not await anna.page.is_visible(".lobby")
    await posted(site, await gathering(site, "Clara"))
    over = board("Anna", user, is_over=True, losers=(1,), step=9)
    await site.adapter.edit(message, screen(over))
    await anna.page.wait_for_selector(".lobby:visible")
    assert not await anna.page.is_visible("#table")
    await posted(site, screen(over, "Rematch"))
    await anna.page.wait_for_selector(".outcome:visible")
    assert not await anna.page.is_visible(".lobby")


async def test_who_only_looks_sees_who_sits_and_has_nothing_to_press(site: Site, browser: Browser) -> None:
    await posted(site, screen(lobby("Anna"), *LABELS))
    eve = await browser.stranger(PHONE)
    await eve.page.goto(site.url)
    await eve.page.click("#look")
    await eve.page.wait_for_selector(".lobby:visible")
    assert await offered(eve) == []


@pytest.mark.parametrize("device", [replace(PHONE, is_dark=True), SMALL, DESKTOP])
async def test_axe_finds_nothing_wrong_with_a_lobby(site: Site, browser: Browser, device: Device) -> None:
    anna, message = await at_the_lobby(site, browser, device)
    await site.adapter.edit(message, await gathering(site, "Anna", "Boris", "Clara", "Dima"))
    await anna.page.locator(".lobby-seat .name").filter(has_text="Dima").wait_for()
    await anna.sees_nothing_move()
    assert await violations(anna) == []


UNDER_THE_FINGER = """([x, y]) => {
    window.under = [];
    const look = () => {
        const button = document.elementFromPoint(x, y)?.closest("button");
        const hasCome = [...document.querySelectorAll(".lobby button")].find(each => {
            const { left, right, top, bottom } = each.getBoundingClientRect();
            return left < x && x < right && top < y && y < bottom;
        });
        window.under.push([hasCome?.textContent ?? "", button?.textContent ?? ""]);
    };
    new MutationObserver(look).observe(document.querySelector("#mine"), { childList: true, subtree: true });
}"""


async def test_a_button_that_comes_under_the_finger_is_not_pressed_at_once(
    site: Site, browser: Browser
) -> None:
    anna, message = await at_the_lobby(site, browser, PHONE)
    await anna.sees_nothing_move()
    box = await anna.button("Start").bounding_box()
    assert box is not None
    finger = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    await anna.page.evaluate(UNDER_THE_FINGER, finger)

    alone = await gathering(site, "Anna")
    assert isinstance(alone.board, LobbyBoard)
    leaves = replace(alone.board.for_host, best="t:Leave")
    await site.adapter.edit(message, replace(alone, board=replace(alone.board, for_host=leaves)))
    await anna.page.wait_for_selector(".lobby-best button:has-text('Leave')")
    come = await anna.page.evaluate("under.filter(([come]) => come === 'Leave')")
    assert come
    assert {pressed for _, pressed in come} == {""}, "the finger was meant for Start"

    await anna.page.locator(".lobby-best button:has-text('Leave')").tap()
    await soon(lambda: is_pressed(site, "t:Leave"))


async def is_pressed(site: Site, token: str) -> bool:
    return [press.token for press in site.inbox.pressed] == [token]
