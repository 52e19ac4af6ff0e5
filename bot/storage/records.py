"""Reads finished games: their records, players and consequences, and games to review."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import sqlalchemy as sa
from sqlmodel import Session, case, col, func, select

from adapters.port import MovesForgottenError, RoomRef, ServerRef, UserRef
from bot.model.standings import MIN_PEOPLE
from bot.model.table import Player, house_name
from bot.storage.database import Store, reads, reports, writes
from bot.storage.ended import GAMES_BEFORE_MORE, Consequences
from bot.storage.models import (
    FIRST_SEAT,
    GAME,
    STOPPED,
    NicknameRow,
    PlayerRow,
    ReplayLinkRow,
    ResultRow,
    SeatRow,
    ServerRow,
    TableRow,
)
from bot.storage.numbers import id_of, look_up
from bot.storage.tables import entries_of, is_in_room
from engine import Opening, Record, Seat, Stop, parse_action, seed_hash
from engine.runtime import Entry

ANONYMOUS = "anonymous"  # the platform of people whose refs were not read; no chat has this name

# Selects the games that were played to their end, with the time of the end.
ENDS = select(ResultRow.finished_at, ResultRow.table_id, ResultRow.game).where(ResultRow.seat == 0)

NEWEST_FIRST = (col(ResultRow.finished_at).desc(), col(ResultRow.table_id).desc())


@dataclass(frozen=True, slots=True)
class GameToReview:
    """A finished game with its journal, and the seat whose moves a review is about."""

    table_id: int
    game: int
    seat: Seat
    entries: Sequence[Entry] = field(repr=False)

    @property
    def has_moves(self) -> bool:
        """Whether its moves are still stored."""
        return bool(self.entries) and self.entries[0].seat is None


@dataclass(frozen=True, slots=True)
class FinishedGame:
    """A game that is over: its end, and its players, each with whether they lost."""

    table_id: int
    game: int
    at: float
    seats: tuple[tuple[Player, bool], ...]
    is_stopped: bool


class RecordStore(Store):
    """The records of games."""

    @reports
    def newest(self, session: Session, room: RoomRef) -> Record | None:
        """Returns the record of the game that was finished or stopped last in a room.

        Raises:
            MovesForgottenError: Its moves are no longer stored.
        """
        here = select(TableRow.id).where(*is_in_room(room))
        # The sum keeps SQLite from using an index for the order: it would walk all results of the server in
        # search of this room.
        newest_first = (col(ResultRow.finished_at) + 0).desc(), *NEWEST_FIRST[1:]
        finished = ENDS.where(col(ResultRow.table_id).in_(here)).order_by(*newest_first).limit(1)
        games = _newest(session, session.exec(finished), is_in_room(room), most=1)
        return record_of(session, *games[0][1:]) if games else None

    @reads
    def finished(
        self, session: Session, server: ServerRef | None, table_id: int, game: int
    ) -> tuple[FinishedGame, Record] | None:
        """Returns a game that was played to its end or stopped, with its record; None: of any `server`.

        Raises:
            MovesForgottenError: Its moves are no longer stored.
        """
        finished = ENDS.where(ResultRow.table_id == table_id, ResultRow.game == game)
        conditions = [col(TableRow.id) == table_id, col(TableRow.game) == game]
        if server is not None:
            here = id_of(session, ServerRow, server)
            finished = finished.where(ResultRow.server_id == here)
            conditions.append(col(TableRow.server_id) == here)

        games = _newest(session, session.exec(finished), conditions, most=1)
        return (_with_seats(session, games)[0], record_of(session, *games[0][1:])) if games else None

    @reads
    def seat_of(self, session: Session, user: UserRef, table_id: int, game: int) -> Seat | None:
        """Returns the seat of a person in a table's game; None if they had none."""
        person = id_of(session, PlayerRow, user)
        seat = SeatRow
        result = ResultRow
        seats = select(seat.seat).where(seat.table_id == table_id, seat.of_game == game)
        results = select(result.seat).where(result.table_id == table_id, result.game == game)
        there = session.exec(seats.where(seat.player_id == person)).first()
        return session.exec(results.where(result.player_id == person)).first() if there is None else there

    @reads
    def newest_games(self, session: Session, server: ServerRef, most: int) -> list[FinishedGame]:
        """Returns the last `most` games of a server that were finished or stopped, the newest first."""
        here = id_of(session, ServerRow, server)
        finished = ENDS.where(ResultRow.server_id == here).order_by(*NEWEST_FIRST).limit(most)
        conditions = [col(TableRow.server_id) == here]
        return _with_seats(session, _newest(session, session.exec(finished), conditions, most))

    @reports
    def finished_since(self, session: Session, at: float, most: int) -> list[tuple[float, Record | None]]:
        """Returns the ends and the records of `most` games finished after a given time, the oldest first.

        The record is None if the moves are no longer stored.
        """
        later = ENDS.where(sa.text(FIRST_SEAT), ResultRow.finished_at > at)
        ends = later.order_by(col(ResultRow.finished_at)).limit(most)
        games = session.exec(ends).all()
        return [(end, _record_if_kept(session, table_id, game)) for end, table_id, game in games]

    @reads
    def consequences(self, session: Session, table_id: int, game: int) -> Consequences:
        """Returns what a finished game has changed."""
        of_game = ResultRow.table_id == table_id, ResultRow.game == game
        results = session.exec(select(ResultRow).where(*of_game)).all()
        changes = {row.seat: row.rating_change for row in results if row.rating_change is not None}
        has_more = bool(results) and _is_nth_here(session, results[0], GAMES_BEFORE_MORE)
        losses_before = _losses_before(session, people_in(session, table_id, game))
        return Consequences(changes, losses_before, has_more)

    @reads
    def beginners(self, session: Session, users: Collection[UserRef]) -> frozenset[UserRef]:
        """Returns the users who have never finished a game on any server, even against bots."""
        look_up(session, users)
        numbers = {id_of(session, PlayerRow, user): user for user in users}
        has_finished = sa.exists().where(col(ResultRow.player_id) == PlayerRow.id)
        experienced = select(PlayerRow.id).where(col(PlayerRow.id).in_(numbers), has_finished)
        return frozenset(users) - {numbers[number] for number in session.exec(experienced)}

    @reads
    def link_secret(self, session: Session, table_id: int, game: int) -> str:
        """Returns the secret of the newest link to a finished game; empty if no link was withdrawn."""
        row = session.get(ReplayLinkRow, (table_id, game))
        return "" if row is None else row.secret

    @writes
    def withdraw_link(self, session: Session, table_id: int, game: int, secret: str) -> None:
        """Invalidates the link to a finished game; the next one has this secret."""
        session.merge(ReplayLinkRow(table_id=table_id, game=game, secret=secret))

    @reads
    def newest_of(self, session: Session, user: UserRef, *, near: RoomRef) -> GameToReview | None:
        """Returns the last game that a person finished, preferably in the room `near`."""
        is_near = case((sa.and_(*is_in_room(near)), 0), else_=1)
        query = select(ResultRow).join(TableRow, col(TableRow.id) == ResultRow.table_id)
        theirs = query.where(ResultRow.player_id == id_of(session, PlayerRow, user))
        return _to_review(session, session.exec(theirs.order_by(is_near, *NEWEST_FIRST).limit(1)).first())

    @reads
    def played_by(self, session: Session, user: UserRef, table_id: int, game: int) -> GameToReview | None:
        """Returns a game if this person finished it."""
        query = select(ResultRow).where(ResultRow.table_id == table_id, ResultRow.game == game)
        theirs = query.where(ResultRow.player_id == id_of(session, PlayerRow, user))
        return _to_review(session, session.exec(theirs).first())


