"""A game at the table inside Telegram, by buttons in the group and in private; with a kill."""

import asyncio
import random
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import cast

import pytest
import pytest_asyncio
from aiohttp import ClientSession

from tests.e2e.chats import Read
from tests.e2e.game import SHORT, gather, play_on, press, result, until
from tests.e2e.knowledge import leaks
from tests.e2e.live_table import Player, nothing_comes_to_the_chat, play_to_the_end, plays_in_the_room
from tests.e2e.process import BotProcess
from tests.e2e.record import games
from tests.e2e.telegram import Group, Member
from tests.e2e.views import Viewer
from tests.wire.browser import PHONE, Browser, Guest
from tests.wire.chromium import Chromium
from tests.wire.telegram import Ephemerals
from tests.wire.telegram.mini_app import fragment_of, proof_of

pytestmark = [pytest.mark.slow, pytest.mark.parametrize("chat", ["telegram"], indirect=True)]

PUBLIC = "https://durak.example"  # there is no proxy: the test opens the same pages at the bot's own address
GAME = "/durak podkidnoy-24 throw_in=attacker"


@pytest_asyncio.fixture(loop_scope="session")
async def bot(chat: Group, tmp_path: Path) -> AsyncIterator[BotProcess]:
    process = BotProcess(tmp_path, {**chat.settings, "DURAK_PUBLIC_URL": PUBLIC})
    await process.start()
    yield process
    assert await process.stop() == 0
    assert "[error" not in process.output


async def app_of(member: Member) -> str:
    """Returns the address behind the button under a member's hand."""

    async def address() -> str | None:
        for message in reversed(member.person.sees(member.person.private)):
            for button in (button for row in message.rows for button in row):
                if button.web_app:
                    return button.web_app

        return None

    return await until(address, "the button under the hand")


async def opens_table(browser: Browser, chat: Group, bot: BotProcess, member: Member) -> Guest:
    """Opens the table by the button under a member's hand."""
    url = await app_of(member)
    assert url.startswith(f"{PUBLIC}/in/telegram?table=")
    guest = await browser.stranger(PHONE)
    proof = proof_of(member.person, chat.server.token)
    path = url.removeprefix(f"{PUBLIC}/")
    await guest.page.goto(f"{bot.address}{path}#{fragment_of(proof)}")
    await guest.page.wait_for_selector("#mine.mine .held")
    return guest


async def link_for(chat: Group, member: Member) -> str:
    """Presses the button under the table, and returns the link of its answer."""
    await press(member, "📱 Open the table")

    async def link() -> str | None:
        own = (*member.person.sees(member.person.private), *member.person.sees_alone(chat.group))
        urls = [button.url for message in own for row in message.rows for button in row]
        return next((url for url in urls if url and "/in/link#" in url), None)

    return await until(link, "the link")


async def test_touch_in_the_table_buttons_in_the_group_and_cards_in_private_make_one_game(
    chat: Group, bot: BotProcess, chromium: Chromium
) -> None:
    chat.server.ephemerals = Ephemerals.HONOURED
    people = cast("Sequence[Member]", await gather(chat, ["Anna", "Boris", "Clara"], command=GAME))
    anna, *others = people
    await plays_in_the_room(others[0])

    async with Browser(chromium) as browser:
        guest = await opens_table(browser, chat, bot, anna)
        assert await guest.page.evaluate("document.documentElement.dataset.theme") == "dark"
        assert not await guest.page.evaluate("location.hash")

        await nothing_comes_to_the_chat(Player(guest, random.Random(1)), anna, others)

        await bot.restart_after_a_crash()
        await guest.page.wait_for_selector("#closed:not([hidden])")
        await guest.page.close()
        guest = await opens_table(browser, chat, bot, anna)

        await play_to_the_end(Player(guest, random.Random(3)), play_on(others, random.Random(4)))

        await until(lambda: result(anna), "the result")
        await guest.page.click(".next .replay, .next a.replay")
        await guest.page.wait_for_selector("#replay:not([hidden]) #hands dd")
        assert "/in/telegram/games/" in guest.page.url

        read = [*anna.has_read(), *(Read(piece.at, piece.text) for piece in guest.received)]

    (game,) = games(bot.database)
    assert game.outcome is not None
    assert {line.seat for line in game.moves} == {0, 1, 2}

    finished = [piece for piece in read if '"steps"' not in piece.text]
    assert not leaks(game, game.names.index("Anna"), finished)
    assert "tgWebAppData" not in bot.output


async def test_no_byte_of_a_view_names_a_card_that_its_reader_may_not_know(
    chat: Group, bot: BotProcess
) -> None:
    people = cast("Sequence[Member]", await gather(chat, ["Anna", "Boris"], command=SHORT))
    onlooker = await chat.newcomer("Olga")
    _, proof = (await link_for(chat, onlooker)).split("#")
    table = (await app_of(people[0])).partition("?table=")[2]

    async with ClientSession() as http, asyncio.TaskGroup() as tasks:
        anna, olga = (Viewer(person, bot.address, http) for person in (people[0], onlooker))
        await anna.opens(tasks, "telegram", proof_of(people[0].person, chat.server.token), table)
        await olga.opens(tasks, "link", proof)
        await play_on([anna, people[1]], random.Random(1))
        await until(lambda: result(olga), "the result")
        (game,) = games(bot.database)
        for viewer, seat in ((anna, game.names.index("Anna")), (olga, None)):
            assert len(viewer.read) > 5
            assert not leaks(game, seat, viewer.has_read())

        assert leaks(game, game.names.index("Boris"), anna.read), "the check finds cards in what views read"
        assert any('"moves":[' in piece.text for piece in anna.read)
        assert not any('"moves":[' in piece.text for piece in olga.read)

        await anna.closes()
        await olga.closes()


async def test_a_personal_link_opens_the_table_in_any_browser_once(
    chat: Group, bot: BotProcess, chromium: Chromium
) -> None:
    people = cast("Sequence[Member]", await gather(chat, ["Anna", "Boris"], command=GAME))
    url = await link_for(chat, people[0])
    async with Browser(chromium) as browser:
        guest = await browser.stranger(PHONE)
        address = url.replace(f"{PUBLIC}/", bot.address)
        await guest.page.goto(address)
        await guest.page.wait_for_selector("#mine.mine .held")
        await guest.page.reload()
        await guest.page.wait_for_selector("#mine.mine .held")

        thief = await browser.stranger(PHONE)
        await thief.page.goto(address)
        await thief.page.wait_for_selector("#closed:not([hidden])")
        assert "opens once" in await thief.page.inner_text("#closed-why")
