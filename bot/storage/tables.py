"""Stores tables with their players, the journal of their games, and the state for a restart."""

import time
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, fields, replace
from functools import lru_cache
from math import isinf
from typing import Any

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, col, delete, func, or_, select, update

from adapters.port import RoomRef, ServerRef, User, UserRef
from bot.model.choices import TableOptions
from bot.model.series import OpenedTables
from bot.model.standings import MIN_PEOPLE
from bot.model.table import ANNOUNCEMENT, NEVER, IdleTable, Phase, Player, Table, UnreadTable
from bot.storage.badges import schedule_badge_sync
from bot.storage.careers import CHEATING_COLUMNS, preset_of
from bot.storage.database import Database, Store, reads, writes, writes_together
from bot.storage.ended import EndedGame, GameEnded, HowEnded
from bot.storage.known import known_in
from bot.storage.models import (
    KEPT,
    EntryRow,
    MessageSlotRow,
    PlayerRow,
    ResultRow,
    SeatRow,
    ServerRow,
    SnapshotRow,
    TableRow,
    WearerRow,
    add_all,
    insert,
    put_all,
)
from bot.storage.names import storable
from bot.storage.numbers import find, find_or_add, forget_number, id_of, look_up, number_of
from bot.storage.people import CHOICE_COLUMNS
from bot.storage.schema import Schema
from bot.storage.tallies import COUNTED, add_results, transfer_tallies
from bot.storage.trouble import is_key_taken
from engine import (
    PRESETS,
    AccusedWrongly,
    Caught,
    IllegalMoveError,
    InvalidTextError,
    Opening,
    Outcome,
    Record,
    Resign,
    Rules,
    Seat,
    Step,
    Stop,
    parse_action,
    strength_by,
)
from engine.runtime import Author, Entry, SavedGame, VersionTakenError

IN_USE = (Phase.LOBBY, Phase.PLAYING)
# The same condition as that of an index, so that PostgreSQL uses it.
IS_IN_USE = or_(*(TableRow.phase == phase.value for phase in IN_USE))

# The columns of a table that has changed: the chats may not show all of it, so a restart checks it at once.
NOT_IDLE = {"shown_at": None, "due_at": None, "waits_since": None}

# Whether a table belongs to no series.
IS_ROOMS_OWN = col(TableRow.cup_id).is_(None)

IS_ANNOUNCED = col(TableRow.phase) == Phase.ANNOUNCED.value

# How long after a game ended or was put away a restart still repairs its messages.
REPAIR_SECONDS = 24 * 60 * 60.0


