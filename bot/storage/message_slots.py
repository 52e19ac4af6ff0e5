"""Which message shows which slot."""

from collections.abc import Collection, Sequence
from typing import Any

import sqlalchemy
from sqlalchemy import ColumnElement, Row, UpdateBase, bindparam, exists, inspect
from sqlmodel import col, delete, or_, select

from adapters.port import MessageRef, UserRef
from bot.model.messages import MessageKind, MessageSlot, PendingMessage, SentMessage
from bot.model.table import FORGOTTEN
from bot.storage.database import Database
from bot.storage.idle_tables import BUSY
from bot.storage.models import MessageSlotRow, PlayerRow, ServerRow, TableRow, table_of
from bot.storage.prepared import Prepared, Step
from bot.storage.table_statements import IN_USE
from bot.storage.writing import Insert, new_values, replacing

BATCH = 500
"""So many messages are asked for at once."""


class MessageSlotStore:
    """What was shown where, so that a restart edits messages instead of posting them again."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def load(self, table_id: int) -> dict[MessageSlot, SentMessage | PendingMessage]:
        """Return everything a table is shown on, or was about to be."""
        await self._database.settle()
        rows = await self._database.rows(_SHOWN, {"of_table": table_id})
        return {_slot(row): _found(row) for row in rows}

    async def showing(self, messages: Collection[MessageRef]) -> set[int]:
        """Name the tables of which these messages show something."""
        wanted, tables = list(messages), set[int]()
        await self._database.settle()
        async with self._database.reading() as session:
            for start in range(0, len(wanted), BATCH):
                refs = {each.opaque for each in wanted[start : start + BATCH]}
                rows = await session.exec(select(MessageSlotRow).where(col(MessageSlotRow.message).in_(refs)))
                tables |= {row.table_id for row in rows if MessageRef(row.platform, row.message) in messages}
        return tables

    async def save(self, slot: MessageSlot, found: SentMessage | PendingMessage) -> None:
        """Remember what shows a slot, or is about to; nothing where its reader or room was forgotten."""
        put = _PUT_UNLESS_FORGOTTEN, _row(slot, found)
        await self._database.write(*([] if isinstance(found, SentMessage) else _busy(slot)), put)

    async def drop(self, slot: MessageSlot) -> None:
        """Forget a slot that is shown no more."""
        await self._database.write(*_busy(slot), (_DROP, _key(slot)))

    async def forget_old(self, before: float, most: int) -> int:
        """Forget what shows games that nobody looks after any more, of a few tables at a time.

        Those are the games of tables that have been out of use since a time (Unix seconds), and of any table
        all but its newest two. What is shown in a chat stays there.

        Args:
            before: Tables that were used later keep what shows their newest games.
            most: How many tables at most.

        Returns:
            How many tables there were.
        """
        slot, table = MessageSlotRow, TableRow
        is_old = or_(
            col(slot.game) < col(table.game) - 1,
            col(table.phase).not_in(IN_USE) & (col(table.changed_at) < before),
        )
        of_table = col(slot.table_id) == col(table.id)
        query = sqlalchemy.select(col(table.id)).where(exists().where(of_table, is_old)).limit(most)
        found = await self._database.report(lambda connection: connection.execute(query).scalars().all())
        if found:
            async with self._database.session() as session:
                old = exists().where(of_table, is_old)
                await session.exec(delete(slot).where(col(slot.table_id).in_(found), old))
                await session.commit()
        return len(found)


def _put_unless_forgotten(insert: Insert) -> UpdateBase:
    """Write a row about a message, unless its reader or room must not be written down any more."""
    row = new_values(MessageSlotRow, *inspect(MessageSlotRow).columns.keys())
    reader_is_known = exists().where(
        col(PlayerRow.platform) == row["reader_platform"], col(PlayerRow.ref) == row["reader"]
    )
    room_is_forgotten = (
        exists()
        .where(col(ServerRow.id) == col(TableRow.server_id))
        .where(col(TableRow.id) == row["table_id"], col(ServerRow.platform) == FORGOTTEN)
    )
    may_be_written = or_(reader_is_known, (row["reader_platform"] == "") & ~room_is_forgotten)
    values: list[ColumnElement[Any]] = list(row.values())
    rows = sqlalchemy.select(*values).where(may_be_written)
    return replacing(insert(MessageSlotRow).from_select(list(row), rows), MessageSlotRow, row.keys())


def _drop(_: Insert) -> UpdateBase:
    """Delete the row about a message."""
    keys = inspect(MessageSlotRow).primary_key
    return delete(MessageSlotRow).where(*[key == bindparam(f"new_{key.name}") for key in keys])


_PUT_UNLESS_FORGOTTEN, _DROP = Prepared(_put_unless_forgotten), Prepared(_drop)
_SHOWN = Prepared(
    lambda _: sqlalchemy.select(table_of(MessageSlotRow)).where(
        col(MessageSlotRow.table_id) == bindparam("of_table")
    )
)


def _busy(slot: MessageSlot) -> Sequence[Step]:
    """What is posted anew must be looked at if we are killed before it stands."""
    return [(BUSY, {"busy_table_id": slot.table_id})]


def _row(slot: MessageSlot, found: SentMessage | PendingMessage) -> dict[str, object]:
    shown = found.ref if isinstance(found, SentMessage) else MessageRef("", "")
    return _key(slot) | {
        "new_platform": shown.platform,
        "new_message": shown.opaque,
        "new_digest": found.digest,
        "new_key": found.key if isinstance(found, PendingMessage) else "",
    }


def _key(slot: MessageSlot) -> dict[str, object]:
    """Return a slot's primary key; a public slot has no reader."""
    platform, reader = ("", "") if slot.user is None else (slot.user.platform, slot.user.id)
    return {
        "new_table_id": slot.table_id,
        "new_game": slot.game,
        "new_kind": slot.kind.value,
        "new_reader_platform": platform,
        "new_reader": reader,
    }


def _slot(row: Row[Any]) -> MessageSlot:
    user = UserRef(row.reader_platform, row.reader) if row.reader_platform else None
    return MessageSlot(row.table_id, row.game, MessageKind(row.kind), user)


def _found(row: Row[Any]) -> SentMessage | PendingMessage:
    if row.key:
        return PendingMessage(row.key, row.digest)
    return SentMessage(MessageRef(row.platform, row.message), row.digest)
