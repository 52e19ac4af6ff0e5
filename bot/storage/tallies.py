"""Updates tallies, duels, ratings, careers and titles with every game that ends.

A person's tally of all games is one row, with their rating and their career. A period is added up from sums
of months or years in UTC; the few results at its edges are counted.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from itertools import groupby
from operator import itemgetter
from typing import Any, NamedTuple

import sqlalchemy as sa
from sqlalchemy.orm import aliased
from sqlmodel import Session, case, col, delete, func, select, update

from bot.model.standings import MIN_PEOPLE, Counted
from bot.storage import careers, models
from bot.storage.ended import Consequences
from bot.storage.known import known_in

BATCH_SIZE = 20_000  # results read, and games counted, at once for a recount

# The counts of a tally, by the names of `Standing`.
NUMBERS = tuple(name for name in models.TallyBase.model_fields if not name.endswith("_id"))

# The models that can be counted again from results.
COUNTED = (
    models.TallyRow,
    models.TitleRow,
    models.DuelRow,
    models.MonthTallyRow,
    models.MonthGamesRow,
    models.YearDuelRow,
)


def count_if(condition: sa.ColumnElement[bool]) -> sa.ColumnElement[int]:
    """Counts the rows that meet a condition."""
    return func.sum(case((condition, 1), else_=0))


def is_same_game(one: type[models.ResultRow], other: type[models.ResultRow]) -> sa.ColumnElement[bool]:
    """Builds the condition for two results of one game."""
    return (col(one.table_id) == col(other.table_id)) & (col(one.game) == col(other.game))


def counted_within(
    server: int, since: float | None = None, until: float | None = None, counted: Counted = Counted.HERE
) -> list[Any]:
    """Builds the conditions for a server's results that count, within a period."""
    at = col(models.ResultRow.finished_at)
    lower = [] if since is None else [at >= since]
    upper = [] if until is None else [at < until]
    had_cheating = col(models.ResultRow.cheats_unseen).is_not(None)
    honest = [] if Counted.CHEATING in counted else [~had_cheating]
    sly = [] if Counted.HONEST in counted else [had_cheating]

    return [
        col(models.ResultRow.server_id) == server,
        col(models.ResultRow.people) >= MIN_PEOPLE,
        *lower,
        *upper,
        *honest,
        *sly,
    ]


def sum_results(*conditions: sa.ColumnElement[bool], by: Sequence[Any] = ()) -> sa.Select[*tuple[Any, ...]]:
    """Sums up each person's results that meet the conditions, grouped by `by`."""
    result = models.ResultRow
    expected_losers = case((col(result.losers) > 1, col(result.losers)), else_=1)
    numbers = (
        func.count(),
        count_if(col(result.is_loser).is_(True)),
        count_if(col(result.is_draw).is_(True)),
        count_if(col(result.place) == 1),
        sa.cast(func.sum(1.0 * expected_losers / col(result.players)), sa.Float),
        func.sum(col(result.epaulettes)),
        func.sum(col(result.points)),
    )
    columns = [number.label(name) for number, name in zip(numbers, NUMBERS, strict=True)]

    return (
        sa.select(*by, col(result.player_id), *columns)
        .where(col(result.player_id).is_not(None), *conditions)
        .group_by(*by, col(result.player_id))
    )


def sum_games(*conditions: sa.ColumnElement[bool], by: Sequence[Any] = ()) -> sa.Select[*tuple[Any, ...]]:
    """Sums up the games that meet the conditions for each trump suit, grouped by `by`."""
    result = models.ResultRow

    return (
        sa.select(
            *by,
            col(result.trump),
            func.count().label("games"),
            func.sum(col(result.bouts)).label("bouts"),
            func.sum(col(result.seconds)).label("seconds"),
        )
        .where(sa.text(models.GAME), *conditions)
        .group_by(*by, col(result.trump))
    )


def sum_duels(*conditions: sa.ColumnElement[bool], by: Sequence[Any] = ()) -> sa.Select[*tuple[Any, ...]]:
    """Sums up the games that meet the conditions for each pair of people, grouped by `by`."""
    one = models.ResultRow
    other = aliased(models.ResultRow)
    is_loss = col(one.is_loser).is_(True)
    is_loss_too = col(other.is_loser).is_(True)
    first = count_if(is_loss & ~is_loss_too)
    second = count_if(is_loss_too & ~is_loss)
    pair = col(one.player_id), col(other.player_id)

    return (
        sa.select(
            *by,
            pair[0].label("one_id"),
            pair[1].label("other_id"),
            func.count().label("games"),
            first.label("one_fools"),
            second.label("other_fools"),
            (first + second).label("decided"),
        )
        .join(other, is_same_game(one, other) & (pair[0] < pair[1]))
        .where(*conditions)
        .group_by(*by, *pair)
    )


