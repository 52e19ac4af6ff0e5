"""Everything that is kept about one person: to be shown to them, and to be forgotten."""

from dataclasses import asdict
from secrets import token_hex
from typing import Any

from sqlalchemy import ColumnElement, Connection, Result, Select, or_, select, tuple_, union
from sqlmodel import col, delete, update
from sqlmodel.ext.asyncio.session import AsyncSession

from adapters.port import ServerRef, UserRef
from bot.model.people import ServerChoices
from bot.model.table import FORGOTTEN, Phase
from bot.storage.database import Database
from bot.storage.identities import player_row, server_id
from bot.storage.models import (
    Base,
    EntryRow,
    MessageSlotRow,
    NicknameRow,
    PlayerRow,
    ResultRow,
    SeatRow,
    ServerRow,
    TableRow,
    VariationRow,
    table_of,
)
from bot.storage.nicknames import forget_nicknames
from bot.storage.page_models import GuestRow, MessageRow
from bot.storage.tally_models import DuelRow, TallyRow

_SECRETS = {"seed", "secret_hash", "digest"}
"""What is kept for the bot alone: it would tell hidden cards, or open a door."""


class PrivacyStore:
    """What is kept about people."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def everything_about(self, user: UserRef, private: ServerRef | None) -> dict[str, Any]:
        """Return all rows that are about a person, by what they are; `private` is their chat with the bot."""
        return await self._database.report(lambda connection: _everything(connection, user, private))

    async def forget(self, user: UserRef, private: ServerRef | None) -> None:
        """Let a nameless player stand wherever this person stood: the tallies of others stay right.

        Their `private` chat becomes a server that nobody finds again, and its tables are put away. What a
        chat keeps itself, it forgets itself.
        """
        async with self._database.session() as session:
            person = await player_row(session, user)
            if person is not None:
                await _make_nameless(session, person)
            await session.exec(delete(MessageSlotRow).where(*_shown_to(user)))
            if private is not None:
                await _abandon(session, private)
            await session.commit()

    async def scrub(self) -> None:
        """Leave nothing of what was forgotten in the files of the database."""
        await self._database.scrub()


async def _make_nameless(session: AsyncSession, person: PlayerRow) -> None:
    await session.exec(
        update(SeatRow).where(col(SeatRow.player_id) == person.id).values(name="", joined="", has_left=True)
    )
    await forget_nicknames(session, person.id)
    person.platform, person.ref = FORGOTTEN, token_hex(8)
    person.name, person.locale, person.language, person.hand_order = "", "", "", ""
    person.reachable, person.private_messages = None, True


async def _abandon(session: AsyncSession, private: ServerRef) -> None:
    """Take the names off a server that is one person's chat with the bot."""
    server = await server_id(session, private)
    tables = select(col(TableRow.id)).where(col(TableRow.server_id) == server)
    await session.exec(delete(MessageSlotRow).where(col(MessageSlotRow.table_id).in_(tables)))
    await session.exec(
        update(TableRow)
        .where(col(TableRow.server_id) == server)
        .values(room="", topic="", phase=Phase.CLOSED)
    )
    await session.exec(delete(VariationRow).where(col(VariationRow.server_id) == server))
    await session.exec(
        update(ServerRow)
        .where(col(ServerRow.id) == server)
        .values(platform=FORGOTTEN, ref=token_hex(8), **asdict(ServerChoices()))
    )


def _everything(connection: Connection, user: UserRef, private: ServerRef | None) -> dict[str, Any]:
    def rows(model: type[Base], *conditions: ColumnElement[bool]) -> list[dict[str, Any]]:
        return _plain(connection.execute(select(table_of(model)).where(*conditions)))

    person = rows(PlayerRow, col(PlayerRow.platform) == user.platform, col(PlayerRow.ref) == user.id)
    found: dict[str, Any] = {"person": person[0] if person else None}
    if person:
        player = person[0]["id"]
        found |= {
            "names on servers": rows(NicknameRow, col(NicknameRow.player_id) == player),
            "tables opened": rows(TableRow, col(TableRow.opener_id) == player),
            "seats": rows(SeatRow, col(SeatRow.player_id) == player),
            "results": rows(ResultRow, col(ResultRow.player_id) == player),
            "tallies": rows(TallyRow, col(TallyRow.player_id) == player),
            "duels": rows(DuelRow, or_(col(DuelRow.one_id) == player, col(DuelRow.other_id) == player)),
            "moves": _plain(connection.execute(_moves(player))),
        }
    platform, ref = (None, None) if private is None else (private.platform, private.id)
    server = select(col(ServerRow.id)).where(col(ServerRow.platform) == platform, col(ServerRow.ref) == ref)
    found["private chat"] = rows(ServerRow, col(ServerRow.id).in_(server))
    found["rules saved in the private chat"] = rows(VariationRow, col(VariationRow.server_id).in_(server))
    found["messages the bot may edit"] = rows(MessageSlotRow, *_shown_to(user))
    found["page"] = rows(GuestRow, col(GuestRow.id) == user.id)
    found["messages on the page"] = rows(
        MessageRow,
        or_(col(MessageRow.guest_id) == user.id, col(MessageRow.content)["by"].as_string() == user.id),
    )
    return found


def _moves(player: int) -> Select[Any]:
    """The moves of finished games, and of the running one: their own cards are no secret to them."""
    result, seat = ResultRow, SeatRow
    finished = select(col(result.table_id), col(result.game), col(result.seat)).where(
        col(result.player_id) == player
    )
    running = select(col(seat.table_id), col(seat.of_game), col(seat.seat)).where(
        col(seat.player_id) == player
    )
    theirs = union(finished, running).subquery()
    entry = table_of(EntryRow)
    return (
        select(entry)
        .join(theirs, tuple_(entry.c.table_id, entry.c.game, entry.c.seat) == tuple_(*theirs.c))
        .order_by(entry.c.table_id, entry.c.version)
    )


def _shown_to(user: UserRef) -> tuple[Any, Any]:
    return col(MessageSlotRow.reader_platform) == user.platform, col(MessageSlotRow.reader) == user.id


def _plain(rows: Result[Any]) -> list[dict[str, Any]]:
    return [{name: value for name, value in row.items() if name not in _SECRETS} for row in rows.mappings()]
