"""The local page keeps guests and messages, in their order, across restarts."""

import asyncio
from dataclasses import replace

import pytest

from adapters.port import Audience, Delivered, Everyone, Only, Screen, Span
from adapters.web import Draft, Guest, SavedMessage, WebAdapter
from adapters.web.refs import room_ref, user_ref
from bot.storage import Database, SqlGuestStore
from tests.bot.statements import counted
from tests.bot.storage.samples import opened

ANNA = Guest("a1", "Anna", "0" * 64, joined_at=1.5, seen_at=1.5)
BORIS = Guest("b2", "Boris", "1" * 64, joined_at=2.5, seen_at=2.5)


def draft(text: str, guest: str | None = None, room: str = "den") -> Draft:
    return Draft(
        room, guest, "post", {"text": text, "rows": [[{"label": "♠", "on": True}], None, 1.5]}, 10.25
    )


async def test_guests_are_found_by_id_and_by_their_link_in_the_order_they_joined(database: Database) -> None:
    store = SqlGuestStore(database)
    for guest in (ANNA, BORIS):
        await store.add_guest(guest)

    assert await store.guests() == [ANNA, BORIS]
    assert [await store.guest(guest.id) for guest in (ANNA, BORIS)] == [ANNA, BORIS]
    assert await store.guest_by_secret(BORIS.secret_hash) == BORIS
    assert await store.guest("nobody") is None
    assert await store.guest_by_secret("2" * 64) is None


async def test_one_guest_at_most_is_the_owner(database: Database) -> None:
    store = SqlGuestStore(database)
    for guest in (ANNA, BORIS):
        await store.add_guest(guest)
        await store.make_owner(guest.id)
    assert await store.guests() == [ANNA, replace(BORIS, is_owner=True)]


@pytest.mark.parametrize("name", ["\ud83d", "", "Anna\0"])
async def test_no_name_is_too_strange_to_come_in(database: Database, name: str) -> None:
    store = SqlGuestStore(database)
    await store.add_guest(Guest("c3", name, "3" * 64, 1.0, 1.0))
    assert await store.guest("c3") is not None


async def test_a_message_comes_back_as_it_was_posted(database: Database) -> None:
    store = SqlGuestStore(database)
    await store.add_guest(ANNA)
    posted = await store.add_message(draft("Hello \ud83d", ANNA.id), {})
    assert isinstance(posted, SavedMessage)
    found = await store.message(posted.id)
    assert found == posted
    assert (found.room, found.guest, found.kind, found.content, found.posted_at) == (
        "den", ANNA.id, "post", draft("Hello \ud83d").content, 10.25,
    )  # fmt: skip
    assert await store.message(posted.id + 1) is None


async def test_a_key_is_given_to_one_message_alone(database: Database) -> None:
    store = SqlGuestStore(database)
    first = await store.add_message(replace(draft("first"), key="6f1d"), {})
    await store.change_message(first.id, {"text": "changed"}, {})
    again = await store.add_message(replace(draft("second"), key="6f1d"), {})
    assert (again.id, again.content) == (first.id, {"text": "changed"})
    others = [await store.add_message(draft("third"), {}) for _ in range(2)]
    assert len({first.id, *(other.id for other in others)}) == 3


async def test_a_changed_message_keeps_its_place(database: Database) -> None:
    store = SqlGuestStore(database)
    first, second = [await store.add_message(draft(text), {}) for text in ("1", "2")]
    await store.change_message(first.id, {"text": "changed"}, {})
    found = await store.history("den", None, 10)
    assert [(message.id, message.content["text"]) for message in found] == [
        (first.id, "changed"),
        (second.id, "2"),
    ]


