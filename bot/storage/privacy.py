"""Everything that is kept about one person: to be shown to them, and to be forgotten."""

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from io import BytesIO
from secrets import token_hex
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile

from sqlalchemy import ColumnElement, Select, inspect, tuple_, union
from sqlalchemy import select as select_columns
from sqlmodel import Session, and_, col, delete, or_, select, update

from adapters.port import ServerRef, UserRef
from bot.model.table import FORGOTTEN, Phase
from bot.storage import models
from bot.storage.database import Store, writes
from bot.storage.people import find

_SECRETS = {"seed", "secret_hash", "digest"}
"""What is kept for the bot alone: it would tell hidden cards, or open a door."""


class PrivacyStore(Store):
    """What is kept about people."""

    async def everything_about(self, user: UserRef, private: ServerRef | None, most: int) -> Sequence[bytes]:
        """Return ZIP files of at most `most` bytes with all rows that are about a person, by what they are.

        That may take long, and holds up no other work. `private` is their chat with the bot.
        """
        return await self.database.report_aside(partial(_packed, most, user, private))

    @writes
    def forget(self, session: Session, user: UserRef, private: ServerRef | None) -> None:
        """Let a nameless player stand wherever this person stood: the tallies of others stay right.

        Their `private` chat becomes a server without a known id, and its tables are put away. What a
        chat keeps itself, it forgets itself.
        """
        person = find(session, models.PlayerRow, user)
        if person is not None:
            _make_nameless(session, person)
        session.exec(delete(models.MessageSlotRow).where(*_shown_to(user)))
        server = None if private is None else find(session, models.ServerRow, private)
        if server is not None:
            _abandon(session, server)

    async def scrub(self) -> None:
        """Leave nothing of what was forgotten in the files of the database."""
        await self.database.scrub()


def _make_nameless(session: Session, person: models.PlayerRow) -> None:
    theirs = col(models.SeatRow.player_id) == person.id
    session.exec(update(models.SeatRow).where(theirs).values(name="", joined="", has_left=True))
    for model in (models.NicknameRow, models.PuzzleAnswerRow, models.WearerRow, models.CallRow):
        session.exec(delete(model).where(col(model.player_id) == person.id))
    session.exec(
        update(models.ServerRow).where(*_switched_on(models.ServerRow.home_by, person)).values(home_by="")
    )
    session.exec(
        update(models.ServerRow).where(*_switched_on(models.ServerRow.pins_by, person)).values(pins_by="")
    )
    session.exec(
        update(models.BadgeRow).where(col(models.BadgeRow.admin_id) == person.id).values(admin_id=None)
    )
    person.sqlmodel_update(models.PlayerRow(platform=FORGOTTEN, ref=token_hex(8)).model_dump(exclude={"id"}))


def _abandon(session: Session, server: models.ServerRow) -> None:
    """Take the names off a server that is one person's chat with the bot."""
    tables = session.exec(select(models.TableRow).where(models.TableRow.server_id == server.id)).all()
    for table in tables:
        table.room, table.topic, table.phase = "", "", Phase.CLOSED.value
    shown = [table.id for table in tables]
    session.exec(delete(models.MessageSlotRow).where(col(models.MessageSlotRow.table_id).in_(shown)))
    for model in (
        models.VariationRow,
        models.AppointmentRow,
        models.BadgeRow,
        models.WearerRow,
        models.CallRow,
    ):
        session.exec(delete(model).where(col(model.server_id) == server.id))
    server.sqlmodel_update(models.ServerRow(platform=FORGOTTEN, ref=token_hex(8)).model_dump(exclude={"id"}))


# --- everything about a person, written into packed files --------------------------------------------------

ROWS_AT_ONCE = 500
"""Rows that are read at once."""

FULL = 0.8
"""The share of the most bytes at which a packed file is full: what was written last is not in it yet."""

QUICK = 3
"""The level of compression: half the time of the usual one, for files larger by a tenth."""


