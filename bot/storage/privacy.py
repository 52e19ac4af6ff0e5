"""Exports and forgets everything that is stored about one person."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from io import BytesIO
from secrets import token_hex
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile

import sqlalchemy as sa
from sqlmodel import Session, col, delete, or_, select, update

from adapters.port import ServerRef, UserRef
from bot.model.table import FORGOTTEN, Phase
from bot.storage import models
from bot.storage.database import Store, writes
from bot.storage.known import known_in
from bot.storage.numbers import find, forget_number
from bot.storage.personal_rows import PersonalRows, clear, keep

# Columns that are not exported: they would reveal hidden cards or grant access.
_SECRETS = {"seed", "secret_hash", "digest"}


class PrivacyStore(Store):
    """Packs the data about a person for them, or forgets it."""

    async def everything_about(self, user: UserRef, private: ServerRef | None, most: int) -> Sequence[bytes]:
        """Returns ZIP files of at most `most` bytes with all rows about a person, by topic.

        May take long, but blocks no other work. `private` is their chat with the bot.
        """
        return await self.database.report_aside(
            partial(_pack, most, user, private, self.database.schema.about_people)
        )

    async def rows_about(self, user: UserRef, private: ServerRef | None) -> Mapping[str, Sequence[str]]:
        """Returns all rows about a person by topic, each as a line of JSON."""
        return await self.database.report_aside(
            partial(_by_topic, user, private, self.database.schema.about_people)
        )

    @writes
    def forget(self, session: Session, user: UserRef, private: ServerRef | None) -> None:
        """Replaces a person by a nameless player, so that the tallies of others stay right.

        Their `private` chat becomes a server without a known id, and its tables are closed. The chat's
        adapter forgets its own records.
        """
        person = find(session, models.PlayerRow, user)
        if person is not None:
            for rows in (*ABOUT_PEOPLE, *self.database.schema.about_people):
                rows.forget(session, person.id)

            for by in (models.ServerRow.home_by, models.ServerRow.pins_by):
                session.exec(update(models.ServerRow).where(*_switched_on(by, person)).values({col(by): ""}))

            _make_unknown(person)

        forget_number(session, user)
        for messages in SHOWN.values():
            session.exec(delete(messages).where(*_shown_to(user, messages)))
        server = None if private is None else find(session, models.ServerRow, private)
        if private is not None and server is not None:
            its = col(models.TableRow.server_id) == server.id
            tables = select(models.TableRow.id).where(its)
            session.exec(delete(models.MessageSlotRow).where(col(models.MessageSlotRow.table_id).in_(tables)))
            columns = {"room": "", "topic": "", "phase": Phase.CLOSED.value}
            session.exec(update(models.TableRow).where(its).values(columns))

            for kind in IN_CHATS:
                session.exec(delete(kind).where(col(kind.server_id) == server.id))
            for table in self.database.schema.of_features:
                if "server_id" in table.c:
                    session.exec(delete(table).where(table.c.server_id == server.id))

            forget_number(session, private)
            known_in(session).note_moved_rooms()
            _make_unknown(server)

    async def scrub(self) -> None:
        """Removes forgotten rows from the files of the database."""
        await self.database.scrub()


def _leave_seats(session: Session, person: Any, number: int) -> None:
    """Removes the name from a person's seats, and marks them as left."""
    theirs = col(person) == number
    session.exec(update(models.SeatRow).where(theirs).values(name="", joined="", has_left=True))


# The core's rows about people, except those about two people, and those that name one by more than an id.
ABOUT_PEOPLE = (
    PersonalRows("names on servers", models.NicknameRow.player_id),
    PersonalRows("marks worn", models.WearerRow.player_id),
    PersonalRows("marks switched on", models.BadgeRow.admin_id, clear),
    PersonalRows("tables opened", models.TableRow.opener_id, keep),
    PersonalRows("seats", models.SeatRow.player_id, _leave_seats),
    PersonalRows("results", models.ResultRow.player_id, keep),
    PersonalRows("tallies", models.TallyRow.player_id, keep),
    PersonalRows("titles", models.TitleRow.player_id, keep),
    PersonalRows("tallies by month", models.MonthTallyRow.player_id, keep),
    PersonalRows("games with real cards entered", models.CardGameRow.entered_by, keep),
    PersonalRows("games with real cards played", models.CardSeatRow.player_id, keep),
    PersonalRows("calls asked for", models.CallRow.player_id),
    PersonalRows("calls made, or unwanted", models.RingRow.player_id),
)