def _is_nth_here(session: Session, result: ResultRow, nth: int) -> bool:
    """Returns whether a finished game was the `nth` game of its server that counts."""
    here = select(ResultRow.table_id, ResultRow.game).where(
        sa.text(GAME), ResultRow.server_id == result.server_id
    )
    in_order = here.order_by(col(ResultRow.finished_at), col(ResultRow.table_id))
    return session.exec(in_order.offset(nth - 1).limit(1)).first() == (result.table_id, result.game)


def record_of(session: Session, table_id: int, game: int, reason: str = "") -> Record:
    """Reads the record of a game that is over, with its players as remarks.

    Raises:
        MovesForgottenError: Its moves are no longer stored.
    """
    entries = entries_of(session, table_id, game)
    if not entries or entries[0].seat is not None:
        raise MovesForgottenError

    seats = session.exec(
        select(SeatRow)
        .where(SeatRow.table_id == table_id, SeatRow.of_game == game)
        .order_by(col(SeatRow.seat))
    )
    opening = Opening.from_text(entries[0].text)

    end = Stop(reason) if reason else None
    return Record(
        opening,
        tuple((entry.seat or 0, parse_action(entry.text)) for entry in entries[1:]),
        seal=seed_hash(opening.seed),
        remarks=(
            f"game {game} of table {table_id}",
            *(f"seat {row.seat}: {' '.join(row.name.split())}" for row in seats),
        ),
        stopped=end,
    )


def _record_if_kept(session: Session, table_id: int, game: int) -> Record | None:
    try:
        return record_of(session, table_id, game)
    except MovesForgottenError:
        return None


def people_in(session: Session, table_id: int, game: int) -> Sequence[ResultRow]:
    """Returns the results of the people in a finished game, by seat; none if it does not count."""
    return session.exec(
        select(ResultRow)
        .where(ResultRow.table_id == table_id, ResultRow.game == game, ResultRow.people >= MIN_PEOPLE)
        .where(col(ResultRow.player_id).is_not(None))
        .order_by(col(ResultRow.seat))
    ).all()


