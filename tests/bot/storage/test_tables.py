"""Tables and their people: stored unchanged, one in use per room, and found by room and by person."""

import asyncio
from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, select

from adapters.port import RoomRef, ServerRef, User, UserRef
from bot.model.choices import TableOptions
from bot.model.refusal import RefusedError
from bot.model.table import Phase, Table
from bot.storage import Database, TableStore
from bot.storage.models import TableRow
from engine import PRESETS
from tests.bot.databases import rows
from tests.bot.storage.samples import (
    ANNA,
    BORIS,
    CLARA,
    ROOM,
    RULES,
    SEED,
    SERVER,
    open_table,
    opened,
    playing,
    saved,
)
from tests.engine.rules.games import valid_rules
from tests.examples import examples

NAMES = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=64)
REFS = st.builds(UserRef, st.sampled_from(["telegram", "discord"]), st.sampled_from(["1", "2", "3", "x"]))
USERS = st.builds(User, REFS, NAMES)

Change = Callable[[Table], Table]


@st.composite
def changes(draw: st.DrawFn) -> Change:
    """Draws something that people can change about a table."""
    user = draw(USERS)
    seed = draw(st.text("0123456789abcdef", min_size=1, max_size=32))
    rules = draw(st.one_of(st.sampled_from(list(PRESETS.values())), valid_rules()))
    options = TableOptions(
        throw_in_seconds=draw(st.none() | st.integers(0, 60)),
        clock=draw(st.integers(0, 3600)),
        hints=draw(st.booleans()),
    )
    possible: list[Change] = [
        lambda table: table.join(user),
        lambda table: table.leave(user.ref),
        lambda table: table.add_house(table.opener),
        lambda table: table.remove_house(table.opener),
        lambda table: table.start(table.opener),
        lambda table: table.with_phase(Phase.OVER),
        lambda table: table.rematch(user, seed),
        lambda table: replace(table, rules=rules, preset="perevodnoy", locale="ru"),
        lambda table: replace(table, options=options),
    ]
    return draw(st.sampled_from(possible))


@given(USERS, st.lists(changes(), max_size=30))
@examples(30)
async def test_whatever_people_do_to_a_table_is_kept(opener: User, done: list[Change]) -> None:
    async with opened() as database:
        table_store = TableStore(database, lambda: 1234.5)
        table = await table_store.open(
            room=RoomRef(SERVER, "5", "7"),
            opener=opener,
            preset="podkidnoy-36",
            rules=RULES,
            seed=SEED,
            locale="de",
        )
        for change in done:
            try:
                table = change(table)
            except RefusedError:
                continue

            await table_store.save(table)
            assert await table_store.get(table.id) == table


async def test_a_new_table_seats_its_opener(database: Database) -> None:
    table = await TableStore(database, lambda: 1234.5).open(
        room=ROOM, opener=ANNA, preset="podkidnoy-36", rules=RULES, seed=SEED, locale="de"
    )
    assert (table.room, table.opener, table.rules, table.seed) == (ROOM, ANNA.ref, RULES, SEED)
    assert [(player.name, player.user) for player in table.players] == [(ANNA.name, ANNA.ref)]
    assert (table.phase, table.game, table.opened_at, table.locale) == (Phase.LOBBY, 1, 1234.5, "de")
    assert await TableStore(database).get(table.id) == table


async def test_a_table_that_never_was_is_not_found(database: Database) -> None:
    assert await TableStore(database).get(99) is None
    assert await TableStore(database).in_room(ROOM) is None
    assert await TableStore(database).of_player(ANNA.ref) == []


@pytest.mark.parametrize("name", ["", "\ud83d", "Anna\0", "\u202eanna", "'; DROP TABLE seat; --", "👑" * 64])
async def test_no_name_is_too_strange_to_sit_down(database: Database, name: str) -> None:
    table = await open_table(database, opener=User(ANNA.ref, name))
    table = await saved(database, table.join(User(BORIS.ref, name)))
    found = await TableStore(database).get(table.id)
    assert found is not None
    assert found.people() == (ANNA.ref, BORIS.ref)


# --- one table in a room ------------------------------------------------------------------------------------


