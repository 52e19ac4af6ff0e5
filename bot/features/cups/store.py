"""Cups: their sign-ups, and the tables of their rounds."""

from collections import defaultdict
from dataclasses import replace
from typing import Any

from sqlalchemy.orm import selectinload
from sqlmodel import Session, col, delete, select, update

from adapters.port import RoomRef, ServerRef, User, UserRef
from bot.features.cups.model import CUP, Cup, CupGame, CupPhase, Entrant
from bot.features.cups.rows import CupEntrantRow, CupRow
from bot.model.choices import TableOptions
from bot.model.messages import Subject
from bot.model.table import Phase, Player, Table
from bot.storage.database import Store, reads, reports, writes
from bot.storage.ended import EndedGame, HowEnded
from bot.storage.messages import drop_messages, note_outdated, shown_numbers
from bot.storage.models import AppointmentRow, PlayerRow, ResultRow, SeatRow, ServerRow, TableRow
from bot.storage.names import storable
from bot.storage.numbers import id_of, look_up, number_of
from bot.storage.people import name_of, on_record
from bot.storage.tables import add_table, opening_columns
from engine import Rules

RUNNING = (CupPhase.GATHERING.value, CupPhase.PLAYING.value)
CLOCK_SECONDS = 60  # for a move in a game of a cup, as other tables wait for it
FIRST_GAME = 1  # the number of the one game at each table
MAX_HONOURS = 5  # the newest cups of a season that are in the hall of fame


class CupStore(Store):
    """The cups of all servers. The results of their games are those of their tables."""

    @writes
    def open(self, session: Session, cup: Cup, now: float) -> Cup:
        """Opens a cup, or returns the current one of its room."""
        running = _running_in(session, cup.room)
        if running is not None:
            return _cup(session, running)

        _forget_called_off(session, number_of(session, ServerRow, cup.room.server))
        opening = opening_columns(session, cup)
        row = CupRow(**opening, starts_at=cup.starts_at, phase=cup.phase.value)
        session.add(row)
        session.flush()
        return _write(session, row, replace(cup, id=row.id), now)

    @reads
    def get(self, session: Session, number: int) -> Cup | None:
        """Returns a cup by its number."""
        row = session.get(CupRow, number)
        return None if row is None else _cup(session, row)

    @reads
    def in_room(self, session: Session, room: RoomRef) -> Cup | None:
        """Returns the cup that gathers or plays in a room."""
        row = _running_in(session, room)
        return None if row is None else _cup(session, row)

    @reads
    def gathering_in(self, session: Session, room: RoomRef) -> list[int]:
        """Returns the numbers of the cups that gather in a room and its topics."""
        server = id_of(session, ServerRow, room.server)
        here = CupRow.server_id == server, CupRow.room == room.id
        gathers = CupRow.phase == CupPhase.GATHERING.value
        return list(session.exec(select(CupRow.id).where(*here, gathers)))

    @writes
    def save(self, session: Session, cup: Cup, now: float) -> Cup:
        """Saves a changed cup, and opens a table for each of its new games, not dealt yet."""
        row = session.get_one(CupRow, cup.id)
        return _write(session, row, cup, now)

    @reports
    def honours(
        self, session: Session, server: ServerRef, since: float, until: float
    ) -> list[tuple[str | None, str | None]]:
        """Returns who won each of the cups that ended between two times, and who got the fool's cap."""
        server_id = id_of(session, ServerRow, server)

        cups = session.exec(
            select(CupRow)
            .where(CupRow.server_id == server_id, CupRow.phase == CupPhase.OVER.value)
            .where(col(CupRow.ended_at) >= since, col(CupRow.ended_at) < until)
            .order_by(col(CupRow.ended_at).desc())
            .limit(MAX_HONOURS)
        )

        honours = [(cup.winner_id, cup.fool_id) for cup in cups]
        return [
            (_honoured(session, server_id, winner), _honoured(session, server_id, fool))
            for winner, fool in honours
        ]


