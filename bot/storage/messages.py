"""Stores which message shows which slot of a table or of a feature's subject."""

from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache
from typing import Any

import sqlalchemy as sa
from sqlmodel import Session, col, delete, or_, select

from adapters.port import MessageRef, ServerRef, UserRef
from bot.model.messages import (
    TABLE,
    FeatureSlot,
    MessageKind,
    PendingMessage,
    SentMessage,
    Slot,
    Subject,
    TableSlot,
)
from bot.model.table import FORGOTTEN
from bot.storage.database import Store, reads, writes, writes_together
from bot.storage.known import known_in
from bot.storage.models import (
    FeatureMessageRow,
    Insert,
    MessageSlotRow,
    OutdatedRow,
    PlayerRow,
    ServerRow,
    TableRow,
    adding,
    insert,
    upserting,
)
from bot.storage.numbers import id_of
from bot.storage.tables import IS_IN_USE, note_busy

BATCH_SIZE = 500  # messages in one query
MOST_AT_ONCE = 8  # messages that one statement writes

# A slot, the message that shows it, and the server where it is read.
Save = tuple[Slot, SentMessage | PendingMessage, ServerRef | None]

Rows = type[MessageSlotRow] | type[FeatureMessageRow]


class MessageSlotStore(Store):
    """Keeps the message of each slot, so that a restart edits messages instead of posting them again."""

    @reads
    def load(self, session: Session, subject: Subject) -> dict[Slot, SentMessage | PendingMessage]:
        """Returns the messages of a subject by slot, those still being posted included."""
        if subject.kind == TABLE:
            rows = session.exec(select(MessageSlotRow).where(MessageSlotRow.table_id == subject.number))
            return {_slot_of_table(row): _message_of(row) for row in rows}

        model = FeatureMessageRow
        about = model.subject == subject.kind, model.number == subject.number
        of_feature = session.exec(select(model).where(*about))
        return {_slot_of_feature(row): _message_of(row) for row in of_feature}

    @reads
    def showing(self, session: Session, messages: Collection[MessageRef]) -> set[Subject]:
        """Returns the subjects that these messages show."""
        message_list = list(messages)
        subjects = set[Subject]()
        for start in range(0, len(message_list), BATCH_SIZE):
            refs = {ref.opaque for ref in message_list[start : start + BATCH_SIZE]}
            of_tables = session.exec(select(MessageSlotRow).where(col(MessageSlotRow.message).in_(refs)))
            of_features = session.exec(
                select(FeatureMessageRow).where(col(FeatureMessageRow.message).in_(refs))
            )
            slots = {_slot_of_table(row): row for row in of_tables}
            rows = slots | {_slot_of_feature(row): row for row in of_features}
            subjects |= {
                slot.subject
                for slot, row in rows.items()
                if MessageRef(row.platform, row.message) in messages
            }

        return subjects

    async def save(
        self, slot: Slot, message: SentMessage | PendingMessage, server: ServerRef | None = None
    ) -> None:
        """Stores a slot's message, sent or pending, unless its reader or room was forgotten.

        `server` is where it is read; only features' slots need it.
        """
        await self._save((slot, message, server))

    @writes_together
    def _save(self, session: Session, saves: Sequence[Save]) -> Sequence[None]:
        for slot, message, _ in saves:
            if isinstance(message, PendingMessage):
                _note_pending(session, slot.subject)

        newest = {slot: (message, server) for slot, message, server in saves}
        of_tables = list[dict[str, Any]]()
        of_features = list[dict[str, Any]]()
        for slot, (message, server) in newest.items():
            row = _row(slot, message)
            if isinstance(slot, TableSlot):
                of_tables.append(row)
            else:
                here = 0 if server is None else id_of(session, ServerRow, server)
                of_features.append(row | {"server_id": here})

        _put_slots(session, MessageSlotRow, of_tables)
        _put_slots(session, FeatureMessageRow, of_features)
        return [None] * len(saves)

    @writes
    def drop(self, session: Session, slot: Slot) -> None:
        """Forgets a slot that is no longer shown, and marks its subject for a check after a restart."""
        _note_pending(session, slot.subject)
        row = session.get(_rows(slot.subject), _key(slot))
        if row is not None:
            session.delete(row)

    async def forget_old(self, before: float, most: int) -> int:
        """Forgets the messages of old games at up to `most` tables; returns the number of those tables.

        Old games are all but the newest two of a table, and all games of a table that is out of use and last
        changed `before` a time (Unix seconds). The messages themselves stay in their chats.
        """
        slot = MessageSlotRow
        table = TableRow
        is_old = or_(
            col(slot.game) < col(table.game) - 1, sa.not_(IS_IN_USE) & (col(table.changed_at) < before)
        )
        old = sa.exists().where(col(slot.table_id) == col(table.id), is_old)
        query = select(table.id).where(old).limit(most)
        table_ids = await self.database.report(lambda session: session.exec(query).all())
        if table_ids:
            of_these = delete(slot).where(col(slot.table_id).in_(table_ids), old)
            await self.database.write(lambda session: session.exec(of_these).close())

        return len(table_ids)

    # --- subjects of features that may have outdated messages -----------------------------------------------

    @reads
    def outdated(self, session: Session) -> Sequence[Subject]:
        """Returns the subjects of features whose messages may be out of date."""
        return [Subject(row.subject, row.number) for row in session.exec(select(OutdatedRow))]

    @reads
    def newest_change(self, session: Session, subject: Subject) -> int:
        """Returns the number of a subject's newest change that may not be shown yet; 0 if all are shown."""
        return newest_change(session, subject)

    @writes
    def note_shown(self, session: Session, subject: Subject, change: int) -> None:
        """Records that all messages about a feature's subject show this change, unless it changed again."""
        row = OutdatedRow
        of_it = col(row.subject) == subject.kind, col(row.number) == subject.number
        if session.exec(delete(row).where(*of_it, col(row.changes) == change)).rowcount:
            known_in(session).note_change(subject, 0)