class TableStore(Store):
    """All tables, with their seats, rules and phases."""

    def __init__(
        self,
        database: Database,
        now: Callable[[], float] = time.time,
        game_ended: Sequence[GameEnded] = (),
    ) -> None:
        """Keeps the tables in `database`; `now` returns Unix seconds.

        `game_ended` is called for games that are stopped or put away.
        """
        super().__init__(database)
        self._now = now
        self._game_ended = game_ended

    @writes
    def open(
        self,
        session: Session,
        *,
        room: RoomRef,
        opener: User,
        joined: str = "",
        preset: str,
        rules: Rules,
        house_rules: Rules | None = None,
        seed: str,
        locale: str,
        starts_at: float | None = None,
    ) -> Table:
        """Opens a table or, with `starts_at`, announces one, and seats its opener if that is a person.

        Returns the existing table instead if the room already has one in use, or one announced.
        """
        players = (Player(opener.name, opener.ref, joined),) if opener.is_person else ()
        table = Table(
            id=0,
            room=room,
            opener=opener.ref,
            preset=preset,
            rules=rules,
            house_rules=house_rules,
            seed=seed,
            opened_at=self._now(),
            players=players,
            locale=locale,
            touched_at=self._now(),
        )

        if starts_at is not None:
            table = replace(table, phase=Phase.ANNOUNCED, game=ANNOUNCEMENT, starts_at=starts_at)

        is_like_this = IS_IN_USE if starts_at is None else IS_ANNOUNCED
        if existing := _tables(session, *is_in_room(room), is_like_this, IS_ROOMS_OWN):
            return existing[0]

        [added] = add_tables(session, [table])
        return added

    @writes
    def save(self, session: Session, table: Table, before: Table | None = None) -> Table:
        """Saves a changed table and returns it; `move` and `rename_room` change its room.

        Writes only the differences from `before`, the table on disk, which is read if not given. Of a damaged
        table only the phase is written.
        """
        after = replace(table, touched_at=self._now())
        if before is None:
            [before] = _tables(session, TableRow.id == table.id)

        changes: dict[str, Any] = {"phase": after.phase.value}
        ends = list[HowEnded]()
        if table.is_damaged:  # the rest may still be repaired
            ends.append(HowEnded.PUT_AWAY)
        else:
            look_up(session, _people_in(before) | _people_in(after))
            stored = _columns(session, before)
            columns = _columns(session, after)
            changes = {name: value for name, value in columns.items() if value != stored[name]}
            _save_seats(session, before, after)
            if after.stopped:
                ends.append(HowEnded.STOPPED)
            if after.phase is Phase.CLOSED:
                ends.append(HowEnded.PUT_AWAY)

        changes |= {"changed_at": after.touched_at} | NOT_IDLE
        session.exec(update(TableRow).where(col(TableRow.id) == table.id).values(changes))
        known_in(session).note_busy(table.id)
        for how in ends:
            self._tell(session, after, how)

        return after

    def _tell(self, session: Session, table: Table, how: HowEnded) -> None:
        row = session.get_one(TableRow, table.id, populate_existing=True)
        for write_consequences in self._game_ended:
            write_consequences(session, EndedGame(row, table.game, how, table.touched_at))

    @reads
    def get(self, session: Session, table_id: int) -> Table | None:
        """Finds a table by its id."""
        return next(iter(_tables(session, TableRow.id == table_id)), None)

    @reads
    def in_room(self, session: Session, room: RoomRef) -> Table | None:
        """Finds the table in use in a room."""
        return next(iter(_tables(session, *is_in_room(room), IS_IN_USE, IS_ROOMS_OWN)), None)

    @reads
    def over_in(self, session: Session, room: RoomRef) -> Table | None:
        """Finds the table in a room at which the newest game ended within `REPAIR_SECONDS`."""
        recent = (TableRow.phase == Phase.OVER.value) & (TableRow.changed_at > self._now() - REPAIR_SECONDS)
        return next(iter(_tables(session, *is_in_room(room), recent, IS_ROOMS_OWN)), None)

    @reads
    def announced_in(self, session: Session, room: RoomRef) -> Table | None:
        """Finds the table that is announced in a room."""
        return next(iter(_tables(session, *is_in_room(room), IS_ANNOUNCED)), None)

    @reads
    def of_player(self, session: Session, user: UserRef) -> list[Table]:
        """Returns the running games a person plays in, the newest first."""
        person = id_of(session, PlayerRow, user)
        theirs = select(SeatRow.table_id).where(SeatRow.player_id == person, SeatRow.of_game == TableRow.game)
        return _tables(session, TableRow.phase == Phase.PLAYING.value, col(TableRow.id).in_(theirs))

    @reads
    def about(self, session: Session, user: UserRef, private: ServerRef | None) -> list[int]:
        """Returns the ids of all tables that a person opened or sat at, or in their `private` chat."""
        person = id_of(session, PlayerRow, user)
        server = 0 if private is None else id_of(session, ServerRow, private)
        theirs = col(TableRow.id).in_(select(SeatRow.table_id).where(SeatRow.player_id == person))
        is_known = or_(theirs, TableRow.opener_id == person, TableRow.server_id == server)
        return list(session.exec(select(TableRow.id).where(is_known)))

    @writes
    def move(self, session: Session, table_id: int, room: RoomRef) -> None:
        """Moves a table to another room of its server."""
        known_in(session).note_moved_rooms()
        row = session.get_one(TableRow, table_id)
        row.room = room.id
        row.topic = room.topic

    @writes
    def rename_room(self, session: Session, old: RoomRef, new: RoomRef) -> None:
        """Moves a room with its topics to a new id, and also its server if that id changes with it.

        If both ids have a table in use, one stays and the other is closed: a table that plays is preferred,
        and then the older one.
        """
        before = find(session, ServerRow, old.server)
        if before is None:
            return

        known_in(session).note_moved_rooms()
        after = find_or_add(session, ServerRow, new.server)
        _make_way(session, (before.id, old.id), (after.id, new.id))
        for rows in self.database.schema.tables:
            if {"server_id", "room"} <= set(rows.c.keys()):
                here = rows.c.server_id == before.id, rows.c.room == old.id
                session.exec(update(rows).where(*here).values(room=new.id))

        if before.home == old.id:
            before.home = new.id

        if before is not after:
            _transfer_server(session, self.database.schema, before, after)

    @writes
    def join(self, session: Session, outside: ServerRef, room: RoomRef) -> bool:
        """Transfers an outside chat's tables and results to a room's server, unless a table is in use.

        Returns whether nothing is left to transfer.
        """
        before = find(session, ServerRow, outside)
        if before is None:
            return True

        here = col(TableRow.server_id) == before.id
        if session.exec(select(TableRow.id).where(here, IS_IN_USE).limit(1)).first() is not None:
            return False

        known_in(session).note_moved_rooms()
        after = find_or_add(session, ServerRow, room.server)
        session.exec(update(TableRow).where(here).values(room=room.id, topic=room.topic))
        _transfer_server(session, self.database.schema, before, after)
        return True

    @writes
    def note_idle(self, session: Session, idle: Collection[IdleTable], busy: Collection[int] = ()) -> None:
        """Records that tables are idle, unless they have changed since, and that others are busy again."""
        now = self._now()
        for table_id in busy:
            note_busy(session, table_id)

        for table in idle:
            known_in(session).note_busy(table.table_id, is_busy=False)
            due_at = None if isinf(table.due_at) else table.due_at
            newest = select(func.max(EntryRow.version)).where(EntryRow.table_id == table.table_id)
            if (session.exec(newest).one() or 0) == table.version:
                session.exec(
                    update(TableRow)
                    .where(col(TableRow.id) == table.table_id, col(TableRow.changed_at) == table.touched_at)
                    .values(shown_at=now, due_at=due_at, waits_since=table.waits_since)
                )

    @reads
    def unfinished(self, session: Session) -> list[UnreadTable]:
        """Returns the tables that a restart resumes, the oldest first.

        These are the tables in use or announced, and those with messages to repair: their newest game ended
        recently, they were put away recently and don't show it yet, or they have pinned messages.
        """
        now = self._now()
        is_recent = col(TableRow.changed_at) > now - REPAIR_SECONDS
        is_unshown = col(TableRow.shown_at).is_(None)
        over = (col(TableRow.phase) == Phase.OVER.value) & is_recent
        put_away = (col(TableRow.phase) == Phase.CLOSED.value) & is_recent & is_unshown
        of_pins = select(MessageSlotRow.table_id).where(MessageSlotRow.is_pinned)
        has_pin = col(TableRow.id).in_(of_pins)

        seated = (
            select(TableRow.id, PlayerRow.platform, PlayerRow.ref)
            .join(SeatRow, col(SeatRow.table_id) == TableRow.id)
            .join(PlayerRow, col(PlayerRow.id) == SeatRow.player_id)
            .where(TableRow.phase == Phase.PLAYING.value, SeatRow.of_game == TableRow.game)
        )
        playing = defaultdict[int, list[UserRef]](list)

        for table_id, platform, ref in session.exec(seated):
            playing[table_id].append(UserRef(platform, ref))

        due = or_(IS_IN_USE, IS_ANNOUNCED, over, put_away, has_pin)
        unread = list[UnreadTable]()
        for row in session.exec(select(TableRow).where(due).order_by(col(TableRow.id))):
            *_, is_damaged = _rules(row.preset, row.rules, row.house_rules)
            is_shown = row.shown_at is not None and row.shown_at <= now  # else the clock was set back
            due_at = NEVER if row.due_at is None else row.due_at
            when = due_at if is_shown and not is_damaged else 0.0
            people = playing.get(row.id, ())
            unread.append(UnreadTable(row.id, _room(row), people, when, row.waits_since))

        return unread