def schedule_cup(session: Session, game: EndedGame) -> None:
    """Schedules a look at a table's cup, since its game has ended."""
    table = game.table
    if table.cup_id is None:
        return
    if game.how is HowEnded.STOPPED:  # its table is put away as well, and that call schedules it
        return

    session.merge(
        AppointmentRow(
            server_id=table.server_id,
            kind=CUP,
            about=str(table.cup_id),
            at=game.at,
            room=table.room,
            topic=table.topic,
        )
    )


def leave_cups(session: Session, entrant: Any, number: int) -> None:
    """Takes a person out of all cups: a place that they held stays, without a name."""
    theirs = col(entrant) == number
    entered = select(CupEntrantRow.cup_id).where(theirs, col(CupEntrantRow.cup_id).in_(shown_numbers(CUP)))
    for cup in session.exec(entered).all():
        note_outdated(session, Subject(CUP, cup))

    session.exec(delete(CupEntrantRow).where(theirs, col(CupEntrantRow.place).is_(None)))
    session.exec(update(CupEntrantRow).where(theirs).values(name="", joined="", has_left=True))


def _honoured(session: Session, server: int, player: int | None) -> str | None:
    return None if player is None else name_of(session, server, player)


def _running_in(session: Session, room: RoomRef) -> CupRow | None:
    server = id_of(session, ServerRow, room.server)
    here = CupRow.server_id == server, CupRow.room == room.id, CupRow.topic == room.topic
    return session.exec(select(CupRow).where(*here, col(CupRow.phase).in_(RUNNING))).first()


def _forget_called_off(session: Session, server: int) -> None:
    """Deletes the cups of a server that never began."""
    called_off = CupRow.server_id == server, CupRow.phase == CupPhase.OFF.value
    numbers = session.exec(select(CupRow.id).where(*called_off)).all()
    drop_messages(session, CUP, numbers)
    session.exec(delete(CupEntrantRow).where(col(CupEntrantRow.cup_id).in_(numbers)))
    session.exec(delete(CupRow).where(col(CupRow.id).in_(numbers)))


def _write(session: Session, row: CupRow, cup: Cup, now: float) -> Cup:
    """Writes the phase, the people, the new games and the honours of a cup; returns it with their tables."""
    row.salt = cup.salt
    row.phase = cup.phase.value
    row.starts_at = cup.starts_at
    row.round = cup.round
    row.round_began_at = cup.round_began_at
    row.has_called = cup.has_called
    row.ended_at = cup.ended_at
    row.winner_id = _id_of(session, cup.winner)
    row.fool_id = _id_of(session, cup.fool)

    _save_entrants(session, row, cup)
    _schedule(session, row, now)
    note_outdated(session, Subject(CUP, row.id))
    session.flush()

    new = [game for game in cup.games if not game.table_id]
    for game in new:
        add_table(session, _table_for(cup, game, now))

    return _cup(session, row) if new else cup


def _save_entrants(session: Session, row: CupRow, cup: Cup) -> None:
    """Writes what has changed about the entrants of a cup."""
    look_up(session, [entrant.user for entrant in cup.entrants])
    entered = session.exec(select(CupEntrantRow).where(CupEntrantRow.cup_id == row.id))
    rows = {entry.number: entry for entry in entered}

    for number, entrant in enumerate(cup.entrants):
        player = id_of(session, PlayerRow, entrant.user)
        columns: dict[str, Any] = {
            "cup_id": row.id,
            "number": number,
            "player_id": player or on_record(session, User(entrant.user, entrant.name)).id,
            "name": storable(entrant.name),
            "joined": entrant.joined,
            "place": entrant.place,
            "has_left": entrant.has_left,
            "is_called": entrant.is_called,
        }
        entry = rows.pop(number, None)
        session.add(CupEntrantRow(**columns) if entry is None else entry.sqlmodel_update(columns))

    for entry in rows.values():
        session.delete(entry)


