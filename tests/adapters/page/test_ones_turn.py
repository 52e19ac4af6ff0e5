"""What tells a player who looks elsewhere that it is their turn, and that it tells no more than that."""

import time
from dataclasses import replace
from typing import Any

import pytest

from bot.locale import LOCALES, Translator
from bot.screens.hand import turn_line
from engine import PRESETS, Move, State
from tests.adapters.page.live_table import BOUT, TWO_TO_BEAT, Player, seated
from tests.adapters.web.site import Site
from tests.adapters.web.steps import soon
from tests.bot.screens.scenes import scene_of
from tests.wire.browser import Browser, Device, Guest

NOT_MY_TURN = replace(TWO_TO_BEAT, moves=(), is_awaited=False)

RECORDER = """() => {
    window.told = [];
    window.sounded = 0;
    window.Notification = class {
        static permission = "granted";
        static requestPermission() {}
        constructor(title, options) { window.told.push([title, options.body]); }
        close() {}
    };
    const Real = window.AudioContext;
    window.AudioContext = class extends Real {
        createOscillator() { window.sounded += 1; return super.createOscillator(); }
    };
    window.isHidden = false;
    Object.defineProperty(document, "hidden", { get: () => window.isHidden });
}"""
"""Keeps what the browser would have shown or sounded; a page of a test is never hidden by itself."""


async def wishes(guest: Guest, *wanted: str) -> None:
    """Open the menu of the table, and choose exactly this."""
    await guest.page.click("[data-menu]")
    for wish in ("sound", "notify"):
        await guest.page.locator(f"[data-wish={wish}]").set_checked(wish in wanted)
    await guest.page.click("#menu button[type=submit]")


async def gets_the_turn(anna: Player, *, is_hidden: bool) -> tuple[list[list[str]], int]:
    """Let it be Anna's turn; gives the notifications and sounds that she got."""
    page = anna.page
    await anna.holds(NOT_MY_TURN)
    await soon(lambda: page.evaluate("!document.title.includes('●')"))
    facts: dict[str, Any] = {"told": [], "sounded": 0, "isHidden": is_hidden}
    await page.evaluate("facts => Object.assign(window, facts)", facts)
    await anna.holds(TWO_TO_BEAT)
    await soon(lambda: page.evaluate("document.title.includes('●')"))
    told, sounded = await page.evaluate("[window.told, window.sounded]")
    return told, sounded


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
    anna = await seated(site, browser, NOT_MY_TURN)
    await anna.page.evaluate(RECORDER)
    assert await gets_the_turn(anna, is_hidden=True) == ([], 0)
    await wishes(anna.guest, "notify")
    assert await gets_the_turn(anna, is_hidden=False) == ([], 0)
    assert await gets_the_turn(anna, is_hidden=True) == ([["Your turn", "Durak · main"]], 0)
    await anna.page.evaluate("Notification.permission = 'denied'")
    assert await gets_the_turn(anna, is_hidden=True) == ([], 0)
    await anna.page.evaluate("window.isHidden = false")
    await wishes(anna.guest, "sound")
    told, sounded = await gets_the_turn(anna, is_hidden=False)
    assert (told, sounded > 0) == ([], True)
    await wishes(anna.guest)
    assert await gets_the_turn(anna, is_hidden=False) == ([], 0)
    assert not anna.guest.complaints


@pytest.mark.parametrize("locale", LOCALES)
async def test_the_line_over_the_cards_is_whole_on_a_narrow_phone(
    site: Site, browser: Browser, locale: str
) -> None:
    """With three cards to beat, a clock, and a name as long as people have."""
    state = State.setup(
        PRESETS["podkidnoy-36"], hands=["TS TD TC 6S", "QH KH AH JH"], talon="9H", trump="H", attacker=0
    )
    state = state.apply(0, Move.parse("A TS")).state
    scene = scene_of(state, names=("Константин Иванов", "Anna"))
    line = turn_line(scene, state.view_for(1), state.legal_moves(1), Translator(locale))
    anna = await seated(site, browser, replace(TWO_TO_BEAT, says=line), Device(360, 640, has_touch=True))
    now = time.time()
    await anna.sees(bout=BOUT, attacker=1, since=now, until=now + 120)
    await anna.guest.sees_nothing_move()
    status = anna.page.locator(".says .status")
    is_cut = "line => line.scrollWidth > line.clientWidth + 1 || line.scrollHeight > line.clientHeight + 1"
    assert not await status.evaluate(is_cut)
    assert "Константин Иванов" in await status.inner_text()
