"""A game in Discord's own frame, in the channel and in private; with a kill and a sleeping phone."""

import asyncio
import random
from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import cast

import pytest
import pytest_asyncio
from playwright.async_api import Frame

from tests.e2e.chats import Read
from tests.e2e.discord import Member, Place
from tests.e2e.game import button, gather, play_on, until
from tests.e2e.knowledge import leaks
from tests.e2e.live_table import Player, nothing_comes_to_the_chat, play_to_the_end, plays_in_the_room
from tests.e2e.process import BotProcess
from tests.e2e.record import games
from tests.wire.browser import PHONE, Browser
from tests.wire.chromium import Chromium
from tests.wire.discord import CLIENT_SECRET, Callback
from tests.wire.discord.window import DiscordWindow

pytestmark = [pytest.mark.slow, pytest.mark.parametrize("chat", ["discord"], indirect=True)]

GAME = "/durak podkidnoy-24 throw_in=attacker"
SUITS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}
ASLEEP_WITHIN = 60.0  # seconds until the chat has the hand again: fifteen, on an idle machine
BACK_WITHIN = 60_000.0  # milliseconds; the page may pause for 10 s, and wait 10 s, then 12 s for Discord
LOADS = 4  # of the page, each of which has Discord vouch for its reader: two, or more on a busy machine


@pytest_asyncio.fixture(loop_scope="session")
async def bot(chat: Place, tmp_path: Path) -> AsyncIterator[BotProcess]:
    chat.server.state.enable_activities()
    settings = {"DURAK_PUBLIC_URL": "https://durak.example", "DURAK_DISCORD_CLIENT_SECRET": CLIENT_SECRET}
    process = BotProcess(tmp_path, {**chat.settings, **settings})
    await process.start()
    yield process
    assert await process.stop() == 0
    assert "[error" not in process.output
    assert CLIENT_SECRET not in process.output


async def test_touch_in_discords_frame_buttons_in_the_channel_and_cards_in_private_make_one_game(
    chat: Place, bot: BotProcess, chromium: Chromium
) -> None:
    people = cast("Sequence[Member]", await gather(chat, ["Anna", "Boris", "Clara"], command=GAME))
    anna, *others = people
    await plays_in_the_room(others[0])

    await anna.presses(*await button(anna, "📱 Open the table"))
    interactions = chat.server.state.interactions.values()
    assert any(interaction.callback is Callback.LAUNCH for interaction in interactions)

    activities = chat.server.state.activities
    account = anna.person.account
    instance = activities.opened(chat.channel, account)
    codes = [activities.authorized(account) for _ in range(LOADS)]

    async with Browser(chromium) as browser:
        guest = await browser.stranger(replace(PHONE, is_calm=True))
        async with DiscordWindow(guest.page.context, bot.address) as window:
            table = await window.opens(guest.page, instance, codes)
            await table.wait_for_selector("#mine.mine .held")
            await nothing_comes_to_the_chat(Player(guest, random.Random(1), table), anna, others)

            await table.evaluate("document.documentElement.dataset.first = ''")
            await bot.restart_after_a_crash()
            back = ":root:not([data-first]) #mine.mine .held"  # Discord vouches for her once more
            await table.wait_for_selector(back, timeout=BACK_WITHIN)

            playing = asyncio.create_task(play_on(others, random.Random(2)))
            await her_cards_come_back_while_her_phone_sleeps(window, table, anna)
            await play_on([anna], random.Random(3), 1)
            window.wakes()
            await play_to_the_end(Player(guest, random.Random(4), table), playing)

            await table.locator(".next a.replay").tap()
            await table.wait_for_selector("#replay:not([hidden]) #hands dd")
            await table.locator("#way-back").tap()
            await table.locator("[data-menu]").tap()
            await table.get_by_role("button", name="How it ended").tap()
            await table.wait_for_selector("#toasts:has-text('It’s in the chat now.')")
            await until(lambda: film_in(chat), "the film in the channel")
            await table.get_by_role("button", name="Rematch").tap()
            await table.wait_for_selector(".lobby:visible")
            await button(others[0], "Join")

            read = [
                *anna.has_read(),
                *(Read(piece.at, piece.text) for piece in (*window.received, *guest.received)),
            ]

    (game,) = games(bot.database)
    assert game.outcome is not None
    assert {line.seat for line in game.moves} == {0, 1, 2}
    assert any('"moves":[' in piece.text for piece in read)

    finished = [piece for piece in read if '"steps"' not in piece.text]
    assert not leaks(game, game.names.index("Anna"), finished)


async def her_cards_come_back_while_her_phone_sleeps(
    window: DiscordWindow, table: Frame, anna: Member
) -> None:
    """Waits for the hand of now in her direct messages, which an open table keeps from them.

    After the kill it may be there already: nothing kept it away until the table was open again.
    """
    held = await table.locator(".held").evaluate_all("cards => cards.map(card => card.dataset.key)")
    cards = [f"{key[0].replace('T', '10')}{SUITS[key[1]]}" for key in held]
    before = [shown.text for shown in await anna.keeps()]
    window.sleeps()

    def is_hand(text: str) -> bool:
        return f"Your {len(cards)} card" in text and all(card in text for card in cards)

    async def are_back() -> bool:
        now = [shown.text for shown in await anna.keeps()]
        return now != before or any(is_hand(text) for text in now)

    await until(are_back, "the cards in private", within=ASLEEP_WITHIN)


async def film_in(chat: Place) -> bool:
    files = [file.filename for message in chat.channel.messages.values() for file in message.attachments]
    return any(name.endswith(".gif") for name in files)
