"""The page in a real browser, as people on phones and at desks use it."""

import re
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from adapters.port import CallbackButton, Mark, Picture, Reply, Screen, Span, Tone, UserRef
from tests.adapters.contract.picturing import PNG
from tests.adapters.contract.sending import HOSTILE
from tests.adapters.contract.steps import says
from tests.adapters.page.live_table import TWO_TO_BEAT, sits_down
from tests.adapters.web.site import Site, web_site
from tests.adapters.web.steps import CARDS, hand, posted, posted_privately, shows, soon
from tests.wire.browser import DESKTOP, PHONE, Browser, Device, Guest, tap

DARK = replace(PHONE, is_dark=True)


async def overflows(guest: Guest) -> list[str]:
    """Returns the elements that are wider than the screen, and the boxes that scroll sideways."""
    await guest.sees_nothing_move()  # a sign or a card that flies by may cross the edge
    found = await guest.page.evaluate(
        """() => [...document.querySelectorAll("body *")].filter(each => {
            const {left, right, width} = each.getBoundingClientRect();
            const isCut = each.closest(".name, .asked, #people, #room-name, input");
            return width && !isCut && (left < -1 || right > innerWidth + 1);
        }).map(each => each.outerHTML.slice(0, 100))"""
    )
    return list(found)


async def too_small(guest: Guest) -> list[str]:
    """Buttons that a thumb would miss."""
    found = await guest.page.evaluate(
        """() => [...document.querySelectorAll("button, input")].filter(each => {
            const {width, height} = each.getBoundingClientRect();
            const isHeading = getComputedStyle(each).pointerEvents === "none";
            return width && !isHeading && (width < 43.5 || height < 43.5);
        }).map(each => each.outerHTML)"""
    )
    return list(found)


@pytest.mark.parametrize("device", [PHONE, DESKTOP, DARK])
async def test_a_guest_comes_in_by_name_types_a_listed_command_and_presses_buttons(
    site: Site, browser: Browser, device: Device
) -> None:
    anna = await browser.guest(site.url, "Anna", device)
    assert re.fullmatch(rf"{re.escape(site.url)}#[\w-]{{32}}", anna.secret_link)
    assert anna.page.url == site.url

    site.inbox.reply = Reply(public=says("Who plays?", "Join"))
    await anna.page.click("#open-commands")
    await anna.page.click("#commands button:has-text('/hand')")
    await anna.page.press("#line", "Enter")
    await shows(anna, "Who plays?")
    assert [(command.name, command.args) for command in site.inbox.commands] == [("hand", ())]

    site.inbox.reply = Reply(toast="You sit", secret=hand())
    assert await anna.touches("Join") == "You sit"
    await anna.page.wait_for_selector("#toasts :text-is('You sit')")
    await shows(anna, f"You attack\n{' '.join(CARDS)}", private=True)
    (mine,) = await anna.private()
    assert [label for _, label in mine.buttons] == [*CARDS, "Done"]

    site.inbox.reply = Reply(secret=hand("You wait"))
    await anna.touches("10♥")
    assert [press.token for press in site.inbox.pressed] == ["t:Join", "m:1:1:A 10♥"]
    ids = {site.inbox.commands[0].id, *(press.id for press in site.inbox.pressed)}
    assert len(ids) == 3
    await shows(anna, f"You wait\n{' '.join(CARDS)}", private=True)
    assert [message.text for message in await anna.public()] == ["Who plays?"]
    assert not await overflows(anna)
    assert not await too_small(anna)
    assert not anna.complaints


async def test_a_secret_link_brings_a_guest_back_and_nobody_else_gets_it(
    site: Site, browser: Browser
) -> None:
    anna = await browser.guest(site.url, "Anna", PHONE)
    boris = await browser.guest(site.url, "Boris")
    await posted_privately(site, "Anna", hand())
    again = await browser.guest(anna.secret_link)
    for page in (anna, again):
        await shows(page, f"You attack\n{' '.join(CARDS)}", private=True)
    assert [guest.name for guest in await site.store.guests()] == ["Anna", "Boris"]
    await posted(site, says("the end"))
    await shows(boris, "the end")
    bytes_of_boris = "".join(received.text for received in boris.received)
    assert "the end" in bytes_of_boris
    for secret in ("You attack", "10♥", "A♦", anna.secret_link.partition("#")[2]):
        assert secret not in bytes_of_boris