def add_tables(session: Session, tables: Sequence[Table]) -> Sequence[Table]:
    """Adds tables with different seeds; returns them with their ids."""
    if not tables:
        return ()

    connection = session.connection()
    look_up(session, {user for table in tables for user in _people_in(table)})
    adding = insert(TableRow, connection.dialect.name).returning(col(TableRow.seed), col(TableRow.id))
    rows = connection.execute(adding, [_columns(session, table) for table in tables])
    ids: dict[str, int] = {row.seed: row.id for row in rows}  # the rows are returned in any order
    added = [replace(table, id=ids[table.seed]) for table in tables]

    for table in added:
        known_in(session).note_busy(table.id)

    seats = [columns for table in added for columns in _seats(session, table).values()]
    put_all(connection, SeatRow, seats)
    return added


def opening_columns(session: Session, opening: OpenedTables) -> dict[str, Any]:
    """Returns the columns of an opened table or series: its room, opener, rules, seed and language."""
    room = opening.room
    house_rules = opening.house_rules

    return {
        "server_id": number_of(session, ServerRow, room.server),
        "room": room.id,
        "topic": room.topic,
        "opener_id": number_of(session, PlayerRow, opening.opener),
        "preset": opening.preset,
        "rules": opening.rules.to_text(),
        "house_rules": None if house_rules is None else house_rules.to_text(),
        "seed": opening.seed,
        "locale": opening.locale,
    }


