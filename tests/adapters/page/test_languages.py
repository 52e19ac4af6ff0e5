"""Everybody reads the table in their own language, even beside readers of other languages."""

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest_asyncio

from adapters.port import User
from tests.adapters.page.whole_bot import WholeBot, whole_bot
from tests.wire.browser import PHONE, Browser, Guest

DEVICE = replace(PHONE, is_calm=True)
GERMAN = replace(DEVICE, locale="de-DE")
RUSSIAN = replace(DEVICE, locale="ru-RU")


@pytest_asyncio.fixture(loop_scope="session")
async def bot(tmp_path: Path) -> AsyncIterator[WholeBot]:
    async with whole_bot(tmp_path) as bot:
        yield bot


async def texts(guest: Guest, selector: str) -> list[str]:
    return [text.strip() for text in await guest.page.locator(selector).all_inner_texts()]


async def test_a_lobby_a_game_and_its_result_are_read_by_each_in_their_language(
    bot: WholeBot, browser: Browser
) -> None:
    anna = await browser.guest(bot.url, "Anna", DEVICE)
    await anna.page.click("#hello [data-say='/durak']")
    await anna.page.wait_for_selector(".lobby .hint:has-text('Invite friends')")

    # Whoever comes later, with a language that nobody had here, reads it as well.
    boris = await browser.guest(bot.url, "Boris", GERMAN)
    clara = await browser.guest(bot.url, "Clara", RUSSIAN)
    await boris.page.wait_for_selector(".lobby h2:has-text('von 6')")
    await clara.page.wait_for_selector(".lobby h2:has-text('из 6')")
    await anna.page.wait_for_selector(".lobby h2:has-text('of 6')")

    table = await bot.table()
    clara_user = await bot.user("Clara")
    await bot.app.tables.change(table.id, lambda now: now.leave(clara_user))
    await clara.page.wait_for_selector(".lobby .chair")
    assert "Start" in await texts(anna, ".lobby button")

    await bot.app.tables.start(table.id, table.opener, event="start")
    await clara.page.wait_for_selector(".says .status:has-text('ходит')")
    await bot.app.tables.resign(table.id, User(await bot.user("Boris"), "Boris"))
    await clara.page.wait_for_selector(".outcome .verdict:has-text('дурак')")
    await clara.page.wait_for_selector("#news:has-text('дурак')", state="attached")  # for screen readers
    await anna.page.wait_for_selector(".outcome .caption:has-text('The fool: Boris')")
    assert await texts(boris, ".next .good") == ["Revanche"]
    assert not [*anna.complaints, *boris.complaints, *clara.complaints]


async def test_no_translation_shows_the_cards_of_a_hand(bot: WholeBot, browser: Browser) -> None:
    anna = await browser.guest(bot.url, "Anna", DEVICE)
    boris = await browser.guest(bot.url, "Boris", GERMAN)
    await anna.page.click("#hello [data-say='/durak bots=beginner']")
    await anna.page.wait_for_selector("#mine .held")
    await boris.page.wait_for_selector(".says .status:visible")

    session = await bot.app.tables.session((await bot.table()).id)
    assert session.state is not None
    public = session.state.public_view()
    heard = "".join(received.text for received in boris.received)
    mine = set(session.state.hands[0]) - {public.turn_up}
    assert mine
    for card in mine:
        assert f'"{card}"' not in heard
    assert '"moves"' not in heard
