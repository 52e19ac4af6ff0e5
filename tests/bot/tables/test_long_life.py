"""A process that runs for months keeps only current data in memory, and finds everything else on disk."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

from adapters.port import RoomRef
from bot.model.table import Phase, Table
from bot.tables.service import NEEDED_SECONDS
from engine.runtime import KeyedLocks
from tests.bot.chat import ROOM, person
from tests.bot.running_bot import ANNA, BORIS, SHORT_GAME, RunningBot

TABLES = 12  # a thousand give the same numbers, in minutes
OURS = ("bot.", "engine.")


def kept(root: object) -> Counter[str]:
    """Returns the size of each collection of the bot's parts, by its owner's class and its name."""
    found: Counter[str] = Counter()
    seen: set[int] = set()
    waiting = [root]
    while waiting:
        owner = waiting.pop()
        if id(owner) in seen:
            continue

        seen.add(id(owner))
        for name, value in _attributes(owner):
            if isinstance(value, Collection) and not isinstance(value, str | bytes):
                found[f"{type(owner).__name__}.{name}"] += len(value)
            waiting += _parts(value)

    return found


def _attributes(owner: object) -> Iterator[tuple[str, Any]]:
    yield from getattr(owner, "__dict__", {}).items()


def _parts(value: object) -> Iterator[object]:
    inside: Iterable[object] = ()
    if isinstance(value, Mapping):
        inside = value.values()
    elif isinstance(value, list | set):
        inside = value

    for part in (value, *inside):
        if type(part).__module__.startswith(OURS):
            yield part


async def played(bot: RunningBot, number: int) -> Table:
    """Opens a table in a new room, shows cards, leaves, and waits until everyone is gone."""
    room = RoomRef(ROOM.server, f"room {number}")
    user = person(f"Guest {number}")
    table = await bot.opened(user, room=room)
    table_message = bot.table_message(room).ref

    await bot.chat.presses(user, table_message, "Add bot")
    await bot.chat.presses(user, table_message, "Start")
    await bot.settle()
    await bot.chat.presses(user, table_message, "My hand")
    await bot.chat.presses(user, bot.hand_message(user).ref, "⇅ By suit")
    await bot.chat.types(user, "/stop", room)

    return table


async def test_nothing_is_kept_of_tables_that_are_closed(bot: RunningBot) -> None:
    await played(bot, 0)
    await bot.skip(3600.0)
    before = kept(bot.app)

    for number in range(1, TABLES):
        await played(bot, number)
        if not number % 10:
            bot.chat.messages.clear()  # they would make the test slow, not the bot

    crowded = kept(bot.app)
    assert crowded["TableService.known"] == crowded["GameSessions._known"] == TABLES - 1
    assert crowded["MessageIndex._subjects"] == TABLES - 1

    await bot.skip(3600.0)
    grown = {name: count for name, count in kept(bot.app).items() if count > before[name]}
    assert grown.pop("Reachability._found_cards", 0) < TABLES  # who pressed My hand, up to a limit
    assert grown == {
        name: before[name] + places * (TABLES - 1)  # up to a limit
        for name, places in (
            ("People._named", 2),  # in the room and in private
            ("People._seen", 1),
            ("ReadThroughCache._known", 2),  # their choices, and whether they are new to the game
            ("NoticeLog._latest", 1),
            ("Portraits._requests", 1),
        )
    }


async def test_a_game_that_is_over_is_kept_for_a_day_and_goes_on_after_that(bot: RunningBot) -> None:
    table = await bot.dealt(ANNA, BORIS, rules=SHORT_GAME)
    await bot.plays_to_the_end(table)
    result = bot.chat.room_sees()[-1].ref
    await bot.skip(NEEDED_SECONDS[Phase.OVER] - 3600.0)
    assert kept(bot.app)["TableService.known"] == 1

    await bot.skip(7200.0)
    assert not {
        name
        for name in (
            "TableService.known",
            "GameSessions._known",
            "MessageIndex._subjects",
        )
        if kept(bot.app)[name]
    }

    before = bot.chat.room_sees()
    assert (await bot.chat.types(ANNA, "/verify")).document is not None
    assert (await bot.chat.presses(BORIS, result, "Rematch")).toast is None

    await bot.settle()
    assert (await bot.app.tables.table(table.id)).phase is Phase.LOBBY
    assert [message.ref for message in bot.chat.room_sees()][: len(before)] == [each.ref for each in before]

    await bot.chat.presses(ANNA, bot.table_message().ref, "Join")
    await bot.chat.presses(BORIS, bot.table_message().ref, "Start")
    await bot.settle()
    again = await bot.app.tables.table(table.id)
    assert again.game == 2

    await bot.plays(again)


async def test_an_old_button_brings_a_table_back_for_a_while_only(bot: RunningBot) -> None:
    table = await bot.dealt(ANNA, BORIS)
    hand = bot.hand_message(ANNA).ref
    await bot.stopped(ANNA, BORIS)
    await bot.skip(7200.0)
    reply = await bot.chat.presses_token(ANNA, hand, f"m:{table.id}:1:T")
    assert reply.toast == "This game is over."
    assert kept(bot.app)["TableService.known"] == 1

    await bot.skip(7200.0)
    assert kept(bot.app)["TableService.known"] == 0


async def test_buttons_with_numbers_of_no_table_leave_nothing_behind(bot: RunningBot) -> None:
    await bot.opened(ANNA)
    await bot.chat.presses_token(ANNA, bot.table_message().ref, "h:99")  # its reason is counted for a minute
    before = kept(bot.app)
    for number in range(100, 200):
        await bot.chat.presses_token(ANNA, bot.table_message().ref, f"h:{number}")

    after = kept(bot.app)
    assert {name: count for name, count in after.items() if count > before[name]} == {}


async def test_a_table_that_waits_for_somebody_is_never_let_go(bot: RunningBot) -> None:
    table = await bot.dealt(ANNA, BORIS)
    await bot.app.tables.change(table.id, lambda now: now.pause(is_paused=True))
    session = await bot.session(table)
    for _ in range(3):
        await bot.skip(86_400.0)

    assert await bot.session(table) is session


async def test_a_lock_lives_as_long_as_somebody_holds_or_awaits_it() -> None:
    locks = KeyedLocks()
    async with locks["a"]:
        assert locks["a"].locked()
        assert not locks["b"].locked()

    assert not locks["a"].locked()
    assert not vars(locks)["_locks"]
