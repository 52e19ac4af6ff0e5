"""The files about a person contain their rows unchanged, on every database."""

from dataclasses import replace
from typing import Any

from adapters.port import RoomRef, UserRef
from adapters.web import Draft, Guest
from bot.storage import Database, PlayerStore, PrivacyStore, SqlGuestStore, SqlJournal
from engine.runtime import Author, Entry
from tests.bot.storage.samples import ANNA, BORIS, ROOM, SERVER, playing, unpacked
from tests.bot.storage.test_rooms_moved import finish_a_game

GUEST = Guest("a1", "Anna “Q” \\ ♠", "0" * 64, joined_at=1.5, seen_at=1700000007.25)


async def data_of(database: Database, user: UserRef) -> dict[str, list[dict[str, Any]]]:
    return unpacked(await PrivacyStore(database).everything_about(user, None, 1_000_000))


async def test_a_result_is_written_with_truth_numbers_and_what_is_empty(database: Database) -> None:
    await finish_a_game(database, ROOM)
    (won,) = (await data_of(database, ANNA.ref))["results"]
    (lost,) = (await data_of(database, BORIS.ref))["results"]

    assert (won["is_loser"], won["place"], won["finished_at"]) == (False, 1, 1.0)
    assert (lost["is_loser"], lost["place"], lost["trump"]) == (True, None, "")


async def test_a_message_is_written_with_its_content_and_a_name_with_its_signs(database: Database) -> None:
    store = SqlGuestStore(database)
    await store.add_guest(GUEST)
    content = {"text": "Hello \ud83d, ♠ “1”", "rows": [[{"on": True}], None, 1.5]}
    await store.add_message(Draft("den", GUEST.id, "post", content, 10.25), {})

    found = await data_of(database, UserRef("web", GUEST.id))
    (page,) = found["page"]
    (message,) = found["messages on the page"]
    assert (page["name"], page["is_owner"], page["seen_at"]) == (GUEST.name, False, GUEST.seen_at)
    assert "secret_hash" not in page
    assert message["content"] == content


async def test_no_name_is_too_strange_to_be_written(database: Database) -> None:
    strange = "\ud83d\0\x01\x1f\u2028\"'"
    await PlayerStore(database).remember(replace(ANNA, name=strange))
    (person,) = (await data_of(database, ANNA.ref))["person"]
    assert person["name"].endswith("\x01\x1f\u2028\"'")


async def test_moves_come_table_by_table_in_the_order_in_which_they_were_made(database: Database) -> None:
    tables = [await playing(database, room, houses=0) for room in (ROOM, RoomRef(SERVER, "9"))]
    for version in range(1, 13):
        for table in reversed(tables):
            entry = Entry(table.id, version, 1, 0, "P", Author.PLAYER, float(version))
            await SqlJournal(database).append(entry, snapshot="", outcome=None)

    moves = (await data_of(database, ANNA.ref))["moves"]
    order = [(move["table_id"], move["version"]) for move in moves]
    assert order == [(table.id, version) for table in tables for version in range(1, 13)]