YEAR = 12  # months


def month_of(at: float) -> int:
    """Returns the number of a time's month: 12 times the year, plus the months since January."""
    then = datetime.fromtimestamp(at, UTC)
    return YEAR * then.year + then.month - 1


def start_of(month: int) -> float:
    """Returns when a month begins, in Unix seconds."""
    return datetime(month // YEAR, month % YEAR + 1, 1, tzinfo=UTC).timestamp()


class MonthStart(NamedTuple):
    """The start of a month near a time, and the span between them.

    The span is from `low` up to, but not including, `high`.
    `sign` is 1 if the month begins at or after the time, and -1 if it begins before.
    """

    month: int
    sign: int
    low: float
    high: float


def nearest(at: float, step: int = 1) -> MonthStart:
    """Returns the month start nearest to a time; with `YEAR` as the step, that of a January."""
    month = month_of(at) // step * step
    if at - start_of(month) > start_of(month + step) - at:
        month += step

    begins = start_of(month)
    sign = 1 if at <= begins else -1
    return MonthStart(month, sign, min(at, begins), max(at, begins))


def add_results(session: Session, seats: Sequence[models.ResultRow]) -> None:
    """Stores the results of a finished game and, if the game counts, adds it to all sums."""
    first = seats[0]
    courses: Mapping[int, careers.Course] = {}
    consequences = Consequences()
    if first.people >= MIN_PEOPLE:
        courses, consequences = careers.add_newest(session, seats)

    models.add_all(session.connection(), models.ResultRow, [seat.model_dump() for seat in seats])
    known_in(session).note_result((first.table_id, first.game), consequences)
    if courses:
        is_this = col(models.ResultRow.table_id) == first.table_id, col(models.ResultRow.game) == first.game
        _add(session, first.server_id, month_of(first.finished_at), courses, *is_this)
        careers.add_titles(session, first.server_id, courses)


# Each kind of sums, with the function that builds its query, and its period (empty: all time).
SUMS: Sequence[tuple[type[models.Base], Callable[..., sa.Select[*tuple[Any, ...]]], str]] = (
    (models.MonthTallyRow, sum_results, "month"),
    (models.MonthGamesRow, sum_games, "month"),
    (models.YearDuelRow, sum_duels, "year"),
    (models.TallyRow, sum_results, ""),
    (models.DuelRow, sum_duels, ""),
)


def _add(
    session: Session, server: int, month: int, courses: Mapping[int, careers.Course], *conditions: Any
) -> None:
    """Adds results of a server to its sums of this month, of the year, and of all time.

    The tallies of all time also get the people's courses.
    """
    here = sa.literal(server).label("server_id")
    periods = {"month": [sa.literal(month).label("month")], "year": [sa.literal(month // YEAR).label("year")]}
    for model, count, period in SUMS:
        sums = count(*conditions).subquery()
        beside = _by_person(courses, sums.c.player_id) if model is models.TallyRow else ()
        _add_sums(session, model, sums, [here, *periods.get(period, [])], beside)


def _by_person(courses: Mapping[int, careers.Course], person: sa.ColumnElement[int]) -> list[sa.Label[Any]]:
    """Returns the columns of a tally that hold a person's course, for a query with several people."""
    columns_of = {number: careers.columns_of(course) for number, course in courses.items()}
    columns = sa.inspect(models.TallyRow).columns
    by_person = list[sa.Label[Any]]()

    for name in careers.CAREER_COLUMNS:
        values = {
            number: sa.literal(of_person[name], columns[name].type)
            for number, of_person in columns_of.items()
        }
        by_person.append(case(values, value=person).label(name))

    return by_person


def _add_sums(
    session: Session,
    model: type[models.Base],
    sums: sa.Subquery,
    key: Sequence[sa.Label[int]] = (),
    beside: Sequence[sa.Label[Any]] = (),
) -> None:
    """Adds sums to the stored ones, and replaces the columns `beside` them."""
    connection = session.connection()
    columns = [*key, *sums.c, *beside]

    # Without a condition in the query, SQLite would parse ON CONFLICT as the condition of a join.
    rows = sa.select(*columns).where(sa.true())
    names = [column.name for column in columns]
    statement = models.insert(model, connection.dialect.name).from_select(names, rows)

    keys = {column.name for column in sa.inspect(model).primary_key}
    others = [column.name for column in beside]
    numbers = [name for name in names if name not in keys and name not in others]
    connection.execute(models.adding(statement, model, numbers, others))


def transfer_tallies(session: Session, before: int, after: int) -> None:
    """Moves the tallies of a server after its results; recounts the other server if it has tallies."""
    own = select(models.TallyRow).where(models.TallyRow.server_id == after)
    has_own = session.exec(own.limit(1)).first() is not None

    for model in COUNTED:
        here = col(model.server_id) == before
        change = delete(model).where(here) if has_own else update(model).where(here).values(server_id=after)
        session.exec(change)

    if has_own:
        recount(session, after)


class Uncounted(NamedTuple):
    """A server without sums, and the number of its games that count."""

    server: int
    games: int


def uncounted(session: Session) -> list[Uncounted]:
    """Returns the servers that lack tallies or monthly tallies; the one with the most games comes last.

    An owner may delete tallies, and versions before 0.3 counted no months.
    """
    here = col(models.ServerRow.id)
    result = models.ResultRow
    own = aliased(result)
    person = col(own.player_id).is_not(None)
    has_games = sa.exists().where(col(own.server_id) == here, col(own.people) >= MIN_PEOPLE, person)
    has_tallies = sa.exists().where(col(models.TallyRow.server_id) == here)
    has_months = sa.exists().where(col(models.MonthTallyRow.server_id) == here)

    games = func.count(col(result.seat))
    query = (
        sa.select(here, games)
        .join(result, (col(result.server_id) == here) & sa.text(models.GAME))
        .where(has_games, ~(has_tallies & has_months))
        .group_by(here)
        .order_by(games)
    )
    return [Uncounted(*row) for row in session.connection().execute(query)]


def batches(servers: Iterable[Uncounted]) -> Iterator[list[Uncounted]]:
    """Divides servers into batches to be counted at once: a large one by itself, small ones together."""
    batch = list[Uncounted]()
    games = 0
    for server in servers:
        if batch and games + server.games > BATCH_SIZE:
            yield batch
            batch = []
            games = 0

        batch.append(server)
        games += server.games

    if batch:
        yield batch


def count_servers(session: Session, servers: Collection[int]) -> None:
    """Counts the games of servers that have no monthly sums, or no tallies at all."""
    careers.note_presets(session, servers)
    rows = select(models.TallyRow.server_id).where(col(models.TallyRow.server_id).in_(servers))
    have_tallies = session.exec(rows.distinct()).all()
    _recount_sums(session, have_tallies, [kind for kind in SUMS if kind[2]])

    for server in set(servers).difference(have_tallies):
        recount(session, server)


def recount(session: Session, server: int) -> None:
    """Recounts all sums, ratings, careers and titles of a server from its results."""
    _recount_sums(session, [server], SUMS)
    session.exec(delete(models.TitleRow).where(col(models.TitleRow.server_id) == server))

    result = sa.inspect(models.ResultRow).columns
    names = "table_id", "game", *careers.RESULT_COLUMNS
    results = session.connection().execute(
        sa.select(*(result[name] for name in names))
        .where(*counted_within(server))
        .order_by(result.finished_at, result.table_id, result.game, result.seat),
        execution_options={"yield_per": BATCH_SIZE},
    )
    courses = defaultdict[int, careers.Course](careers.Course)
    shortest = careers.Shortest()
    for _, group in groupby(results, key=itemgetter(0, 1)):
        seats = list(group)
        careers.add_game(courses, seats, is_shortest=shortest.add(seats[0].bouts))

    careers.write(session, server, courses)
    careers.add_titles(session, server, courses)


def _recount_sums(session: Session, servers: Collection[int], kinds: Sequence[tuple[Any, Any, str]]) -> None:
    """Recounts these kinds of sums of servers, each with one statement."""
    for model, _, _ in kinds:
        session.exec(delete(model).where(col(model.server_id).in_(servers)))

    here = col(models.ResultRow.server_id)
    at = col(models.ResultRow.finished_at)
    counting = here.in_(servers), col(models.ResultRow.people) >= MIN_PEOPLE
    times: sa.Select[*tuple[Any, ...]] = sa.select(func.min(at), func.max(at)).where(*counting)
    first, last = session.connection().execute(times).one()
    if first is None:
        return

    months = _months(month_of(first), month_of(last))
    within = at >= months.c.low, at < months.c.high
    periods = {"month": [months.c.month], "year": [months.c.year]}
    for model, count, period in kinds:
        by = periods.get(period, [])
        conditions = (*counting, *within) if by else counting
        _add_sums(session, model, count(*conditions, by=[here, *by]).subquery())


def _months(first: int, last: int) -> sa.CTE:
    """Returns a table of months, each with its year, its start (`low`) and its end (`high`)."""
    columns = sa.column("month", sa.Integer), sa.column("year", sa.Integer)
    times = sa.column("low", sa.Double), sa.column("high", sa.Double)
    rows = [(month, month // YEAR, start_of(month), start_of(month + 1)) for month in range(first, last + 1)]
    return sa.values(*columns, *times, name="months").data(rows).cte()