def note_busy(session: Session, table_id: int) -> None:
    """Records that the chats may not show all of a table, so that a restart checks it at once."""
    known = known_in(session)
    if not known.is_busy(table_id):
        session.connection().execute(_NOTE_BUSY, {"of_table": table_id})
        known.note_busy(table_id)


# Made once, as each press executes it.
_NOTE_BUSY = (
    update(TableRow)
    .where(col(TableRow.id) == sa.bindparam("of_table"), col(TableRow.shown_at).is_not(None))
    .values(shown_at=None)
)


def is_in_room(room: RoomRef) -> tuple[sa.ColumnElement[bool], ...]:
    """Builds the conditions for the tables of a room."""
    server = select(ServerRow.id).where(
        ServerRow.platform == room.server.platform, ServerRow.ref == room.server.id
    )
    return (
        col(TableRow.server_id) == server.scalar_subquery(),
        col(TableRow.room) == room.id,
        col(TableRow.topic) == room.topic,
    )


def _tables(session: Session, *conditions: sa.ColumnElement[bool] | bool) -> list[Table]:
    query = select(TableRow).where(*conditions).order_by(col(TableRow.changed_at).desc(), col(TableRow.id))
    return [_table(row) for row in session.exec(query)]


def _table(row: TableRow) -> Table:
    """Returns the table in a row, marked as damaged if its rules can't be read."""
    rules, house_rules, is_damaged = _rules(row.preset, row.rules, row.house_rules)
    seats = list[tuple[int, Player]]()
    for seat in row.seats:
        user = None if seat.player is None else seat.player.user_ref
        inviter = None if seat.inviter_id is None else seat.inviter
        invited_by = None if inviter is None else inviter.user_ref
        player = Player(
            seat.name,
            user,
            seat.joined,
            seat.has_left,
            seat.kept_until,
            invited_by=invited_by,
            is_called=seat.is_called,
        )
        seats.append((seat.of_game, player))

    options = {option.name: getattr(row, option.name) for option in fields(TableOptions)}
    reason = Stop(row.stopped) if row.stopped else None

    return Table(
        id=row.id,
        room=_room(row),
        opener=row.opener.user_ref,
        preset=row.preset,
        rules=rules,
        house_rules=house_rules,
        is_damaged=is_damaged,
        seed=row.seed,
        opened_at=row.opened_at,
        players=tuple(player for game, player in seats if game == row.game),
        before=tuple(player for game, player in seats if game == row.game - 1),
        kept=tuple(player for game, player in seats if game == KEPT),
        phase=Phase(row.phase),
        game=row.game,
        options=TableOptions(**options),
        locale=row.locale,
        stopped=reason,
        starts_at=row.starts_at,
        has_called=row.has_called,
        series=row.cup_id or 0,
        series_round=row.cup_round,
        touched_at=row.changed_at,
    )


