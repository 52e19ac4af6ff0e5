"""Everything that is kept about one person: to be shown to them, and to be forgotten."""

from collections.abc import Sequence
from secrets import token_hex
from typing import Any

from sqlmodel import SQLModel, col, delete, or_, select, update
from sqlmodel.ext.asyncio.session import AsyncSession

from adapters.port import ServerRef, UserRef
from bot.model.players import FORGOTTEN
from bot.model.table import Phase
from bot.storage.database import Database
from bot.storage.identities import player_row, server_id
from bot.storage.models import (
    EntryRow,
    GuestRow,
    MessageRow,
    MessageSlotRow,
    NicknameRow,
    PlayerRow,
    ResultRow,
    SeatRow,
    ServerRow,
    TableRow,
    VariationRow,
)
from bot.storage.nicknames import forget_nicknames

_SECRETS = {"seed", "secret_hash", "digest"}
"""What is kept for the bot alone: it would tell hidden cards, or open a door."""


class PrivacyStore:
    """What is kept about people."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def everything_about(self, user: UserRef, private: ServerRef | None) -> dict[str, Any]:
        """Return all rows that are about a person, by what they are; `private` is their chat with the bot."""
        async with self._database.reading() as session:
            person = await player_row(session, user)
            found: dict[str, Any] = {"person": None if person is None else _plain(person)}
            if person is not None:
                found |= {
                    "names on servers": await _rows(
                        session, NicknameRow, col(NicknameRow.player_id) == person.id
                    ),
                    "tables opened": await _rows(session, TableRow, col(TableRow.opener_id) == person.id),
                    "seats": await _rows(session, SeatRow, col(SeatRow.player_id) == person.id),
                    "results": await _rows(session, ResultRow, col(ResultRow.player_id) == person.id),
                    "moves": await _moves(session, person.id),
                }
            server = None if private is None else await server_id(session, private)
            found["private chat"] = await _rows(session, ServerRow, col(ServerRow.id) == server)
            found["rules saved in the private chat"] = await _rows(
                session, VariationRow, col(VariationRow.server_id) == server
            )
            found["messages the bot may edit"] = await _rows(session, MessageSlotRow, *_shown_to(user))
            found["page"] = await _rows(session, GuestRow, col(GuestRow.id) == user.id)
            found["messages on the page"] = await _rows(
                session,
                MessageRow,
                or_(
                    col(MessageRow.guest_id) == user.id,
                    col(MessageRow.content)["by"].as_string() == user.id,
                ),
            )
            return found

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
    person.reachable = None


async def _abandon(session: AsyncSession, private: ServerRef) -> None:
    """Take the names off a server that is one person's chat with the bot."""
    server = await server_id(session, private)
    tables = select(TableRow.id).where(col(TableRow.server_id) == server)
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
        .values(platform=FORGOTTEN, ref=token_hex(8), preset="", locale="", time_zone="", view="", style="")
    )


async def _moves(session: AsyncSession, player: int) -> list[dict[str, Any]]:
    """Return the moves of finished games, and of the running one: their own cards are no secret to them."""
    query = (
        select(EntryRow)
        .join(
            ResultRow,
            (col(ResultRow.table_id) == EntryRow.table_id)
            & (col(ResultRow.game) == EntryRow.game)
            & (col(ResultRow.seat) == EntryRow.seat),
            isouter=True,
        )
        .join(
            SeatRow,
            (col(SeatRow.table_id) == EntryRow.table_id)
            & (col(SeatRow.of_game) == EntryRow.game)
            & (col(SeatRow.seat) == EntryRow.seat),
            isouter=True,
        )
        .where(or_(col(ResultRow.player_id) == player, col(SeatRow.player_id) == player))
        .order_by(col(EntryRow.table_id), col(EntryRow.version))
    )
    return [_plain(row) for row in (await session.exec(query)).all()]


def _shown_to(user: UserRef) -> tuple[Any, Any]:
    return col(MessageSlotRow.reader_platform) == user.platform, col(MessageSlotRow.reader) == user.id


async def _rows(session: AsyncSession, model: type[SQLModel], *conditions: Any) -> list[dict[str, Any]]:
    rows: Sequence[SQLModel] = (await session.exec(select(model).where(*conditions))).all()
    return [_plain(row) for row in rows]


def _plain(row: SQLModel) -> dict[str, Any]:
    return {name: value for name, value in row.model_dump().items() if name not in _SECRETS}