async def test_history_gives_the_newest_of_one_audience_oldest_first(database: Database) -> None:
    store = SqlGuestStore(database)
    for guest in (ANNA, BORIS):
        await store.add_guest(guest)

    for number in range(5):
        for audience, room in ((None, "den"), (ANNA.id, "den"), (BORIS.id, "den"), (None, "attic")):
            await store.add_message(draft(f"{number} {room} {audience}", audience, room), {})

    for audience, room in ((None, "den"), (ANNA.id, "den"), (None, "attic")):
        found = await store.history(room, audience, 3)
        assert [message.content["text"] for message in found] == [
            f"{number} {room} {audience}" for number in (2, 3, 4)
        ]

    assert await store.history("attic", ANNA.id, 3) == []


async def test_no_message_id_is_given_out_twice(database_url: str) -> None:
    async with opened(database_url) as database:
        store = SqlGuestStore(database)
        ids = [(await store.add_message(draft("1"), {})).id for _ in range(3)]
        for message in (*ids, ids[0]):
            await store.delete_message(message)

        assert await store.history("den", None, 10) == []

    async with opened(database_url) as database:
        assert (await SqlGuestStore(database).add_message(draft("2"), {})).id > max(ids)


async def test_whoever_presses_and_what_they_press_is_known_without_asking(database: Database) -> None:
    store = SqlGuestStore(database)
    await store.add_guest(ANNA)
    posted = await store.add_message(draft("1", ANNA.id), {})
    await store.guest_by_secret(ANNA.secret_hash)
    with counted() as statements:
        assert await store.guest_by_secret(ANNA.secret_hash) == ANNA
        assert await store.message(posted.id) == posted

    assert not statements.executed


async def test_what_changed_is_not_what_was_known(database: Database) -> None:
    store = SqlGuestStore(database)
    await store.add_guest(ANNA)
    posted = await store.add_message(draft("1", ANNA.id), {})
    assert await store.message(posted.id + 1) is None

    await store.note_visits([ANNA.id], 9.5)
    await store.make_owner(ANNA.id)
    assert await store.guest_by_secret(ANNA.secret_hash) == replace(ANNA, seen_at=9.5, is_owner=True)
    await store.change_message(posted.id, {"text": "2"}, {})
    changed = await store.message(posted.id)
    assert changed == replace(posted, content={"text": "2"})
    assert changed == await SqlGuestStore(database).message(posted.id)
    another = await store.add_message(draft("3", ANNA.id), {})
    assert await store.message(posted.id + 1) == another

    await store.delete_message(another.id)
    assert await store.message(another.id) is None
    await store.remove_guest(ANNA.id)
    assert await store.guest_by_secret(ANNA.secret_hash) is None
    assert await store.message(posted.id) is None
    await store.change_message(posted.id, {"text": "4"}, {"f" * 32: b"of nobody"})
    assert await store.messages(0, 10) == []


async def test_what_changes_for_several_readers_shares_a_transaction_and_nothing_is_read(
    database: Database,
) -> None:
    store, room = SqlGuestStore(database), room_ref("den")
    page = WebAdapter(store, commands=())
    for guest in (ANNA, BORIS):
        await store.add_guest(guest)

    readers: list[Audience] = [Everyone(room), *[Only(user_ref(guest), room) for guest in (ANNA, BORIS)]]
    posted = [await page.post(reader, Screen((Span("1"),))) for reader in readers]
    messages = [delivery.ref for delivery in posted if isinstance(delivery, Delivered)]
    with counted() as statements:
        await asyncio.gather(*[page.edit(message, Screen((Span("2"),))) for message in messages])

    assert (statements.commits, statements.readers) == (1, 0)
    shown = [await SqlGuestStore(database).message(int(message.opaque)) for message in messages]
    assert [message.content["body"][0]["text"] for message in shown if message is not None] == ["2"] * 3


async def test_rooms_are_those_where_something_was_said_to_all_the_newest_first(database: Database) -> None:
    store = SqlGuestStore(database)
    await store.add_guest(ANNA)
    for room, guest in (("main", None), ("кухня", None), ("cellar", ANNA.id), ("main", None)):
        await store.add_message(Draft(room, guest, "post", {}, 1.0), {})

    assert await store.rooms(9) == ["main", "кухня"]
    assert await store.rooms(1) == ["main"]
