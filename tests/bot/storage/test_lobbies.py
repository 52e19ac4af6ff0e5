"""Tables and their people: kept as they are, one in use per room, found by room and by person."""

import asyncio
from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy.exc import IntegrityError

from adapters.port import RoomRef, ServerRef, User, UserRef
from bot.model.table import Lobby, LobbyRefusedError, Phase
from bot.model.table_options import TableOptions
from bot.storage import Database, Lobbies
from bot.storage.models import TableRow
from bot.storage.tables import REPAIRED_FOR
from engine import PRESETS
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

NAMES = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=64)
REFS = st.builds(UserRef, st.sampled_from(["telegram", "discord"]), st.sampled_from(["1", "2", "3", "x"]))
USERS = st.builds(User, REFS, NAMES)

Change = Callable[[Lobby], Lobby]


@st.composite
def changes(draw: st.DrawFn) -> Change:
    """Draws something that people do to a table."""
    user = draw(USERS)
    seed = draw(st.text("0123456789abcdef", min_size=1, max_size=32))
    rules = draw(st.one_of(st.sampled_from(list(PRESETS.values())), valid_rules()))
    options = TableOptions(
        auto_done=draw(st.booleans()), clock=draw(st.integers(0, 3600)), hints=draw(st.booleans())
    )
    possible: list[Change] = [
        lambda lobby: lobby.join(user),
        lambda lobby: lobby.leave(user.ref),
        lambda lobby: lobby.add_house(lobby.opener),
        lambda lobby: lobby.remove_house(lobby.opener),
        lambda lobby: lobby.start(lobby.opener),
        lambda lobby: lobby.entered(Phase.OVER),
        lambda lobby: lobby.rematch(user, seed),
        lambda lobby: replace(lobby, rules=rules, preset="perevodnoy", locale="ru"),
        lambda lobby: replace(lobby, options=options),
    ]
    return draw(st.sampled_from(possible))


@given(USERS, st.lists(changes(), max_size=30))
@settings(max_examples=30, deadline=None)
async def test_whatever_people_do_to_a_table_is_kept(opener: User, done: list[Change]) -> None:
    async with opened() as database:
        lobbies = Lobbies(database, lambda: 1234.5)
        lobby = await lobbies.open(
            room=RoomRef(SERVER, "5", "7"),
            opener=opener,
            preset="podkidnoy-36",
            rules=RULES,
            seed=SEED,
            locale="de",
        )
        for change in done:
            try:
                lobby = change(lobby)
            except LobbyRefusedError:
                continue
            await lobbies.save(lobby)
            assert await lobbies.get(lobby.id) == lobby


async def test_a_new_table_seats_its_opener(database: Database) -> None:
    lobby = await Lobbies(database, lambda: 1234.5).open(
        room=ROOM, opener=ANNA, preset="podkidnoy-36", rules=RULES, seed=SEED, locale="de"
    )
    assert (lobby.room, lobby.opener, lobby.rules, lobby.seed) == (ROOM, ANNA.ref, RULES, SEED)
    assert [(sitter.name, sitter.user) for sitter in lobby.sitters] == [(ANNA.name, ANNA.ref)]
    assert (lobby.phase, lobby.game, lobby.opened_at, lobby.locale) == (Phase.LOBBY, 1, 1234.5, "de")
    assert await Lobbies(database).get(lobby.id) == lobby


async def test_a_table_that_never_was_is_not_found(database: Database) -> None:
    assert await Lobbies(database).get(99) is None
    assert await Lobbies(database).in_room(ROOM) is None
    assert await Lobbies(database).of_player(ANNA.ref) == []


@pytest.mark.parametrize("name", ["", "\ud83d", "Anna\0", "\u202eanna", "'; DROP TABLE seat; --", "👑" * 64])
async def test_no_name_is_too_strange_to_sit_down(database: Database, name: str) -> None:
    lobby = await open_table(database, opener=User(ANNA.ref, name))
    lobby = await saved(database, lobby.join(User(BORIS.ref, name)))
    found = await Lobbies(database).get(lobby.id)
    assert found is not None
    assert found.people() == (ANNA.ref, BORIS.ref)


# --- one table in a room ------------------------------------------------------------------------------------


@pytest.mark.parametrize("phase", [Phase.LOBBY, Phase.PLAYING])
async def test_a_room_with_a_table_in_use_gets_no_other(database: Database, phase: Phase) -> None:
    lobby = await saved(database, (await open_table(database)).entered(phase))
    assert await open_table(database, opener=BORIS) == lobby
    assert await Lobbies(database).in_room(ROOM) == lobby


