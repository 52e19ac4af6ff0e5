"""Finished games, as they were played."""

from sqlmodel import col, select

from adapters.port import RoomRef
from bot.storage.database import Database
from bot.storage.identities import server_id
from bot.storage.models import EntryRow, ResultRow, SeatRow, TableRow
from engine import Opening, Record, parse_action, seal_of


class Records:
    """The records of games."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def newest(self, room: RoomRef) -> Record | None:
        """Give the game that was finished last in a room, with its players as remarks; None if none was."""
        async with self._database.session() as session:
            newest = (
                select(ResultRow.table_id, ResultRow.game)
                .join(TableRow, col(TableRow.id) == col(ResultRow.table_id))
                .where(
                    TableRow.server_id == await server_id(session, room.server),
                    TableRow.room == room.id,
                    TableRow.topic == room.topic,
                )
                .order_by(col(ResultRow.finished_at).desc(), col(ResultRow.table_id).desc())
            )
            found = (await session.exec(newest)).first()
            if found is None:
                return None
            table, game = found
            entries = (
                await session.exec(
                    select(EntryRow)
                    .where(EntryRow.table_id == table, EntryRow.game == game)
                    .order_by(col(EntryRow.version))
                )
            ).all()
            names = (
                await session.exec(
                    select(SeatRow.name)
                    .where(SeatRow.table_id == table, SeatRow.of_game == game)
                    .order_by(col(SeatRow.seat))
                )
            ).all()
        opening = Opening.from_text(entries[0].text)
        return Record(
            opening,
            tuple((entry.seat or 0, parse_action(entry.text)) for entry in entries[1:]),
            seal=seal_of(opening.seed),
            remarks=(
                f"game {game} of table {table}",
                *(f"seat {seat}: {' '.join(name.split())}" for seat, name in enumerate(names)),
            ),
        )
