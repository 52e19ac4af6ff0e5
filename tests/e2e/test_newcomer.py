"""A newcomer on a phone finds games, results and their own settings without the chat."""

import asyncio
import random
import re
import sqlite3
from contextlib import closing
from dataclasses import replace

import pytest

from engine import line_text, puzzles_in
from tests.e2e.live_table import Player, taps
from tests.e2e.process import BotProcess
from tests.e2e.web import Site
from tests.engine.test_puzzles import SEEDS, played
from tests.wire.browser import PHONE, Guest

pytestmark = [pytest.mark.timeout(300), pytest.mark.parametrize("chat", ["web"], indirect=True)]

GAME_WITHIN = 100.0  # seconds, on a machine that is busy with other tests
REVIEW_WITHIN = 90_000  # milliseconds: a review takes the attention that games leave

# Records whether the chat has ever taken room from the table.
WATCH_THE_CHAT = """() => {
    const room = document.getElementById("room");
    const look = () => (window.sawChat ||= room.matches(".live.chatting"));
    new MutationObserver(look).observe(room, { attributeFilter: ["class"] });
}"""


async def plays(guest: Guest, chance: random.Random) -> None:
    """Plays until the game is over, and reads its result."""
    async with asyncio.timeout(GAME_WITHIN):
        await Player(guest, chance).plays(taps)
    await guest.page.wait_for_selector(".outcome .verdict:visible")
    assert await guest.page.locator(".outcome .places li").count() == 2


async def opens(guest: Guest, label: str) -> None:
    """Presses an entry in the menu of the table."""
    await guest.page.tap(".tools [data-menu]")
    await guest.page.tap(f"#menu button:has-text('{label}')")


async def comes_back(guest: Guest) -> None:
    """Returns from the page of a game to the room."""
    assert not await guest.page.evaluate("window.sawChat")
    await guest.page.tap("#way-back")
    await guest.page.wait_for_selector(".outcome .verdict:visible")
    await guest.page.evaluate(WATCH_THE_CHAT)


def has_a_puzzle(bot: BotProcess) -> None:
    """Adds a puzzle to the database, since not every game has one."""
    puzzle = next(puzzles_in(played(SEEDS[0])))
    with closing(sqlite3.connect(bot.database)) as database, database:
        database.execute(
            "INSERT INTO puzzle (state, line, played_at, handed_out) VALUES (?, ?, 0, 0)",
            (puzzle.state.to_text(), line_text(puzzle)),
        )


async def test_a_newcomer_plays_and_looks_back_and_never_sees_the_chat_over_the_table(
    chat: Site, bot: BotProcess
) -> None:
    has_a_puzzle(bot)
    newcomer = (await chat.newcomer("Anna", replace(PHONE, is_calm=True))).guest
    page = newcomer.page
    chance = random.Random(3)
    await page.evaluate(WATCH_THE_CHAT)

    await page.tap("#hello [data-say='/durak bots=beginner']")
    await plays(newcomer, chance)
    await newcomer.touches("Rematch")
    await page.wait_for_selector("#mine .held")
    await plays(newcomer, chance)

    await page.tap(".replay")
    await page.tap(".watch")
    await page.wait_for_selector("#step-text:has-text('1 / ')")
    await comes_back(newcomer)

    await page.tap(".next button:has-text('My mistakes')")
    await page.wait_for_url("**/games/*")
    await page.wait_for_selector(".costly, #mark:not([hidden], .looking-on)", timeout=REVIEW_WITHIN)
    await comes_back(newcomer)

    await opens(newcomer, "My statistics")
    await page.wait_for_selector("#panel[open] .body:has-text('2 games')")
    await page.tap("#panel button[type=submit]")

    await opens(newcomer, "Solve a puzzle")
    await page.wait_for_selector("#panel[open] .puzzle")
    await page.locator("#panel .row button, #panel .puzzle-card").first.tap()
    await page.wait_for_selector("#panel[open] :text-matches('Right!|Not solved')")
    await page.tap("#panel button[type=submit]")

    await opens(newcomer, "My settings")
    async with page.expect_response("**/presses"):
        await page.locator("#panel[open] .setting").first.tap()

    assert not await page.evaluate("window.sawChat")
    assert not newcomer.complaints


async def test_a_friend_who_comes_after_a_game_finds_what_they_can_do(chat: Site, bot: BotProcess) -> None:
    anna = (await chat.newcomer("Anna", replace(PHONE, is_calm=True))).guest
    await anna.page.tap("#hello [data-say='/durak bots=beginner']")
    await plays(anna, random.Random(5))

    boris = (await chat.newcomer("Boris", replace(PHONE, is_calm=True))).guest
    await boris.page.wait_for_selector("#hello:visible")
    assert re.search("is the fool|A draw", await boris.page.inner_text("#last-result"))
    assert await boris.page.inner_text("#hello-title span") == "No table is open right now."
    labels = [label.strip() for label in await boris.page.locator("button:visible").all_inner_texts()]
    assert not {"Rematch", "My mistakes"} & set(labels)
    await boris.page.tap("#hello [data-say='/durak']")
    await boris.page.wait_for_selector(".lobby:visible")

    await boris.page.tap(".lobby-more summary")
    await boris.touches("Close the table")
    await anna.page.wait_for_selector(".outcome:visible")
    await opens(anna, "Other games")
    await anna.page.wait_for_selector("#hello:visible")
    await anna.page.tap("#hello [data-say='/durak bots=expert']")
    await anna.page.wait_for_selector("#mine .held")
    assert not [*anna.complaints, *boris.complaints]
