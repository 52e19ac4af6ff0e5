"""A process that lives for months keeps what is needed now, and finds everything else on disk."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from adapters.port import RoomRef
from bot.model.table import Phase, Table
from bot.tables.service import NEEDED_SECONDS
from engine.runtime import Locks
from tests.bot.chat import ROOM, person
from tests.bot.house import ANNA, BORIS, SHORT_GAME, House

TABLES = 12
"""A thousand give the same numbers, in minutes."""

OURS = ("bot.", "engine.")


def kept(root: object) -> Counter[str]:
    """How much each collection holds that the bot's parts keep, by its owner's class and its name."""
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
    inside = value.values() if isinstance(value, Mapping) else value if isinstance(value, list | set) else ()
    for each in (value, *inside):
        if type(each).__module__.startswith(OURS):
            yield each


async def played(house: House, number: int) -> Table:
    """Somebody opens a table in a room of their own, looks at cards, leaves, and everybody goes away."""
    room, user = RoomRef(ROOM.server, f"room {number}"), person(f"Guest {number}")
    table = await house.opened(user, room=room)
    table_message = house.table_message(room).ref
    await house.chat.presses(user, table_message, "Add house")
    await house.chat.presses(user, table_message, "Start")
    await house.settle()
    await house.chat.presses(user, table_message, "My hand")
    await house.chat.presses(user, house.hand_message(user).ref, "⇅ By suit")
    await house.chat.types(user, "/stop", room)
    return table


async def test_nothing_is_kept_of_tables_that_are_closed(house: House) -> None:
    await played(house, 0)
    await house.skip(3600.0)
    before = kept(house.bot)
    for number in range(1, TABLES):
        await played(house, number)
        if not number % 10:
            house.chat.messages.clear()  # they would make the test slow, not the bot
    crowded = kept(house.bot)
    assert crowded["TableCache._known"] == crowded["GameSessions._known"] == TABLES - 1
    assert crowded["MessageIndex._tables"] == TABLES - 1
    await house.skip(3600.0)
    assert {name: count for name, count in kept(house.bot).items() if count > before[name]} == {
        name: before[name] + places * (TABLES - 1)  # up to a limit
        for name, places in (
            ("People._named", 2),  # in the room and in private
            ("People._profiles", 1),
        )
    }


async def test_a_game_that_is_over_is_kept_for_a_day_and_goes_on_after_that(house: House) -> None:
    table = await house.dealt(ANNA, BORIS, rules=SHORT_GAME)
    await house.plays_to_the_end(table)
    result = house.chat.room_sees()[-1].ref
    await house.skip(NEEDED_SECONDS[Phase.OVER] - 3600.0)
    assert kept(house.bot)["TableCache._known"] == 1
    await house.skip(7200.0)
    assert not {
        name
        for name in ("TableCache._known", "GameSessions._known", "MessageIndex._tables", "Outbox._places")
        if kept(house.bot)[name]
    }
    before = house.chat.room_sees()
    assert (await house.chat.types(ANNA, "/verify")).document is not None
    assert (await house.chat.presses(BORIS, result, "Rematch")).toast is None
    await house.settle()
    assert (await house.bot.tables.table(table.id)).phase is Phase.LOBBY
    assert [message.ref for message in house.chat.room_sees()][: len(before)] == [each.ref for each in before]
    await house.chat.presses(BORIS, house.table_message().ref, "Start")
    await house.settle()
    again = await house.bot.tables.table(table.id)
    assert again.game == 2
    await house.plays(again)


async def test_an_old_button_brings_a_table_back_for_a_while_only(house: House) -> None:
    table = await house.dealt(ANNA, BORIS)
    hand = house.hand_message(ANNA).ref
    await house.stopped(ANNA, BORIS)
    await house.skip(7200.0)
    reply = await house.chat.presses_token(ANNA, hand, f"m:{table.id}:1:T")
    assert reply.toast == "This game is over."
    assert kept(house.bot)["TableCache._known"] == 1
    await house.skip(7200.0)
    assert kept(house.bot)["TableCache._known"] == 0


async def test_buttons_with_numbers_of_no_table_leave_nothing_behind(house: House) -> None:
    await house.opened(ANNA)
    before = kept(house.bot)
    for number in range(100, 200):
        await house.chat.presses_token(ANNA, house.table_message().ref, f"h:{number}")
    after = kept(house.bot)
    assert {name: count for name, count in after.items() if count > before[name]} == {}


async def test_a_table_that_waits_for_somebody_is_never_let_go(house: House) -> None:
    table = await house.dealt(ANNA, BORIS)
    await house.bot.tables.change(table.id, lambda now: now.pause(is_paused=True))
    session = await house.session(table)
    for _ in range(3):
        await house.skip(86_400.0)
    assert await house.session(table) is session


async def test_a_lock_lives_as_long_as_somebody_holds_or_awaits_it() -> None:
    locks = Locks()
    async with locks["a"]:
        assert locks["a"].locked()
        assert not locks["b"].locked()
    assert not locks["a"].locked()
    assert not vars(locks)["_locks"]
