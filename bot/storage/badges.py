"""The fool's mark: who should wear it by the results, and who does by what was done so far."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import takewhile

from sqlmodel import Session, col, delete, select, tuple_

from adapters.port import ServerRef, UserRef
from bot.model.people import ON
from bot.model.results import MIN_PEOPLE
from bot.model.table import FORGOTTEN
from bot.storage.database import Store, reads, writes
from bot.storage.models import AppointmentRow, BadgeRow, PlayerRow, ResultRow, ServerRow, TableRow, WearerRow
from bot.storage.people import find_or_add, id_of, name_on

WORN = "worn"  # the kind of appointment at which it is looked at who wears what
MOST_COUNTED = 99  # longer streaks are counted as this one


@dataclass(frozen=True, slots=True)
class Fool:
    """Who lost the newest game of a server that counts, for the `streak`-th time in a row.

    `locale` is what the table spoke at which it was played.
    """

    user: UserRef
    name: str
    streak: int
    locale: str


@dataclass(frozen=True, slots=True)
class BadgeState:
    """A server's badge (empty: none), who switched it on, and the last trouble reported to them."""

    badge: str = ""
    admin: UserRef | None = None
    told: str = ""


@dataclass(frozen=True, slots=True)
class Wearer:
    """A person who wears the bot's mark, or is about to."""

    user: UserRef
    mark: str  # what they wear; until `is_done` it may still be `former`, or what they wore `before`
    before: str = ""  # what they wore before the first mark of ours, which they get back
    former: str = ""  # the mark of ours that this one takes the place of
    is_done: bool = False  # whether the chat has taken the mark

    @property
    def ours(self) -> frozenset[str]:
        """What the bot has given them: all else a person gave."""
        return frozenset({self.mark, self.former}) - {""}


class BadgeStore(Store):
    """The badges of all servers."""

    @reads
    def fool(self, session: Session, server: ServerRef) -> Fool | None:
        """Returns who lost the newest game that counts and that one person lost; a draw changes nothing.

        None also where that person does not want to wear the mark.
        """
        here = id_of(session, ServerRow, server)
        order = col(ResultRow.finished_at), col(ResultRow.table_id), col(ResultRow.game)
        counts = col(ResultRow.server_id) == here, col(ResultRow.people) >= MIN_PEOPLE
        newest = session.exec(
            select(ResultRow, PlayerRow, name_on(here), TableRow.locale)
            .join(PlayerRow, col(PlayerRow.id) == ResultRow.player_id)
            .join(TableRow, col(TableRow.id) == ResultRow.table_id)
            .where(*counts, col(ResultRow.is_loser).is_(True), ResultRow.losers == 1)
            .order_by(*(each.desc() for each in order))
            .limit(1)
        ).first()
        if newest is None or newest[1].platform == FORGOTTEN or not newest[1].wears_mark:
            return None

        lost, person, name, locale = newest
        until = tuple_(*order) <= (lost.finished_at, lost.table_id, lost.game)
        endings = session.exec(
            select(ResultRow.is_loser)
            .where(*counts, ResultRow.player_id == person.id, until)
            .order_by(*(each.desc() for each in order))
            .limit(MOST_COUNTED)
        )
        streak = sum(1 for _ in takewhile(bool, endings))

        return Fool(person.user_ref, name, streak, locale)

    @reads
    def state(self, session: Session, server: ServerRef) -> BadgeState:
        """Returns what a server chose to be worn."""
        row = session.get(BadgeRow, id_of(session, ServerRow, server))
        if row is None:
            return BadgeState()
        admin = None if row.admin_id is None else session.get_one(PlayerRow, row.admin_id)
        is_known = admin is not None and admin.platform != FORGOTTEN
        return BadgeState(row.badge, admin.user_ref if admin and is_known else None, row.told)

    @reads
    def servers_of(self, session: Session, user: UserRef) -> Sequence[ServerRef]:
        """Returns the servers where the fool wears it and this person has played."""
        theirs = ResultRow.player_id == id_of(session, PlayerRow, user)
        played = select(ResultRow.server_id).where(theirs)
        rows = session.exec(select(ServerRow).where(ServerRow.worn == ON, col(ServerRow.id).in_(played)))
        return [row.server_ref for row in rows]

    @reads
    def troubled(self, session: Session) -> Sequence[ServerRef]:
        """Returns the servers where the admin has been told of something in the way of the mark."""
        is_troubled = select(BadgeRow.server_id).where(BadgeRow.told != "")
        rows = session.exec(select(ServerRow).where(ServerRow.worn == ON, col(ServerRow.id).in_(is_troubled)))
        return [row.server_ref for row in rows]

    @writes
    def choose(self, session: Session, server: ServerRef, badge: str, admin: UserRef | None) -> None:
        """Saves the badge and the admin who chose it, to whom trouble is reported."""
        here = find_or_add(session, ServerRow, server)
        person = None if admin is None else find_or_add(session, PlayerRow, admin).id
        session.merge(BadgeRow(server_id=here.id, badge=badge, admin_id=person, told=""))

    @writes
    def tell(self, session: Session, server: ServerRef, trouble: str) -> bool:
        """Stores the trouble reported to the admin (empty: none is left); False if it was reported before."""
        row = session.get(BadgeRow, id_of(session, ServerRow, server))
        if row is None or row.told == trouble:
            return False
        row.told = trouble
        return True

    async def wearers(self, server: ServerRef) -> Sequence[Wearer]:
        """Returns who wears the bot's mark on a server, or may."""
        return [wearer for _, wearer in await self._worn(server=server)]

    async def worn_by(self, user: UserRef) -> Sequence[tuple[ServerRef, Wearer]]:
        """Returns what a person wears, and where."""
        return await self._worn(user=user)

    @reads
    def _worn(
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
        """Writes down what a person wears, or is about to."""
        here = id_of(session, ServerRow, server)
        person = id_of(session, PlayerRow, wearer.user)
        if here and person:
            worn = {name: value for name, value in asdict(wearer).items() if name != "user"}
            session.merge(WearerRow(server_id=here, player_id=person, **worn))

    @writes
    def drop(self, session: Session, server: ServerRef, user: UserRef) -> None:
        """Forgets what a person wears."""
        here = col(WearerRow.server_id) == id_of(session, ServerRow, server)
        theirs = col(WearerRow.player_id) == id_of(session, PlayerRow, user)
        session.exec(delete(WearerRow).where(here, theirs))


def look_at_fool(session: Session, game: ResultRow) -> None:
    """Schedules a check of the fool's mark after a game that counts, in the transaction of its results."""
    server = session.get_one(ServerRow, game.server_id)
    if server.worn == ON and game.people >= MIN_PEOPLE:
        session.merge(AppointmentRow(server_id=server.id, kind=WORN, at=game.finished_at))
