"""Stores entered games with real cards, and their confirmations."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import sqlalchemy as sa
from sqlmodel import Session, col, delete, func, or_, select, update

from adapters.port import RoomRef, ServerRef, User, UserRef
from bot.features.real_cards.model import (
    CARD_GAMES,
    DAY,
    OBJECTION_SECONDS,
    CardGame,
    Entered,
    GameKey,
    Origin,
)
from bot.features.real_cards.rows import CardEntryRow
from bot.model.messages import Subject
from bot.storage.database import Store, reads, writes
from bot.storage.messages import drop_messages, newest_change, note_outdated, shown_numbers
from bot.storage.models import (
    CardGameRow,
    CardSeatRow,
    NicknameRow,
    PlayerRow,
    SeatRow,
    ServerRow,
    TableRow,
    TallyRow,
)
from bot.storage.names import storable
from bot.storage.numbers import id_of, number_of
from bot.storage.people import name_on, on_record

KEPT_UNCONFIRMED = 7 * DAY  # how long unconfirmed games are kept
GAMES_PER_BATCH = 200  # games in one transaction, so that others can read and write in between


class CardGameStore(Store):
    """Stores the games with real cards of all servers."""

    async def enter(
        self,
        room: RoomRef,
        by: User,
        games: Sequence[CardGame],
        now: float,
        *,
        locale: str = "",
        is_file: bool = False,
    ) -> int:
        """Adds games that do not count yet, to be shown in a room in this language; returns their number."""
        number = await self._begin(room, by, games[0], now, locale=locale, is_file=is_file)
        for start in range(1, len(games), GAMES_PER_BATCH):
            await self._add(number, games[start : start + GAMES_PER_BATCH])
        return number

    @writes
    def _begin(
        self,
        session: Session,
        room: RoomRef,
        by: User,
        game: CardGame,
        now: float,
        *,
        locale: str,
        is_file: bool,
    ) -> int:
        """Adds the first game of an entry.

        Deletes the server's unconfirmed games that are too old; for a file, also those of earlier files.
        """
        here = number_of(session, ServerRow, room.server)
        waiting = CardGameRow.server_id == here, col(CardGameRow.counts).is_(False)
        _delete(session, *waiting, col(CardGameRow.entered_at) < now - KEPT_UNCONFIRMED)

        if is_file:
            _delete(session, *waiting, col(CardGameRow.is_file).is_(True))

        for user in game.players:
            _on_record(session, user, here)

        row = CardGameRow(
            server_id=here,
            played_at=game.at,
            entered_at=now,
            entered_by=_on_record(session, by, here),
            players=len(game.players),
            is_file=is_file,
            month_first_at=game.month_first_at,
        )
        session.add(row)
        session.flush()
        row.batch = row.id
        _seat_players(session, [(row, game)])
        session.add(CardEntryRow(batch=row.id, server_id=here, room=room.id, topic=room.topic, locale=locale))
        note_outdated(session, Subject(CARD_GAMES, row.id))

        return row.id

    @writes
    def _add(self, session: Session, number: int, games: Sequence[CardGame]) -> None:
        """Adds more games of a file."""
        first = session.get(CardGameRow, number)
        if first is None:  # the server was forgotten in the meantime
            return

        rows = [
            CardGameRow(
                server_id=first.server_id,
                batch=number,
                played_at=game.at,
                entered_at=first.entered_at,
                entered_by=first.entered_by,
                players=len(game.players),
                is_file=True,
                month_first_at=game.month_first_at,
            )
            for game in games
        ]
        session.add_all(rows)
        session.flush()
        _seat_players(session, list(zip(rows, games, strict=True)))

    @reads
    def entries_since(self, session: Session, by: UserRef, since: float) -> int:
        """Counts a person's entries since a given time, including those taken back."""
        query = select(func.count(col(CardGameRow.batch).distinct())).where(
            CardGameRow.entered_by == id_of(session, PlayerRow, by), CardGameRow.entered_at > since
        )
        return session.exec(query).one()

    @reads
    def waiting(self, session: Session, server: ServerRef) -> int:
        """Counts the unconfirmed games of a server."""
        here = CardGameRow.server_id == id_of(session, ServerRow, server)
        query = select(func.count()).select_from(CardGameRow)
        return session.exec(query.where(here, col(CardGameRow.counts).is_(False))).one()

    @reads
    def origin(self, session: Session, number: int) -> Origin | None:
        """Returns the origin of an entry without reading its games; None if there is none."""
        row = session.get(CardGameRow, number)
        if row is None:
            return None
        return Origin(session.get_one(ServerRow, row.server_id).server_ref, row.is_file)

    @reads
    def entered(self, session: Session, number: int) -> Entered | None:
        """Returns the games that were entered together; None if there are none."""
        entry = session.get(CardEntryRow, number)
        if entry is None:
            return None

        game = CardGameRow
        times = func.min(game.played_at), func.max(game.played_at)
        seated = select(CardSeatRow.card_game_id)
        query = select(func.count(), func.min(game.id), *times).where(
            game.batch == number, col(game.id).in_(seated)
        )
        games, first_id, first, last = session.exec(query).one()
        if not games:
            return None

        row = session.get_one(CardGameRow, first_id)
        server = session.get_one(ServerRow, row.server_id).server_ref
        seats = _seats_of(session, row) if not row.is_file else []
        taken_back_by = entry.taken_back_by

        return Entered(
            number,
            RoomRef(server, entry.room, entry.topic),
            entry.locale,
            _user(session, row.entered_by, row.server_id),
            row.entered_at,
            counts=row.counts,
            is_file=row.is_file,
            games=games,
            first=first,
            last=last,
            fools=tuple(_fools(session, number, row.server_id)),
            players=tuple(user for user, _ in seats),
            confirmed_by=frozenset(user.ref for user, confirms in seats if confirms),
            notified_at=_read_notified_at(session, number),
            is_fool_known=not row.is_file and _is_fool_known(session, row),
            taken_back_by=None if taken_back_by is None else _user(session, taken_back_by, row.server_id),
            **_uncertain(session, number),
        )

    @writes
    def confirm(self, session: Session, number: int, user: UserRef) -> None:
        """Records a player's confirmation of a game."""
        is_theirs = col(CardSeatRow.player_id) == id_of(session, PlayerRow, user)
        session.exec(update(CardSeatRow).where(_was_entered_as(number), is_theirs).values(confirms=True))
        note_outdated(session, Subject(CARD_GAMES, number))

    @writes
    def count(self, session: Session, number: int) -> None:
        """Makes the games of an entry count."""
        session.exec(update(CardGameRow).where(col(CardGameRow.batch) == number).values(counts=True))
        note_outdated(session, Subject(CARD_GAMES, number))

    @writes
    def settle_order(self, session: Session, number: int, *, is_month_first: bool) -> None:
        """Settles whether months come before days in a file, and sets the times of its games."""
        game = CardGameRow
        is_open = col(game.batch) == number, col(game.month_first_at).is_not(None)
        if is_month_first:
            session.exec(update(game).where(*is_open).values(played_at=game.month_first_at))
        session.exec(update(game).where(*is_open).values(month_first_at=None))

    @writes
    def take_back(self, session: Session, number: int, by: User) -> None:
        """Stops the games of an entry from counting, and records who took them back.

        `forget_taken_back` deletes them after all messages were updated.
        """
        session.exec(update(CardGameRow).where(col(CardGameRow.batch) == number).values(counts=False))
        entry = session.get(CardEntryRow, number)
        if entry is not None:
            entry.taken_back_by = _on_record(session, by, entry.server_id)
            note_outdated(session, Subject(CARD_GAMES, number))

    @writes
    def forget_taken_back(self, session: Session, number: int, shown_change: int) -> None:
        """Deletes an entry that was taken back, if this is its newest change, which all messages show.

        Only an empty first game remains, as it counts towards the daily limit of entries.
        """
        entry = session.get(CardEntryRow, number)
        is_shown = newest_change(session, Subject(CARD_GAMES, number)) == shown_change
        if is_shown and entry is not None and entry.taken_back_by is not None:
            _forget_entries(session, col(CardGameRow.batch) == number)
            _empty(session, col(CardGameRow.batch) == number)

    @writes
    def take_out(self, session: Session, number: int, fool: UserRef) -> None:
        """Deletes the games of a file in which this person was the fool."""
        theirs = select(CardSeatRow.card_game_id).where(
            CardSeatRow.player_id == id_of(session, PlayerRow, fool), col(CardSeatRow.is_fool)
        )
        of_file = col(CardGameRow.batch) == number, col(CardGameRow.id).in_(theirs)
        games = session.exec(select(CardGameRow.id).where(*of_file)).all()
        _empty(session, col(CardGameRow.id).in_(games))
        note_outdated(session, Subject(CARD_GAMES, number))

    @writes
    def set_notified(self, session: Session, number: int, user: UserRef, now: float) -> None:
        """Records when a fool was notified."""
        is_theirs = col(CardSeatRow.player_id) == id_of(session, PlayerRow, user)
        theirs = _was_entered_as(number), is_theirs, col(CardSeatRow.is_fool).is_(True)
        session.exec(update(CardSeatRow).where(*theirs).values(notified_at=now))

    @reads
    def unnotified(self, session: Session, now: float) -> list[tuple[UserRef, ServerRef, int]]:
        """Returns the fools of recent games who were not notified, each with the server and the entry."""
        game = CardGameRow
        seat = CardSeatRow
        is_theirs_to_know = or_(col(game.counts), sa.not_(col(game.is_file)))
        query = (
            sa.select(
                col(PlayerRow.platform),
                col(PlayerRow.ref),
                col(ServerRow.platform),
                col(ServerRow.ref),
                col(game.batch),
            )
            .join(seat, col(seat.player_id) == PlayerRow.id)
            .join(game, col(game.id) == seat.card_game_id)
            .join(ServerRow, col(ServerRow.id) == game.server_id)
            .where(col(seat.is_fool), col(seat.notified_at).is_(None), is_theirs_to_know)
            .where(col(game.entered_at) > now - OBJECTION_SECONDS)
            .where(col(game.entered_by) != PlayerRow.id, col(game.batch).not_in(_taken_back()))
            .distinct()
        )

        return [
            (UserRef(platform, ref), ServerRef(there, server), batch)
            for platform, ref, there, server, batch in session.connection().execute(query)
        ]

    async def keys(self, server: ServerRef) -> Collection[GameKey]:
        """Returns the keys of all games that count on a server; with many games this takes a while."""
        return await self.database.report_aside(lambda session: _keys(session, server))