class PackedFiles:
    """Writes rows as JSON into ZIP files of at most `most` bytes; each can be read without the others."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._done: list[bytes] = []
        self._begin()

    def write(self, name: str, rows: Iterator[Sequence[Mapping[str, Any]]]) -> None:
        """Write batches of rows under a name, and go on in a new file where one is full."""
        number, batch = 1, next(rows, None)
        while batch is not None:
            if self._is_full:
                self._end()
                self._begin()
            with self._zip.open(f"{name}.json" if number == 1 else f"{name} {number}.json", "w") as file:
                mark = "["
                while batch is not None and not self._is_full:
                    # A call for each row would take longer than all else.
                    written = json.dumps(batch, ensure_ascii=False, separators=(",\n", ": "))
                    file.write(f"{mark}\n{written[1:-1]}".encode())
                    mark = ","
                    batch = next(rows, None)
                file.write(b"\n]\n")
            number += 1

    def done(self) -> Sequence[bytes]:
        """Return the files."""
        self._end()
        return self._done

    @property
    def _is_full(self) -> bool:
        return self._buffer.tell() > FULL * self._most

    def _begin(self) -> None:
        self._buffer = BytesIO()
        self._zip = ZipFile(self._buffer, "w", ZIP_DEFLATED, compresslevel=QUICK)

    def _end(self) -> None:
        self._zip.close()
        self._done.append(self._buffer.getvalue())


def _packed(most: int, user: UserRef, private: ServerRef | None, session: Session) -> Sequence[bytes]:
    files = PackedFiles(most)
    for name, rows in _everything(session, user, private):
        found = session.connection().execute(rows, execution_options={"yield_per": ROWS_AT_ONCE})
        names = tuple(found.keys())
        files.write(
            name, ([dict(zip(names, row, strict=True)) for row in each] for each in found.partitions())
        )
    return files.done()


def _everything(
    session: Session, user: UserRef, private: ServerRef | None
) -> Iterator[tuple[str, Select[Any]]]:
    def rows(model: type[models.Base], *conditions: ColumnElement[bool] | bool) -> Select[Any]:
        return _columns(model).where(and_(True, *conditions))

    person = find(session, models.PlayerRow, user)
    if person is not None:
        yield "person", rows(models.PlayerRow, models.PlayerRow.id == person.id)
        yield "names on servers", rows(models.NicknameRow, models.NicknameRow.player_id == person.id)
        yield "marks worn", rows(models.WearerRow, models.WearerRow.player_id == person.id)
        yield "marks switched on", rows(models.BadgeRow, models.BadgeRow.admin_id == person.id)
        yield "news switched on", rows(models.ServerRow, *_switched_on(models.ServerRow.home_by, person))
        yield "pins switched on", rows(models.ServerRow, *_switched_on(models.ServerRow.pins_by, person))
        yield "tables opened", rows(models.TableRow, models.TableRow.opener_id == person.id)
        yield "seats", rows(models.SeatRow, models.SeatRow.player_id == person.id)
        yield "results", rows(models.ResultRow, models.ResultRow.player_id == person.id)
        yield "tallies", rows(models.TallyRow, models.TallyRow.player_id == person.id)
        yield "tallies by month", rows(models.MonthTallyRow, models.MonthTallyRow.player_id == person.id)
        yield (
            "games with real cards entered",
            rows(models.CardGameRow, models.CardGameRow.entered_by == person.id),
        )
        yield (
            "games with real cards played",
            rows(models.CardSeatRow, models.CardSeatRow.player_id == person.id),
        )
        yield "calls asked for", rows(models.CallRow, models.CallRow.player_id == person.id)
        yield "puzzles answered", rows(models.PuzzleAnswerRow, models.PuzzleAnswerRow.player_id == person.id)
        for name, model in (("duels", models.DuelRow), ("duels by year", models.YearDuelRow)):
            yield name, rows(model, or_(col(model.one_id) == person.id, col(model.other_id) == person.id))
        yield "moves", _moves(person.id)
    server = None if private is None else find(session, models.ServerRow, private)
    if server is not None:
        yield "private chat", rows(models.ServerRow, models.ServerRow.id == server.id)
        yield (
            "rules saved in the private chat",
            rows(models.VariationRow, models.VariationRow.server_id == server.id),
        )
    yield "messages the bot may edit", rows(models.MessageSlotRow, *_shown_to(user))
    yield "page", rows(models.GuestRow, models.GuestRow.id == user.id)
    by = col(models.MessageRow.content)["by"].as_string()
    yield (
        "messages on the page",
        rows(models.MessageRow, or_(col(models.MessageRow.guest_id) == user.id, by == user.id)),
    )


def _columns(model: type[models.Base]) -> Select[Any]:
    return select_columns(*(column for column in inspect(model).columns if column.name not in _SECRETS))


def _moves(player: int) -> Select[Any]:
    """The moves of finished games, and of the running one: their own cards are no secret to them."""
    result, seat = models.ResultRow, models.SeatRow
    finished = select(result.table_id, result.game, result.seat).where(result.player_id == player)
    running = select(seat.table_id, seat.of_game, seat.seat).where(seat.player_id == player)
    theirs = union(finished, running).subquery()
    entry = tuple_(col(models.EntryRow.table_id), col(models.EntryRow.game), col(models.EntryRow.seat))
    return (
        _columns(models.EntryRow)
        .join(theirs, entry == tuple_(*theirs.c))
        .order_by(col(models.EntryRow.table_id), col(models.EntryRow.version))
    )


def _switched_on(by: str, person: models.PlayerRow) -> tuple[ColumnElement[bool], ...]:
    """Servers on which a person was the last to switch something on, as the column `by` says."""
    return col(models.ServerRow.platform) == person.platform, col(by) == person.ref


def _shown_to(user: UserRef) -> tuple[ColumnElement[bool], ...]:
    return col(models.MessageSlotRow.reader_platform) == user.platform, col(
        models.MessageSlotRow.reader
    ) == user.id
