"""Signals that it is your turn while you look elsewhere, and that reveal no more than that."""

import time
from dataclasses import replace
from typing import Any

import pytest

from bot.locale import LOCALES, Translator
from bot.screens.hand import Hand, turn_line
from engine import PRESETS, Move, State
from tests.adapters.boards import hand
from tests.adapters.page.live_table import BOUT, TWO_TO_BEAT, Player, seated, sits_down
from tests.adapters.web.site import Site
from tests.adapters.web.steps import soon
from tests.bot.screens.scenes import scene_of
from tests.wire.browser import PHONE, Browser, Device, Guest

SOUND = "make a sound without a window"
NOT_MY_TURN = replace(TWO_TO_BEAT, moves=(), is_awaited=False)

# Keeps what the browser would have shown or sounded; a page of a test is never hidden by itself.
RECORDER = """() => {
    window.notifications = [];
    window.sounded = 0;
    window.Notification = class {
        static permission = "granted";
        static async requestPermission() { return this.permission; }
        constructor(title, options) { window.notifications.push([title, options.body]); }
        close() {}
    };
    const counts = { createOscillator: "sounded", createBufferSource: "rustled", resume: "woken" };
    for (const [method, count] of Object.entries(counts)) {
        const real = AudioContext.prototype[method];
        AudioContext.prototype[method] = function () {
            window.audio = this;
            window[count] += 1;
            return real.call(this);
        };
    }
    window.isHidden = false;
    Object.defineProperty(document, "hidden", { get: () => window.isHidden });
}"""


async def set_preferences(guest: Guest, *wanted: str) -> None:
    """Opens the menu of the table, and switches on exactly these preferences."""
    await guest.page.click("[data-menu]")
    for name in ("sounds", "notify"):
        await guest.page.locator(f"[data-preference={name}]").set_checked(name in wanted)
    await guest.page.click("#menu button[type=submit]")


async def gets_the_turn(anna: Player, *, is_hidden: bool) -> tuple[list[list[str]], int]:
    """Makes it Anna's turn; returns the notifications and sounds that she got."""
    page = anna.page
    await anna.holds(NOT_MY_TURN)
    await soon(lambda: page.evaluate("!document.title.includes('●')"))
    facts: dict[str, Any] = {"notifications": [], "sounded": 0, "isHidden": is_hidden}
    await page.evaluate("facts => Object.assign(window, facts)", facts)
    await anna.holds(TWO_TO_BEAT)
    await soon(lambda: page.evaluate("document.title.includes('●')"))
    await page.evaluate("new Promise(requestAnimationFrame)")
    notifications, sounded = await page.evaluate("[window.notifications, window.sounded]")
    return notifications, sounded


async def test_the_title_says_when_it_is_ones_turn_and_only_then(site: Site, browser: Browser) -> None:
    anna = await seated(site, browser, TWO_TO_BEAT)
    await anna.page.wait_for_function("() => document.title.startsWith('● Your turn')")
    assert str(await anna.page.get_attribute("link[rel=icon]", "href")).endswith("/icon-turn.svg")
    await anna.holds(NOT_MY_TURN)
    await anna.page.wait_for_function("() => !document.title.includes('●')")
    assert str(await anna.page.get_attribute("link[rel=icon]", "href")).endswith("/icon.svg")


async def test_a_sound_or_a_notification_comes_only_if_wanted_and_tells_no_card(
    site: Site, browser: Browser
) -> None:
    browser.cannot("firefox", SOUND)
    anna = await seated(site, browser, NOT_MY_TURN)
    await anna.page.evaluate(RECORDER)
    await set_preferences(anna.guest)
    assert await gets_the_turn(anna, is_hidden=True) == ([], 0)
    await set_preferences(anna.guest, "notify")
    assert await gets_the_turn(anna, is_hidden=False) == ([], 0)
    assert await gets_the_turn(anna, is_hidden=True) == ([["Your turn", "Durak"]], 0)
    await anna.page.evaluate("Notification.permission = 'denied'")
    assert await gets_the_turn(anna, is_hidden=True) == ([], 0)
    await anna.page.evaluate("window.isHidden = false")
    await set_preferences(anna.guest, "sounds")
    await soon(lambda: anna.page.evaluate("window.audio?.state === 'running'"))
    notifications, sounded = await gets_the_turn(anna, is_hidden=False)
    assert (notifications, sounded > 0) == ([], True)
    await set_preferences(anna.guest)
    assert await gets_the_turn(anna, is_hidden=False) == ([], 0)
    assert not anna.guest.complaints


