"""The guests and messages of the local page."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict
from typing import Any

import sqlalchemy as sa
from cachetools import LRUCache
from sqlmodel import Session, case, col, delete, func, or_, select, update
from sqlmodel.sql.expression import SelectOfScalar

from adapters.port import UserRef
from adapters.web import PLATFORM, Draft, Files, Guest, NoSuchGuestError, SavedMessage
from bot.cache import LIMITS, ReadThroughCache
from bot.storage.database import Database, Store, reads
from bot.storage.models import GuestRow, MessageFileRow, MessageRow, PlayerRow, ResultRow, SeatRow, TableRow
from bot.storage.names import storable
from bot.storage.privacy import PrivacyStore


class SqlGuestStore(Store):
    """Implements the page's `GuestStore`; guests and messages are cached."""

    def __init__(self, database: Database) -> None:
        super().__init__(database)
        self._privacy = PrivacyStore(database)
        self._guests = ReadThroughCache[str, Guest | None](self._read_guest)
        self._messages = ReadThroughCache[int, SavedMessage | None](self._read_message)
        self._ids = LRUCache[str, str](LIMITS.known)
        """The ids of guests by the hash of their secret, past secrets included."""

    # --- guests -------------------------------------------------------------------------------------------

    async def add_guest(self, guest: Guest) -> None:
        """Remembers a new guest."""
        row = asdict(guest) | {"name": storable(guest.name)}
        await self.database.write(lambda session: session.add(GuestRow(**row)))
        self._guests.forget(guest.id)

    async def guest(self, guest_id: str) -> Guest | None:
        """Finds a guest by id."""
        return await self._guests.get(guest_id)

    @reads
    def _read_guest(self, session: Session, guest_id: str) -> Guest | None:
        row = session.get(GuestRow, guest_id)
        return None if row is None else _guest(row)

    async def guest_by_secret(self, secret_hash: str) -> Guest | None:
        """Finds the guest with this secret."""
        if secret_hash not in self._ids:
            query = select(GuestRow.id).where(GuestRow.secret_hash == secret_hash)
            guest_id = await self.database.read(lambda session: session.exec(query).first())
            if guest_id is None:
                return None

            self._ids[secret_hash] = guest_id

        guest = await self.guest(self._ids[secret_hash])
        return guest if guest is not None and guest.secret_hash == secret_hash else None

    async def renew_secret(self, guest_id: str, secret_hash: str) -> None:
        """Replaces a guest's secret; the previous one becomes invalid."""
        renewed = update(GuestRow).where(col(GuestRow.id) == guest_id).values(secret_hash=secret_hash)
        try:
            await self.database.write(lambda session: session.exec(renewed).close())
        finally:
            self._guests.forget(guest_id)

    async def make_owner(self, guest_id: str) -> None:
        """Makes this guest the only owner."""
        only_them = update(GuestRow).values(is_owner=col(GuestRow.id) == guest_id)
        try:
            await self.database.write(lambda session: session.exec(only_them).close())
        finally:
            self._guests.forget_all()

    async def note_visits(self, guest_ids: Collection[str], at: float) -> None:
        """Records the time of these guests' latest visit (Unix seconds)."""
        visits = update(GuestRow).where(col(GuestRow.id).in_(guest_ids)).values(seen_at=at)
        try:
            await self.database.write(lambda session: session.exec(visits).close())
        finally:
            for guest_id in guest_ids:
                self._guests.forget(guest_id)

    @reads
    def count_newcomers(self, session: Session) -> int:
        """Counts the guests, other than the owner, who have never been at a table."""
        return session.exec(select(func.count()).select_from(GuestRow).where(*_is_newcomer())).one()

    async def free_newcomers(
        self, unused_since: float, *, besides: Collection[str] = (), most: int | None = None
    ) -> int:
        """Forgets newcomers away since `unused_since`, the longest away first; returns their number."""
        query = (
            select(GuestRow.id)
            .where(*_is_newcomer(), GuestRow.seen_at <= unused_since, col(GuestRow.id).not_in(besides))
            .order_by(col(GuestRow.seen_at))
            .limit(most)
        )
        gone = await self.database.read(lambda session: session.exec(query).all())
        for guest in gone:
            await self._privacy.forget(UserRef(PLATFORM, guest), None)
            await self.remove_guest(guest)

        return len(gone)

    @reads
    def guests(self, session: Session) -> Sequence[Guest]:
        """Returns all guests, in the order they joined."""
        return [_guest(row) for row in session.exec(select(GuestRow).order_by(col(GuestRow.joined_at)))]

    async def remove_guest(self, guest_id: str) -> None:
        """Deletes a guest, and all messages that only they could read."""

        def write(session: Session) -> None:
            session.exec(delete(MessageRow).where(col(MessageRow.guest_id) == guest_id))
            session.exec(delete(GuestRow).where(col(GuestRow.id) == guest_id))

        try:
            await self.database.write(write)
        finally:
            self._guests.forget(guest_id)
            self._messages.forget_all()

    # --- messages -----------------------------------------------------------------------------------------

    @reads
    def rooms(self, session: Session, limit: int) -> Sequence[str]:
        """Returns up to `limit` rooms with public messages, those with the newest ones first."""
        return session.exec(
            select(MessageRow.room)
            .where(col(MessageRow.guest_id).is_(None))
            .group_by(col(MessageRow.room))
            .order_by(func.max(MessageRow.id).desc())
            .limit(limit)
        ).all()

    @reads
    def messages(self, session: Session, after: int, limit: int) -> Sequence[SavedMessage]:
        """Returns up to `limit` messages of all rooms and guests with ids above `after`, by id."""
        query = select(MessageRow).where(MessageRow.id > after).order_by(col(MessageRow.id)).limit(limit)
        return [_message(row) for row in session.exec(query)]

    @reads
    def history(self, session: Session, room: str, guest: str | None, limit: int) -> Sequence[SavedMessage]:
        """Returns the newest `limit` messages of a room, oldest first: a guest's own, or everybody's."""
        query = (
            select(MessageRow)
            .where(MessageRow.room == room, MessageRow.guest_id == guest)
            .order_by(col(MessageRow.id).desc())
            .limit(limit)
        )
        return [_message(row) for row in session.exec(query)][::-1]

    async def message(self, message_id: int) -> SavedMessage | None:
        """Finds a message by id."""
        return await self._messages.get(message_id)

    @reads
    def _read_message(self, session: Session, message_id: int) -> SavedMessage | None:
        row = session.get(MessageRow, message_id)
        return None if row is None else _message(row)

    @reads
    def file(self, session: Session, message_id: int, digest: str) -> bytes | None:
        """Finds a file of a message."""
        row = session.get(MessageFileRow, (message_id, digest))
        return None if row is None else row.content

    async def add_message(self, draft: Draft, files: Files) -> SavedMessage:
        """Records a message, or returns the current message that already has its key.

        Raises:
            NoSuchGuestError: It is for a guest who is not on record.
        """

        def write(session: Session) -> SavedMessage:
            with_key = select(MessageRow).where(MessageRow.key == draft.key)
            if draft.key and (row := session.exec(with_key).first()) is not None:
                return _message(row)
            if draft.guest is not None and session.get(GuestRow, draft.guest) is None:
                raise NoSuchGuestError(draft.guest)

            row = MessageRow(
                room=draft.room,
                guest_id=draft.guest,
                kind=draft.kind,
                content=dict(draft.content),
                posted_at=draft.posted_at,
                key=draft.key or None,
            )
            session.add(row)
            session.flush()
            session.add_all(_file_rows(row.id, files))

            return _message(row)

        message = await self.database.write(write)
        self._messages.put(message.id, message)
        return message

    async def change_message(self, message_id: int, content: Mapping[str, Any], files: Files) -> None:
        """Replaces the content and the files of a message, which keeps its place; ignores a missing one."""

        def write(session: Session) -> SavedMessage | None:
            row = session.get(MessageRow, message_id)
            if row is None:
                return None

            row.content = dict(content)
            of_message = col(MessageFileRow.message_id) == message_id
            before = set(session.exec(select(MessageFileRow.digest).where(of_message)))
            if gone := before - files.keys():
                session.exec(delete(MessageFileRow).where(of_message, col(MessageFileRow.digest).in_(gone)))

            new = {digest: file for digest, file in files.items() if digest not in before}
            session.add_all(_file_rows(message_id, new))
            return _message(row)

        try:
            message = await self.database.write(write)
        finally:
            self._messages.forget(message_id)

        if message is not None:
            self._messages.put(message_id, message)

    async def delete_message(self, message_id: int) -> None:
        """Deletes a message and its files; ignores a missing one."""
        await self._delete([message_id])

    async def forget_messages(self, *, public: int, pressable: int, private: int, most: int) -> int:
        """Deletes up to `most` old messages; returns their number.

        Each room keeps its newest `public` messages and its newest `pressable` ones with buttons, and each
        guest there the newest `private` ones.
        """
        query = _old_messages(public, pressable, private).limit(most)
        old = await self.database.report(lambda session: session.exec(query).all())
        if old:
            await self._delete(old)
        return len(old)

    async def _delete(self, messages: Collection[int]) -> None:
        these = delete(MessageRow).where(col(MessageRow.id).in_(messages))
        try:
            await self.database.write(lambda session: session.exec(these).close())
        finally:
            for message_id in messages:
                self._messages.forget(message_id)


