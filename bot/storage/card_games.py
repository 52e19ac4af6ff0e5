"""Games with real cards, as people have entered them."""

from collections.abc import Sequence

import sqlalchemy as sa
from sqlmodel import Session, col, delete, or_, select
from sqlmodel.sql.expression import SelectOfScalar

from adapters.port import ServerRef, User, UserRef
from bot.model.card_games import DAY, CardGame, Entered
from bot.storage.database import Store, reads, reports, writes
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
from bot.storage.people import find_or_add, id_of, name_on, on_record, storable

KEPT_UNCONFIRMED = 7 * DAY  # how long games wait to be confirmed


class CardGameStore(Store):
    """The games with real cards of all servers."""

    @writes
    def enter(
        self, session: Session, server: ServerRef, by: UserRef, games: Sequence[CardGame], now: float
    ) -> Entered:
        """Note games that do not count yet; those that waited too long for that are forgotten."""
        here = find_or_add(session, ServerRow, server)
        late = (CardGameRow.server_id == here.id, col(CardGameRow.counts).is_(False))
        _delete(session, *late, CardGameRow.entered_at < now - KEPT_UNCONFIRMED)
        people = {user.ref: user for game in games for user in (game.fool, *game.players)}
        ids = {ref: _on_record(session, user, here.id) for ref, user in people.items()}
        enterer, batch = find_or_add(session, PlayerRow, by).id, 0
        for game in games:
            row = CardGameRow(
                server_id=here.id,
                batch=batch,
                played_at=game.at,
                entered_at=now,
                entered_by=enterer,
                players=len(game.players),
            )
            session.add(row)
            session.flush()
            batch = row.batch = batch or row.id
            session.add_all(
                CardSeatRow(card_game_id=row.id, player_id=ids[user.ref], is_fool=user.ref == game.fool.ref)
                for user in game.players
            )
        return Entered(batch, by, now, counts=False, games=tuple(games))

    @reads
    def entered(self, session: Session, server: ServerRef, number: int) -> Entered | None:
        """Return games that were entered together on a server."""
        rows = session.exec(_together(session, server, number).order_by(col(CardGameRow.played_at))).all()
        if not rows:
            return None
        first, games = rows[0], tuple(_game(session, row) for row in rows)
        by = session.get_one(PlayerRow, first.entered_by)
        return Entered(number, by.user_ref, first.entered_at, first.counts, games)

    @writes
    def count(self, session: Session, server: ServerRef, number: int) -> bool:
        """Let games count; False if they do already, or are gone."""
        waiting = [row for row in session.exec(_together(session, server, number)) if not row.counts]
        for row in waiting:
            row.counts = True
        return bool(waiting)

    @writes
    def take_back(self, session: Session, server: ServerRef, number: int) -> None:
        """Forget games that were entered together."""
        here = CardGameRow.server_id == id_of(session, ServerRow, server)
        _delete(session, here, CardGameRow.batch == number)

    @reports
    def all_of(self, session: Session, server: ServerRef) -> list[CardGame]:
        """Return all games of a server that count."""
        here = CardGameRow.server_id == id_of(session, ServerRow, server)
        rows = session.exec(select(CardGameRow).where(here, col(CardGameRow.counts).is_(True)))
        return [_game(session, row) for row in rows]

    @reports
    def people(self, session: Session, server: ServerRef) -> list[User]:
        """Return everybody who sat at a table of a server, or played there with real cards."""
        here = id_of(session, ServerRow, server)
        seated = select(SeatRow.player_id).join(TableRow).where(TableRow.server_id == here)
        counted = select(TallyRow.player_id).where(TallyRow.server_id == here)
        with_cards = select(CardSeatRow.player_id).join(CardGameRow).where(CardGameRow.server_id == here)
        query = select(PlayerRow.platform, PlayerRow.ref, name_on(here)).where(
            or_(*(col(PlayerRow.id).in_(each) for each in (seated, counted, with_cards)))
        )
        return [User(UserRef(platform, ref), name) for platform, ref, name in session.exec(query)]


def _together(session: Session, server: ServerRef, number: int) -> SelectOfScalar[CardGameRow]:
    """The games that were entered together."""
    here = CardGameRow.server_id == id_of(session, ServerRow, server)
    return select(CardGameRow).where(here, CardGameRow.batch == number)


def _delete(session: Session, *conditions: sa.ColumnElement[bool] | bool) -> None:
    games = select(CardGameRow.id).where(*conditions)
    session.exec(delete(CardSeatRow).where(col(CardSeatRow.card_game_id).in_(games)))
    session.exec(delete(CardGameRow).where(*conditions))  # type: ignore[arg-type] # `==` of a model's fields


def _on_record(session: Session, user: User, server: int) -> int:
    """Return the id of a person, who is put on record under the name that they have on a server."""
    person = on_record(session, user)
    if session.get(NicknameRow, (person.id, server)) is None:
        session.add(NicknameRow(player_id=person.id, server_id=server, name=storable(user.name)))
    return person.id


def _game(session: Session, row: CardGameRow) -> CardGame:
    seats = session.exec(
        select(CardSeatRow.is_fool, PlayerRow.platform, PlayerRow.ref, name_on(row.server_id))
        .join(PlayerRow, col(PlayerRow.id) == CardSeatRow.player_id)
        .where(CardSeatRow.card_game_id == row.id)
        .order_by(col(CardSeatRow.is_fool).desc(), col(PlayerRow.id))
    ).all()
    people = tuple(User(UserRef(platform, ref), name) for _, platform, ref, name in seats)
    return CardGame(row.played_at, people[0], people)