def _room(row: TableRow) -> RoomRef:
    return RoomRef(row.server.server_ref, row.room, row.topic)


@lru_cache(maxsize=256)
def _rules(preset: str, rules: str, house_rules: str | None) -> tuple[Rules, Rules | None, bool]:
    """Returns a row's rules and house rules, and whether they are damaged; many tables share theirs."""
    try:
        read = Rules.from_text(rules)
        house = None if house_rules is None else Rules.from_text(house_rules)
    except InvalidTextError:
        return Rules(), None, True

    return read, house, house is None and preset not in PRESETS


def _columns(session: Session, table: Table) -> dict[str, Any]:
    """Returns the columns of a table, without its seats."""
    state = {
        "phase": table.phase.value,
        "game": table.game,
        "stopped": table.stopped or "",
        "has_called": table.has_called,
    }
    times = {
        "opened_at": table.opened_at,
        "changed_at": table.touched_at,
        "starts_at": table.starts_at,
    }
    series = {"cup_id": table.series or None, "cup_round": table.series_round}

    return {**opening_columns(session, table), **state, **times, **series, **asdict(table.options)}


def _people_in(table: Table) -> set[UserRef]:
    """Returns all people that the rows of a table refer to."""
    seated = (*table.players, *table.before, *table.kept)
    people = {table.opener, *(player.user for player in seated), *(player.invited_by for player in seated)}
    return {user for user in people if user is not None}


def _save_seats(session: Session, before: Table, after: Table) -> None:
    """Saves the changed seats of a table, and deletes those that are gone."""
    stored = _seats(session, before)
    seats = _seats(session, after)
    gone = stored.keys() - seats.keys()
    if gone:
        key = sa.tuple_(col(SeatRow.of_game), col(SeatRow.seat))
        session.exec(delete(SeatRow).where(col(SeatRow.table_id) == after.id, key.in_(gone)))

    changed = [columns for key, columns in seats.items() if stored.get(key) != columns]
    put_all(session.connection(), SeatRow, changed)


def _seats(session: Session, table: Table) -> Mapping[tuple[int, int], dict[str, Any]]:
    """Returns the columns of all seats of a table, by game and seat."""
    companies = {table.game: table.players, table.game - 1: table.before, KEPT: table.kept}
    return {
        (game, seat): {"table_id": table.id, "of_game": game, "seat": seat} | _seat(session, player)
        for game, players in companies.items()
        for seat, player in enumerate(players)
    }


def _seat(session: Session, player: Player) -> dict[str, Any]:
    person = {"player_id": _id_of(session, player.user), "name": storable(player.name)}
    invitation = {"inviter_id": _id_of(session, player.invited_by), "kept_until": player.kept_until}
    state = {"joined": player.joined, "has_left": player.has_left, "is_called": player.is_called}
    return {**person, **invitation, **state}


def _id_of(session: Session, user: UserRef | None) -> int | None:
    return None if user is None else number_of(session, PlayerRow, user)


def _make_way(session: Session, *rooms: tuple[int, str]) -> None:
    """Closes tables in use, so that each topic has at most one once these rooms are joined."""
    here = [(TableRow.server_id == server) & (TableRow.room == room) for server, room in rooms]
    tables = session.exec(
        select(TableRow)
        .where(or_(*here), IS_IN_USE, IS_ROOMS_OWN)
        .order_by(col(TableRow.phase) == Phase.LOBBY.value, col(TableRow.id))
    )
    stays = set[str]()

    for row in tables:
        if row.topic in stays:
            row.phase = Phase.CLOSED.value
        stays.add(row.topic)

    session.flush()


