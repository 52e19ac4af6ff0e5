"""Everything that is kept about one person: to be shown to them, and to be forgotten."""

from secrets import token_hex
from typing import Any

from sqlalchemy import ColumnElement, tuple_, union
from sqlmodel import Session, col, delete, or_, select, update
from sqlmodel.sql.expression import SelectOfScalar

from adapters.port import ServerRef, UserRef
from bot.model.table import FORGOTTEN, Phase
from bot.storage.database import Database
from bot.storage.models import (
    AppointmentRow,
    Base,
    CardGameRow,
    CardSeatRow,
    DuelRow,
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
    TallyRow,
    VariationRow,
)
from bot.storage.people import find

_SECRETS = {"seed", "secret_hash", "digest"}
"""What is kept for the bot alone: it would tell hidden cards, or open a door."""


class PrivacyStore:
    """What is kept about people."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def everything_about(self, user: UserRef, private: ServerRef | None) -> dict[str, Any]:
        """Return all rows that are about a person, by what they are; `private` is their chat with the bot."""
        return await self._database.report(lambda session: _everything(session, user, private))

    async def forget(self, user: UserRef, private: ServerRef | None) -> None:
        """Let a nameless player stand wherever this person stood: the tallies of others stay right.

        Their `private` chat becomes a server without a known id, and its tables are put away. What a
        chat keeps itself, it forgets itself.
        """

        def write(session: Session) -> None:
            person = find(session, PlayerRow, user)
            if person is not None:
                _make_nameless(session, person)
            session.exec(delete(MessageSlotRow).where(*_shown_to(user)))
            server = None if private is None else find(session, ServerRow, private)
            if server is not None:
                _abandon(session, server)

        await self._database.write(write)

    async def scrub(self) -> None:
        """Leave nothing of what was forgotten in the files of the database."""
        await self._database.scrub()


def _make_nameless(session: Session, person: PlayerRow) -> None:
    theirs = col(SeatRow.player_id) == person.id
    session.exec(update(SeatRow).where(theirs).values(name="", joined="", has_left=True))
    session.exec(delete(NicknameRow).where(col(NicknameRow.player_id) == person.id))
    person.sqlmodel_update(PlayerRow(platform=FORGOTTEN, ref=token_hex(8)).model_dump(exclude={"id"}))


def _abandon(session: Session, server: ServerRow) -> None:
    """Take the names off a server that is one person's chat with the bot."""
    tables = session.exec(select(TableRow).where(TableRow.server_id == server.id)).all()
    for table in tables:
        table.room, table.topic, table.phase = "", "", Phase.CLOSED.value
    shown = [table.id for table in tables]
    session.exec(delete(MessageSlotRow).where(col(MessageSlotRow.table_id).in_(shown)))
    for model in (VariationRow, AppointmentRow):
        session.exec(delete(model).where(col(model.server_id) == server.id))
    server.sqlmodel_update(ServerRow(platform=FORGOTTEN, ref=token_hex(8)).model_dump(exclude={"id"}))


def _everything(session: Session, user: UserRef, private: ServerRef | None) -> dict[str, Any]:
    def rows(model: type[Base], *conditions: ColumnElement[bool] | bool) -> list[dict[str, Any]]:
        return [row.model_dump(exclude=_SECRETS) for row in session.exec(select(model).where(*conditions))]

    person = find(session, PlayerRow, user)
    found: dict[str, Any] = {"person": person and person.model_dump()}
    if person is not None:
        found |= {
            "names on servers": rows(NicknameRow, NicknameRow.player_id == person.id),
            "tables opened": rows(TableRow, TableRow.opener_id == person.id),
            "seats": rows(SeatRow, SeatRow.player_id == person.id),
            "results": rows(ResultRow, ResultRow.player_id == person.id),
            "tallies": rows(TallyRow, TallyRow.player_id == person.id),
            "games with real cards entered": rows(CardGameRow, CardGameRow.entered_by == person.id),
            "games with real cards played": rows(CardSeatRow, CardSeatRow.player_id == person.id),
            "duels": rows(DuelRow, or_(col(DuelRow.one_id) == person.id, col(DuelRow.other_id) == person.id)),
            "moves": [row.model_dump() for row in session.exec(_moves(person.id))],
        }
    server = None if private is None else find(session, ServerRow, private)
    server_id = server.id if server is not None else -1
    found["private chat"] = rows(ServerRow, ServerRow.id == server_id)
    found["rules saved in the private chat"] = rows(VariationRow, VariationRow.server_id == server_id)
    found["messages the bot may edit"] = rows(MessageSlotRow, *_shown_to(user))
    found["page"] = rows(GuestRow, GuestRow.id == user.id)
    by = col(MessageRow.content)["by"].as_string()
    found["messages on the page"] = rows(MessageRow, or_(col(MessageRow.guest_id) == user.id, by == user.id))
    return found


def _moves(player: int) -> SelectOfScalar[EntryRow]:
    """The moves of finished games, and of the running one: their own cards are no secret to them."""
    result, seat = ResultRow, SeatRow
    finished = select(result.table_id, result.game, result.seat).where(result.player_id == player)
    running = select(seat.table_id, seat.of_game, seat.seat).where(seat.player_id == player)
    theirs = union(finished, running).subquery()
    entry = tuple_(col(EntryRow.table_id), col(EntryRow.game), col(EntryRow.seat))
    return (
        select(EntryRow)
        .join(theirs, entry == tuple_(*theirs.c))
        .order_by(col(EntryRow.table_id), col(EntryRow.version))
    )


def _shown_to(user: UserRef) -> tuple[ColumnElement[bool], ...]:
    return col(MessageSlotRow.reader_platform) == user.platform, col(MessageSlotRow.reader) == user.id