def _is_newcomer() -> tuple[sa.ColumnElement[bool], ...]:
    """Builds the conditions for a guest, other than the owner, who has never been at a table."""
    has_been_at_a_table = or_(
        col(PlayerRow.id).in_(select(SeatRow.player_id)),
        col(PlayerRow.id).in_(select(ResultRow.player_id)),
        col(PlayerRow.id).in_(select(TableRow.opener_id)),
    )
    players = select(PlayerRow.ref).where(PlayerRow.platform == PLATFORM, has_been_at_a_table)
    return col(GuestRow.id).not_in(players), col(GuestRow.is_owner).is_(False)


def _old_messages(public: int, pressable: int, private: int) -> SelectOfScalar[int]:
    """Returns a query for the ids of all messages beyond those that `forget_messages` keeps."""
    message = MessageRow
    buttons = func.coalesce(func.json_array_length(col(message.content)["rows"]), 0)
    place = func.row_number().over(
        partition_by=(col(message.room), col(message.guest_id)), order_by=col(message.id).desc()
    )
    every = select(message.id, message.room, message.guest_id, buttons.label("buttons")).add_columns(
        place.label("place")
    )
    numbered = every.subquery().c
    is_public = numbered.guest_id.is_(None)
    has_buttons = numbered.buttons > 0
    place = func.row_number().over(
        partition_by=(numbered.room, numbered.guest_id, has_buttons), order_by=numbered.id.desc()
    )
    older = (
        select(numbered.id, (is_public & has_buttons).label("may_stay"), place.label("place"))
        .where(numbered.place > case((is_public, public), else_=private))
        .subquery()
    )

    return select(older.c.id).where(~(older.c.may_stay & (older.c.place <= pressable)))


def _guest(row: GuestRow) -> Guest:
    return Guest(**row.model_dump())


def _file_rows(message_id: int, files: Files) -> list[MessageFileRow]:
    return [
        MessageFileRow(message_id=message_id, digest=digest, content=file) for digest, file in files.items()
    ]


def _message(row: MessageRow) -> SavedMessage:
    return SavedMessage(row.room, row.guest_id, row.kind, row.content, row.posted_at, row.id)
