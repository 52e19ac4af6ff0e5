"""A step updates the messages that the page stored in an earlier version."""

from typing import Any

from alembic.migration import MigrationContext
from alembic.operations import Operations
from alembic.script import ScriptDirectory
from sqlmodel import Session, col, select

from bot.storage import Database, migrations
from bot.storage.models import MessageRow
from tests.bot.databases import rows

STEP = "0119"
MANY = 1_200  # more messages than are rewritten at a time

Json = dict[str, Any]

# Contents as 0.2.0 stored them, and as they are now.
LINE = [{"text": "Anna takes.", "mark": "plain"}]
SCREEN: Json = {"body": LINE, "rows": [], "picture": None}
OLD_TABLE = SCREEN | {"board": {"id": "1:1", "seats": [], "told": LINE}}
TABLE = SCREEN | {"board": {"id": "1:1", "seats": [], "latest": LINE}}
OLD_PUZZLE = SCREEN | {"drawn": {"trump": "H", "told": LINE, "ways": []}}
PUZZLE = SCREEN | {"drawn": {"trump": "H", "text": LINE, "ways": []}}
WORDS: Json = {"by": "anna", "name": "Anna", "text": 'She said "told".'}


async def stored(database: Database, *contents: Json) -> list[Json]:
    """Stores messages, makes the step, and returns their contents."""

    def store(session: Session) -> None:
        messages = [
            MessageRow(room="main", guest_id=None, kind="post", content=content, posted_at=0.0)
            for content in contents
        ]
        session.add_all(messages)

    def make_step(session: Session) -> None:
        step = ScriptDirectory(str(migrations.HOME)).get_revision(STEP)
        assert step is not None
        with Operations.context(MigrationContext.configure(session.connection())):
            step.module.upgrade()

    await database.write(store)
    await database.write(make_step)
    return [row.content for row in await rows(database, select(MessageRow).order_by(col(MessageRow.id)))]


async def test_messages_of_an_earlier_version_get_the_names_of_this_one(database: Database) -> None:
    found = await stored(database, OLD_PUZZLE, *[OLD_TABLE] * MANY, OLD_PUZZLE)
    assert found == [PUZZLE, *[TABLE] * MANY, PUZZLE]


async def test_words_and_messages_of_this_version_stay_as_they_are(database: Database) -> None:
    contents: list[Json] = [WORDS, TABLE, PUZZLE, SCREEN]
    assert await stored(database, *contents) == contents
