"""Stores wishes to be called when a game gathers, and each person's newest call."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import sqlalchemy as sa
from sqlmodel import Session, col, delete, func, select

from adapters.port import RoomRef, ServerRef, User, UserRef
from bot.model.profile import Calling
from bot.model.standings import MIN_PEOPLE
from bot.model.table import ANNOUNCEMENT, Phase
from bot.storage.database import Store, reads, writes
from bot.storage.known import GameKey, known_in
from bot.storage.models import (
    KEPT,
    CallRow,
    PlayerRow,
    ResultRow,
    RingRow,
    SeatRow,
    ServerRow,
    TableRow,
    put_all,
)
from bot.storage.numbers import find, id_of, look_up, number_of
from bot.storage.people import on_record

RING_SECONDS = 30 * 60.0  # the least time between two calls of a person from one server


@dataclass(frozen=True, slots=True)
class Wish:
    """A wish to be called when a game other than `game` of `table_id` gathers in a room."""

    user: UserRef
    room: RoomRef
    until: float
    table_id: int
    game: int


class CallStore(Store):
    """Stores wishes to be called, one for each person and room, and limits calls.

    Every call asks `ring` first, whether it is a mention in a room or a private message.
    """

    @writes
    def ring(
        self, session: Session, users: Collection[UserRef], server: ServerRef, now: float, about: str = ""
    ) -> Mapping[UserRef, float]:
        """Records calls of people from a server; returns when each was called before (0: never).

        People who mustn't be called now are left out. `about` names the occasion: another call about the
        same one is allowed at once, unless the person has muted the server, and does not extend the limit.
        """
        look_up(session, users)
        here = number_of(session, ServerRow, server)
        people = {number_of(session, PlayerRow, user): user for user in users}
        theirs = col(RingRow.player_id).in_(people), RingRow.server_id == here
        rings = {row.player_id: row for row in session.exec(select(RingRow).where(*theirs))}

        before = dict[UserRef, float]()
        rows = list[dict[str, Any]]()
        for number, user in people.items():
            ring = rings.get(number) or RingRow(player_id=number, server_id=here)
            is_recent = ring.rang_at + RING_SECONDS > now
            is_same = bool(about) and ring.about == about
            if ring.is_muted or (is_recent and not is_same):
                continue

            before[user] = ring.rang_at
            rang_at = ring.rang_at if is_recent else now
            rows.append(ring.model_dump() | {"about": about, "rang_at": rang_at})

        put_all(session.connection(), RingRow, rows)
        return before

    @writes
    def take_back_ring(self, session: Session, user: UserRef, server: ServerRef, before: float) -> None:
        """Undoes a call that didn't arrive; `before` is the time of the previous one."""
        row = session.get(RingRow, _key(session, user, server))
        if row is not None:
            row.rang_at = before
            row.about = ""

    @reads
    def may_ring_at(self, session: Session, user: UserRef, server: ServerRef) -> float:
        """Returns when a person may be called from a server again; infinity if they muted it."""
        row = session.get(RingRow, _key(session, user, server))
        if row is None:
            return 0.0
        return float("inf") if row.is_muted else row.rang_at + RING_SECONDS

    @writes
    def mute(self, session: Session, user: User, server: ServerRef) -> None:
        """Mutes calls of a person from a server, and deletes their wishes there."""
        person = on_record(session, user)
        here = number_of(session, ServerRow, server)
        row = session.get(RingRow, (person.id, here))
        about = "" if row is None else row.about
        rang_at = 0.0 if row is None else row.rang_at

        session.merge(
            RingRow(
                player_id=person.id,
                server_id=here,
                rang_at=rang_at,
                about=about,
                is_muted=True,
            )
        )

        wishes = delete(CallRow).where(col(CallRow.player_id) == person.id, col(CallRow.server_id) == here)
        session.exec(wishes)

    @writes
    def unmute(self, session: Session, user: UserRef, server: ServerRef) -> None:
        """Allows a person to be called from a server again."""
        row = session.get(RingRow, _key(session, user, server))
        if row is not None:
            row.is_muted = False

    @reads
    def undecided(self, session: Session) -> list[int]:
        """Returns the tables for which it isn't decided yet whom the room's call mentions."""
        gathers = col(TableRow.phase).in_((Phase.LOBBY.value, Phase.ANNOUNCED.value))
        has_come = (SeatRow.of_game == ANNOUNCEMENT) & (TableRow.phase == Phase.LOBBY.value)
        concerned = (SeatRow.of_game == KEPT) | has_come
        query = select(SeatRow.table_id).join(TableRow).where(gathers, concerned)
        return list(session.exec(query.where(col(SeatRow.is_called).is_(None)).distinct()))

    @writes
    def ask(
        self,
        session: Session,
        user: User,
        room: RoomRef,
        until: float,
        *,
        table_id: int,
        game: int,
        now: float,
    ) -> bool:
        """Records a wish to be called to a room by the next game other than this one, and unmutes the server.

        Returns False if a promise is still valid: it keeps its time, and excludes this game instead.
        """
        person = on_record(session, user)
        key = _key(session, user.ref, room.server)
        ring = session.get(RingRow, key)
        if ring is not None:
            ring.is_muted = False

        row = session.get(CallRow, (*key, room.id, room.topic))
        if row is not None and row.is_promised and row.until >= now:
            row.table_id = table_id
            row.game = game
            return False

        session.merge(_row(session, person, room, until, table_id=table_id, game=game))
        return True

    @writes
    def note_promise(self, session: Session, user: UserRef, room: RoomRef, *, is_promised: bool) -> None:
        """Records whether the confirmation of a wish arrived in private."""
        row = _wish_of(session, user, room)
        if row is not None:
            row.is_promised = is_promised

    @writes
    def drop(self, session: Session, user: UserRef, room: RoomRef) -> bool:
        """Deletes a person's wish to be called to a room; returns False if there was none."""
        row = _wish_of(session, user, room)
        if row is not None:
            session.delete(row)
        return row is not None

    @writes
    def restore(self, session: Session, wish: Wish, *, is_promised: bool = True) -> None:
        """Restores a wish after its call failed, unless there is a newer one."""
        person = find(session, PlayerRow, wish.user)
        if person is None or _wish_of(session, wish.user, wish.room) is not None:
            return

        row = _row(session, person, wish.room, wish.until, table_id=wish.table_id, game=wish.game)
        row.is_promised = is_promised
        session.add(row)

    @reads
    def waiting(self, session: Session, room: RoomRef, table_id: int, game: int, now: float) -> list[Wish]:
        """Returns the unexpired wishes for a room that this game fulfils."""
        here = CallRow.server_id == id_of(session, ServerRow, room.server), CallRow.room == room.id
        is_other = (col(CallRow.table_id) != table_id) | (col(CallRow.game) != game)
        query = select(CallRow, PlayerRow).join(PlayerRow).where(*here, CallRow.topic == room.topic)
        return [
            Wish(person.user_ref, room, row.until, row.table_id, row.game)
            for row, person in session.exec(query.where(CallRow.until >= now, is_other))
        ]

    @reads
    def wishes_of(self, session: Session, user: UserRef, now: float) -> list[tuple[Wish, bool]]:
        """Returns a person's unexpired wishes, each with whether the call was promised."""
        theirs = CallRow.player_id == id_of(session, PlayerRow, user)
        query = select(CallRow, ServerRow).join(ServerRow).where(theirs, CallRow.until >= now)
        wishes = list[tuple[Wish, bool]]()
        for row, server in session.exec(query):
            room = RoomRef(server.server_ref, row.room, row.topic)
            wishes.append((Wish(user, room, row.until, row.table_id, row.game), row.is_promised))

        return wishes

    @reads
    def company(
        self, session: Session, room: RoomRef, seated: Collection[UserRef], now: float
    ) -> list[UserRef]:
        """Returns the players of a room's last counted game who may be called to the next one.

        They agreed to such calls, may be called now, and are not `seated` already.
        """
        newest = known_in(session).last_game(room, partial(_last_game, session, room))
        if newest is None:
            return []

        server = id_of(session, ServerRow, room.server)
        is_hushed = (
            select(RingRow.player_id)
            .where(RingRow.player_id == PlayerRow.id, RingRow.server_id == server)
            .where(col(RingRow.is_muted) | (RingRow.rang_at > now - RING_SECONDS))
        )
        query = (
            select(PlayerRow)
            .join(ResultRow, col(ResultRow.player_id) == PlayerRow.id)
            .where(ResultRow.table_id == newest[0], ResultRow.game == newest[1])
            .where(PlayerRow.company, PlayerRow.calling != Calling.NEVER.value, ~sa.exists(is_hushed))
        )

        return [row.user_ref for row in session.exec(query) if row.user_ref not in seated]

    @writes
    def call(self, session: Session, users: Collection[UserRef], room: RoomRef, until: float) -> None:
        """Records wishes of known people to be called to a room by any game, until a given time.

        An earlier wish is kept if it lasts longer.
        """
        for user in users:
            person = find(session, PlayerRow, user)
            if person is None:
                continue

            wish = _wish_of(session, user, room)
            if wish is None:
                session.merge(_row(session, person, room, until))
            else:
                wish.until = max(wish.until, until)
                wish.table_id = 0
                wish.game = 0

    @writes
    def forget_expired(self, session: Session, now: float) -> int:
        """Deletes expired wishes, and calls that limit no others; returns the number of wishes left."""
        session.exec(delete(CallRow).where(col(CallRow.until) < now))
        is_old = col(RingRow.rang_at) < now - RING_SECONDS
        session.exec(delete(RingRow).where(is_old, col(RingRow.is_muted).is_(False)))
        return session.exec(select(func.count()).select_from(CallRow)).one()


def _last_game(session: Session, room: RoomRef) -> GameKey | None:
    """Returns the last game of a room that counts."""
    here = ResultRow.server_id == id_of(session, ServerRow, room.server), TableRow.room == room.id
    return session.exec(
        select(ResultRow.table_id, ResultRow.game)
        .join(TableRow, col(TableRow.id) == ResultRow.table_id)
        .where(*here, TableRow.topic == room.topic, ResultRow.people >= MIN_PEOPLE)
        .order_by(col(ResultRow.finished_at).desc())
    ).first()


def _key(session: Session, user: UserRef, server: ServerRef) -> tuple[int, int]:
    return id_of(session, PlayerRow, user), id_of(session, ServerRow, server)


def _wish_of(session: Session, user: UserRef, room: RoomRef) -> CallRow | None:
    return session.get(CallRow, (*_key(session, user, room.server), room.id, room.topic))


def _row(
    session: Session, person: PlayerRow, room: RoomRef, until: float, *, table_id: int = 0, game: int = 0
) -> CallRow:
    return CallRow(
        player_id=person.id,
        server_id=number_of(session, ServerRow, room.server),
        room=room.id,
        topic=room.topic,
        until=until,
        table_id=table_id,
        game=game,
    )
