"""What is written again and again about the messages of the local page."""

from collections.abc import Mapping
from typing import Any

import sqlalchemy
from sqlalchemy import JSON, ColumnElement, LargeBinary, String, UpdateBase, bindparam, exists
from sqlmodel import col, delete, update

from bot.storage.models import BigId
from bot.storage.page_models import MessageFileRow, MessageRow
from bot.storage.prepared import Prepared
from bot.storage.writing import Insert, as_new

_MESSAGE = bindparam("new_message", type_=BigId)
_DIGEST = bindparam("new_digest", type_=String())


def _change_message(_: Insert) -> UpdateBase:
    content = bindparam("new_content", type_=JSON())
    return update(MessageRow).where(col(MessageRow.id) == _MESSAGE).values(content=content)


def _drop_message(_: Insert) -> UpdateBase:
    return delete(MessageRow).where(col(MessageRow.id) == _MESSAGE)


def _drop_file(_: Insert) -> UpdateBase:
    it = col(MessageFileRow.message_id) == _MESSAGE, col(MessageFileRow.digest) == _DIGEST
    return delete(MessageFileRow).where(*it)


def _add_file(insert: Insert) -> UpdateBase:
    """Add a file, unless its message has it already or is gone."""
    row: Mapping[str, ColumnElement[Any]] = {
        "message_id": _MESSAGE,
        "digest": _DIGEST,
        "content": bindparam("new_content", type_=LargeBinary()),
    }
    rows = sqlalchemy.select(*row.values()).where(exists().where(col(MessageRow.id) == _MESSAGE))
    return insert(MessageFileRow).from_select(list(row), rows).on_conflict_do_nothing()


CHANGE_MESSAGE, DROP_MESSAGE = Prepared(_change_message), Prepared(_drop_message)
ADD_FILE, DROP_FILE = Prepared(_add_file), Prepared(_drop_file)


def values_for(message: int, **values: object) -> dict[str, object]:
    """Return the parameters of these statements."""
    return as_new({"message": message, **values})