def _transfer_server(session: Session, schema: Schema, before: ServerRow, after: ServerRow) -> None:
    """Moves all rows of one server to another, whose own rows take precedence, and deletes the first."""
    marks = update(WearerRow).where(col(WearerRow.server_id) == before.id)
    session.exec(marks.values(is_done=False))  # the badges have to be synced on the other server
    tally_tables = {model.__tablename__ for model in COUNTED}

    for table in schema.tables:
        if "server_id" not in table.c or table.name in tally_tables:
            continue

        here = table.c.server_id == before.id
        other = table.alias()
        if table.c.server_id.primary_key:
            keys = [other.c[key.name] == key for key in table.primary_key if key.name != "server_id"]
            session.exec(
                sa.delete(table).where(here, sa.exists().where(other.c.server_id == after.id, *keys))
            )

        session.exec(update(table).where(here).values(server_id=after.id))

    transfer_tallies(session, before.id, after.id)
    for name in CHOICE_COLUMNS:
        setattr(after, name, getattr(after, name) or getattr(before, name))

    if before.week_until is not None:
        after.week_until = max(before.week_until, after.week_until or 0.0)

    forget_number(session, before.server_ref)
    session.delete(before)


class SqlJournal(Store):
    """Implements the engine's `Journal` on disk."""

    def __init__(self, database: Database, game_ended: Sequence[GameEnded] = ()) -> None:
        """Writes to `database`; `game_ended` is called for games with an outcome."""
        super().__init__(database)
        self._game_ended = game_ended

    async def append(self, entry: Entry, *, snapshot: str, outcome: Outcome | None) -> None:
        """Writes an entry, the position after it and, if the game ended, its result: all or nothing.

        Raises:
            VersionTakenError: The table has an entry of this version already.
        """
        await self._append((entry, snapshot, outcome))

    @writes_together
    def _append(self, session: Session, steps: Sequence[tuple[Entry, str, Outcome | None]]) -> Sequence[None]:
        connection = session.connection()
        try:
            add_all(connection, EntryRow, [asdict(entry) for entry, *_ in steps])
        except IntegrityError as error:
            if is_key_taken(error):
                raise VersionTakenError from error
            raise

        snapshots = {entry.table_id: snapshot for entry, snapshot, _ in steps}
        rows = [{"table_id": table_id, "text": text} for table_id, text in snapshots.items()]
        put_all(connection, SnapshotRow, rows)

        for entry, snapshot, outcome in steps:
            note_busy(session, entry.table_id)
            if outcome is not None:
                self._end(session, entry, snapshot, outcome)

        return [None] * len(steps)

    def _end(self, session: Session, entry: Entry, snapshot: str, outcome: Outcome) -> None:
        """Writes the result of a game, and its consequences."""
        table = session.get_one(TableRow, entry.table_id, populate_existing=True)
        game = EndedGame(table, entry.game, _how_ended(entry, outcome), entry.at)
        for write_consequences in self._game_ended:
            write_consequences(session, game)

        results = _results(session, table, entry, snapshot, outcome)
        if results:
            add_results(session, results)
            if results[0].people >= MIN_PEOPLE:
                known_in(session).note_last_game(_room(table), (table.id, entry.game))
            schedule_badge_sync(session, results[0])

    @reads
    def newest_game(self, session: Session, table_id: int) -> SavedGame | None:
        """Reads a table's newest game; None if nothing was ever dealt."""
        newest = select(func.max(EntryRow.game)).where(EntryRow.table_id == table_id).scalar_subquery()
        entries = entries_of(session, table_id, newest)
        snapshot = session.get(SnapshotRow, table_id)
        return SavedGame(entries, snapshot.text) if entries and snapshot is not None else None


def _how_ended(entry: Entry, outcome: Outcome) -> HowEnded:
    if outcome.is_draw:
        return HowEnded.DRAWN
    return HowEnded.RESIGNED if entry.text == str(Resign()) else HowEnded.LOST


def entries_of(session: Session, table_id: int, game: int | sa.ColumnElement[int]) -> list[Entry]:
    """Returns the journal of a game, the oldest line first."""
    rows = session.exec(
        select(EntryRow)
        .where(EntryRow.table_id == table_id, EntryRow.game == game)
        .order_by(col(EntryRow.version))
    )
    return [_entry(row) for row in rows]


