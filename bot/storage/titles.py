"""The titles that people earn by their games on a server."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence

from sqlmodel import Session, col, select

from adapters.port import ServerRef, UserRef
from bot.model.career import Title
from bot.storage.database import Store, reports
from bot.storage.models import PlayerRow, ResultRow, ServerRow, TitleRow
from bot.storage.numbers import id_of
from engine import Seat


class TitleStore(Store):
    """The titles of people."""

    @reports
    def titles(self, session: Session, server: ServerRef, user: UserRef) -> Collection[Title]:
        """Returns the titles that a person has on a server."""
        theirs = select(TitleRow.title).where(
            TitleRow.server_id == id_of(session, ServerRow, server),
            TitleRow.player_id == id_of(session, PlayerRow, user),
        )
        return {Title[name] for name in session.exec(theirs)}

    @reports
    def new_titles(self, session: Session, table_id: int, game: int) -> Mapping[Title, Sequence[Seat]]:
        """Returns the titles that a finished game earned, each with the seats that earned it."""
        is_their_seat = (
            (col(ResultRow.table_id) == TitleRow.table_id)
            & (col(ResultRow.game) == TitleRow.game)
            & (col(ResultRow.player_id) == TitleRow.player_id)
        )
        query = (
            select(TitleRow.title, ResultRow.seat)
            .join(ResultRow, is_their_seat)
            .where(TitleRow.table_id == table_id, TitleRow.game == game)
            .order_by(col(ResultRow.seat))
        )
        seats = defaultdict[Title, list[Seat]](list)

        for name, seat in session.exec(query):
            seats[Title[name]].append(seat)

        return seats
