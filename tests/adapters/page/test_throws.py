"""An evening of throwing things at each other's seats, in a real browser."""

from dataclasses import replace

import pytest

from adapters.port import Board, Reply, UserRef
from tests.adapters.boards import board, hand, screen
from tests.adapters.page.live_table import TWO_TO_BEAT, card, seated
from tests.adapters.web.site import Site
from tests.adapters.web.steps import posted, soon
from tests.wire.browser import DESKTOP, PHONE, Browser, Device, Guest

PAUSE = "#stage.throw-pause"


class Eyes:
    """Counts the things that fly across a page, and notes the latest one."""

    def __init__(self, guest: Guest) -> None:
        self.page = guest.page

    async def open(self) -> None:
        await self.page.evaluate(
            """() => {
                window.thrown = [];
                new MutationObserver((changes) => {
                    const added = changes.flatMap((change) => [...change.addedNodes]);
                    window.thrown.push(...added.filter((each) => each.matches?.(".thrown")));
                }).observe(document.body, { childList: true });
            }"""
        )

    async def have_seen(self, count: int) -> None:
        """Waits for so many things, and until they are gone."""

        async def is_so() -> bool:
            return bool(await self.page.evaluate("window.thrown.length") == count)

        await soon(is_so)
        await self.page.wait_for_selector(".thrown", state="detached")


@pytest.mark.slow
async def test_people_throw_by_finger_and_by_key_until_somebody_has_had_enough(
    site: Site, browser: Browser
) -> None:
    anna = await seated(site, browser, TWO_TO_BEAT, PHONE)
    boris = await browser.guest(site.url, "Boris", DESKTOP)
    calm = await browser.guest(site.url, "Clara", replace(DESKTOP, is_calm=True))
    ids = [guest.id for guest in await site.store.guests()]

    def table(**different: object) -> Board:
        drawn = board("Anna", ids[0], "Boris", bout=(("9D", None),), attacker=1, **different)  # type: ignore[arg-type] # by name
        other = replace(drawn.seats[1], user=UserRef("web", ids[1]))
        return replace(drawn, seats=(drawn.seats[0], other))

    await site.adapter.edit(anna.table, screen(table(), "My hand"))
    eyes = [Eyes(guest) for guest in (anna.guest, boris, calm)]
    for each in eyes:
        await each.page.wait_for_selector('.seat[data-seat="1"] .aim, .seat[data-seat="0"] .aim')
        await each.open()

    # A card that is chosen goes to the table, even where somebody sits.
    aim = anna.page.get_by_role("button", name="Throw something at Boris")
    await anna.taps(card("TD"))
    await aim.click()
    await anna.plays("D 9D TD")
    await anna.holds(hand("QD KH 9C", step=2, is_awaited=False))
    await site.adapter.edit(anna.table, screen(table(step=2), "My hand"))
    await anna.page.wait_for_selector(card("TD"), state="detached")

    # A finger throws, all pages show it, and nothing is offered again within five seconds.
    await aim.click()
    await anna.page.get_by_role("button", name="Slipper").click()
    await anna.page.wait_for_selector(PAUSE)
    await aim.click(force=True)
    assert not await anna.page.locator(".things").count()
    for each in eyes:
        await each.have_seen(1)

    # Keys throw as well, and a seat that is redrawn meanwhile keeps the focus.
    back = boris.page.get_by_role("button", name="Throw something at Anna")
    await back.focus()
    await site.adapter.edit(anna.table, screen(table(step=3, counts=(5, 6)), "My hand"))
    await boris.page.wait_for_selector('.seat[data-seat="0"] .backs >> text=5')
    await boris.page.keyboard.press("Enter")
    await boris.page.locator(".things button:focus").wait_for()
    await boris.page.keyboard.press("Enter")
    for each in eyes:
        await each.have_seen(2)

    # Without thrown things, nothing is seen and nobody is a target.
    await boris.page.click("[data-menu]")
    await boris.page.click("#menu [data-preference=throws]")
    await boris.page.click("#menu button[type=submit]")
    assert not await back.count()

    # At the end tomatoes are for the fool.
    over = table(is_over=True, losers=(1,), step=9, status=())
    await site.adapter.delete(anna.mine)
    await site.adapter.edit(anna.table, screen(over))
    await posted(site, screen(over, "Rematch"))
    await anna.page.wait_for_selector(".outcome:visible")
    await anna.page.wait_for_selector(PAUSE, state="detached")
    await anna.page.locator(".fools .avatar:not(.winner)").click()
    await anna.page.get_by_role("button", name="Tomato").click()
    for each in (eyes[0], eyes[2]):
        await each.have_seen(3)
    await eyes[1].have_seen(2)


