"""The people around the tables."""

import time
from collections.abc import Callable
from dataclasses import replace

from sqlalchemy import update
from sqlmodel import col, delete, or_, select
from sqlmodel.ext.asyncio.session import AsyncSession

from adapters.port import RoomRef, ServerRef, User, UserRef
from bot.model.table import Phase, Player, Table
from bot.storage.database import Database
from bot.storage.identities import PLAYER, in_room, player_row, server_id, server_id_made
from bot.storage.models import ResultRow, SeatRow, ServerRow, TableRow
from bot.storage.nicknames import hand_nicknames_on
from bot.storage.table_statements import (
    GAMES_OF_PLAYER,
    IN_USE,
    TABLE,
    TABLE_IN_ROOM,
    opened,
    saved,
    tables_in,
)
from bot.storage.tallies import hand_tallies_on
from bot.storage.variations import hand_choices_on
from engine import Rules


class TableStore:
    """All tables: who sits, by which rules, and where each of them stands."""

    def __init__(self, database: Database, now: Callable[[], float] = time.time) -> None:
        """Keep the tables in `database`; `now` gives Unix seconds."""
        self._database = database
        self._now = now

    async def open(
        self,
        *,
        room: RoomRef,
        opener: User,
        joined: str = "",
        preset: str,
        rules: Rules,
        house_rules: Rules | None = None,
        seed: str,
        locale: str,
    ) -> Table:
        """Open a table, and seat its opener if that is a person.

        If a table in use stands in the room, that one is given.
        """
        table = Table(
            id=0,
            room=room,
            opener=opener.ref,
            preset=preset,
            rules=rules,
            house_rules=house_rules,
            seed=seed,
            opened_at=self._now(),
            players=(Player(opener.name, opener.ref, joined),) if opener.is_person else (),
            locale=locale,
            touched_at=self._now(),
        )
        standing = list[Table]()
        while not standing:  # else somebody opened one at the same moment, and has put it away again
            *_, found = await self._database.write(*opened(table))
            standing = tables_in(found.rows)
        return standing[0]

    async def save(self, table: Table) -> Table:
        """Keep a changed table, and give it; the room it stands in changes only by `rename_room`."""
        changed = replace(table, touched_at=self._now())
        await self._database.write(*saved(changed))
        return changed

    async def get(self, table_id: int) -> Table | None:
        """Find a table by its id, as it is after all that was to be written so far."""
        await self._database.settle()
        found = tables_in(await self._database.rows(TABLE, {"of_table": table_id}))
        return found[0] if found else None

    async def in_room(self, room: RoomRef) -> Table | None:
        """Find the table in use that stands in a room."""
        found = tables_in(await self._database.rows(TABLE_IN_ROOM, in_room(room)))
        return found[0] if found else None

    async def of_player(self, user: UserRef) -> list[Table]:
        """Return the running games a person plays in, the newest first."""
        return tables_in(await self._database.rows(GAMES_OF_PLAYER, PLAYER.values(user)))

    async def about(self, user: UserRef, private: ServerRef | None) -> list[int]:
        """Name all tables that know a person, or stand in their `private` chat."""
        async with self._database.reading() as session:
            player = await player_row(session, user)
            seats = select(SeatRow.table_id).where(col(SeatRow.player_id) == (player and player.id))
            known = [col(TableRow.opener_id) == (player and player.id), col(TableRow.id).in_(seats)]
            if private is not None:
                known.append(col(TableRow.server_id) == await server_id(session, private))
            query = select(TableRow.id).where(or_(*known))
            return list((await session.exec(query)).all())

    async def rename_room(self, old: RoomRef, new: RoomRef) -> None:
        """Let a room with its topics go on under a new id; if its server's id changes with it, all go along.

        Where a table in use stands under either id, one stays: the one that plays, or else the older one.
        """
        async with self._database.session() as session:
            before = await server_id(session, old.server)
            if before is None:
                return
            after = await server_id_made(session, new.server)
            await _make_way(session, (before, old.id), (after, new.id))
            await session.exec(
                update(TableRow)
                .where(col(TableRow.server_id) == before, col(TableRow.room) == old.id)
                .values(server_id=after, room=new.id)
            )
            if old.server != new.server:
                moving = ((TableRow, TableRow.server_id), (ResultRow, ResultRow.server_id))
                for model, column in moving:
                    await session.exec(update(model).where(col(column) == before).values(server_id=after))
                await hand_choices_on(session, before, after)
                await hand_nicknames_on(session, before, after)
                await hand_tallies_on(session, before, after)
                await session.exec(delete(ServerRow).where(col(ServerRow.id) == before))
            await session.commit()


async def _make_way(session: AsyncSession, *rooms: tuple[int, str]) -> None:
    """Put tables away until these rooms could be one."""
    query = (
        select(TableRow)
        .where(
            or_(
                *(
                    (col(TableRow.server_id) == server) & (col(TableRow.room) == room)
                    for server, room in rooms
                )
            ),
            col(TableRow.phase).in_(IN_USE),
        )
        .order_by(col(TableRow.phase) == Phase.LOBBY, col(TableRow.id))
    )
    stays: set[str] = set()
    for row in (await session.exec(query)).all():
        if row.topic in stays:
            row.phase = Phase.CLOSED
        stays.add(row.topic)
    await session.flush()
