"""Stores the fool's mark: who should wear it by the results, and who wears it."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import takewhile

from sqlmodel import Session, col, delete, select, tuple_

from adapters.port import ServerRef, UserRef
from bot.model.calendar import Appointment
from bot.model.server_choices import ON
from bot.model.standings import MIN_PEOPLE
from bot.model.table import FORGOTTEN
from bot.storage.calendar import note_appointment
from bot.storage.database import Store, reads, writes
from bot.storage.models import BadgeRow, PlayerRow, ResultRow, ServerRow, TableRow, WearerRow
from bot.storage.numbers import id_of, number_of
from bot.storage.people import name_on

WORN = "worn"  # the kind of appointment that syncs badges
MAX_STREAK = 99  # longer streaks are counted as this one


@dataclass(frozen=True, slots=True)
class Fool:
    """The loser of a server's newest counted game, which was their `streak`-th loss in a row.

    `locale` is the language of its table.
    """

    user: UserRef
    name: str
    streak: int
    locale: str


@dataclass(frozen=True, slots=True)
class BadgeState:
    """A server's badge (empty: none), the admin behind it, and the last trouble reported to them."""

    badge: str = ""
    admin: UserRef | None = None
    reported: str = ""


@dataclass(frozen=True, slots=True)
class Wearer:
    """A wearer of the bot's mark, or somebody about to wear it."""

    user: UserRef
    mark: str  # until `is_done` they may still wear `former` or `before`
    before: str = ""  # their own mark before ours, which they get back
    former: str = ""  # the mark of ours that `mark` replaces
    is_done: bool = False  # whether the chat has taken the mark

    @property
    def ours(self) -> frozenset[str]:
        """The marks that the bot gave them; any other came from people."""
        return frozenset({self.mark, self.former}) - {""}


class BadgeStore(Store):
    """The badges of all servers."""

    @reads
    def fool(self, session: Session, server: ServerRef) -> Fool | None:
        """Returns the loser of the newest counted game with a single loser; a draw changes nothing.

        None also if that person does not want to wear the mark, or was forgotten.
        """
        here = id_of(session, ServerRow, server)
        order = col(ResultRow.finished_at), col(ResultRow.table_id), col(ResultRow.game)
        counts = col(ResultRow.server_id) == here, col(ResultRow.people) >= MIN_PEOPLE
        newest = session.exec(
            select(ResultRow, PlayerRow, name_on(here), TableRow.locale)
            .join(PlayerRow, col(PlayerRow.id) == ResultRow.player_id)
            .join(TableRow, col(TableRow.id) == ResultRow.table_id)
            .where(*counts, col(ResultRow.is_loser).is_(True), ResultRow.losers == 1)
            .order_by(*(column.desc() for column in order))
            .limit(1)
        ).first()
        if newest is None or newest[1].platform == FORGOTTEN or not newest[1].wears_mark:
            return None

        result, person, name, locale = newest
        until = tuple_(*order) <= (result.finished_at, result.table_id, result.game)
        endings = session.exec(
            select(ResultRow.is_loser)
            .where(*counts, ResultRow.player_id == person.id, until)
            .order_by(*(column.desc() for column in order))
            .limit(MAX_STREAK)
        )
        streak = sum(1 for _ in takewhile(bool, endings))

        return Fool(person.user_ref, name, streak, locale)

    @reads
    def state(self, session: Session, server: ServerRef) -> BadgeState:
        """Returns the badge of a server."""
        row = session.get(BadgeRow, id_of(session, ServerRow, server))
        if row is None:
            return BadgeState()

        admin = None if row.admin_id is None else session.get_one(PlayerRow, row.admin_id)
        if admin is None or admin.platform == FORGOTTEN:
            return BadgeState(row.badge, None, row.reported)

        return BadgeState(row.badge, admin.user_ref, row.reported)

    @reads
    def servers_of(self, session: Session, user: UserRef) -> Sequence[ServerRef]:
        """Returns the servers where the fool wears the mark and this person has played."""
        theirs = ResultRow.player_id == id_of(session, PlayerRow, user)
        servers = select(ResultRow.server_id).where(theirs)
        rows = session.exec(select(ServerRow).where(ServerRow.worn == ON, col(ServerRow.id).in_(servers)))
        return [row.server_ref for row in rows]

    @reads
    def troubled(self, session: Session) -> Sequence[ServerRef]:
        """Returns the servers where the fool wears the mark and a trouble was reported."""
        is_troubled = select(BadgeRow.server_id).where(BadgeRow.reported != "")
        rows = session.exec(select(ServerRow).where(ServerRow.worn == ON, col(ServerRow.id).in_(is_troubled)))
        return [row.server_ref for row in rows]

    @writes
    def choose(self, session: Session, server: ServerRef, badge: str, admin: UserRef | None) -> None:
        """Saves the badge and the admin that trouble is reported to."""
        here = number_of(session, ServerRow, server)
        person = None if admin is None else number_of(session, PlayerRow, admin)
        session.merge(BadgeRow(server_id=here, badge=badge, admin_id=person, reported=""))

    @writes
    def set_reported(self, session: Session, server: ServerRef, trouble: str) -> bool:
        """Stores the trouble reported to the admin (empty: none is left); False if it was reported before."""
        row = session.get(BadgeRow, id_of(session, ServerRow, server))
        if row is None or row.reported == trouble:
            return False
        row.reported = trouble
        return True

    async def wearers(self, server: ServerRef) -> Sequence[Wearer]:
        """Returns the wearers of the bot's mark on a server, and those about to wear it."""
        return [wearer for _, wearer in await self._wearers(server=server)]

    async def worn_by(self, user: UserRef) -> Sequence[tuple[ServerRef, Wearer]]:
        """Returns the marks of a person, each with its server."""
        return await self._wearers(user=user)

    @reads
    def _wearers(
        self, session: Session, server: ServerRef | None = None, user: UserRef | None = None
    ) -> Sequence[tuple[ServerRef, Wearer]]:
        query = select(WearerRow, ServerRow, PlayerRow).join(ServerRow).join(PlayerRow)
        if server is not None:
            query = query.where(ServerRow.platform == server.platform, ServerRow.ref == server.id)

        if user is not None:
            query = query.where(PlayerRow.platform == user.platform, PlayerRow.ref == user.id)

        return [
            (here.server_ref, Wearer(person.user_ref, row.mark, row.before, row.former, row.is_done))
            for row, here, person in session.exec(query.order_by(col(WearerRow.player_id)))
        ]

    @writes
    def put(self, session: Session, server: ServerRef, wearer: Wearer) -> None:
        """Stores the mark that a person wears or is about to wear; ignores unknown people and servers."""
        here = id_of(session, ServerRow, server)
        person = id_of(session, PlayerRow, wearer.user)
        if here and person:
            columns = {name: value for name, value in asdict(wearer).items() if name != "user"}
            session.merge(WearerRow(server_id=here, player_id=person, **columns))

    @writes
    def drop(self, session: Session, server: ServerRef, user: UserRef) -> None:
        """Forgets the mark of a person."""
        here = col(WearerRow.server_id) == id_of(session, ServerRow, server)
        theirs = col(WearerRow.player_id) == id_of(session, PlayerRow, user)
        session.exec(delete(WearerRow).where(here, theirs))


def schedule_badge_sync(session: Session, game: ResultRow) -> None:
    """Schedules a check of the fool's mark after a game that counts, in the transaction of its results."""
    server = session.get_one(ServerRow, game.server_id)
    if server.worn == ON and game.people >= MIN_PEOPLE:
        note_appointment(session, Appointment(server.server_ref, WORN, game.finished_at))
