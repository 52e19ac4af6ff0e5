"""Which tables were idle, so that a restart need not look at them."""

import time
from collections import defaultdict
from collections.abc import Callable, Collection
from math import isinf
from typing import Any

from sqlalchemy import Float, Row, Select, and_, bindparam, select
from sqlalchemy import func as sql
from sqlmodel import col, delete, or_

from adapters.port import RoomRef, ServerRef, UserRef
from bot.model.table import NEVER, IdleTable, Phase, UnreadTable
from bot.storage.database import Database
from bot.storage.models import EntryRow, IdleTableRow, PlayerRow, SeatRow, ServerRow, TableRow
from bot.storage.prepared import Prepared, replacement
from bot.storage.table_statements import IS_IN_USE, rules_of

REPAIRED_FOR = 24 * 60 * 60.0
"""Seconds for which the messages of a finished game are still put right after a restart."""


class IdleTableStore:
    """The tables that need nothing for a while, and those that are not finished."""

    def __init__(self, database: Database, now: Callable[[], float] = time.time) -> None:
        """Keep them in `database`; `now` gives Unix seconds."""
        self._database = database
        self._now = now

    async def note(self, idle_tables: Collection[IdleTable], stirred: Collection[int] = ()) -> None:
        """Note tables that are idle, and others that are not any more."""
        await self._database.write(
            *[(BUSY, {"busy_table_id": table_id}) for table_id in stirred],
            *[(_IDLE, _row(each)) for each in idle_tables],
        )

    async def unfinished(self) -> list[UnreadTable]:
        """Return the tables in use and those that were until a short while ago, the oldest first."""
        playing = defaultdict[int, list[UserRef]](list)
        for row in await self._database.rows(_PLAYING, {}):
            playing[row.table_id].append(UserRef(row.platform, row.ref))
        return [
            UnreadTable(
                row.id,
                RoomRef(ServerRef(row.platform, row.ref), row.room, row.topic),
                playing.get(row.id, ()),
                _due_at(row),
            )
            for row in await self._database.rows(_UNFINISHED, {"now": self._now()})
        ]


BUSY = Prepared(
    lambda _: delete(IdleTableRow).where(col(IdleTableRow.table_id) == bindparam("busy_table_id"))
)
"""Notes that a table is not idle."""

_IDLE = replacement(IdleTableRow)

_PLAYING = Prepared(
    lambda _: (
        select(col(SeatRow.table_id), col(PlayerRow.platform), col(PlayerRow.ref))
        .join(PlayerRow, col(PlayerRow.id) == col(SeatRow.player_id))
        .join(TableRow, (col(TableRow.id) == col(SeatRow.table_id)) & (col(TableRow.game) == SeatRow.of_game))
        .where(col(TableRow.phase) == Phase.PLAYING.value)
    )
)
"""Who sits in which running game."""


def _unfinished(_: object) -> Select[*tuple[Any, ...]]:
    """Ask for all tables that are not finished, each with what was noted of it if it is still idle."""
    now = bindparam("now", type_=Float())
    newest = select(sql.max(EntryRow.version)).where(col(EntryRow.table_id) == TableRow.id).scalar_subquery()
    is_idle = and_(
        col(IdleTableRow.table_id) == TableRow.id,
        col(IdleTableRow.touched_at) == TableRow.changed_at,
        col(IdleTableRow.version) == sql.coalesce(newest, 0),
        col(IdleTableRow.noted_at) <= now,  # else somebody has set the clock back
    )
    recent = (col(TableRow.phase) == Phase.OVER.value) & (col(TableRow.changed_at) > now - REPAIRED_FOR)
    return (
        select(
            col(TableRow.id),
            col(ServerRow.platform),
            col(ServerRow.ref),
            col(TableRow.room),
            col(TableRow.topic),
            col(TableRow.preset),
            col(TableRow.rules),
            col(TableRow.house_rules),
            col(IdleTableRow.noted_at),
            col(IdleTableRow.due_at),
        )
        .join(ServerRow, col(ServerRow.id) == TableRow.server_id)
        .outerjoin(IdleTableRow, is_idle)
        .where(or_(IS_IN_USE, recent))
        .order_by(col(TableRow.id))
    )


_UNFINISHED = Prepared(_unfinished)


def _due_at(row: Row[Any]) -> float:
    """Say when a table has to be looked at; one that cannot be read, at once."""
    if row.noted_at is None or rules_of(row.preset, row.rules, row.house_rules).is_damaged:
        return 0.0
    return NEVER if row.due_at is None else float(row.due_at)


def _row(idle_table: IdleTable) -> dict[str, object]:
    return {
        "table_id": idle_table.table_id,
        "version": idle_table.version,
        "touched_at": idle_table.touched_at,
        "noted_at": idle_table.noted_at,
        "due_at": None if isinf(idle_table.due_at) else idle_table.due_at,
    }