@pytest.mark.parametrize("phase", [Phase.OVER, Phase.CLOSED])
async def test_a_room_whose_table_is_done_gets_another(database: Database, phase: Phase) -> None:
    lobby = await saved(database, (await open_table(database)).entered(phase))
    assert await Lobbies(database).in_room(ROOM) is None
    assert (await open_table(database)).id > lobby.id


async def test_each_topic_and_each_room_has_its_own_table(database: Database) -> None:
    rooms = [
        ROOM,
        RoomRef(SERVER, ROOM.id, "7"),
        RoomRef(SERVER, "8"),
        RoomRef(ServerRef("discord", "9"), "8"),
    ]
    tables = [(await open_table(database, room)).id for room in rooms]
    assert len(set(tables)) == len(rooms)
    assert [found.id for room in rooms if (found := await Lobbies(database).in_room(room))] == tables


async def test_who_opens_at_the_same_moment_gets_the_same_table(database_url: str) -> None:
    async with opened(database_url) as mine, opened(database_url) as theirs:
        people = [ANNA, BORIS, CLARA] * 3
        tables = await asyncio.gather(
            *[open_table((mine, theirs)[n % 2], opener=user) for n, user in enumerate(people)]
        )
        assert len({table.id for table in tables}) == 1
        assert len({table.opener for table in tables}) == 1


async def test_the_database_itself_refuses_a_second_table_in_use(database: Database) -> None:
    first = await saved(database, (await open_table(database)).entered(Phase.OVER))
    await open_table(database)
    with pytest.raises(IntegrityError):
        await saved(database, first.rematch(ANNA, SEED))
    assert await Lobbies(database).get(first.id) == first


# --- damage -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("column", ["rules", "house_rules", "preset"])
async def test_a_table_whose_rules_cannot_be_read_is_damaged_and_can_only_be_put_away(
    database: Database, column: str
) -> None:
    lobby = await open_table(database)
    async with database.session() as session:
        setattr(await session.get_one(TableRow, lobby.id), column, "something of long ago")
        await session.commit()
    lobbies = Lobbies(database)
    damaged = await lobbies.in_room(lobby.room)
    assert damaged is not None
    assert (damaged.is_damaged, damaged.id, damaged.sitters) == (True, lobby.id, lobby.sitters)
    await lobbies.save(damaged.close())
    async with database.session() as session:
        row = await session.get_one(TableRow, lobby.id)
        assert row.phase == Phase.CLOSED
        assert getattr(row, column) == "something of long ago"


# --- finding ------------------------------------------------------------------------------------------------


async def test_tables_in_use_are_taken_up_after_a_restart_and_finished_ones_for_a_day(
    database: Database,
) -> None:
    now = 1_000_000.0
    lobbies = Lobbies(database, lambda: now)
    tables = {
        phase: await saved_by(lobbies, (await open_table(database, RoomRef(SERVER, phase))).entered(phase))
        for phase in Phase
    }
    in_use = [tables[phase].id for phase in (Phase.LOBBY, Phase.PLAYING)]
    assert await lobbies.unfinished() == [*in_use, tables[Phase.OVER].id]
    now += REPAIRED_FOR + 1
    assert await lobbies.unfinished() == in_use


async def saved_by(lobbies: Lobbies, lobby: Lobby) -> Lobby:
    await lobbies.save(lobby)
    return lobby


async def test_a_persons_games_are_those_that_run_newest_first(database: Database) -> None:
    times = iter(range(1000))
    lobbies = Lobbies(database, lambda: float(next(times)))
    first = await playing(database, RoomRef(SERVER, "1"))
    second = await playing(database, RoomRef(SERVER, "2"), people=(ANNA, CLARA))
    await playing(database, RoomRef(SERVER, "3"), people=(BORIS, CLARA))
    await open_table(database, RoomRef(SERVER, "4"))
    for lobby in (first, second):
        await lobbies.save(lobby)
    assert await lobbies.of_player(ANNA.ref) == [second, first]
    await lobbies.save(first)
    assert await lobbies.of_player(ANNA.ref) == [first, second]
    await lobbies.save(second.entered(Phase.OVER))
    assert await lobbies.of_player(ANNA.ref) == [first]


async def test_who_left_before_the_rematch_is_not_in_it(database: Database) -> None:
    lobby = (await playing(database)).entered(Phase.OVER).rematch(ANNA, SEED).leave(BORIS.ref).join(CLARA)
    await saved(database, lobby.entered(Phase.PLAYING))
    assert await Lobbies(database).of_player(BORIS.ref) == []
    assert len(await Lobbies(database).of_player(CLARA.ref)) == 1