def _entry(row: EntryRow) -> Entry:
    author = None if row.author is None else Author(row.author)
    return Entry(row.table_id, row.version, row.game, row.seat, row.text, author, row.at)


def _results(
    session: Session, table: TableRow, entry: Entry, snapshot: str, outcome: Outcome
) -> list[ResultRow]:
    """Returns the results of a game, one for each seat, from its last entry and the position after it."""
    of_game = SeatRow.table_id == table.id, SeatRow.of_game == entry.game
    seats = session.exec(
        select(SeatRow.seat, SeatRow.player_id).where(*of_game).order_by(col(SeatRow.seat))
    ).all()
    entries = entries_of(session, entry.table_id, entry.game)
    position = dict(line.partition(" ")[::2] for line in snapshot.splitlines())

    people = sum(player is not None for _, player in seats)
    places = {seat: place for place, seat in enumerate(outcome.order, start=1)}
    opening = _opening_of(entries)
    steps = _replayed(opening, entries)
    preset = "" if opening is None else preset_of(opening.rules)
    levels = (() if opening is None else opening.levels) or [0] * len(seats)
    most_held = _most_held(steps)
    cheating = _cheating_in(opening, steps, outcome)
    house_strength = strength_by(Rules.from_text(table.rules), table.strength)
    results = list[ResultRow]()

    for seat, player in seats:
        is_loser = seat in outcome.losers
        epaulettes = outcome.epaulettes if is_loser else 0
        strength = house_strength if player is None else ""
        result = ResultRow(
            table_id=entry.table_id,
            game=entry.game,
            seat=seat,
            server_id=table.server_id,
            player_id=player,
            players=len(seats),
            people=people,
            losers=len(outcome.losers),
            place=places.get(seat),
            is_loser=is_loser,
            is_draw=outcome.is_draw,
            points=outcome.points[seat],
            epaulettes=epaulettes,
            finished_at=entry.at,
            trump=position.get("trump", ""),
            bouts=int(position.get("bouts", "0")),
            seconds=max(0.0, entry.at - entries[0].at),
            strength=strength,
            most_held=most_held[seat],
            preset=preset,
            level=levels[seat],
            **cheating.get(seat, {}),
        )
        results.append(result)

    return results


def _opening_of(entries: Sequence[Entry]) -> Opening | None:
    """Returns the opening of a game; None if it can't be read: such a game has ended nevertheless."""
    try:
        return Opening.from_text(entries[0].text)
    except InvalidTextError:
        return None


def _replayed(opening: Opening | None, entries: Sequence[Entry]) -> Sequence[Step]:
    """Returns the steps of a game, as far as they can be replayed."""
    steps = list[Step]()
    if opening is None:
        return steps

    with suppress(InvalidTextError, IllegalMoveError):
        actions = tuple((entry.seat or 0, parse_action(entry.text)) for entry in entries[1:])
        for step in Record(opening, actions).steps():
            steps.append(step)  # so that those before an illegal move stay

    return steps


def _most_held(steps: Iterable[Step]) -> Counter[int]:
    """Returns the most cards that each seat of a game held at once."""
    most = Counter[int]()
    for step in steps:
        most |= Counter({seat: len(hand) for seat, hand in enumerate(step.state.hands)})

    return most


def _cheating_in(
    opening: Opening | None, steps: Iterable[Step], outcome: Outcome
) -> Mapping[Seat, Mapping[str, int]]:
    """Counts each seat's unseen cheats, and how often it was caught, caught others or accused wrongly.

    Empty if the rules allow no cheating.
    """
    if opening is None or not opening.rules.cheating:
        return {}

    counts = defaultdict[Seat, Counter[str]](Counter)
    for event in (event for step in steps for event in step.events):
        if isinstance(event, Caught):
            counts[event.seat]["catches"] += 1
            counts[event.by]["cheats_caught"] += 1
        elif isinstance(event, AccusedWrongly):
            counts[event.seat]["ghosts"] += 1

    for cheat in outcome.unseen:
        counts[cheat.seat]["cheats_unseen"] += 1

    return {seat: {name: counts[seat][name] for name in CHEATING_COLUMNS} for seat in range(opening.players)}