async def test_cards_are_heard_after_the_first_press_until_one_switch_mutes_everything(
    site: Site, browser: Browser
) -> None:
    browser.cannot("firefox", SOUND)
    anna = await seated(site, browser, NOT_MY_TURN, bout=())
    await anna.page.evaluate(RECORDER)

    async def rustled(*attacks: str) -> int:
        """Lays these cards before Anna; returns how often cards were heard."""
        await anna.page.evaluate("window.rustled = 0")
        await anna.sees(bout=tuple((attack, None) for attack in attacks))
        await anna.page.locator(f".pair:nth-child({len(attacks)})").wait_for()
        return int(await anna.page.evaluate("new Promise(requestAnimationFrame).then(() => window.rustled)"))

    await anna.page.click("[data-menu]")
    await anna.page.keyboard.press("Escape")
    await soon(lambda: anna.page.evaluate("window.audio?.state === 'running'"))
    assert await rustled("6C") > 0
    await anna.page.click(".remark")
    await anna.page.click(".remarks .sounds")
    assert await rustled("6C", "6D") == 0
    await anna.page.reload()
    await anna.page.wait_for_selector(".held")
    await anna.page.click(".remark")
    assert await anna.page.get_attribute(".remarks .sounds", "aria-pressed") == "false"


# Sound as in WebKit: none before the page is touched, and then all that was asked for.
ASLEEP = """() => {
    window.sounded = 0;
    let wake;
    const awake = new Promise(resolve => { wake = resolve; });
    const Real = window.AudioContext;
    window.AudioContext = class extends Real {
        isTouched = false;
        get state() { return this.isTouched ? "running" : "suspended"; }
        resume() {
            if (window.event?.type === "click") { this.isTouched = true; wake(); }
            return awake;
        }
        createOscillator() { window.sounded += 1; return super.createOscillator(); }
    };
}"""


LATE_MS = 700  # after that a sound would tell old news


async def test_what_could_not_sound_in_time_does_not_sound_later(site: Site, browser: Browser) -> None:
    anna = await seated(site, browser, NOT_MY_TURN, Device(1280, 800))
    await set_preferences(anna.guest, "sounds")
    await anna.page.reload()
    await anna.page.wait_for_selector(".held")
    await anna.page.evaluate(ASLEEP)
    for _ in range(2):
        assert await gets_the_turn(anna, is_hidden=False) == ([], 0)
    await anna.page.wait_for_timeout(LATE_MS)
    await anna.page.mouse.click(5, 400)
    await anna.page.wait_for_timeout(LATE_MS)
    assert await anna.page.evaluate("sounded") == 0
    assert (await gets_the_turn(anna, is_hidden=False))[1] > 0


REFUSED = "Your browser refuses notifications from this page."


@pytest.mark.parametrize(
    ("browsers", "says"),
    [
        ("window.Notification = { permission: 'denied' }", REFUSED),
        ("window.Notification = undefined", "This browser shows no notifications."),
        (
            "Object.defineProperty(window, 'isSecureContext', { value: false })",
            "Notifications need an encrypted page (https).",
        ),
    ],
)
async def test_where_no_notification_can_come_its_box_is_empty_and_the_menu_says_why(
    site: Site, browser: Browser, browsers: str, says: str
) -> None:
    guest = await browser.stranger()
    await guest.page.add_init_script("localStorage.setItem('durak-wishes', '{\"notify\": true}')")
    await guest.page.add_init_script(browsers)
    await guest.enters(site.url, "Anna")
    await sits_down(site, guest, TWO_TO_BEAT)
    await guest.page.click("[data-menu]")
    box = guest.page.locator("[data-preference=notify]")
    assert not await box.is_checked()
    assert await box.is_disabled()
    assert says in await guest.page.inner_text("#no-notifications")


