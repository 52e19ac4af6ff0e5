"""Everybody who opens the page finds something to do, and no visible button fails."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum, auto
from itertools import count
from pathlib import Path

import pytest
import pytest_asyncio

from adapters.port import Command, RoomRef, User
from adapters.web.refs import room_ref
from bot.handlers.notices import PostLimit
from bot.model.table import Phase, Table
from tests.adapters.page.whole_bot import WholeBot, whole_bot
from tests.wire.browser import DESKTOP, PHONE, Browser, Guest

DEVICE = replace(PHONE, is_calm=True)

# The permanent parts of the page do not lead to a game, and a card is not a button.
AROUND = (
    "#place, #open-chat, #open-notes, #open-links, #close-chat, [data-menu], #composer *, .held, dialog *"
)

# The tokens of the buttons in sight.
TOKENS = """() => [...document.querySelectorAll("[data-token], [data-other]")]
    .filter(each => each.getClientRects().length && !each.disabled)
    .map(each => each.dataset.token ?? each.dataset.other)"""

PRESS = """token => {
    const all = [...document.querySelectorAll(`[data-token="${token}"], [data-other="${token}"]`)];
    all.find(each => each.getClientRects().length).click();
}"""

STILL = 0.1  # seconds in which nothing new comes to a room that is up to date


class Reader(Enum):
    """The kinds of people who look at the page."""

    PLAYER = auto()
    FRIEND = auto()  # another player
    ONLOOKER = auto()  # has a name, and was here before the table was opened
    SPECTATOR = auto()  # the same without a name
    NEWCOMER = auto()  # comes in through the door
    OF_YESTERDAY = auto()  # was here before, and comes back to what has happened meanwhile


@dataclass
class Scenes:
    """A bot, and what its rooms show."""

    bot: WholeBot
    browser: Browser
    guests: Mapping[Reader, Guest]
    users: Mapping[Reader, User]
    numbers: Iterator[int] = field(default_factory=count)

    async def opens(self, phase: Phase, reader: Reader) -> Guest:
        """Sets up a scene in a separate room, which a reader then opens."""
        room = room_ref(f"scene-{next(self.numbers)}")
        address = self.bot.url.replace("/r/main", f"/r/{room.id}")
        if reader is Reader.NEWCOMER:
            await self._make(phase, room)
            guest = await self.browser.stranger(DEVICE)
            await guest.page.goto(address)
            await self._comes_in(guest, phase)
        elif reader in {Reader.ONLOOKER, Reader.SPECTATOR}:
            guest = self.guests[reader]
            await guest.page.goto(address)
            await guest.page.wait_for_selector("#hello:visible")
            await self._make(phase, room)
        else:
            guest = self.guests[reader]
            await self._make(phase, room)
            await guest.page.goto(address)

        await guest.page.wait_for_selector("#hello:not([hidden])", state="attached")
        await asyncio.sleep(STILL)
        await guest.sees_nothing_move()
        return guest

    async def _comes_in(self, guest: Guest, phase: Phase) -> None:
        """Comes in through the door, which takes a seat in a lobby."""
        if phase is not Phase.LOBBY:
            await guest.page.click("#enter")
            return

        async with guest.page.expect_response(lambda response: response.url.endswith("/presses")):
            await guest.page.click("#enter")

    async def _make(self, phase: Phase, room: RoomRef) -> None:
        """Makes a scene, and waits until its messages are there. One person may not post that many."""
        self.bot.app.posts = PostLimit(self.bot.app.now)
        await BUILDERS[phase](self, room)
        assert (await self.table(room)).phase is phase

        before, now = None, await self.bot.store.history(room.id, None, 10)
        while before != now:
            await asyncio.sleep(STILL)
            before, now = now, await self.bot.store.history(room.id, None, 10)

    async def types(self, room: RoomRef, line: str) -> None:
        """Sends a command of the player."""
        player = self.users[Reader.PLAYER]
        name, *words = line.split()
        await self.bot.app.inbox.command(
            Command(player, room, name, tuple(words), (), str(next(self.numbers)))
        )

    async def table(self, room: RoomRef) -> Table:
        (table,) = (known for known in self.bot.app.tables.known.values() if known.room == room)
        return table

    async def announced(self, room: RoomRef) -> None:
        await self.types(room, "durak 20:30")

    async def gathering(self, room: RoomRef) -> None:
        await self.types(room, "durak")
        table = await self.table(room)
        await self.bot.app.tables.change(table.id, lambda now: now.join(self.users[Reader.FRIEND]))

    async def playing(self, room: RoomRef) -> None:
        await self.gathering(room)
        table = await self.table(room)
        await self.bot.app.tables.start(table.id, self.users[Reader.PLAYER].ref, event="start")

    async def over(self, room: RoomRef) -> None:
        await self.playing(room)
        table = await self.table(room)
        await self.bot.app.tables.resign(table.id, self.users[Reader.FRIEND])

    async def closed(self, room: RoomRef) -> None:
        await self.gathering(room)
        table = await self.table(room)
        await self.bot.app.tables.change(table.id, Table.call_off)


BUILDERS: Mapping[Phase, Callable[[Scenes, RoomRef], Awaitable[None]]] = {
    Phase.ANNOUNCED: Scenes.announced,
    Phase.LOBBY: Scenes.gathering,
    Phase.PLAYING: Scenes.playing,
    Phase.OVER: Scenes.over,
    Phase.CLOSED: Scenes.closed,
}


@pytest_asyncio.fixture(loop_scope="session")
async def scenes(tmp_path: Path, browser: Browser) -> AsyncIterator[Scenes]:
    async with whole_bot(tmp_path) as bot:
        guests = dict[Reader, Guest]()
        users = dict[Reader, User]()
        elsewhere = bot.url.replace("/r/main", "/r/elsewhere")
        for reader in Reader:
            if reader is Reader.NEWCOMER:
                continue
            if reader is Reader.SPECTATOR:
                guests[reader] = await browser.stranger(DEVICE)
                await guests[reader].page.goto(elsewhere)
                await guests[reader].page.click("#look")
                continue

            name = reader.name.title()
            guests[reader] = await browser.guest(elsewhere, name, DEVICE)
            users[reader] = User(await bot.user(name), name)

        yield Scenes(bot, browser, guests, users)


async def tokens_on(guest: Guest) -> list[str]:
    """Lists the buttons that the bot answers, those in the fold and the menu last; both stay open."""
    if await guest.page.is_visible(".lobby-more:not([open])"):
        await guest.page.click(".lobby-more summary")
    tokens: list[str] = await guest.page.evaluate(TOKENS)
    if await guest.page.is_visible("[data-menu]"):
        await guest.page.click("[data-menu]")
        tokens += [token for token in await guest.page.evaluate(TOKENS) if token not in tokens]
    return tokens


@pytest.mark.parametrize("phase", Phase)
async def test_everybody_finds_a_way_on_and_no_button_fails(scenes: Scenes, phase: Phase) -> None:
    """Each button is pressed in a separate scene, because many change the table."""
    stuck = list[Reader]()
    failing = list[tuple[Reader, str]]()
    for reader in Reader:
        guest = await scenes.opens(phase, reader)
        ways = guest.page.locator(f"#room :is(button, a):enabled:not({AROUND})").filter(visible=True)
        if not await ways.count():
            stuck.append(reader)

        tokens = await tokens_on(guest)
        for n in range(len(tokens)):
            if n:
                guest = await scenes.opens(phase, reader)
                tokens = await tokens_on(guest)

            before = scenes.bot.refusals()
            async with guest.page.expect_response(lambda response: response.url.endswith("/presses")):
                await guest.page.evaluate(PRESS, tokens[n])
            if scenes.bot.refusals() != before:
                failing.append((reader, tokens[n]))

    assert not stuck
    assert not failing


async def test_a_result_stays_until_its_reader_sits_down_at_the_next_table(scenes: Scenes) -> None:
    friend = await scenes.opens(Phase.OVER, Reader.FRIEND)
    player = scenes.guests[Reader.PLAYER]
    await player.page.goto(friend.page.url)
    await player.page.click(".next .good")
    await player.page.wait_for_selector(".lobby-seat.mine:visible")

    await friend.page.wait_for_selector(".outcome .opener:has-text('Player wants to play again!')")
    await friend.page.click(".next .good")
    await friend.page.wait_for_selector(".lobby-seat.mine:visible")


async def test_the_dialog_about_a_game_closes_when_the_game_is_stopped(
    tmp_path: Path, browser: Browser
) -> None:
    async with whole_bot(tmp_path) as bot:
        anna = await browser.guest(bot.url, "Anna", DEVICE)
        await anna.page.click("#hello [data-say='/durak bots=beginner']")
        await anna.page.wait_for_selector("#mine.mine .held")
        await anna.page.click("[data-menu]")
        await anna.page.click("#table-buttons button:has-text('Pause or stop')")
        await anna.page.click("#panel button:has-text('Stop the game')")
        await anna.page.wait_for_selector("dialog[open]", state="detached")
        await anna.page.wait_for_selector("#hello:visible")
        await anna.page.wait_for_selector("#last-result:has-text('The game was stopped: it has no result.')")


async def start_a_game(host: Guest, friend: Guest) -> None:
    await host.page.click("#hello [data-say='/durak']")
    await friend.page.click(".lobby-best .good")
    await host.page.click(".lobby-best button:has-text('Start')")
    await host.page.wait_for_selector("#mine.mine .held")


async def test_each_reads_their_own_part_in_a_proposal_to_stop(tmp_path: Path, browser: Browser) -> None:
    async with whole_bot(tmp_path) as bot:
        anna = await browser.guest(bot.url, "Anna", DEVICE)
        boris = await browser.guest(bot.url, "Boris", DEVICE)
        await start_a_game(anna, boris)

        await anna.page.click("[data-menu]")
        await anna.page.click("#table-buttons button:has-text('Pause or stop')")
        await anna.page.wait_for_selector("#panel[open]:has-text('nobody is the fool')")
        await anna.page.click("#panel button:has-text('Propose to stop')")
        question = anna.page.locator("#asked")
        await question.wait_for()
        assert (await question.text_content() or "").split("\n") == [
            "You proposed to stop the game.",
            "Boris still has to agree.",
        ]
        assert await anna.page.locator("#toasts > *").count() == 0, "the table itself shows it"

        asked = boris.page.locator("#asked", has_text="Do you agree?")
        await asked.wait_for()
        assert (await asked.text_content() or "").split("\n") == [
            "Anna proposes to stop the game.",
            "Do you agree? Then nobody is the fool.",
        ]
        await boris.page.click("#asked-buttons button:has-text('Yes, stop')")
        await boris.page.wait_for_selector("#hello:visible")


async def test_after_a_game_its_result_is_once_in_the_chat_below_what_was_written(
    tmp_path: Path, browser: Browser
) -> None:
    async with whole_bot(tmp_path) as bot:
        anna = await browser.guest(bot.url, "Anna", DESKTOP)
        boris = await browser.guest(bot.url, "Boris", DEVICE)
        await start_a_game(anna, boris)
        await anna.types("Good luck!")

        table = await bot.table()
        loser = await bot.user("Anna")
        await bot.app.tables.resign(table.id, User(loser, "Anna"))
        await boris.page.click(".next .good")
        await anna.page.click(".next .good")
        await anna.page.wait_for_selector(".lobby-seat.mine:visible")

        for guest in (anna, boris):
            lines = await guest.page.locator("#public > li:not(.live)").all_inner_texts()
            assert ["Good luck!" in lines[0], "Anna is the fool!" in lines[1], len(lines)] == [True, True, 2]
