"""Players can be forgotten in the middle of a game, on every chat."""

import random
import re
import sqlite3
from contextlib import closing

import pytest

from tests.e2e.chats import Chat, Person
from tests.e2e.game import SHORT, gather, hand_with, heard, newest_public, play_on, press, result, until
from tests.e2e.process import BotProcess
from tests.e2e.telegram import Member
from tests.e2e.web import Visitor

NAME = "Theodora"
FAREWELL = "I’ve forgotten you"
FORGOTTEN = '{"type":"forgotten"}'  # to the page, which says it in its own words
LONG_NUMBER = re.compile(r"\d{12,}")


def dump(bot: BotProcess) -> str:
    """Returns the content of the database and the bytes of its files, freed pages included."""
    with closing(sqlite3.connect(bot.database)) as file:
        rows = "\n".join(file.iterdump())
    files = [bot.database.with_name(bot.database.name + suffix) for suffix in ("", "-wal")]
    return rows + "".join(file.read_text(errors="ignore") for file in files if file.exists())


def ids_of(person: Person, bot: BotProcess) -> set[str]:
    """Returns the ids of a person."""
    with closing(sqlite3.connect(bot.database)) as file:
        return {ref for (ref,) in file.execute("SELECT ref FROM player WHERE name = ?", (person.name,))}


async def resigns(person: Person) -> None:
    for label in ("🚪 Leave", "Resign"):
        shown, token = await hand_with(person, label)
        await person.presses(shown, token)


@pytest.mark.parametrize("chat", ["telegram", "web"], indirect=True)
async def test_who_is_forgotten_leaves_no_trace_and_hears_nothing_more(chat: Chat, bot: BotProcess) -> None:
    thea, boris = await gather(chat, [NAME, "Boris"], command=SHORT)
    await heard(thea, "/stats")
    await resigns(boris)
    await until(lambda: result(boris), "the result")

    await press(thea, "Rematch")
    await newest_public(boris, "game 2")
    await press(boris, "Join")
    await newest_public(boris, "2 of 2")
    await press(thea, "Start")
    await play_on([thea, boris], random.Random(3), presses=4)

    (user,) = ids_of(thea, bot)
    assert NAME in dump(bot)

    await is_forgotten(thea)
    read = len(thea.has_read())
    knows_nobody(bot, user)
    await play_on([boris], random.Random(4), presses=2)
    await resigns(boris)
    await until(lambda: result(boris, 2), "the second result")
    await bot.restart_after_a_crash()
    await heard(boris, "/leaderboard")
    knows_nobody(bot, user)

    if isinstance(thea, Member):  # the page has shown her the door
        public = {told.text for told in boris.has_read()}
        assert not [told for told in thea.has_read()[read:] if told.text not in public]

    async def is_gone() -> bool:  # a chat accepts an edit of the table only every few seconds
        return not [shown for shown in await boris.public() if NAME in shown.text and "game 2" in shown.text]

    await until(is_gone, "her name to go from the table")


async def is_forgotten(thea: Person) -> None:
    """Asks to be forgotten, and waits for the answer; the page shows the door instead, often before it."""
    if isinstance(thea, Visitor):
        await thea.guest.sends("/forgetme yes")
        await thea.guest.page.wait_for_selector("#enter")
        assert FORGOTTEN in [read.text for read in thea.has_read()]
    else:
        assert FAREWELL in await heard(thea, "/forgetme yes")


def knows_nobody(bot: BotProcess, user: str) -> None:
    kept = dump(bot)
    assert NAME not in kept
    assert not re.search(rf"(?<![\w-]){user}(?!\w)", kept)
    # The id of a press on Telegram begins with the presser's: no number may hold it either.
    assert not [number for number in LONG_NUMBER.findall(kept) if str(int(number) >> 32) == user]