def _losses_before(session: Session, results: Sequence[ResultRow]) -> Mapping[Seat, int]:
    """Counts, by seat, how many games in a row each person had lost on the server before this one."""
    if not results:
        return {}

    result = ResultRow
    when = sa.tuple_(col(result.finished_at), col(result.game))
    newest_first = col(result.finished_at).desc(), col(result.game).desc()
    earlier = {
        row.seat: (
            col(result.player_id) == row.player_id,
            col(result.server_id) == row.server_id,
            col(result.people) >= MIN_PEOPLE,
            when < (row.finished_at, row.game),
        )
        for row in results
    }

    spared = list[sa.Select[Any]]()
    for seat, is_earlier in earlier.items():
        theirs = sa.select(sa.literal(seat), col(result.finished_at), col(result.game)).where(*is_earlier)
        last = theirs.where(col(result.is_loser).is_(False)).order_by(*newest_first).limit(1)
        spared.append(sa.select(last.subquery()))
    lasts = {seat: (at, game) for seat, at, game in session.execute(sa.union_all(*spared))}

    losses = list[sa.Select[int, int]]()
    for seat, is_earlier in earlier.items():
        since = [when > lasts[seat]] if seat in lasts else []
        count = sa.select(sa.literal(seat), func.count()).select_from(result)
        losses.append(count.where(*is_earlier, *since))

    return dict(tuple(row) for row in session.execute(sa.union_all(*losses)))


def _newest(
    session: Session,
    finished: Iterable[tuple[float, int, int]],
    conditions: Sequence[sa.ColumnElement[bool]],
    most: int,
) -> list[tuple[float, int, int, str]]:
    """Returns the newest `most` of these finished games and of the stopped ones that meet the conditions.

    Each has its end, its table, its number there, and the reason why it was stopped (empty: it was not).
    """
    table = TableRow
    others = (
        select(table.changed_at, table.id, table.game, table.stopped)
        .where(*conditions, sa.text(STOPPED))
        .order_by(col(table.changed_at).desc())
        .limit(most)
    )
    games = [(*game, "") for game in finished]
    games += [(at, table_id, game, by) for at, table_id, game, by in session.exec(others)]

    return sorted(games, reverse=True)[:most]


def _with_seats(session: Session, games: Sequence[tuple[float, int, int, str]]) -> list[FinishedGame]:
    """Returns games with their players, each with whether they lost.

    In games before a table's newest two, players have their current names. Their refs are anonymous.
    """
    keys = [(table_id, game) for _, table_id, game, _ in games]
    is_their_result = (
        (col(ResultRow.table_id) == SeatRow.table_id)
        & (col(ResultRow.game) == SeatRow.of_game)
        & (col(ResultRow.seat) == SeatRow.seat)
    )
    query = (
        select(SeatRow, ResultRow.is_loser)
        .join(ResultRow, is_their_result, isouter=True)
        .where(sa.tuple_(col(SeatRow.table_id), col(SeatRow.of_game)).in_(keys))
        .order_by(col(SeatRow.seat))
    )
    sat = defaultdict[tuple[int, int], tuple[tuple[Player, bool], ...]](tuple)

    for row, is_loser in session.exec(query):
        user = None if row.player_id is None else UserRef(ANONYMOUS, str(row.player_id))
        sat[row.table_id, row.of_game] += ((Player(row.name, user), bool(is_loser)),)

    is_their_name = (col(NicknameRow.player_id) == ResultRow.player_id) & (
        col(NicknameRow.server_id) == ResultRow.server_id
    )
    older = (
        select(ResultRow, func.coalesce(NicknameRow.name, PlayerRow.name))
        .join(PlayerRow, col(PlayerRow.id) == ResultRow.player_id, isouter=True)
        .join(NicknameRow, is_their_name, isouter=True)
        .where(sa.tuple_(col(ResultRow.table_id), col(ResultRow.game)).in_(set(keys) - set(sat)))
        .order_by(col(ResultRow.seat))
    )
    results = defaultdict[tuple[int, int], list[tuple[ResultRow, str]]](list)
    for result, name in session.exec(older):
        results[result.table_id, result.game].append((result, name))

    for key, rows in results.items():
        sat[key] = _with_house_names(rows)

    return [
        FinishedGame(table_id, game, at, sat[table_id, game], bool(reason))
        for at, table_id, game, reason in games
    ]


def _with_house_names(rows: Sequence[tuple[ResultRow, str]]) -> tuple[tuple[Player, bool], ...]:
    """Returns the players of a game, each with whether they lost; house players get unused names."""
    people = {
        row.seat: Player(name, UserRef(ANONYMOUS, str(row.player_id)))
        for row, name in rows
        if row.player_id is not None
    }

    players = dict(people)
    for row, _ in rows:
        if row.seat not in players:
            players[row.seat] = Player(house_name(list(players.values())))

    return tuple((players[row.seat], row.is_loser) for row, _ in rows)


def _to_review(session: Session, row: ResultRow | None) -> GameToReview | None:
    if row is None:
        return None
    return GameToReview(row.table_id, row.game, row.seat, entries_of(session, row.table_id, row.game))
