"""The messages that show a table."""

from collections.abc import Collection
from functools import lru_cache
from typing import Any

import sqlalchemy as sa
from sqlmodel import Session, col, delete, or_, select

from adapters.port import MessageRef, UserRef
from bot.model.messages import MessageKind, MessageSlot, PendingMessage, SentMessage
from bot.model.table import FORGOTTEN
from bot.storage.database import Store, reads, writes
from bot.storage.models import Insert, MessageSlotRow, PlayerRow, ServerRow, TableRow, insert, upserting
from bot.storage.tables import IS_IN_USE, note_busy

BATCH_SIZE = 500  # messages in one query


class MessageSlotStore(Store):
    """The shown contents of messages, so that a restart edits them instead of posting them again."""

    @reads
    def load(self, session: Session, table_id: int) -> dict[MessageSlot, SentMessage | PendingMessage]:
        """Returns everything a table is shown on, or was about to be."""
        shown = dict[MessageSlot, SentMessage | PendingMessage]()
        for row in session.exec(select(MessageSlotRow).where(MessageSlotRow.table_id == table_id)):
            user = UserRef(row.reader_platform, row.reader) if row.reader_platform else None
            sent = SentMessage(MessageRef(row.platform, row.message), row.digest, row.is_pinned)
            slot = MessageSlot(row.table_id, row.game, MessageKind(row.kind), user)
            shown[slot] = PendingMessage(row.key, row.digest) if row.key else sent

        return shown

    @reads
    def showing(self, session: Session, messages: Collection[MessageRef]) -> set[int]:
        """Names the tables of which these messages show something."""
        wanted = list(messages)
        tables = set[int]()
        for start in range(0, len(wanted), BATCH_SIZE):
            refs = {ref.opaque for ref in wanted[start : start + BATCH_SIZE]}
            rows = session.exec(select(MessageSlotRow).where(col(MessageSlotRow.message).in_(refs)))
            tables |= {row.table_id for row in rows if MessageRef(row.platform, row.message) in messages}

        return tables

    @writes
    def save(self, session: Session, slot: MessageSlot, found: SentMessage | PendingMessage) -> None:
        """Stores the message that shows a slot, or is about to; but not for a forgotten reader or room."""
        ref = MessageRef("", "")
        key = ""
        is_pinned = False

        if isinstance(found, PendingMessage):
            key = found.key
            note_busy(session, slot.table_id)  # it has to be posted if we are killed before it is
        else:
            ref = found.ref
            is_pinned = found.is_pinned

        row = _key(slot) | {
            "platform": ref.platform,
            "message": ref.opaque,
            "digest": found.digest,
            "key": key,
            "is_pinned": is_pinned,
        }
        connection = session.connection()
        connection.execute(_put_unless_forgotten(connection.dialect.name), row)

    @writes
    def drop(self, session: Session, slot: MessageSlot) -> None:
        """Forgets a slot that is no longer shown."""
        note_busy(session, slot.table_id)
        row = session.get(MessageSlotRow, _key(slot))
        if row is not None:
            session.delete(row)

    async def forget_old(self, before: float, most: int) -> int:
        """Forgets the messages of games that ended long ago, of at most `most` tables; returns their number.

        Those are the games of tables last used `before` a time (Unix seconds), and of any table all but its
        newest two. The messages themselves stay in their chats.
        """
        slot = MessageSlotRow
        table = TableRow
        is_old = or_(
            col(slot.game) < col(table.game) - 1, sa.not_(IS_IN_USE) & (col(table.changed_at) < before)
        )
        old = sa.exists().where(col(slot.table_id) == col(table.id), is_old)
        query = select(table.id).where(old).limit(most)
        found = await self.database.report(lambda session: session.exec(query).all())
        if found:
            of_these = delete(slot).where(col(slot.table_id).in_(found), old)
            await self.database.write(lambda session: session.exec(of_these).close())

        return len(found)


@lru_cache
def _put_unless_forgotten(dialect: str) -> Insert:
    """Returns the statement that writes a row, unless its reader or room has been forgotten."""
    row = {
        column.name: sa.bindparam(column.name, type_=column.type)
        for column in sa.inspect(MessageSlotRow).columns
    }
    is_known = sa.exists().where(
        col(PlayerRow.platform) == row["reader_platform"], col(PlayerRow.ref) == row["reader"]
    )
    is_forgotten = (
        sa.exists()
        .where(col(ServerRow.id) == col(TableRow.server_id))
        .where(col(TableRow.id) == row["table_id"], col(ServerRow.platform) == FORGOTTEN)
    )
    may_be_written = or_(is_known, (row["reader_platform"] == "") & ~is_forgotten)
    rows = sa.select(*row.values()).where(may_be_written)

    return upserting(insert(MessageSlotRow, dialect).from_select(list(row), rows), MessageSlotRow)


def _key(slot: MessageSlot) -> dict[str, Any]:
    """Returns a slot's primary key; a public slot has no reader."""
    platform, reader = ("", "") if slot.user is None else (slot.user.platform, slot.user.id)
    return {
        "table_id": slot.table_id,
        "game": slot.game,
        "kind": slot.kind.value,
        "reader_platform": platform,
        "reader": reader,
    }
