"""Every screen of the live table can be used by everybody, in the frames of both chats."""

from dataclasses import replace

import pytest

from tests.adapters.page.accessibility import cut_or_covered, too_small, violations
from tests.adapters.page.test_frames import FINGER
from tests.adapters.page.view_tour import MOMENTS, tour
from tests.wire.browser import PHONE, Browser, Device

SMALL_PHONE = replace(PHONE, width=360, height=640)

# The other ones are drawn as on the page, whose own tour shows them.
OF_VIEWS = {"attack": MOMENTS["attack"], "waiting": MOMENTS["waiting"]}


@pytest.mark.timeout(180)
@pytest.mark.parametrize(
    ("chat", "device", "locale"),
    [("telegram", SMALL_PHONE, "de"), ("discord", replace(PHONE, is_dark=True), "ru")],
)
async def test_every_screen_in_a_frame_can_be_used_by_everybody_and_nothing_is_cut_or_covered(
    browser: Browser, chat: str, device: Device, locale: str
) -> None:
    browser.cannot("firefox", FINGER)
    async with tour(chat, browser, device, locale, OF_VIEWS) as shown:
        found = {}
        async for name in shown.everything():
            await shown.stands_still()
            found[name] = [
                *await violations(shown.table),
                *await cut_or_covered(shown.table),
                *await too_small(shown.table),
            ]

    assert {name: wrong for name, wrong in found.items() if wrong} == {}