async def test_who_is_asked_for_notifications_and_refuses_gets_none(site: Site, browser: Browser) -> None:
    anna = await seated(site, browser, TWO_TO_BEAT)
    await anna.page.evaluate(
        """() => {
            window.Notification = class {
                static permission = "default";
                static async requestPermission() { return this.permission = "denied"; }
            };
        }"""
    )
    await anna.page.click("[data-menu]")
    assert await anna.page.is_hidden("#no-notifications")
    await anna.page.locator("[data-preference=notify]").click()
    await anna.page.wait_for_selector(f"#no-notifications:text-is('{REFUSED}')")
    assert not await anna.page.is_checked("[data-preference=notify]")


async def test_where_a_worker_is_installed_it_notifies_as_phones_want_it(
    site: Site, browser: Browser
) -> None:
    guest = await browser.stranger(PHONE, installs=True)
    await guest.enters(site.url, "Anna")
    anna = await sits_down(site, guest, NOT_MY_TURN)
    await anna.page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    await anna.page.evaluate(RECORDER)
    await anna.page.evaluate(
        """() => {
            window.Notification = Object.assign(
                () => { throw new TypeError("Illegal constructor"); },
                { permission: "granted", requestPermission: async () => "granted" });
            window.takenBack = 0;
            Object.assign(ServiceWorkerRegistration.prototype, {
                async showNotification(title, { body }) { window.notifications.push([title, body]); },
                async getNotifications() { return [{ close() { window.takenBack += 1; } }]; },
            });
        }"""
    )
    await set_preferences(anna.guest, "notify")
    await gets_the_turn(anna, is_hidden=True)
    await soon(lambda: anna.page.evaluate("notifications.length"))
    assert await anna.page.evaluate("notifications") == [["Your turn", "Durak"]]
    await anna.holds(NOT_MY_TURN)
    await soon(lambda: anna.page.evaluate("takenBack"))
    assert not guest.complaints


@pytest.mark.parametrize("locale", LOCALES)
async def test_the_line_over_the_cards_is_whole_on_a_narrow_phone(
    site: Site, browser: Browser, locale: str
) -> None:
    """With three cards to beat, a clock, and a name as long as people have."""
    state = State.setup(
        PRESETS["podkidnoy-36"], hands=["TS TD TC 6S", "QH KH AH JH"], talon="9H", trump="H", attacker=0
    )
    state = state.apply(0, Move.parse("A TS")).state
    scene = scene_of(state, (), ("Константин Иванов", "Anna"), Translator(locale))
    line = turn_line(Hand(scene, state.view_for(1), 1, state.legal_moves(1)))
    anna = await seated(site, browser, replace(TWO_TO_BEAT, says=line), Device(360, 640, has_touch=True))
    now = time.time()
    await anna.sees(bout=BOUT, attacker=1, since=now, until=now + 120)
    await anna.guest.sees_nothing_move()
    status = anna.page.locator(".says .status")
    is_cut = "line => line.scrollWidth > line.clientWidth + 1 || line.scrollHeight > line.clientHeight + 1"
    assert not await status.evaluate(is_cut)
    assert "Константин Иванов" in await status.inner_text()


@pytest.mark.parametrize(
    ("moves", "is_urgent"),
    [(("A 9D", "P"), True), (("P",), False), ((), False)],
    ids=["adds", "passes", "waits"],
)
async def test_only_who_can_add_a_card_is_hurried(
    site: Site, browser: Browser, moves: tuple[str, ...], *, is_urgent: bool
) -> None:
    now = time.time()
    anna = await seated(site, browser, hand("9D 7C", *moves), bout=BOUT, since=now, until=now + 10)
    await anna.page.wait_for_selector("#stage.timed", state="attached")
    hurried = "stage => stage.classList.contains('hurry')"
    assert await anna.page.locator("#stage").evaluate(hurried) is is_urgent
