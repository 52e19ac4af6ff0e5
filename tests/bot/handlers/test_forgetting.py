"""Who asks to be forgotten is: on disk, in memory, in the chat, for good."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from adapters.port import RoomRef, User
from bot.model.table import Phase, Table
from bot.storage import Database
from bot.storage.models import Base
from tests.bot.chat import CELLAR, ROOM, Sent, own_room, person
from tests.bot.house import BORIS, CLARA, House

THEA = person("Theodora")
ATTIC, YARD = RoomRef(ROOM.server, "attic"), RoomRef(ROOM.server, "yard")
FAREWELL = "Done: nothing here knows you any more."
OF_THE_PAGE = {"guest", "message", "message_file"}
"""Tables that only the page fills; its own test looks through them."""


async def tables(database: Database) -> dict[str, str]:
    """Give everything that every table holds, as text."""
    async with database.session() as session:
        connection = await session.connection()
        return {
            table.name: "\n".join(str(tuple(row)) for row in await connection.execute(table.select()))
            for table in Base.metadata.sorted_tables
        }


def tell(text: str) -> bool:
    return "Theodora" in text


async def knows(house: House) -> list[str]:
    """Name the tables of the database, and its files, that know her."""
    files = [Path(house.file + suffix) for suffix in ("", "-wal", "-shm")]
    return [
        *(name for name, text in (await tables(house.database)).items() if tell(text)),
        *(file.name for file in files if file.exists() and tell(file.read_text(errors="ignore"))),
    ]


async def forgotten(house: House) -> int:
    """Let her be forgotten; gives how much the bot had sent until it told her so."""
    await house.settle()
    before = len(house.chat.sent)
    reply = await house.chat.types(THEA, "/forgetme yes")
    assert reply.toast == FAREWELL
    assert (reply.private, reply.public) == (None, None)
    return before


def sent_to_her(house: House, since: int) -> Sequence[Sent]:
    return [sent for sent in house.chat.sent[since:] if sent.place in (THEA.ref, own_room(THEA))]


async def seated(house: House, table: Table) -> Table:
    return await house.bot.tables.table(table.id)


async def reviewed(house: House, user: User) -> None:
    """Wait until somebody has the review they asked for."""
    await house.until(lambda: any(each.text.startswith("Review") for each in house.chat.sees_alone(user)))


async def everywhere(house: House) -> tuple[Table, Table, Table]:
    """Let her leave a trace in every table of the database: a game over, one that runs, and a lobby."""
    house.chat.moderators.add(THEA.ref)
    await house.chat.types(THEA, "/language en")
    alone = await house.opened(THEA, room=own_room(THEA))
    await house.chat.types(THEA, "/settings save mine", own_room(THEA))
    await house.bot.tables.change(alone.id, lambda now: now.add_house(THEA.ref))
    await house.bot.tables.start(alone.id, THEA.ref, event="alone")
    over = await house.dealt(THEA, BORIS)
    await house.bot.tables.resign(over.id, BORIS)
    await house.chat.types(THEA, "/review")
    await reviewed(house, THEA)
    going_on = await house.dealt(BORIS, THEA, CLARA, room=CELLAR)
    table = await house.opened(THEA, BORIS, room=ATTIC)
    await house.settle()
    return over, going_on, table


async def test_nothing_anywhere_tells_of_who_was_forgotten(house: House) -> None:
    over, going_on, table = await everywhere(house)
    kept = await tables(house.database)
    assert {name for name, text in kept.items() if not text} <= OF_THE_PAGE, "she leaves no trace there"
    assert await knows(house)
    since = await forgotten(house)
    assert await knows(house) == []

    await house.skip(60)
    assert await knows(house) == []
    await house.bot.tables.rematch(over.id, BORIS)
    await house.settle()
    await house.chat.presses(CLARA, house.table_message().ref, "Join")
    await house.chat.presses(BORIS, house.table_message().ref, "Start")
    await house.plays(going_on)
    await house.skip(60)
    assert await knows(house) == []
    await house.restart()
    await house.bot.tables.resign(going_on.id, CLARA)
    await house.skip(60)
    assert await knows(house) == []
    assert sent_to_her(house, since) == []
    assert (await seated(house, table)).people() == (BORIS.ref,)


async def test_a_house_player_takes_the_seat_for_good_and_the_game_goes_on(house: House) -> None:
    table = await house.dealt(THEA, BORIS, rules="podkidnoy-24 hand_size=12 throw_in=none")
    await forgotten(house)
    await house.settle()
    assert not tell("".join(message.text for message in house.chat.room_sees()))
    while (await house.session(table)).outcome is None:
        if await house.waiting_seat(table) == 1:
            await house.plays(table)
        await house.skip(1)
    await house.settle()
    assert (await seated(house, table)).phase is Phase.OVER
    assert "1 game" in str(await house.chat.types(BORIS, "/stats"))


async def test_a_lobby_goes_on_without_who_opened_it_and_closes_when_nobody_is_left(house: House) -> None:
    shared, alone = await house.opened(THEA, BORIS), await house.opened(THEA, room=CELLAR)
    await forgotten(house)
    assert (await seated(house, shared)).opener == BORIS.ref
    assert (await seated(house, alone)).phase is Phase.CLOSED


async def test_a_hand_on_its_way_leaves_no_trace(house: House) -> None:
    table = await house.opened(THEA, BORIS)
    gate = house.chat.gates[THEA.ref] = asyncio.Event()
    await house.chat.presses(THEA, house.table_message().ref, "Start")
    await house.settle()
    await house.chat.types(THEA, "/forgetme yes")
    gate.set()
    await house.skip(60)
    assert await knows(house) == []
    assert (await seated(house, table)).players[0].is_forgotten


async def test_a_review_that_comes_too_late_comes_to_nobody(house: House) -> None:
    table = await house.dealt(THEA, BORIS)
    await house.bot.tables.resign(table.id, BORIS)
    await house.chat.types(THEA, "/review")
    since = await forgotten(house)
    await house.chat.types(BORIS, "/review")  # is looked at after hers
    await reviewed(house, BORIS)
    assert sent_to_her(house, since) == []
    assert await knows(house) == []


async def test_who_comes_back_is_somebody_new(house: House) -> None:
    table = await house.dealt(THEA, BORIS)
    hand = house.hand_message(THEA)
    await forgotten(house)
    old = await house.chat.presses_token(THEA, hand.ref, hand.buttons[0].token)
    assert old.toast == "There is no such table here. /durak opens a new one."
    assert await knows(house) == []
    again = await house.opened(BORIS, THEA, room=CELLAR)
    assert (await seated(house, again)).people() == (BORIS.ref, THEA.ref)
    assert (await seated(house, table)).seat_of(THEA.ref) is None


async def test_a_stranger_whose_press_does_nothing_is_not_written_down(house: House) -> None:
    table = await house.dealt(BORIS, CLARA)
    table_message = house.table_message().ref
    told = await house.chat.presses_token(replace(THEA, locale="de"), table_message, f"h:{table.id}")
    assert told.toast == "Du sitzt nicht an diesem Tisch."
    await house.chat.types(THEA, "/help")
    await house.chat.types(THEA, "/stats")
    assert await knows(house) == []


async def test_who_joins_by_their_first_press_is_known_by_name_and_language(house: House) -> None:
    await house.opened(BORIS)
    await house.chat.presses(replace(THEA, locale="de"), house.table_message().ref, "Join")
    kept = (await tables(house.database))["player"]
    assert "'Theodora', 'de'" in kept
