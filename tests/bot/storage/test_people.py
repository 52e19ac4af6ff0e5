"""The stored facts about people, and about the messages that show a table."""

import asyncio
from dataclasses import replace

import pytest

from adapters.port import MessageRef, RoomRef, ServerRef, User, UserRef
from bot.model.messages import MessageKind, SentMessage, Subject, TableSlot
from bot.storage import Database, MessageSlotStore, PlayerStore, PrivacyStore, ServerStore
from bot.storage.models import PlayerRow
from bot.storage.names import Meeting
from bot.storage.numbers import find
from tests.bot.storage.samples import ANNA, BORIS, SERVER, open_table, person


async def known(database: Database, user: UserRef) -> tuple[str, str] | None:
    row = await database.read(lambda session: find(session, PlayerRow, user))
    return None if row is None else (row.name, row.locale)


async def test_the_newest_name_and_language_are_kept(database: Database) -> None:
    players = PlayerStore(database)
    for user in (ANNA, replace(ANNA, name="Anna K.", locale="uk")):
        await players.remember(user)
    assert await known(database, ANNA.ref) == ("Anna K.", "uk")


async def test_namesakes_and_people_with_one_id_on_two_chats_are_not_mixed_up(database: Database) -> None:
    players = PlayerStore(database)
    twins = [ANNA, replace(BORIS, name=ANNA.name), replace(ANNA, ref=UserRef("discord", ANNA.ref.id))]
    for twin in twins:
        await players.remember(twin)

    await players.set_reachable(twins[2].ref, reachable=False)
    await players.set_reachable(UserRef("telegram", "7"), reachable=True)
    assert await known(database, UserRef("telegram", "7")) is None  # no one is put on record by that
    profiles = [await players.profile(twin.ref) for twin in twins]
    assert [profile and profile.reachable for profile in profiles] == [None, None, False]


@pytest.mark.parametrize("name", ["", "\ud83d\0", "👑" * 64, "\u202e<b>*_`"])
async def test_no_name_is_too_strange_to_be_remembered(database: Database, name: str) -> None:
    await PlayerStore(database).remember(User(ANNA.ref, name))
    assert await known(database, ANNA.ref) is not None


async def test_whether_somebody_can_be_written_to_is_unknown_until_it_was_tried(database: Database) -> None:
    players = PlayerStore(database)
    assert await players.profile(ANNA.ref) is None
    assert (await players.remember(ANNA)).reachable is None
    for answer in (True, False, True):
        changed = await players.set_reachable(ANNA.ref, reachable=answer)
        assert changed == await players.profile(ANNA.ref)
        assert changed is not None
        assert changed.reachable is answer

    assert await known(database, ANNA.ref) == (ANNA.name, ANNA.locale)


async def test_each_surface_has_its_message_until_it_is_dropped(database: Database) -> None:
    table, other = await open_table(database), await open_table(database, RoomRef(SERVER, "2"))
    await PlayerStore(database).remember(BORIS)
    slots = MessageSlotStore(database)
    shown = {
        TableSlot(table.id, game, kind, user): SentMessage(
            MessageRef("telegram", f"{game}{kind}{user}"), "digest"
        )
        for game in (1, 2)
        for kind in MessageKind
        for user in (None, ANNA.ref, BORIS.ref)
    }
    for slot, seen in shown.items():
        await slots.save(slot, seen)

    await slots.save(TableSlot(other.id, 1, MessageKind.TABLE), SentMessage(MessageRef("telegram", "x"), ""))
    assert await slots.load(table.subject) == shown

    changed, gone = list(shown)[:2]
    shown[changed] = SentMessage(MessageRef("telegram", "new"), "other")
    del shown[gone]
    await slots.save(changed, shown[changed])
    for _ in range(2):
        await slots.drop(gone)

    assert await slots.load(table.subject) == shown
    assert len(await slots.load(other.subject)) == 1
    assert await slots.load(Subject.of_table(99)) == {}


async def test_new_people_who_come_at_once_all_get_an_answer(database: Database) -> None:
    """Several messages of the same people on new servers."""
    players, servers = PlayerStore(database), ServerStore(database)
    newcomers = [person(number) for number in range(30) for _ in range(3)]
    await asyncio.gather(
        *[players.remember(user) for user in newcomers],
        *[servers.choose(ServerRef("telegram", user.ref.id), view="text") for user in newcomers],
    )
    for user in newcomers:
        assert await known(database, user.ref) == (user.name, user.locale)
        assert (await servers.choices(ServerRef("telegram", user.ref.id))).view == "text"


async def test_a_surface_saved_twice_at_once_is_there_once(database: Database) -> None:
    slot = TableSlot((await open_table(database)).id, 1, MessageKind.TABLE)
    shown = SentMessage(MessageRef("telegram", "5"), "digest")
    slots = MessageSlotStore(database)
    await asyncio.gather(*[slots.save(slot, shown) for _ in range(10)])
    assert await slots.load(slot.subject) == {slot: shown}


async def test_a_message_for_somebody_who_is_forgotten_is_not_noted(database: Database) -> None:
    own = RoomRef(ServerRef("telegram", ANNA.ref.id), ANNA.ref.id)
    tables = [await open_table(database), await open_table(database, own)]
    await PrivacyStore(database).forget(ANNA.ref, own.server)
    shown = SentMessage(MessageRef("telegram", "1:2"), "digest")
    slots = MessageSlotStore(database)
    await slots.save(TableSlot(tables[0].id, 1, MessageKind.HAND, ANNA.ref), shown)
    await slots.save(TableSlot(tables[1].id, 1, MessageKind.TABLE), shown)
    assert [await slots.load(table.subject) for table in tables] == [{}, {}]
    await slots.save(TableSlot(tables[0].id, 1, MessageKind.TABLE), shown)
    assert len(await slots.load(tables[0].subject)) == 1


async def test_a_person_is_found_by_the_handle_they_have_now(database: Database) -> None:
    players = PlayerStore(database)
    clara = User(UserRef("telegram", "7"), "Clara", "ru", handle="clara_u")
    await players.remember(clara)
    assert await players.find("telegram", "clara_u") == clara
    assert await players.find("discord", "clara_u") is None

    dan = User(UserRef("telegram", "8"), "Dan", handle="clara_u")
    await players.remember(dan)
    assert await players.find("telegram", "clara_u") == dan

    await players.meet(Meeting(User(dan.ref, "Dan", handle="dan_2"), None))
    assert await players.find("telegram", "clara_u") is None


async def test_the_handle_of_a_forgotten_person_finds_nobody(database: Database) -> None:
    players = PlayerStore(database)
    clara = User(UserRef("telegram", "7"), "Clara", handle="clara_u")
    await players.remember(clara)
    await PrivacyStore(players.database).forget(clara.ref, None)
    assert await players.find("telegram", "clara_u") is None
