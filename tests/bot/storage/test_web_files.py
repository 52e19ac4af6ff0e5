"""Files of the page's messages are kept beside them, once, and go with them."""

import json
from base64 import b64encode
from pathlib import Path

import pytest
from sqlalchemy import create_engine, text
from sqlmodel import func, select

from adapters.port import Document, Picture, Screen, Span
from adapters.web import Draft, Guest, Message
from adapters.web.render import screen_content
from bot.storage import Database, SqlGuestStore
from bot.storage.migrations import upgrade
from bot.storage.page_models import MessageFileRow
from tests.adapters.contract.picturing import PNG
from tests.bot.storage.samples import opened

FILES = {"d1": b"\x89PNG\x00picture", "d2": b'{"a": 1}'}
SHOWN = {"text": "with files", "picture": {"digest": "d1"}, "document": {"digest": "d2"}}
ANNA = Guest("a1", "Anna", "0" * 64, joined_at=1.5, seen_at=1.5)


async def posted(store: SqlGuestStore, guest: str | None = None) -> Message:
    return await store.add_message(Draft("den", guest, "post", SHOWN, 10.25), FILES)


async def kept(database: Database) -> int:
    async with database.session() as session:
        return (await session.exec(select(func.count()).select_from(MessageFileRow))).one()


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


@pytest.mark.parametrize("document", [None, Document("durak.txt", b"1. A 6S")])
async def test_messages_of_an_older_version_still_show_their_files(
    tmp_path: Path, document: Document | None
) -> None:
    screen = Screen((Span("table"),), picture=Picture(PNG, "the table"))
    wanted = screen_content(screen, document=document)
    old = dict(wanted.facts) | {"picture": {"png": b64encode(PNG).decode(), "alt": "the table"}}
    if document is not None:
        old["document"] = {"name": document.name, "file": b64encode(document.content).decode()}
    engine = create_engine(f"sqlite:///{tmp_path}/old.db")
    with engine.begin() as connection:
        upgrade(connection, to="0010")
        for content in (old, {"text": "said"}):
            values = {"content": json.dumps(content)}
            connection.execute(
                text(
                    "INSERT INTO message (room, kind, content, posted_at) VALUES ('den', 'post', :content, 1)"
                ),
                values,
            )
    engine.dispose()
    async with opened(f"sqlite+aiosqlite:///{tmp_path}/old.db") as database:
        store = SqlGuestStore(database)
        shown, said = await store.history("den", None, 10)
        assert (shown.content, said.content) == (wanted.facts, {"text": "said"})
        assert {digest: await store.file(shown.id, digest) for digest in wanted.files} == wanted.files
        assert await kept(database) == len(wanted.files)