def note_outdated(session: Session, subject: Subject) -> None:
    """Records that a feature's subject has changed, in the transaction that changes it."""
    _add_changes(session, subject, 1)


def newest_change(session: Session, subject: Subject) -> int:
    """Returns the number of a subject's newest change that may not be shown yet; 0 if all are shown."""
    number = known_in(session).newest_change(subject)
    if number is not None:
        return number

    row = session.get(OutdatedRow, _key_of(subject))
    return 0 if row is None else row.changes


def drop_messages(session: Session, kind: str, numbers: Collection[int]) -> None:
    """Forgets the messages about deleted subjects of a feature."""
    of_these = col(FeatureMessageRow.number).in_(numbers)
    session.exec(delete(FeatureMessageRow).where(col(FeatureMessageRow.subject) == kind, of_these))


def shown_numbers(kind: str) -> Any:
    """Returns a query for the numbers of the subjects of a kind that have messages."""
    return select(FeatureMessageRow.number).where(FeatureMessageRow.subject == kind)


def _note_pending(session: Session, subject: Subject) -> None:
    """Marks a subject for a check after a restart, in case the process is killed before it is shown."""
    if subject.kind == TABLE:
        note_busy(session, subject.number)
    else:
        _add_changes(session, subject, 0)


def _add_changes(session: Session, subject: Subject, changes: int) -> None:
    connection = session.connection()
    row = insert(OutdatedRow, connection.dialect.name)
    newest = adding(row, OutdatedRow, ("changes",)).returning(col(OutdatedRow.changes))
    number = connection.execute(newest, _key_of(subject) | {"changes": changes}).scalar_one()
    known_in(session).note_change(subject, number)


def _message_of(row: MessageSlotRow | FeatureMessageRow) -> SentMessage | PendingMessage:
    if row.key:
        return PendingMessage(row.key, row.digest)
    return SentMessage(MessageRef(row.platform, row.message), row.digest, row.is_pinned)


def _slot_of_table(row: MessageSlotRow) -> TableSlot:
    return TableSlot(row.table_id, row.game, MessageKind(row.kind), _user_of(row))


