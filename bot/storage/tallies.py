"""What is counted whenever a game ends: who fared how, against whom, and how strong everybody is."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations, groupby

import structlog
from sqlmodel import Session, col, delete, select, update

from bot.model.results import LEAST_GAMES, LEAST_PEOPLE, Rating, rated
from bot.storage.models import DuelRow, ResultRow, TallyRow

log = structlog.get_logger()

BATCH = 20_000
"""How many results are read at once for a recount."""


class Tallies:
    """Tallies of a server, to which games are added in the order in which they end."""

    def __init__(self, server: int, tallies: Iterable[TallyRow] = (), duels: Iterable[DuelRow] = ()) -> None:
        """Begin with what is known of those who will be counted."""
        self._server = server
        self._tallies = {each.player_id: each for each in tallies}
        self._duels = {(each.one_id, each.other_id): each for each in duels}

    @property
    def rows(self) -> list[TallyRow | DuelRow]:
        """A tally for each person, and a duel for each two people who met."""
        return [*self._tallies.values(), *self._duels.values()]

    def add(self, seats: Sequence[ResultRow]) -> Mapping[int, float]:
        """Count a game, if it counts; gives by how much the rating of everybody who has one changed."""
        if seats[0].people < LEAST_PEOPLE:
            return {}
        people = [(seat.player_id, seat) for seat in seats if seat.player_id is not None]
        own = [self._tally_of(person) for person, _ in people]
        before = [Rating(tally.strength, tally.doubt) for tally in own]
        ratings = rated(before, [seat for _, seat in people], seats=len(seats), is_draw=seats[0].is_draw)
        for tally, (_, seat), rating in zip(own, people, ratings, strict=True):
            tally.games += 1
            tally.fools += seat.is_loser
            tally.draws += seat.is_draw
            tally.first_out += seat.place == 1
            tally.expected += max(1, seat.losers) / seat.players
            tally.epaulettes += seat.epaulettes
            tally.points += seat.points
            tally.strength, tally.doubt = rating.strength, rating.doubt
        for (one, first), (other, second) in combinations(sorted(people, key=lambda pair: pair[0]), 2):
            duel = self._duel_of(one, other)
            duel.games += 1
            duel.one_fools += first.is_loser and not second.is_loser
            duel.other_fools += second.is_loser and not first.is_loser
            duel.decided = duel.one_fools + duel.other_fools
        return {
            tally.player_id: after.points - then.points
            for tally, then, after in zip(own, before, ratings, strict=True)
            if tally.games >= LEAST_GAMES
        }

    def _tally_of(self, person: int) -> TallyRow:
        if person not in self._tallies:
            new = Rating()
            self._tallies[person] = TallyRow(
                server_id=self._server, player_id=person, strength=new.strength, doubt=new.doubt
            )
        return self._tallies[person]

    def _duel_of(self, one: int, other: int) -> DuelRow:
        if (one, other) not in self._duels:
            self._duels[one, other] = DuelRow(server_id=self._server, one_id=one, other_id=other)
        return self._duels[one, other]


def count_game(session: Session, seats: Sequence[ResultRow]) -> None:
    """Add a game to the tallies of those who played, in the transaction that puts its results on record.

    The results are told what the game has changed in people's ratings.
    """
    server, people = seats[0].server_id, [seat.player_id for seat in seats]
    tallies = select(TallyRow).where(TallyRow.server_id == server, col(TallyRow.player_id).in_(people))
    duels = select(DuelRow).where(
        DuelRow.server_id == server, col(DuelRow.one_id).in_(people), col(DuelRow.other_id).in_(people)
    )
    counted = Tallies(server, session.exec(tallies), session.exec(duels))
    changes = counted.add(seats)
    for seat in seats:
        seat.rating_change = None if seat.player_id is None else changes.get(seat.player_id)
    session.add_all(counted.rows)


def hand_tallies_on(session: Session, before: int, after: int) -> None:
    """Let the tallies of a server go over to another one, to which its results have gone already."""
    has_own = session.exec(select(TallyRow).where(TallyRow.server_id == after).limit(1)).first() is not None
    for model in (TallyRow, DuelRow):
        here = col(model.server_id) == before
        session.exec(
            delete(model).where(here) if has_own else update(model).where(here).values(server_id=after)
        )
    if has_own:
        recount(session, after)


def count_what_was_not_counted(session: Session) -> None:
    """Recount everything if there is no tally at all: an owner may delete them."""
    if session.exec(select(TallyRow).limit(1)).first() is None:
        for server in session.exec(select(ResultRow.server_id).distinct()).all():
            log.info("tallies_counted", server=server)
            recount(session, server)


def recount(session: Session, server: int) -> None:
    """Count all games of a server again."""
    for model in (TallyRow, DuelRow):
        session.exec(delete(model).where(col(model.server_id) == server))
    results = session.exec(
        select(ResultRow)
        .where(ResultRow.server_id == server, ResultRow.people >= LEAST_PEOPLE)
        .order_by(
            col(ResultRow.finished_at), col(ResultRow.table_id), col(ResultRow.game), col(ResultRow.seat)
        ),
        execution_options={"yield_per": BATCH},
    )
    counted = Tallies(server)
    for _, seats in groupby(results, key=lambda row: (row.table_id, row.game)):
        counted.add(list(seats))
    session.add_all(counted.rows)
    session.flush()