async def test_a_press_on_a_remark_shows_it_at_ones_seat_in_each_readers_language(
    site: Site, browser: Browser
) -> None:
    anna = await seated(site, browser, TWO_TO_BEAT, PHONE)
    dora = await browser.guest(site.url, "Dora", replace(DESKTOP, locale="de-DE"))
    await anna.page.click(".remark")
    await anna.page.locator(".remarks").get_by_role("button", name="Good luck!").click()
    await anna.page.wait_for_selector(".spoken.own:text-is('Good luck!')")
    assert await anna.page.is_visible(".coach")
    assert not await anna.page.evaluate(COVERED, [".spoken", ".coach"])
    await dora.page.wait_for_selector(".spoken:text-is('Viel Glück!')")
    await anna.page.click(".remark")
    assert await anna.page.locator(".remarks button:enabled").count() == 1, "the switch for sounds"
    await dora.page.wait_for_selector(".spoken", state="detached")


async def test_a_line_of_the_chat_is_a_bubble_at_its_writers_seat(site: Site, browser: Browser) -> None:
    anna = await seated(site, browser, TWO_TO_BEAT, PHONE)
    dora = await browser.guest(site.url, "Dora", DESKTOP)
    await anna.page.click("#open-chat")
    await anna.guest.types("Hello there!")
    await dora.page.wait_for_selector("#stage .spoken:text-is('Hello there!')")
    await dora.types("I only watch")
    await anna.page.wait_for_selector("#public:has-text('I only watch')")
    assert not await anna.page.locator(".spoken").count()


async def test_a_seat_that_is_held_offers_what_to_throw(site: Site, browser: Browser) -> None:
    anna = await seated(site, browser, TWO_TO_BEAT, PHONE)
    eyes = Eyes(anna.guest)
    await eyes.open()
    box = await anna.page.locator(".seat .aim").first.bounding_box()
    assert box is not None
    await anna.page.mouse.move(box["x"] + 20, box["y"] + 20)
    await anna.page.mouse.down()
    await anna.page.wait_for_selector(".things")
    await anna.page.mouse.up()
    assert not await anna.page.is_visible(PAUSE), "a long press is no tap"
    await anna.page.keyboard.press("Escape")
    assert not await anna.page.locator(".things").count()

    await anna.page.locator(".seat .aim").first.focus()
    await anna.page.locator(".seat .aim").first.dispatch_event("contextmenu")
    await anna.page.get_by_role("button", name="Rose").click()
    await eyes.have_seen(1)
    await anna.page.wait_for_selector(".stain")
    await anna.page.wait_for_selector(".stain", state="detached")


# Whether a bubble lies over a name or a number of cards at the table, or a notice over the head of a result.
COVERED = """([above, below]) => {
    const boxes = selector => [...document.querySelectorAll(selector)]
        .map(each => each.getBoundingClientRect());
    const isOver = (one, other) => one.width && other.width && one.left < other.right
        && other.left < one.right && one.top < other.bottom && other.top < one.bottom;
    if (!boxes(above).length) throw new Error(`no ${above}`);
    return boxes(above).some(one => boxes(below).some(other => isOver(one, other)));
}"""


@pytest.mark.parametrize("device", [PHONE, DESKTOP])
async def test_a_bubble_covers_neither_a_name_nor_a_number_of_cards(
    site: Site, browser: Browser, device: Device
) -> None:
    anna = await seated(site, browser, TWO_TO_BEAT, PHONE)
    dora = await browser.guest(site.url, "Dora", replace(device, is_calm=True))
    user = (await site.store.guests())[0].id
    for names in (("Boris",), ("Boris", "Clara", "Dima", "Elena", "Fedor")):
        await site.adapter.edit(anna.table, screen(board("Anna", user, *names), "My hand"))
        await dora.page.wait_for_selector(f".seat .name:has-text('{names[-1]}')")
        await anna.page.click(".remark")
        await anna.page.locator(".remarks").get_by_role("button", name="Good luck!").click()
        await dora.page.wait_for_selector(".spoken")
        await dora.sees_nothing_move()
        assert not await dora.page.evaluate(COVERED, [".spoken", ".seat .name, .seat .backs b"])
        await dora.page.wait_for_selector(".spoken", state="detached")
        await anna.page.wait_for_timeout(2_000)  # between two remarks


@pytest.mark.parametrize("device", [PHONE, Device(360, 640, has_touch=True), Device(1024, 500)])
async def test_a_notice_covers_neither_the_fool_nor_the_verdict(
    site: Site, browser: Browser, device: Device
) -> None:
    anna = await seated(site, browser, TWO_TO_BEAT, replace(device, is_calm=True))
    user = (await site.store.guests())[0].id
    over = board(
        "Anna", user, "Boris", "Clara", "Dima", "Elena", "Fedor", is_over=True, losers=(1,), step=9, status=()
    )
    await site.adapter.delete(anna.mine)
    await site.adapter.edit(anna.table, screen(over))
    await posted(site, screen(over, "Rematch"))
    site.inbox.reply = Reply(toast="All seats are taken. " * 3)
    await anna.page.click(".next button:has-text('Rematch')")
    await anna.page.wait_for_selector(".toast:has-text('All seats are taken.')")
    await anna.guest.sees_nothing_move()
    head_and_buttons = ".outcome .fools *, .outcome .verdict, .next button"
    assert not await anna.page.evaluate(COVERED, [".toast", head_and_buttons])