def _slot_of_feature(row: FeatureMessageRow) -> FeatureSlot:
    return FeatureSlot(Subject(row.subject, row.number), row.part, _user_of(row))


def _user_of(row: MessageSlotRow | FeatureMessageRow) -> UserRef | None:
    return UserRef(row.reader_platform, row.reader) if row.reader_platform else None


def _row(slot: Slot, message: SentMessage | PendingMessage) -> dict[str, Any]:
    """Returns the columns of a slot's message, without its server."""
    if isinstance(message, PendingMessage):
        state = {"platform": "", "message": "", "key": message.key, "is_pinned": False}
    else:
        ref = message.ref
        state = {"platform": ref.platform, "message": ref.opaque, "key": "", "is_pinned": message.is_pinned}

    return _key(slot) | {"digest": message.digest} | state


def _put_slots(session: Session, rows: Rows, values: Sequence[Mapping[str, Any]]) -> None:
    """Writes rows of messages, except those for a forgotten reader or room."""
    connection = session.connection()
    for start in range(0, len(values), MOST_AT_ONCE):
        batch = values[start : start + MOST_AT_ONCE]
        parameters = {
            f"{name}_of_{number}": value for number, row in enumerate(batch) for name, value in row.items()
        }
        connection.execute(_put_of(rows, len(batch), connection.dialect.name), parameters)


@lru_cache
def _put_of(rows: Rows, number: int, dialect: str) -> Insert:
    """Returns the statement that writes `number` rows, except those for a forgotten reader or room."""
    may_be_written = _may_table_show if rows is MessageSlotRow else _may_feature_show
    selects = list[sa.Select[Any]]()
    for each in range(number):
        row = _parameters(rows, each)
        selects.append(sa.select(*row.values()).where(may_be_written(row)))

    names = list(_parameters(rows, 0))
    all_rows = selects[0] if number == 1 else sa.union_all(*selects)
    return upserting(insert(rows, dialect).from_select(names, all_rows), rows)


Parameters = Mapping[str, sa.BindParameter[Any]]


def _parameters(rows: Rows, number: int) -> Parameters:
    """Returns the parameters of one row among several, by its columns."""
    columns = sa.inspect(rows).columns
    return {column.name: sa.bindparam(f"{column.name}_of_{number}", type_=column.type) for column in columns}


def _may_table_show(row: Parameters) -> sa.ColumnElement[bool]:
    is_forgotten = (
        sa.exists()
        .where(col(ServerRow.id) == col(TableRow.server_id))
        .where(col(TableRow.id) == row["table_id"], col(ServerRow.platform) == FORGOTTEN)
    )
    return or_(_is_reader_known(row), _is_public(row) & ~is_forgotten)


def _may_feature_show(row: Parameters) -> sa.ColumnElement[bool]:
    return (row["server_id"] != 0) & or_(_is_reader_known(row), _is_public(row))


def _is_public(row: Parameters) -> sa.ColumnElement[bool]:
    return row["reader_platform"] == ""


def _is_reader_known(row: Parameters) -> sa.ColumnElement[bool]:
    return sa.exists().where(
        col(PlayerRow.platform) == row["reader_platform"], col(PlayerRow.ref) == row["reader"]
    )


def _rows(subject: Subject) -> Rows:
    return MessageSlotRow if subject.kind == TABLE else FeatureMessageRow


def _key_of(subject: Subject) -> dict[str, Any]:
    """Returns the primary key of a feature's subject."""
    return {"subject": subject.kind, "number": subject.number}


def _key(slot: Slot) -> dict[str, Any]:
    """Returns a slot's primary key; a public slot has no reader."""
    platform, reader = ("", "") if slot.user is None else (slot.user.platform, slot.user.id)
    of_reader = {"reader_platform": platform, "reader": reader}
    if isinstance(slot, TableSlot):
        return {"table_id": slot.table_id, "game": slot.game, "kind": slot.kind.value} | of_reader

    return _key_of(slot.subject) | {"part": slot.part} | of_reader