def show_again(session: Session, _person: Any, number: int) -> None:
    """Marks the messages of all games that name a person as outdated; keeps the rows."""
    is_named = or_(col(CardSeatRow.player_id) == number, col(CardGameRow.entered_by) == number)
    is_shown = col(CardGameRow.batch).in_(shown_numbers(CARD_GAMES))
    batches = select(CardGameRow.batch).join(CardSeatRow).where(is_named, is_shown)
    for games in session.exec(batches.distinct()).all():
        note_outdated(session, Subject(CARD_GAMES, games))


def _was_entered_as(number: int) -> sa.ColumnElement[bool]:
    """Returns the condition for the seats of an entry's games."""
    games = select(CardGameRow.id).where(CardGameRow.batch == number)
    return col(CardSeatRow.card_game_id).in_(games)


def _taken_back() -> Any:
    """Returns a query of the numbers of entries that were taken back."""
    return select(CardEntryRow.batch).where(col(CardEntryRow.taken_back_by).is_not(None))


def _seat_players(session: Session, games: Sequence[tuple[CardGameRow, CardGame]]) -> None:
    """Stores the players of these games in one statement."""
    here = games[0][0].server_id
    people = {user.ref: user for _, game in games for user in (game.fool, *game.players)}
    ids = {ref: _on_record(session, user, here) for ref, user in people.items()}
    session.flush()
    seats = [
        {"card_game_id": row.id, "player_id": ids[user.ref], "is_fool": user.ref == game.fool.ref}
        for row, game in games
        for user in game.players
    ]
    session.connection().execute(sa.insert(CardSeatRow).values(confirms=False), seats)