async def test_edits_are_seen_in_place_in_every_tab(site: Site, browser: Browser) -> None:
    anna = await browser.guest(site.url, "Anna", PHONE)
    table, mine = (
        await posted(site, says("before", "Go")),
        await posted_privately(site, "Anna", says("my cards")),
    )
    await posted(site, says("afterwards"))
    tab = await anna.opens_another_tab()
    await shows(anna, "before", "afterwards")
    ids = [message.id for message in await anna.public()]
    await site.adapter.edit(table, says("after", "Stop"))
    await site.adapter.edit(mine, says("my other cards"))
    for page in (anna, tab):
        await shows(page, "after", "afterwards")
        await shows(page, "my other cards", private=True)
        assert [message.id for message in await page.public()] == ids
    await tab.touches("Stop")
    assert site.inbox.pressed[-1].message == table


async def test_the_page_comes_back_by_itself_after_the_bot_was_restarted(
    site: Site, browser: Browser
) -> None:
    anna = await browser.guest(site.url, "Anna", PHONE)
    table = await posted(site, says("before", "Go"))
    await shows(anna, "before")
    await site.stop()
    await anna.page.wait_for_selector("#offline:not([hidden])")
    assert (await anna.public())[0].text == "before"
    await site.restart()
    await anna.page.wait_for_selector("#offline", state="hidden")
    await site.adapter.edit(table, says("after", "Go"))
    await shows(anna, "after")
    site.inbox.reply = Reply(toast="still here")
    assert await anna.touches("Go") == "still here"


async def test_a_moment_is_shown_by_the_clock_of_whoever_reads(site: Site, browser: Browser) -> None:
    anna = await browser.guest(site.url, "Anna")
    session = await anna.devtools()
    await session.send("Emulation.setTimezoneOverride", {"timezoneId": "Asia/Tokyo"})
    at = datetime(2026, 11, 20, 14, 32, tzinfo=UTC).timestamp()
    await posted(site, Screen((Span("Waiting since "), Span("14:32 UTC", when=at))))
    moment = anna.page.locator(".body time")
    assert await moment.get_attribute("title") == "14:32 UTC"
    assert re.search(r"\b(23|11):32\b", await moment.inner_text())
    assert "20" in await moment.inner_text()


async def test_a_link_nobody_has_leads_to_the_sign_in(site: Site, browser: Browser) -> None:
    stranger = await browser.stranger(PHONE)
    for wrong in ("no-such-secret", "%E0%A4%A", "<b>"):
        await stranger.page.goto("about:blank")
        await stranger.page.goto(f"{site.url}#{wrong}")
        await stranger.page.wait_for_selector("#sign-in-notice:not([hidden])")
        assert "isn’t known here" in await stranger.page.inner_text("#sign-in-notice")
    await stranger.page.fill("#name", " ")
    await stranger.page.click("#enter")
    await stranger.page.wait_for_selector("text=Please give a name.")
    await stranger.page.fill("#name", "Eve")
    await stranger.page.click("#enter")
    await stranger.page.wait_for_selector("#room:not([hidden]) #people:not(:empty)")


async def test_whoever_comes_back_is_at_once_where_they_were(site: Site, browser: Browser) -> None:
    anna = await browser.guest(site.url, "Anna", PHONE)
    await posted_privately(site, "Anna", hand())
    for address in ("about:blank", site.url):
        await anna.page.goto(address)
    await shows(anna, f"You attack\n{' '.join(CARDS)}", private=True)
    await anna.page.go_back()
    await anna.page.go_forward()
    await shows(anna, f"You attack\n{' '.join(CARDS)}", private=True)
    assert [guest.name for guest in await site.store.guests()] == ["Anna"]
    assert anna.page.url == site.url


# What Safari does to a page that was not visited for a week.
_LOSES_ITS_STORAGE = "() => { localStorage.clear(); sessionStorage.clear(); }"


