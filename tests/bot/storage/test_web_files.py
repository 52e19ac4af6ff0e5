"""Files of the page's messages are stored once beside them, and deleted with them."""

from sqlmodel import select

from adapters.web import Draft, Guest, SavedMessage
from bot.storage import Database, SqlGuestStore
from bot.storage.models import MessageFileRow
from tests.bot.databases import rows

FILES = {"d1": b"\x89PNG\x00picture", "d2": b'{"a": 1}'}
SHOWN = {"text": "with files", "picture": {"digest": "d1"}, "document": {"digest": "d2"}}
ANNA = Guest("a1", "Anna", "0" * 64, joined_at=1.5, seen_at=1.5)


async def posted(store: SqlGuestStore, guest: str | None = None) -> SavedMessage:
    return await store.add_message(Draft("den", guest, "post", SHOWN, 10.25), FILES)


async def kept(database: Database) -> int:
    return len(await rows(database, select(MessageFileRow.digest)))


async def test_a_file_comes_back_by_its_message_and_digest(database: Database) -> None:
    store = SqlGuestStore(database)
    message = await posted(store)
    assert {digest: await store.file(message.id, digest) for digest in FILES} == FILES
    assert await store.file(message.id, "d3") is None
    assert await store.file(message.id + 1, "d1") is None


async def test_a_changed_message_keeps_the_files_it_still_shows_and_no_others(database: Database) -> None:
    store = SqlGuestStore(database)
    message, other = await posted(store), await posted(store)
    later = {"picture": {"digest": "d3"}, "document": {"digest": "d2"}}
    await store.change_message(message.id, later, {"d2": FILES["d2"], "d3": b"new"})
    shown = {digest: await store.file(message.id, digest) for digest in ("d1", "d2", "d3")}
    assert shown == {"d1": None, "d2": FILES["d2"], "d3": b"new"}
    assert await store.file(other.id, "d1") == FILES["d1"]


async def test_files_go_with_their_message(database: Database) -> None:
    store = SqlGuestStore(database)
    message, other = await posted(store), await posted(store)
    await store.delete_message(message.id)
    assert await kept(database) == len(FILES)
    assert await store.file(other.id, "d1") == FILES["d1"]


async def test_files_go_with_the_messages_of_somebody_who_is_forgotten(database: Database) -> None:
    store = SqlGuestStore(database)
    await store.add_guest(ANNA)
    await posted(store, ANNA.id)
    await posted(store)
    await store.remove_guest(ANNA.id)
    assert await kept(database) == len(FILES)