def _seats_of(session: Session, row: CardGameRow) -> list[tuple[User, bool]]:
    """Returns the players of a game, the fool first, and whether each has confirmed it."""
    seats = session.exec(
        select(CardSeatRow.confirms, PlayerRow.platform, PlayerRow.ref, name_on(row.server_id))
        .join(PlayerRow, col(PlayerRow.id) == CardSeatRow.player_id)
        .where(CardSeatRow.card_game_id == row.id)
        .order_by(col(CardSeatRow.is_fool).desc(), col(PlayerRow.id))
    )
    return [(User(UserRef(platform, ref), name), confirms) for confirms, platform, ref, name in seats]


def _uncertain(session: Session, number: int) -> Mapping[str, float]:
    """Returns both possible times of the first game with an uncertain date, as arguments of `Entered`."""
    game = CardGameRow
    query = select(game.played_at, game.month_first_at).where(game.batch == number)
    uncertain = query.where(col(game.month_first_at).is_not(None), game.month_first_at != game.played_at)
    first = session.exec(uncertain.order_by(col(game.played_at)).limit(1)).first()
    return {} if first is None else {"first_uncertain": first[0], "month_first": first[1] or 0.0}


def _fools(session: Session, number: int, server: int) -> list[tuple[User, int]]:
    """Returns the fools of an entry with their numbers of losses, the most frequent one first."""
    times = func.count()
    rows = session.connection().execute(
        sa.select(col(PlayerRow.platform), col(PlayerRow.ref), name_on(server), times)
        .join(CardSeatRow, col(CardSeatRow.player_id) == col(PlayerRow.id))
        .where(_was_entered_as(number), col(CardSeatRow.is_fool))
        .group_by(col(PlayerRow.id))
        .order_by(times.desc(), col(PlayerRow.id))
    )

    return [(User(UserRef(platform, ref), name), count) for platform, ref, name, count in rows]


