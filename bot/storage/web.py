"""The guests and messages of the local page."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

from cachetools import LRUCache
from sqlmodel import col, delete, func, or_, select, update

from adapters.port import UserRef
from adapters.web import PLATFORM, Draft, Files, Guest, Message, NoSuchGuestError, digests_in
from bot.cache import MOST_KNOWN, ReadThroughCache
from bot.storage.database import Database
from bot.storage.identities import storable
from bot.storage.models import PlayerRow, ResultRow, SeatRow, TableRow
from bot.storage.old_messages import old_messages
from bot.storage.page_models import GuestRow, MessageFileRow, MessageRow
from bot.storage.page_statements import ADD_FILE, CHANGE_MESSAGE, DROP_FILE, DROP_MESSAGE, values_for
from bot.storage.privacy import PrivacyStore
from bot.storage.writing import added


class SqlGuestStore:
    """Implements the page's `GuestStore`; whoever presses, and what they press, is known without asking."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._privacy = PrivacyStore(database)
        self._guests = ReadThroughCache[str, Guest | None](self._read_guest)
        self._messages = ReadThroughCache[int, Message | None](self._read_message)
        self._ids = LRUCache[str, str](MOST_KNOWN)
        """Whose secret it is, by its hash: that never changes."""

    async def add_guest(self, guest: Guest) -> None:
        """Remember a new guest."""
        async with self._database.session() as session:
            session.add(
                GuestRow(
                    id=guest.id,
                    name=storable(guest.name),
                    secret_hash=guest.secret_hash,
                    joined_at=guest.joined_at,
                    seen_at=guest.seen_at,
                    is_owner=guest.is_owner,
                )
            )
            await session.commit()
        self._guests.forget(guest.id)

    async def guest(self, guest_id: str) -> Guest | None:
        """Find a guest by id."""
        return await self._guests.get(guest_id)

    async def _read_guest(self, guest_id: str) -> Guest | None:
        async with self._database.reading() as session:
            return _guest(await session.get(GuestRow, guest_id))

    async def guest_by_secret(self, secret_hash: str) -> Guest | None:
        """Find the guest whose link this is."""
        if secret_hash not in self._ids:
            async with self._database.reading() as session:
                query = select(GuestRow.id).where(GuestRow.secret_hash == secret_hash)
                found = (await session.exec(query)).first()
            if found is None:
                return None
            self._ids[secret_hash] = found
        return await self.guest(self._ids[secret_hash])

    async def make_owner(self, guest_id: str) -> None:
        """Let this guest be the owner, and nobody else."""
        try:
            async with self._database.session() as session:
                await session.exec(update(GuestRow).values(is_owner=col(GuestRow.id) == guest_id))
                await session.commit()
        finally:
            self._guests.forget_all()

    async def saw(self, guest_ids: Collection[str], at: float) -> None:
        """Note that these guests were there at a time (Unix seconds)."""
        try:
            async with self._database.session() as session:
                await session.exec(update(GuestRow).where(col(GuestRow.id).in_(guest_ids)).values(seen_at=at))
                await session.commit()
        finally:
            for guest_id in guest_ids:
                self._guests.forget(guest_id)

    async def count_newcomers(self) -> int:
        """Count the guests who have been at no table yet; the owner is none of them."""
        async with self._database.reading() as session:
            query = select(func.count()).select_from(GuestRow).where(*_is_newcomer())
            return (await session.exec(query)).one()

    async def free_newcomers(
        self, unused_since: float, *, besides: Collection[str] = (), most: int | None = None
    ) -> int:
        """Forget newcomers and what is kept about them, who has been away longest first; gives how many."""
        async with self._database.reading() as session:
            query = (
                select(GuestRow.id)
                .where(
                    *_is_newcomer(),
                    col(GuestRow.seen_at) <= unused_since,
                    col(GuestRow.id).not_in(besides),
                )
                .order_by(col(GuestRow.seen_at))
                .limit(most)
            )
            gone = (await session.exec(query)).all()
        for guest in gone:
            await self._privacy.forget(UserRef(PLATFORM, guest), None)
            await self.remove_guest(guest)
        return len(gone)

    async def guests(self) -> Sequence[Guest]:
        """Return all guests, in the order they joined."""
        async with self._database.reading() as session:
            rows = await session.exec(select(GuestRow).order_by(col(GuestRow.joined_at)))
            return [guest for row in rows if (guest := _guest(row)) is not None]

    async def remove_guest(self, guest_id: str) -> None:
        """Take a guest off the record, with everything that they alone could read."""
        try:
            async with self._database.session() as session:
                await session.exec(delete(MessageRow).where(col(MessageRow.guest_id) == guest_id))
                await session.exec(delete(GuestRow).where(col(GuestRow.id) == guest_id))
                await session.commit()
        finally:
            self._guests.forget(guest_id)
            self._messages.forget_all()

    async def rooms(self, limit: int) -> Sequence[str]:
        """Return the rooms that have messages, at most so many, those with the newest ones first."""
        query = (
            select(MessageRow.room)
            .where(col(MessageRow.guest_id).is_(None))
            .group_by(col(MessageRow.room))
            .order_by(func.max(MessageRow.id).desc())
            .limit(limit)
        )
        async with self._database.reading() as session:
            return (await session.exec(query)).all()

    async def messages(self, after: int, limit: int) -> Sequence[Message]:
        """Return messages of all rooms and guests with a larger id than `after`, at most `limit` of them."""
        query = select(MessageRow).where(col(MessageRow.id) > after).order_by(col(MessageRow.id)).limit(limit)
        async with self._database.reading() as session:
            return [_message(row) for row in (await session.exec(query)).all()]

    async def forget_messages(self, *, public: int, pressable: int, private: int, most: int) -> int:
        """Forget all but the newest messages of each room and guest; gives how many."""
        query = old_messages(public, pressable, private).limit(most)
        old = await self._database.report(lambda connection: connection.execute(query).scalars().all())
        try:
            if old:
                async with self._database.session() as session:
                    await session.exec(delete(MessageRow).where(col(MessageRow.id).in_(old)))
                    await session.commit()
        finally:
            for message_id in old:
                self._messages.forget(message_id)
        return len(old)

    async def add_message(self, draft: Draft, files: Files) -> Message:
        """Put a message on record, or give the one that has its key already, as it is now.

        Raises:
            NoSuchGuestError: The one guest who may read it is not on record.
        """
        row = MessageRow(
            room=draft.room,
            guest_id=draft.guest,
            kind=draft.kind,
            content=dict(draft.content),
            posted_at=draft.posted_at,
            key=draft.key or None,
        )
        async with self._database.session() as session:
            query = select(MessageRow).where(MessageRow.key == draft.key)
            if draft.key and (known := (await session.exec(query)).first()) is not None:
                return _message(known)
            if draft.guest is not None and await session.get(GuestRow, draft.guest) is None:
                raise NoSuchGuestError(draft.guest)
            if row.key is None:
                session.add(row)
                await session.flush()
            else:
                is_new = await added(session, row)
                row = (await session.exec(query)).one()
                if not is_new:  # somebody was faster with the same key
                    return _message(row)
            session.add_all(_file_rows(row.id, files))
            await session.commit()
        self._messages.put(row.id, _message(row))
        return _message(row)

    async def message(self, message_id: int) -> Message | None:
        """Find a message by id."""
        return await self._messages.get(message_id)

    async def _read_message(self, message_id: int) -> Message | None:
        async with self._database.reading() as session:
            row = await session.get(MessageRow, message_id)
            return None if row is None else _message(row)

    async def change_message(self, message_id: int, content: Mapping[str, Any], files: Files) -> None:
        """Let a message show something else, with these files alone; it keeps its place."""
        known = await self.message(message_id)
        if known is None:
            return
        before = digests_in(known.content)
        new = [{"digest": digest, "content": file} for digest, file in files.items() if digest not in before]
        try:
            changed, *_ = await self._database.write(
                (CHANGE_MESSAGE, values_for(message_id, content=dict(content))),
                *[(DROP_FILE, values_for(message_id, digest=digest)) for digest in before - files.keys()],
                *[(ADD_FILE, values_for(message_id, **file)) for file in new],
            )
        finally:
            self._messages.forget(message_id)
        if changed.number:
            self._messages.put(message_id, replace(known, content=content))

    async def file(self, message_id: int, digest: str) -> bytes | None:
        """Find a file of a message."""
        async with self._database.reading() as session:
            row = await session.get(MessageFileRow, (message_id, digest))
            return None if row is None else row.content

    async def delete_message(self, message_id: int) -> None:
        """Take a message and its files off the record; one that is not there is no error."""
        try:
            await self._database.write((DROP_MESSAGE, values_for(message_id)))
        finally:
            self._messages.forget(message_id)

    async def history(self, room: str, guest: str | None, limit: int) -> Sequence[Message]:
        """Return the newest `limit` messages of a room, oldest first: a guest's own, or everybody's."""
        query = (
            select(MessageRow)
            .where(MessageRow.room == room, MessageRow.guest_id == guest)
            .order_by(col(MessageRow.id).desc())
            .limit(limit)
        )
        async with self._database.reading() as session:
            rows = (await session.exec(query)).all()
        return [_message(row) for row in reversed(rows)]


def _is_newcomer() -> tuple[Any, ...]:
    """Return the conditions for a guest who has been at no table, and is not the owner."""
    has_been_at_a_table = or_(
        col(PlayerRow.id).in_(select(SeatRow.player_id)),
        col(PlayerRow.id).in_(select(ResultRow.player_id)),
        col(PlayerRow.id).in_(select(TableRow.opener_id)),
    )
    players = select(PlayerRow.ref).where(PlayerRow.platform == PLATFORM, has_been_at_a_table)
    return col(GuestRow.id).not_in(players), col(GuestRow.is_owner).is_(False)


def _guest(row: GuestRow | None) -> Guest | None:
    if row is None:
        return None
    return Guest(row.id, row.name, row.secret_hash, row.joined_at, row.seen_at, row.is_owner)


def _file_rows(message_id: int, files: Files) -> list[MessageFileRow]:
    return [
        MessageFileRow(message_id=message_id, digest=digest, content=file) for digest, file in files.items()
    ]


def _message(row: MessageRow) -> Message:
    return Message(row.room, row.guest_id, row.kind, row.content, row.posted_at, row.id)
