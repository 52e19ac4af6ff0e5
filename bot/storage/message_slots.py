"""Which message shows which slot."""

import asyncio
from collections.abc import Collection
from typing import Any

import sqlalchemy
from sqlalchemy import ColumnElement, bindparam, exists, inspect, tuple_
from sqlalchemy.dialects import postgresql, sqlite
from sqlmodel import col, delete, or_, select
from sqlmodel.ext.asyncio.session import AsyncSession

from adapters.port import MessageRef, UserRef
from bot.model.message_slots import MessageKind, MessageSlot, PendingMessage, SentMessage
from bot.model.players import FORGOTTEN
from bot.storage.database import Database
from bot.storage.idle_tables import note_busy
from bot.storage.models import MessageSlotRow, PlayerRow, ServerRow, TableRow
from bot.storage.tables import IN_USE
from bot.storage.writing import insert_into, replacing

BATCH = 500
"""So many messages are asked for at once."""

_KEYS = ("table_id", "game", "kind", "reader_platform", "reader")
_PRIMARY_KEY = tuple_(*(getattr(MessageSlotRow, key) for key in _KEYS))


class MessageSlotStore:
    """What was shown where, so that a restart edits messages instead of posting them again.

    Messages that change at the same time are noted in one transaction: whoever comes first waits for its turn
    at the database, and then writes for all who have come meanwhile. Each waits until its own is on disk.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._unwritten: dict[MessageSlot, SentMessage | PendingMessage | None] = {}
        self._turn = asyncio.Lock()

    async def load(self, table_id: int) -> dict[MessageSlot, SentMessage | PendingMessage]:
        """Return everything a table is shown on, or was about to be."""
        async with self._turn, self._database.reading() as session:
            rows = await session.exec(select(MessageSlotRow).where(MessageSlotRow.table_id == table_id))
            known: dict[MessageSlot, SentMessage | PendingMessage | None] = {
                _slot(row): _found(row) for row in rows
            }
        known |= {slot: found for slot, found in self._unwritten.items() if slot.table_id == table_id}
        return {slot: found for slot, found in known.items() if found is not None}

    async def showing(self, messages: Collection[MessageRef]) -> set[int]:
        """Name the tables of which these messages show something."""
        wanted, tables = list(messages), set[int]()
        async with self._turn, self._database.reading() as session:
            for start in range(0, len(wanted), BATCH):
                refs = {each.opaque for each in wanted[start : start + BATCH]}
                rows = await session.exec(select(MessageSlotRow).where(col(MessageSlotRow.message).in_(refs)))
                tables |= {row.table_id for row in rows if MessageRef(row.platform, row.message) in messages}
        return tables

    async def save(self, slot: MessageSlot, found: SentMessage | PendingMessage) -> None:
        """Remember what shows a slot, or is about to; nothing where its reader or room was forgotten."""
        await self._note(slot, found)

    async def drop(self, slot: MessageSlot) -> None:
        """Forget a slot that is shown no more."""
        await self._note(slot, None)

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
            async with self._turn, self._database.session() as session:
                old = exists().where(of_table, is_old)
                await session.exec(delete(slot).where(col(slot.table_id).in_(found), old))
                await session.commit()
        return len(found)

    async def _note(self, slot: MessageSlot, found: SentMessage | PendingMessage | None) -> None:
        self._unwritten[slot] = found
        try:
            async with self._turn:
                await self._write()
        except BaseException:
            if self._unwritten.get(slot) is found:
                self._unwritten.pop(slot, None)  # it did not happen; who else waits tries again
            raise

    async def _write(self) -> None:
        """Write what is not on disk yet, if somebody else has not done so."""
        if not self._unwritten:
            return
        async with self._database.session() as session:
            connection = await session.connection()  # more may come until it is there
            taken, self._unwritten = self._unwritten, {}
            try:
                # What is posted anew must be looked at if we are killed before it stands.
                await note_busy(session, {slot.table_id for slot in taken if not _is_shown(taken[slot])})
                if gone := [_key(slot) for slot, found in taken.items() if found is None]:
                    await session.exec(delete(MessageSlotRow).where(_PRIMARY_KEY.in_(gone)))
                if shown := [_row(slot, found) for slot, found in taken.items() if found is not None]:
                    await connection.execute(_put_unless_forgotten(session), shown)
                await session.commit()
            except BaseException:
                self._unwritten = taken | self._unwritten
                raise


def _put_unless_forgotten(session: AsyncSession) -> sqlite.Insert | postgresql.Insert:
    """Write rows about messages, but for those whose reader or room must not be written down any more."""
    columns = inspect(MessageSlotRow).columns
    row = {column.name: bindparam(f"new_{column.name}", type_=column.type) for column in columns}
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
    return replacing(
        insert_into(session, MessageSlotRow).from_select(list(row), rows), MessageSlotRow, row.keys()
    )


def _row(slot: MessageSlot, found: SentMessage | PendingMessage) -> dict[str, object]:
    shown = found.ref if isinstance(found, SentMessage) else MessageRef("", "")
    values = dict(zip(_KEYS, _key(slot), strict=True)) | {
        "platform": shown.platform,
        "message": shown.opaque,
        "digest": found.digest,
        "key": found.key if isinstance(found, PendingMessage) else "",
    }
    return {f"new_{name}": value for name, value in values.items()}


def _is_shown(found: SentMessage | PendingMessage | None) -> bool:
    return isinstance(found, SentMessage)


def _key(slot: MessageSlot) -> tuple[int, int, str, str, str]:
    """Return a slot's primary key; a public slot has no reader."""
    platform, reader = ("", "") if slot.user is None else (slot.user.platform, slot.user.id)
    return slot.table_id, slot.game, slot.kind.value, platform, reader


def _slot(row: MessageSlotRow) -> MessageSlot:
    user = UserRef(row.reader_platform, row.reader) if row.reader_platform else None
    return MessageSlot(row.table_id, row.game, MessageKind(row.kind), user)


def _found(row: MessageSlotRow) -> SentMessage | PendingMessage:
    if row.key:
        return PendingMessage(row.key, row.digest)
    return SentMessage(MessageRef(row.platform, row.message), row.digest)
