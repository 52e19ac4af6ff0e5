"""A person who was met before they had a row gets one with their names in it."""

from dataclasses import replace

import pytest
from sqlmodel import Session, select

from bot.model.profile import Profile
from bot.storage import Database, PlayerStore, PrivacyStore, ServerStore
from bot.storage.models import NicknameRow, PlayerRow, ServerRow
from bot.storage.names import Meeting
from bot.storage.numbers import find_or_add, number_of
from tests.bot.chat import ROOM
from tests.bot.databases import rows
from tests.bot.running_bot import ANNA, BORIS

HERE = ROOM.server
WITH_HANDLE = replace(ANNA, handle="anna_k", locale="lt")


async def seat(database: Database) -> int:
    """Adds the rows of a server and of Anna, as a press that seats her does."""

    def add(session: Session) -> int:
        number_of(session, ServerRow, HERE)
        return number_of(session, PlayerRow, ANNA.ref)

    return await database.write(add)


async def test_the_row_of_a_newcomer_has_all_their_names(database: Database) -> None:
    players = PlayerStore(database)
    meeting = Meeting(WITH_HANDLE, HERE)
    assert await players.meet(meeting) == (None, False)
    assert not players.take_record(meeting)

    number = await seat(database)

    [anna] = await rows(database, select(PlayerRow))
    assert (anna.id, anna.name, anna.handle, anna.locale) == (number, "Anna", "anna_k", "lt")
    [nickname] = await rows(database, select(NicknameRow))
    assert (nickname.player_id, nickname.name) == (number, "Anna")
    assert players.take_record(meeting)
    assert not players.take_record(meeting)
    assert await players.profile(ANNA.ref) == Profile(language="lt")


async def test_a_meeting_on_a_server_without_games_is_not_complete(database: Database) -> None:
    players = PlayerStore(database)
    await players.meet(Meeting(ANNA, HERE))
    await players.choose(ANNA.ref, language="de")
    assert not players.take_record(Meeting(ANNA, HERE))


async def test_a_row_that_was_not_committed_is_not_on_record(database: Database) -> None:
    players = PlayerStore(database)
    meeting = Meeting(ANNA, None)
    await players.meet(meeting)

    def fail(session: Session) -> None:
        find_or_add(session, PlayerRow, ANNA.ref)
        raise ValueError

    with pytest.raises(ValueError, match=r"^$"):
        await database.write(fail)

    assert not players.take_record(meeting)
    await seat(database)
    assert players.take_record(meeting)


async def test_a_newer_name_is_stored_after_the_row(database: Database) -> None:
    players = PlayerStore(database)
    await players.meet(Meeting(ANNA, HERE))
    await seat(database)
    await players.meet(Meeting(replace(ANNA, name="Anka"), HERE))
    assert not players.take_record(Meeting(ANNA, HERE))
    assert [row.name for row in await rows(database, select(PlayerRow))] == ["Anka"]


async def test_a_handle_is_taken_from_the_person_who_had_it(database: Database) -> None:
    players = PlayerStore(database)
    await players.remember(replace(BORIS, handle="anna_k"))
    await players.meet(Meeting(WITH_HANDLE, HERE))
    await seat(database)
    found = await players.find(ANNA.ref.platform, "anna_k")
    assert found is not None
    assert found.ref == ANNA.ref


async def test_a_forgotten_newcomer_is_forgotten_in_memory(database: Database) -> None:
    players = PlayerStore(database)
    await players.meet(Meeting(ANNA, HERE))
    await PrivacyStore(database).forget(ANNA.ref, None)
    await ServerStore(database).choose(HERE, locale="de")
    await seat(database)
    assert [row.name for row in await rows(database, select(PlayerRow))] == [""]
