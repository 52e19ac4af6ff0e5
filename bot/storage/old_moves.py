"""Deletes the moves of old games, if the owner wants it; their results stay."""

import sqlalchemy as sa
from sqlmodel import Session, col, delete, func, select

from bot.storage.database import Store, reports, writes
from bot.storage.models import EntryRow, SnapshotRow, TableRow
from bot.storage.tables import IS_ANNOUNCED, IS_IN_USE


class OldMoveStore(Store):
    """The moves of games that ended long ago."""

    @reports
    def next_table(self, session: Session, after: int) -> int | None:
        """Returns the next table, by its number, that has moves; None after the last one."""
        return session.exec(select(func.min(EntryRow.table_id)).where(EntryRow.table_id > after)).one()

    @writes
    def forget_some(self, session: Session, table_id: int, before: float, most: int) -> int:
        """Deletes the oldest lines of a table, at most `most`.

        Only games that were over at the time `before` (Unix seconds) lose lines, and the newest game only if
        the table is no longer in use.

        Returns:
            The number of deleted lines; if it is below `most`, no old ones are left.
        """
        line = sa.inspect(EntryRow).columns
        oldest = sa.select(line.version, line.game, line.at).where(line.table_id == table_id)
        rows = session.connection().execute(oldest.order_by(line.version).limit(most)).all()
        newest = session.exec(select(func.max(EntryRow.game)).where(EntryRow.table_id == table_id)).one()
        last = {row.game: row for row in rows}  # the last of these lines, by game
        deleted = 0

        for game, row in last.items():
            is_over = game != newest or _is_at_rest(session, table_id, before)
            if not is_over or row.at >= before:
                break

            deleted = row.version
            if game == newest:
                session.exec(delete(SnapshotRow).where(col(SnapshotRow.table_id) == table_id))

        session.exec(
            delete(EntryRow).where(col(EntryRow.table_id) == table_id, col(EntryRow.version) <= deleted)
        )
        return sum(row.version <= deleted for row in rows)

    async def shrink(self, pages: int) -> int:
        """Releases up to `pages` free pages of an SQLite file to the disk; returns how many were released.

        A file made by an early version keeps them for new games, and so does PostgreSQL.
        """
        return await self.database.shrink(pages)


def _is_at_rest(session: Session, table_id: int, before: float) -> bool:
    """Returns whether a table is not in use or announced, and has not changed since a given time."""
    at_rest = select(TableRow.id).where(
        TableRow.id == table_id,
        sa.not_(IS_IN_USE),
        sa.not_(IS_ANNOUNCED),
        TableRow.changed_at < before,
    )
    return session.exec(at_rest).first() is not None
