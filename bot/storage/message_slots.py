"""Which message shows which slot."""

from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from adapters.port import MessageRef, UserRef
from bot.model.message_slots import MessageKind, MessageSlot, PendingMessage, SentMessage
from bot.model.players import FORGOTTEN
from bot.storage.database import Database
from bot.storage.identities import player_row
from bot.storage.models import MessageSlotRow, ServerRow, TableRow
from bot.storage.writing import put


class MessageSlotStore:
    """What was shown where, so that a restart edits messages instead of posting them again."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def load(self, table_id: int) -> dict[MessageSlot, SentMessage | PendingMessage]:
        """Return everything a table is shown on, or was about to be."""
        async with self._database.session() as session:
            rows = await session.exec(select(MessageSlotRow).where(MessageSlotRow.table_id == table_id))
            return {_slot(row): _found(row) for row in rows}

    async def save(self, slot: MessageSlot, found: SentMessage | PendingMessage) -> None:
        """Remember what shows a slot, or is about to; nothing where its reader or room was forgotten."""
        table_id, game, kind, reader_platform, reader = _key(slot)
        shown = found.ref if isinstance(found, SentMessage) else MessageRef("", "")
        row = MessageSlotRow(
            table_id=table_id,
            game=game,
            kind=kind,
            reader_platform=reader_platform,
            reader=reader,
            platform=shown.platform,
            message=shown.opaque,
            digest=found.digest,
            key=found.key if isinstance(found, PendingMessage) else "",
        )
        async with self._database.session() as session:
            if not await _is_forgotten(session, slot):
                await put(session, row)
                await session.commit()

    async def drop(self, slot: MessageSlot) -> None:
        """Forget a slot that is shown no more."""
        async with self._database.session() as session:
            row = await session.get(MessageSlotRow, _key(slot))
            if row is not None:
                await session.delete(row)
                await session.commit()


async def _is_forgotten(session: AsyncSession, slot: MessageSlot) -> bool:
    """Whether a message arrived for somebody of whom nothing may be written down any more."""
    if slot.user is not None:
        return await player_row(session, slot.user) is None
    query = (
        select(ServerRow.platform)
        .join(TableRow, col(TableRow.server_id) == col(ServerRow.id))
        .where(TableRow.id == slot.table_id)
    )
    return (await session.exec(query)).first() == FORGOTTEN


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