# The messages that only one person reads.
Shown = type[models.MessageSlotRow] | type[models.FeatureMessageRow]
SHOWN: Mapping[str, Shown] = {
    "messages the bot may edit": models.MessageSlotRow,
    "messages of features the bot may edit": models.FeatureMessageRow,
}

# Forgotten with a private chat.
IN_CHATS = (
    models.FeatureMessageRow,
    models.ServerChoiceRow,
    models.VariationRow,
    models.AppointmentRow,
    models.BadgeRow,
    models.WearerRow,
    models.CallRow,
    models.RingRow,
)


def _make_unknown(row: models.PlayerRow | models.ServerRow) -> None:
    """Resets the row of a person or a chat, which stays because other rows may refer to it."""
    row.sqlmodel_update(type(row)(platform=FORGOTTEN, ref=token_hex(8)).model_dump(exclude={"id"}))


BATCH_SIZE = 20  # texts read at once; one may hold all moves at a table
SEPARATOR = ",\n"  # between two rows

# A packed file counts as full at this share of its limit, as the newest rows are still being compressed.
FULL_SHARE = 0.8

COMPRESSION_LEVEL = 3  # takes half the time of the default level, for files larger by a tenth


class PackedFiles:
    """Packs rows into ZIP files of at most `most` bytes; each can be read without the others."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._files: list[bytes] = []
        self._begin()

    def write(self, name: str, texts: Iterator[Sequence[str]]) -> None:
        """Writes JSON objects, which come in batches, as one array to `name.json`.

        When a file is full, the rest is written to `name 2.json` in the next one, and so on.
        """
        number = 1
        batch = next(texts, None)

        while batch is not None:
            if self._is_full:
                self._end()
                self._begin()

            title = name if number == 1 else f"{name} {number}"
            with self._zip.open(f"{title}.json", "w") as file:
                mark = "[\n"
                while batch is not None and not self._is_full:
                    file.write(f"{mark}{SEPARATOR.join(batch)}".encode())
                    mark = SEPARATOR
                    batch = next(texts, None)

                file.write(b"\n]\n")

            number += 1

    def finish(self) -> Sequence[bytes]:
        """Closes the last file, and returns all of them."""
        self._end()
        return self._files

    @property
    def _is_full(self) -> bool:
        return self._buffer.tell() > FULL_SHARE * self._most

    def _begin(self) -> None:
        self._buffer = BytesIO()
        self._zip = ZipFile(self._buffer, "w", ZIP_DEFLATED, compresslevel=COMPRESSION_LEVEL)

    def _end(self) -> None:
        self._zip.close()
        self._files.append(self._buffer.getvalue())


def _pack(
    most: int,
    user: UserRef,
    private: ServerRef | None,
    of_features: Sequence[PersonalRows],
    session: Session,
) -> Sequence[bytes]:
    files = PackedFiles(most)
    connection = session.connection()
    for name, rows in _everything(session, user, private, of_features):
        rows_as_json = connection.execute(
            _as_json(rows, connection.dialect.name), execution_options={"yield_per": BATCH_SIZE}
        )
        files.write(name, rows_as_json.scalars().partitions())

    return files.finish()


def _by_topic(
    user: UserRef, private: ServerRef | None, of_features: Sequence[PersonalRows], session: Session
) -> Mapping[str, Sequence[str]]:
    connection = session.connection()
    lines_by_topic = dict[str, Sequence[str]]()
    for name, rows in _everything(session, user, private, of_features):
        texts = connection.execute(_as_json(rows, connection.dialect.name)).scalars()
        lines = [line for text in texts for line in text.split(SEPARATOR)]
        if lines:
            lines_by_topic[name] = lines

    return lines_by_topic


def _as_json(rows: sa.Select[Any], dialect: str) -> sa.Select[str]:
    """Returns a query for rows as JSON objects, joined into one text for each value of the first column.

    Python would take several times as long. SQLite releases the GIL meanwhile, so the event loop keeps
    running in its thread; with a text for each row, the two threads would alternate all the time.
    """
    key, order, *_ = rows.selected_columns
    text: sa.ColumnElement[str]
    if dialect == "sqlite":
        row = _json_object(rows, sa.func.json_object, _sqlite_json)
        text = sa.func.group_concat(row, SEPARATOR)  # in the order of their keys, in which SQLite finds them
    else:
        row = _json_object(rows, sa.func.json_build_object, lambda column: column)
        text = sa.func.string_agg(row, sa.literal(SEPARATOR)).aggregate_order_by(order)

    return rows.with_only_columns(text, maintain_column_froms=True).group_by(key).order_by(key)


def _json_object(
    rows: sa.Select[Any], make: Callable[..., sa.ColumnElement[Any]], value_of: Callable[[Any], Any]
) -> sa.ColumnElement[str]:
    """Builds the text of a JSON object with the columns of a row."""
    pairs = list[sa.ColumnElement[Any]]()
    for column in rows.selected_columns:
        pairs += [sa.literal(column.name), value_of(column)]

    return sa.cast(make(*pairs), sa.Text)


def _sqlite_json(column: sa.ColumnElement[Any]) -> sa.ColumnElement[Any]:
    """Returns a column as a value of JSON: SQLite keeps booleans as numbers, and JSON as text."""
    if isinstance(column.type, sa.Boolean):
        return sa.func.json(sa.case((column.is_(True), "true"), (column.is_(False), "false")))

    if isinstance(column.type, sa.JSON):
        return sa.func.json(sa.type_coerce(column, sa.Text))

    return column


def _everything(
    session: Session, user: UserRef, private: ServerRef | None, of_features: Sequence[PersonalRows]
) -> Iterator[tuple[str, sa.Select[Any]]]:
    person = find(session, models.PlayerRow, user)
    if person is not None:
        yield "person", _rows(models.PlayerRow.id, person.id)
        for name, by in (("news", models.ServerRow.home_by), ("pins", models.ServerRow.pins_by)):
            yield f"{name} switched on", _columns(models.ServerRow).where(*_switched_on(by, person))

        for about in (*ABOUT_PEOPLE, *of_features):
            yield about.name, _rows(about.person, person.id)

        for name, model in (("duels", models.DuelRow), ("duels by year", models.YearDuelRow)):
            is_theirs = or_(col(model.one_id) == person.id, col(model.other_id) == person.id)
            yield name, _columns(model).where(is_theirs)

        yield "moves", _moves(person.id)

    server = None if private is None else find(session, models.ServerRow, private)
    if server is not None:
        yield "private chat", _rows(models.ServerRow.id, server.id)
        yield "choices about features in the private chat", _rows(models.ServerChoiceRow.server_id, server.id)
        yield "rules saved in the private chat", _rows(models.VariationRow.server_id, server.id)

    for name, messages in SHOWN.items():
        yield name, _columns(messages).where(*_shown_to(user, messages))
    yield "page", _rows(models.GuestRow.id, user.id)
    by_them = col(models.MessageRow.content)["by"].as_string() == user.id
    is_theirs = or_(col(models.MessageRow.guest_id) == user.id, by_them)
    yield "messages on the page", _columns(models.MessageRow).where(is_theirs)


def _columns(model: type[models.Base]) -> sa.Select[Any]:
    return sa.select(*(column for column in sa.inspect(model).columns if column.name not in _SECRETS))


def _rows(of: Any, value: int | str) -> sa.Select[Any]:
    """Returns a query for the rows in which the column `of` has this value."""
    return _columns(of.class_).where(of == value)


def _moves(player: int) -> sa.Select[Any]:
    """Returns a query for a person's moves, also in a running game: they know their own cards."""
    result = models.ResultRow
    seat = models.SeatRow
    entry = models.EntryRow
    finished = select(result.table_id, result.game, result.seat).where(result.player_id == player)
    running = select(seat.table_id, seat.of_game, seat.seat).where(seat.player_id == player)
    theirs = sa.union(finished, running).cte()

    # With a separate condition on tables, SQLite finds them by the key and has nothing to sort.
    is_at_their_table = col(entry.table_id).in_(sa.select(theirs.c.table_id))
    is_theirs = sa.tuple_(col(entry.table_id), col(entry.game), col(entry.seat)).in_(sa.select(theirs))
    return _columns(entry).where(is_at_their_table, is_theirs)


def _switched_on(by: str, person: models.PlayerRow) -> tuple[sa.ColumnElement[bool], ...]:
    """Builds the conditions for the servers at which this person is in the column `by`."""
    return col(models.ServerRow.platform) == person.platform, col(by) == person.ref


def _shown_to(user: UserRef, rows: Shown) -> tuple[sa.ColumnElement[bool], ...]:
    return col(rows.reader_platform) == user.platform, col(rows.reader) == user.id