def _read_notified_at(session: Session, number: int) -> Mapping[UserRef, float]:
    """Returns when each fool of an entry was notified."""
    query = (
        select(PlayerRow.platform, PlayerRow.ref, func.max(CardSeatRow.notified_at))
        .join(CardSeatRow, col(CardSeatRow.player_id) == PlayerRow.id)
        .where(_was_entered_as(number), col(CardSeatRow.notified_at).is_not(None))
        .group_by(col(PlayerRow.id))
    )
    return {UserRef(platform, ref): at or 0.0 for platform, ref, at in session.exec(query)}


def _is_fool_known(session: Session, row: CardGameRow) -> bool:
    """Returns whether the fool of a game has played on its server before, with or without real cards."""
    fool = session.exec(
        select(CardSeatRow.player_id).where(CardSeatRow.card_game_id == row.id, col(CardSeatRow.is_fool))
    ).one()
    here = row.server_id
    seated = select(SeatRow.player_id).join(TableRow)
    with_tally = select(TallyRow.player_id).where(TallyRow.server_id == here, TallyRow.player_id == fool)
    with_cards = select(CardSeatRow.player_id).join(CardGameRow)
    queries = (
        seated.where(TableRow.server_id == here, SeatRow.player_id == fool),
        with_tally,
        with_cards.where(
            CardGameRow.server_id == here,
            col(CardGameRow.counts),
            CardSeatRow.player_id == fool,
            CardGameRow.id != row.id,
        ),
    )

    return any(session.exec(query.limit(1)).first() is not None for query in queries)


def _user(session: Session, player: int, server: int) -> User:
    query = select(PlayerRow.platform, PlayerRow.ref, name_on(server)).where(PlayerRow.id == player)
    platform, ref, name = session.exec(query).one()
    return User(UserRef(platform, ref), name)


def _keys(session: Session, server: ServerRef) -> Collection[GameKey]:
    game = CardGameRow
    seat = CardSeatRow
    query = (
        sa.select(
            col(game.id),
            col(game.played_at),
            col(seat.is_fool),
            col(PlayerRow.platform),
            col(PlayerRow.ref),
        )
        .join(seat, col(seat.card_game_id) == game.id)
        .join(PlayerRow, col(PlayerRow.id) == seat.player_id)
        .where(col(game.server_id) == id_of(session, ServerRow, server), col(game.counts))
    )
    fools = dict[int, tuple[float, UserRef]]()
    players = dict[int, set[UserRef]]()

    for number, at, is_fool, platform, ref in session.connection().execute(query):
        user = UserRef(platform, ref)
        players.setdefault(number, set()).add(user)
        if is_fool:
            fools[number] = at, user

    return {(at, fool, frozenset(players[number])) for number, (at, fool) in fools.items()}


def _delete(session: Session, *conditions: sa.ColumnElement[bool] | bool) -> None:
    _delete_seats(session, *conditions)
    _forget_entries(session, *conditions)
    session.exec(delete(CardGameRow).where(*conditions))  # type: ignore[arg-type] # `==` of a model's fields


def _empty(session: Session, *conditions: sa.ColumnElement[bool] | bool) -> None:
    """Deletes games; of an entry's first game only the seats, as it counts towards the daily limit."""
    _delete_seats(session, *conditions)
    is_other = col(CardGameRow.id) != CardGameRow.batch
    session.exec(delete(CardGameRow).where(*conditions, is_other))  # type: ignore[arg-type] # as in `_delete`
    session.exec(update(CardGameRow).where(*conditions).values(counts=False))  # type: ignore[arg-type]


def _delete_seats(session: Session, *conditions: sa.ColumnElement[bool] | bool) -> None:
    games = select(CardGameRow.id).where(*conditions)
    session.exec(delete(CardSeatRow).where(col(CardSeatRow.card_game_id).in_(games)))


def _forget_entries(session: Session, *conditions: sa.ColumnElement[bool] | bool) -> None:
    numbers = session.exec(select(CardGameRow.batch).where(*conditions).distinct()).all()
    drop_messages(session, CARD_GAMES, numbers)
    session.exec(delete(CardEntryRow).where(col(CardEntryRow.batch).in_(numbers)))


def _on_record(session: Session, user: User, server: int) -> int:
    """Returns the id of a person; records them and their name on a server if they are new."""
    person = on_record(session, user)
    if session.get(NicknameRow, (person.id, server)) is None:
        session.add(NicknameRow(player_id=person.id, server_id=server, name=storable(user.name)))
    return person.id
