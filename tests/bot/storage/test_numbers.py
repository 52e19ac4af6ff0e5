"""The ids of people and servers are looked up once, and never mixed up."""

import pytest
from sqlmodel import Session

from bot.storage import Database, PlayerStore, PrivacyStore, ServerStore
from bot.storage.models import PlayerRow, ServerRow
from bot.storage.numbers import find_or_add, id_of, look_up, number_of
from tests.bot.chat import ROOM
from tests.bot.running_bot import ANNA, BORIS, CLARA
from tests.bot.statements import counted


async def number_on_disk(database: Database) -> int:
    return await database.read(lambda session: id_of(session, PlayerRow, ANNA.ref))


async def test_a_number_that_was_written_is_not_read_again(database: Database) -> None:
    number = await database.write(lambda session: number_of(session, PlayerRow, ANNA.ref))
    with counted() as statements:
        assert await number_on_disk(database) == number
    assert statements.all == statements.readers


async def test_a_number_whose_write_fails_is_not_kept(database: Database) -> None:
    def fail(session: Session) -> None:
        number_of(session, PlayerRow, ANNA.ref)
        raise ValueError

    with pytest.raises(ValueError, match=r"^$"):
        await database.write(fail)
    assert await number_on_disk(database) == 0


async def test_whoever_comes_back_after_being_forgotten_is_somebody_new(database: Database) -> None:
    number = await database.write(lambda session: number_of(session, PlayerRow, ANNA.ref))
    await PrivacyStore(database).forget(ANNA.ref, None)
    assert await number_on_disk(database) == 0

    await PlayerStore(database).remember(ANNA)
    assert await number_on_disk(database) not in {0, number}


async def test_a_private_chat_is_forgotten_with_its_person(database: Database) -> None:
    await ServerStore(database).choose(ROOM.server, locale="de")
    before = await database.write(lambda session: number_of(session, ServerRow, ROOM.server))
    await PrivacyStore(database).forget(ANNA.ref, ROOM.server)
    await ServerStore(database).choose(ROOM.server, locale="lt")
    after = await database.write(lambda session: number_of(session, ServerRow, ROOM.server))
    assert after != before


async def test_many_people_are_looked_up_by_one_statement(database: Database) -> None:
    people = [ANNA.ref, BORIS.ref, CLARA.ref]
    await PlayerStore(database).remember(ANNA)

    def numbers(session: Session) -> list[int]:
        look_up(session, people)
        return [id_of(session, PlayerRow, user) for user in people]

    fresh = Database(str(database.url.render_as_string(hide_password=False)), database.schema)
    await fresh.open()
    with counted() as statements:
        anna, *others = await fresh.read(numbers)

    assert statements.all - statements.readers == 1
    assert anna == await number_on_disk(database)
    assert others == [0, 0]
    await fresh.close()


async def test_within_a_write_a_new_person_is_known_at_once(database: Database) -> None:
    def twice(session: Session) -> tuple[int, int]:
        assert id_of(session, PlayerRow, ANNA.ref) == 0
        return find_or_add(session, PlayerRow, ANNA.ref).id, id_of(session, PlayerRow, ANNA.ref)

    first, second = await database.write(twice)
    assert first == second > 0