async def test_a_browser_that_lost_the_pages_storage_still_knows_its_guest(
    site: Site, browser: Browser
) -> None:
    anna = await browser.guest(site.url, "Anna", PHONE)
    (cookie,) = await anna.page.context.cookies(f"{site.url}/return")
    assert (cookie["httpOnly"], cookie["sameSite"], cookie["secure"]) == (True, "Strict", False)
    assert await anna.page.evaluate("document.cookie") == ""
    await anna.page.evaluate(_LOSES_ITS_STORAGE)
    await anna.page.reload()
    await anna.page.wait_for_selector("#people:has-text('Anna')")
    assert [guest.name for guest in await site.store.guests()] == ["Anna"]
    await anna.page.click("#open-links")
    await anna.page.click("#links [data-leave]")
    await anna.page.wait_for_selector("#known-guests :text('Anna')")
    assert not anna.complaints


async def test_a_link_of_another_guest_makes_nobody_that_guest_without_asking(
    site: Site, browser: Browser
) -> None:
    anna = await browser.guest(site.url, "Anna")
    boris = await browser.guest(site.url, "Boris")
    await boris.page.goto("about:blank")
    await boris.page.goto(anna.secret_link)
    await boris.page.wait_for_selector("#come-linked:visible")
    assert await boris.page.locator("#room").is_hidden()
    await boris.page.click("#known-guests button:has-text('Boris')")
    await boris.page.wait_for_selector("#room:not([hidden]) #people:not(:empty)")
    await boris.types("still Boris")
    (said,) = [message.content for message in await site.store.history("main", None, 10)]
    assert said["name"] == "Boris"


async def test_the_cookie_is_of_whom_acted_last_and_goes_with_the_guest(site: Site, browser: Browser) -> None:
    anna = await browser.guest(site.url, "Anna")
    boris = await browser.guest(site.url, "Boris")
    await boris.page.goto("about:blank")
    await boris.page.goto(anna.secret_link)
    await boris.page.click("#come-linked")
    await boris.page.wait_for_selector("#room:not([hidden]) #people:not(:empty)")
    await boris.types("I am Anna")
    await boris.page.evaluate(_LOSES_ITS_STORAGE)
    await boris.page.reload()
    await boris.page.wait_for_selector("#people:has-text('Anna')")
    of_anna = next(guest.id for guest in await site.store.guests() if guest.name == "Anna")
    await site.adapter.forget_person(UserRef("web", of_anna), ("Anna",))
    await boris.page.wait_for_selector("#known-guests :text('Boris')")
    await boris.page.wait_for_selector("#known-guests:not(:has-text('Anna'))")
    (cookie,) = await boris.page.context.cookies()
    assert "." not in cookie["value"], "one secret is left"


async def test_no_script_gets_a_secret_from_a_cookie(site: Site, browser: Browser) -> None:
    anna = await browser.guest(site.url, "Anna", PHONE)
    (cookie,) = await anna.page.context.cookies(f"{site.url}/return")
    await anna.page.evaluate(_LOSES_ITS_STORAGE)
    await anna.page.reload()
    await anna.page.wait_for_selector("#people:has-text('Anna')")
    kept = await anna.page.evaluate("JSON.stringify([{...localStorage}, {...sessionStorage}])")
    assert "cookie:" in kept
    assert cookie["value"] not in kept

    await anna.types("still Anna")
    (said,) = [message.content for message in await site.store.history("main", None, 10)]
    assert said["name"] == "Anna"

    await anna.page.click("#open-links")
    await anna.page.click("#show-own-link")
    assert await anna.page.locator("#own-link").is_hidden()
    await anna.page.click("#renew-own-link")
    await anna.page.wait_for_selector("#people:has-text('Anna')")
    await anna.page.click("#open-links")
    await anna.page.click("#show-own-link")
    assert await anna.page.locator("#own-link").is_visible()
    assert not anna.complaints


async def test_a_browser_is_a_guest_of_each_bot_on_one_machine(site: Site, browser: Browser) -> None:
    anna = await browser.guest(site.url, "Anna")
    async with web_site() as other:
        await anna.enters(other.url, "Boris")
    await anna.page.goto(site.url)
    await anna.page.evaluate(_LOSES_ITS_STORAGE)
    await anna.page.reload()
    await anna.page.wait_for_selector("#people:has-text('Anna')")