@pytest.mark.parametrize("phase", [Phase.LOBBY, Phase.PLAYING])
async def test_a_room_with_a_table_in_use_gets_no_other(database: Database, phase: Phase) -> None:
    table = await saved(database, (await open_table(database)).with_phase(phase))
    assert await open_table(database, opener=BORIS) == table
    assert await TableStore(database).in_room(ROOM) == table


@pytest.mark.parametrize("phase", [Phase.OVER, Phase.CLOSED])
async def test_a_room_whose_table_is_done_gets_another(database: Database, phase: Phase) -> None:
    table = await saved(database, (await open_table(database)).with_phase(phase))
    assert await TableStore(database).in_room(ROOM) is None
    assert (await open_table(database)).id > table.id


async def test_each_topic_and_each_room_has_its_own_table(database: Database) -> None:
    rooms = [
        ROOM,
        RoomRef(SERVER, ROOM.id, "7"),
        RoomRef(SERVER, "8"),
        RoomRef(ServerRef("discord", "9"), "8"),
    ]
    tables = [(await open_table(database, room)).id for room in rooms]
    assert len(set(tables)) == len(rooms)
    assert [found.id for room in rooms if (found := await TableStore(database).in_room(room))] == tables


async def test_who_opens_at_the_same_moment_gets_the_same_table(database_url: str) -> None:
    async with opened(database_url) as mine, opened(database_url) as theirs:
        people = [ANNA, BORIS, CLARA] * 3
        tables = await asyncio.gather(
            *[open_table((mine, theirs)[n % 2], opener=user) for n, user in enumerate(people)]
        )
        assert len({table.id for table in tables}) == 1
        assert len({table.opener for table in tables}) == 1


async def test_the_database_itself_refuses_a_second_table_in_use(database: Database) -> None:
    first = await saved(database, (await open_table(database)).with_phase(Phase.OVER))
    await open_table(database)
    with pytest.raises(IntegrityError):
        await saved(database, first.rematch(ANNA, SEED))
    assert await TableStore(database).get(first.id) == first


# --- damage -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("column", ["rules", "house_rules", "preset"])
async def test_a_table_whose_rules_cannot_be_read_is_damaged_and_can_only_be_put_away(
    database: Database, column: str
) -> None:
    table = await open_table(database)

    def damage(session: Session) -> None:
        setattr(session.get_one(TableRow, table.id), column, "something of long ago")

    await database.write(damage)
    table_store = TableStore(database)
    damaged = await table_store.in_room(table.room)
    assert damaged is not None
    assert (damaged.is_damaged, damaged.id, damaged.players) == (True, table.id, table.players)
    await table_store.save(damaged.close())
    (row,) = await rows(database, select(TableRow))
    assert row.phase == Phase.CLOSED
    assert getattr(row, column) == "something of long ago"


# --- finding ------------------------------------------------------------------------------------------------


async def test_a_persons_games_are_those_that_run_newest_first(database: Database) -> None:
    times = iter(range(1000))
    table_store = TableStore(database, lambda: float(next(times)))
    first = await playing(database, RoomRef(SERVER, "1"))
    second = await playing(database, RoomRef(SERVER, "2"), people=(ANNA, CLARA))
    await playing(database, RoomRef(SERVER, "3"), people=(BORIS, CLARA))
    await open_table(database, RoomRef(SERVER, "4"))
    for table in (first, second):
        await table_store.save(table)

    assert await table_store.of_player(ANNA.ref) == [second, first]
    await table_store.save(first)
    assert await table_store.of_player(ANNA.ref) == [first, second]
    await table_store.save(second.with_phase(Phase.OVER))
    assert await table_store.of_player(ANNA.ref) == [first]


async def test_who_left_before_the_rematch_is_not_in_it(database: Database) -> None:
    table = (await playing(database)).with_phase(Phase.OVER).rematch(ANNA, SEED).join(CLARA)
    await saved(database, table.with_phase(Phase.PLAYING))
    assert await TableStore(database).of_player(BORIS.ref) == []
    assert len(await TableStore(database).of_player(CLARA.ref)) == 1
