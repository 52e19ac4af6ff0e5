"""Stores cups: their entrants, and the tables of their rounds."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from sqlalchemy.orm import selectinload
from sqlmodel import Session, col, delete, select, update

from adapters.port import RoomRef, ServerRef, User, UserRef
from bot.features.cups.model import CUP, Cup, CupGame, CupPhase, Entrant
from bot.features.cups.rows import CupEntrantRow, CupRow
from bot.model.calendar import Appointment
from bot.model.choices import TableOptions
from bot.model.messages import Subject
from bot.model.table import Phase, Player, Table
from bot.storage.calendar import note_appointment
from bot.storage.database import Store, reads, reports, writes
from bot.storage.ended import EndedGame, HowEnded
from bot.storage.messages import drop_messages, note_outdated, shown_numbers
from bot.storage.models import PlayerRow, ResultRow, SeatRow, ServerRow, TableRow, put_all
from bot.storage.names import storable
from bot.storage.numbers import id_of, look_up, number_of
from bot.storage.people import name_of, on_record
from bot.storage.tables import add_tables, opening_columns
from engine import Rules

RUNNING = (CupPhase.GATHERING.value, CupPhase.PLAYING.value)
CLOCK_SECONDS = 60  # the time for a move in a cup's games, as other tables wait for their end
FIRST_GAME = 1  # the number of the only game at each table
MAX_HONOURS = 5  # the number of a season's newest cups in the hall of fame


class CupStore(Store):
    """Stores the cups of all servers, without results: those are read from the tables of a cup."""

    @writes
    def open(self, session: Session, cup: Cup, now: float) -> Cup:
        """Opens a cup, or returns the current one of its room."""
        running = _running_in(session, cup.room)
        if running is not None:
            return _cup(session, running)

        _forget_called_off(session, number_of(session, ServerRow, cup.room.server))
        row = CupRow(**opening_columns(session, cup), **_state(session, cup))
        session.add(row)
        session.flush()

        opened = replace(cup, id=row.id)
        _save_entrants(session, replace(opened, entrants=()), opened)
        _note_step(session, opened, now)
        note_outdated(session, Subject(CUP, opened.id))
        return opened

    @reads
    def get(self, session: Session, number: int) -> Cup | None:
        """Returns a cup by its number; None if there is none."""
        row = session.get(CupRow, number)
        return None if row is None else _cup(session, row)

    @reads
    def in_room(self, session: Session, room: RoomRef) -> Cup | None:
        """Returns the current cup of a room; None if there is none."""
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
    def save(
        self, session: Session, before: Cup, after: Cup, now: float, *, is_followed_up: bool = False
    ) -> tuple[Cup, Sequence[Table]]:
        """Saves the changes of a cup, and opens a table for each new game, without dealing it.

        Schedules the cup's next step, unless the caller follows it up. Returns the cup with the numbers of
        the new tables, and these tables.
        """
        stored = _state(session, before)
        changes = {name: value for name, value in _state(session, after).items() if value != stored[name]}
        if changes:
            session.exec(update(CupRow).where(col(CupRow.id) == after.id).values(changes))

        _save_entrants(session, before, after)
        if after.step != before.step and not is_followed_up:
            _note_step(session, after, now)

        note_outdated(session, Subject(CUP, after.id))
        new = [game for game in after.games if not game.table_id]
        tables = add_tables(session, [_table_of(after, game, now) for game in new])
        table_ids = {game: table.id for game, table in zip(new, tables, strict=True)}
        games = [replace(game, table_id=table_ids.get(game, game.table_id)) for game in after.games]
        return replace(after, games=tuple(games)), tables

    @reports
    def honours(
        self, session: Session, server: ServerRef, since: float, until: float
    ) -> list[tuple[str | None, str | None]]:
        """Returns the names of the winner and the fool of each cup that ended in a given period."""
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
    """Schedules a check of the table's cup after the end of a game, if the table belongs to one."""
    table = game.table
    if table.cup_id is None:
        return
    if game.how is HowEnded.STOPPED:  # the table is closed as well, which schedules the check
        return

    room = RoomRef(table.server.server_ref, table.room, table.topic)
    note_appointment(session, Appointment(room.server, CUP, game.at, str(table.cup_id), room))


def leave_cups(session: Session, entrant: Any, number: int) -> None:
    """Removes a person from all cups; a place that they held remains, without a name."""
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


def _state(session: Session, cup: Cup) -> dict[str, Any]:
    """Returns the columns of a cup that can change."""
    return {
        "salt": cup.salt,
        "phase": cup.phase.value,
        "starts_at": cup.starts_at,
        "round": cup.round,
        "round_began_at": cup.round_began_at,
        "has_called": cup.has_called,
        "ended_at": cup.ended_at,
        "winner_id": _id_of(session, cup.winner),
        "fool_id": _id_of(session, cup.fool),
    }


def _save_entrants(session: Session, before: Cup, after: Cup) -> None:
    """Writes the changed entrants of a cup, and deletes those removed."""
    look_up(session, [entrant.user for entrant in (*before.entrants, *after.entrants)])
    gone = len(before.entrants) - len(after.entrants)
    if gone > 0:
        is_gone = col(CupEntrantRow.number) >= len(after.entrants)
        session.exec(delete(CupEntrantRow).where(col(CupEntrantRow.cup_id) == after.id, is_gone))

    numbered = dict(enumerate(before.entrants))
    changed = [
        _entrant_columns(session, after.id, number, entrant)
        for number, entrant in enumerate(after.entrants)
        if numbered.get(number) != entrant
    ]
    put_all(session.connection(), CupEntrantRow, changed)


def _entrant_columns(session: Session, cup: int, number: int, entrant: Entrant) -> dict[str, Any]:
    player = id_of(session, PlayerRow, entrant.user)
    return {
        "cup_id": cup,
        "number": number,
        "player_id": player or on_record(session, User(entrant.user, entrant.name)).id,
        "name": storable(entrant.name),
        "joined": entrant.joined,
        "place": entrant.place,
        "has_left": entrant.has_left,
        "is_called": entrant.is_called,
    }


def _note_step(session: Session, cup: Cup, now: float) -> None:
    """Schedules the next step of a cup."""
    note_appointment(session, Appointment(cup.room.server, CUP, now, str(cup.id), cup.room))


def _id_of(session: Session, user: UserRef | None) -> int | None:
    return None if user is None else number_of(session, PlayerRow, user)


def _table_of(cup: Cup, game: CupGame, now: float) -> Table:
    """Returns the table of a new game, with the players seated as drawn."""
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