async def test_two_tabs_of_one_browser_can_be_two_people(site: Site, browser: Browser) -> None:
    anna = await browser.guest(site.url, "Anna")
    tab = await anna.opens_another_tab()
    await tab.page.click("#open-links")
    await tab.page.click("#links [data-leave]")
    await tab.page.click("#known-guests :text('Anna')")
    await tab.page.wait_for_selector("#people:not(:empty)")
    await tab.page.click("#open-links")
    await tab.page.click("#links [data-leave]")
    await tab.page.click("#others")
    await tab.page.fill("#name", "Boris")
    await tab.page.click("#enter")
    await tab.page.wait_for_selector("#people:has-text('Boris')")
    for guest, name in ((tab, "Boris"), (anna, "Anna")):
        await guest.page.reload()
        await guest.types(f"I am {name}")
    said = [
        (message.content["name"], message.content["text"])
        for message in await site.store.history("main", None, 9)
    ]
    assert said == [("Boris", "I am Boris"), ("Anna", "I am Anna")]


@pytest.mark.parametrize("device", [PHONE, DESKTOP])
async def test_whatever_people_write_is_shown_as_it_is_and_stays_in_its_box(
    site: Site, browser: Browser, device: Device
) -> None:
    names = ("W" * 64, "\U0001f40a" * 64, "<img src=x onerror=alert(1)>", "\u202eannA")
    anna = await browser.guest(site.url, names[0], device)
    for name in names[1:]:
        status = await anna.page.evaluate(
            """async name => (await fetch("/r/main/guests", {method: "POST", body: JSON.stringify({name}),
                headers: {"Content-Type": "application/json"}})).status""",
            name,
        )
        assert status == 201
    rows = (tuple(CallbackButton(f"b{n}", f"{n}" + "x" * 60, Tone.DANGER) for n in range(8)),)
    long = "x" * 3000
    for text in (*HOSTILE, *names, long):
        await posted(site, Screen((Span(text), Span(text, Mark.CODE)), rows if text is long else ()))
    await shows(anna, *(text * 2 for text in (*HOSTILE, *names, long)))
    await anna.types("<b>" + "y" * 900)
    await soon(lambda: anna.page.query_selector(".message.chat.mine"))
    assert not await overflows(anna)
    assert not await anna.page.query_selector("#public b, #public img, #public script")
    assert not anna.complaints


async def test_a_command_in_a_text_stays_in_one_piece(site: Site, browser: Browser) -> None:
    anna = await browser.guest(site.url, "Anna", PHONE)
    await posted(site, says("Sealed 9♥: check it by /verify, or /mydata."))
    await shows(anna, "Sealed 9♥: check it by /verify, or /mydata.")
    whole = anna.page.locator("#public .whole", has_text="/")
    assert await whole.all_inner_texts() == ["/verify", "/mydata"]
    assert await whole.first.evaluate("each => getComputedStyle(each).whiteSpace") == "nowrap"


async def test_the_page_works_where_letters_cannot_be_told_apart(site: Site, browser: Browser) -> None:
    """As in Firefox before 125."""
    anna = await browser.stranger(PHONE)
    await anna.page.add_init_script("delete Intl.Segmenter")
    await anna.enters(site.url, "Anna")
    await sits_down(site, anna, TWO_TO_BEAT)
    assert await anna.page.locator(".seat .initial").inner_text() == "🤖"
    assert not anna.complaints


async def test_pictures_and_words_about_them_are_shown(site: Site, browser: Browser) -> None:
    anna = await browser.guest(site.url, "Anna")
    await posted(site, Screen((Span("table"),), picture=Picture(PNG, 'the "table"')))
    image = await anna.page.wait_for_selector("#public img")
    assert image is not None
    assert await image.get_attribute("alt") == 'the "table"'
    await anna.page.wait_for_function("image => image.naturalWidth === 1", arg=image)
    assert not anna.complaints


async def test_a_double_press_is_sent_once(site: Site, browser: Browser) -> None:
    anna = await browser.guest(site.url, "Anna", PHONE)
    await posted(site, says("table", "Go"))
    button = anna.button("Go")
    site.inbox.slow_for = UserRef("web", (await site.store.guests())[0].id)
    await tap(button)
    await soon(lambda: anna.page.query_selector("button.busy:disabled"))
    await anna.page.evaluate("document.querySelector('button[data-token]').click()")
    site.inbox.may_answer.set()
    await soon(lambda: anna.page.query_selector("button[data-token]:not(:disabled)"))
    assert len(site.inbox.pressed) == 1
