"""Bad input gets a sentence, changes nothing, and leaves only refused presses in the log."""

import asyncio
import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from engine.runtime import Author
from tests.e2e.chats import Chat
from tests.e2e.game import (
    SHORT,
    Chosen,
    button,
    choose,
    gather,
    heard,
    newest_public,
    play_on,
    press,
    result,
    until,
)
from tests.e2e.process import BotProcess
from tests.e2e.record import journal

MAX_SENTENCE_LENGTH = 200
MANGLED = ("m:1:zzz", "m:1:1:Q 9H", "l:1:1:fly", "m:999999:1:T", "m:1:99999:T", "h:", "♠" * 20, "x")
NOTHING = "\u200b"
# Names of people, and their display.
NAMES = {
    "*b* _i_ <b>x</b> `c` &lt;": "*b* _i_ <b>x</b> `c` &l…",
    "\u202eynnA": "ynnA",
    "🃏" * 64: "🃏" * 23 + "…",
    "Anna\n/stop": "Anna /stop",
    NOTHING: "#5",
}


@asynccontextmanager
async def nothing_happens(bot: BotProcess) -> AsyncIterator[None]:
    """Checks that its block leaves no trace in the journal, and in the log only lines of refused presses."""
    before = journal(bot.database)
    logged_before = set(bot.output.splitlines())
    yield
    assert journal(bot.database) == before
    news = set(bot.output.splitlines()) - logged_before
    assert not [line for line in news if "[debug" not in line and "press_refused" not in line]


def is_short(notice: str) -> bool:
    return 0 < len(notice) <= MAX_SENTENCE_LENGTH


async def test_an_unknown_preset_or_option_is_answered_with_what_may_be_meant(
    chat: Chat, bot: BotProcess
) -> None:
    anna = await chat.newcomer("Anna")
    async with nothing_happens(bot):
        try:
            said = await heard(anna, "/durak mystery")
        except LookupError:
            pass  # there is a menu, and it offers no such thing
        else:
            assert "Did you mean: transfer" in said

        assert "throw_in" in await heard(anna, "/durak trow_in=all")
        assert "neighbours" in await heard(anna, "/durak throw_in=mystery")

    assert not [shown for shown in await anna.public() if "Players" in shown.text]


async def test_nobody_plays_alone_and_a_room_has_one_table(chat: Chat, bot: BotProcess) -> None:
    anna = await chat.newcomer("Anna")
    boris = await chat.newcomer("Boris")
    await anna.types("/durak")
    table, start = await button(anna, "Start")

    async with nothing_happens(bot):
        assert "One more player" in await anna.presses(table, start)
        assert is_short(await boris.presses(table, start))
        assert "Add bot" in table.buttons.values()
        assert "here it is" in await heard(boris, "/durak perevodnoy")
        assert "last one holding cards" in await heard(boris, "/help")
        assert "36 cards" in await heard(boris, "/rules")
        assert "no cards" in await heard(boris, "/hand")
        assert "Only the host" in await heard(boris, "/stop")

    assert "The table is closed." in await heard(anna, "/stop")
    await newest_public(anna, "table is closed")
    assert is_short(await anna.forces(table, start))


async def test_presses_out_of_place_are_answered_and_change_nothing(chat: Chat, bot: BotProcess) -> None:
    people = await gather(chat, ["Anna", "Boris"], command=SHORT)
    watcher = await chat.newcomer("Watcher")
    chance = random.Random(6)
    chosen = Chosen()
    table = await newest_public(watcher, "· deck")
    person, shown, token = await choose(people, chance, chosen)
    other = people[1 - people.index(person)]
    (hand, *_) = await until(other.private, "the other hand")
    seen_by_watcher = len(await watcher.public())

    async with nothing_happens(bot):
        assert "not at this table" in await watcher.forces(table, token)
        assert is_short(await other.forces(hand, token))
        for mangled in MANGLED:
            assert is_short(await person.forces(shown, mangled)), mangled

    before = len(journal(bot.database))
    await asyncio.gather(person.forces(shown, token), person.forces(shown, token))
    assert [line.text for line in journal(bot.database)[before:] if line.author == Author.PLAYER] == [
        token[6:]
    ]

    async with nothing_happens(bot):
        assert "moved on" in await person.forces(shown, token)

    assert len(await watcher.public()) <= seen_by_watcher  # a call at the first turn is gone by now
    assert not [read for read in watcher.has_read() if "have that card" in read.text]

    await play_on(people, chance, chosen=chosen)
    await until(lambda: result(people[0]), "the result")
    async with nothing_happens(bot):
        assert is_short(await person.forces(shown, token))
        assert "All set" in await heard(watcher, "/hand") or "no cards" in await heard(watcher, "/hand")

    await press(people[0], "Rematch")
    async with nothing_happens(bot):
        assert is_short(await person.forces(shown, token))


async def test_names_are_shown_safely(chat: Chat, bot: BotProcess) -> None:
    names = {name: shown for name, shown in NAMES.items() if chat.admits_the_nameless or name != NOTHING}
    people = await gather(chat, list(names))
    table = await newest_public(people[0], "· deck")
    for shown in names.values():
        assert f" {shown} · " in table.text

    assert {line.seat for line in journal(bot.database)} == {None}