def _schedule(session: Session, row: CupRow, now: float) -> None:
    """Schedules the next step of a cup."""
    session.merge(
        AppointmentRow(
            server_id=row.server_id, kind=CUP, about=str(row.id), at=now, room=row.room, topic=row.topic
        )
    )


def _id_of(session: Session, user: UserRef | None) -> int | None:
    return None if user is None else number_of(session, PlayerRow, user)


def _table_for(cup: Cup, game: CupGame, now: float) -> Table:
    """Returns the table of a new game, with its players seated as they were drawn."""
    entrants = {entrant.user: entrant for entrant in cup.entrants}
    players = tuple(Player(entrants[user].name, user, entrants[user].joined) for user in game.players)

    return Table(
        id=0,
        room=cup.room,
        opener=cup.opener,
        preset=cup.preset,
        rules=cup.rules,
        house_rules=cup.house_rules,
        seed=cup.seed_of(game),
        opened_at=now,
        players=players,
        options=TableOptions(clock=CLOCK_SECONDS),
        locale=cup.locale,
        series=cup.id,
        series_round=game.round,
        touched_at=now,
    )


def _cup(session: Session, row: CupRow) -> Cup:
    people = session.exec(
        select(CupEntrantRow, PlayerRow)
        .join(PlayerRow, col(PlayerRow.id) == CupEntrantRow.player_id)
        .where(CupEntrantRow.cup_id == row.id)
        .order_by(col(CupEntrantRow.number))
    )
    entrants = [
        Entrant(player.user_ref, entry.name, entry.joined, entry.place, entry.has_left, entry.is_called)
        for entry, player in people
    ]

    phase = CupPhase(row.phase)
    house_rules = None if row.house_rules is None else Rules.from_text(row.house_rules)
    return Cup(
        id=row.id,
        room=RoomRef(row.server.server_ref, row.room, row.topic),
        opener=row.opener.user_ref,
        preset=row.preset,
        rules=Rules.from_text(row.rules),
        house_rules=house_rules,
        seed=row.seed,
        salt=row.salt,
        locale=row.locale,
        starts_at=row.starts_at,
        phase=phase,
        round=row.round,
        round_began_at=row.round_began_at,
        has_called=row.has_called,
        ended_at=row.ended_at,
        entrants=tuple(entrants),
        games=() if phase is CupPhase.GATHERING else tuple(_games(session, row.id)),
        winner=_user_of(session, row.winner_id),
        fool=_user_of(session, row.fool_id),
    )


def _user_of(session: Session, player: int | None) -> UserRef | None:
    return None if player is None else session.get_one(PlayerRow, player).user_ref


def _games(session: Session, cup: int) -> list[CupGame]:
    """Returns the games of a cup in the order in which they were drawn, with their results."""
    of_cup = select(TableRow).where(TableRow.cup_id == cup).order_by(col(TableRow.id))
    seats = selectinload(TableRow.seats)  # type: ignore[arg-type] # a relationship is typed as its value
    tables = session.exec(of_cup.options(seats)).all()
    is_theirs = col(ResultRow.table_id).in_([table.id for table in tables])
    results = defaultdict[int, dict[int, ResultRow]](dict)
    for result in session.exec(select(ResultRow).where(is_theirs, ResultRow.game == FIRST_GAME)):
        results[result.table_id][result.seat] = result

    return [_game(table, results[table.id]) for table in tables]


def _game(table: TableRow, results: dict[int, ResultRow]) -> CupGame:
    seats: list[SeatRow] = [seat for seat in table.seats if seat.of_game == FIRST_GAME]
    players = tuple(seat.player.user_ref for seat in seats if seat.player is not None)
    is_closed = table.phase == Phase.CLOSED.value

    return CupGame(
        table.cup_round,
        players,
        table.id,
        is_over=bool(results) or is_closed,
        out_at=tuple(results[seat].place for seat in sorted(results)),
        fools=frozenset(seat for seat, result in results.items() if result.is_loser),
        is_draw=any(result.is_draw for result in results.values()),
    )
