"""Updates what depends on the order of games: ratings, careers and titles.

A person's rating and career are in the row of their tally, and each of their titles has a row.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import sqlalchemy as sa
from sqlmodel import Session, select

from bot.model.career import Career, Feats, GameResult, Title, titles_for
from bot.model.rating import Rating, new_ratings
from bot.model.standings import MIN_GAMES, MIN_PEOPLE
from bot.storage.ended import GAMES_BEFORE_MORE, Consequences
from bot.storage.models import GAME, EntryRow, ResultRow, TallyRow, TitleRow, add_missing, put_all
from engine import PRESETS, InvalidTextError, Opening, Rank, Rules

MIN_EARLIER_GAMES = 10  # a server's shortest game earns a title only after this many others
EXPERT = "expert"  # the strength of house players that a title counts
PRESET_NAMES = {rules: name for name, rules in PRESETS.items()}

# The columns of a result that are read for a career, beside its game.
CHEATING_COLUMNS = ("cheats_unseen", "cheats_caught", "catches", "ghosts")
RESULT_COLUMNS = (
    *CHEATING_COLUMNS,
    *("seat", "player_id", "players", "people", "place", "is_loser", "is_draw", "strength"),
    *("epaulettes", "bouts", "most_held", "preset", "level"),
)

# The columns of a tally that hold a rating and a career.
CAREER_COLUMNS = (
    *("strength", "doubt", "form", "fool_streak", "safe_streak", "longest_safe_streak"),
    *("houses_beaten", "presets_lost"),
)


@dataclass(slots=True)
class Course:
    """The rating, the career and the new titles of a person, up to the newest game that was added.

    `titles` maps each title to the table and the game that earned it.
    """

    rating: Rating = field(default_factory=Rating)
    career: Career = field(default_factory=Career)
    titles: dict[Title, tuple[int, int]] = field(default_factory=dict)


class Shortest:
    """Finds the shortest games of a server, while its games are added in order."""

    def __init__(self) -> None:
        self._games = 0
        self._bouts = 0

    def add(self, bouts: int) -> bool:
        """Adds a game; returns whether it is the shortest so far, after `MIN_EARLIER_GAMES` others."""
        is_shorter = bouts > 0 and (not self._bouts or bouts < self._bouts)
        is_shortest = is_shorter and self._games >= MIN_EARLIER_GAMES

        self._games += 1
        if is_shorter:
            self._bouts = bouts

        return is_shortest


def add_game(courses: Mapping[int, Course], seats: Sequence[Any], *, is_shortest: bool) -> None:
    """Adds a game that counts to the courses of its people; `seats` are its results."""
    people = [seat for seat in seats if seat.player_id is not None]
    houses = [seat for seat in seats if seat.player_id is None]
    own = [courses[seat.player_id] for seat in people]

    places = [None if seat.is_loser else seat.place for seat in people]
    ratings = [course.rating for course in own]
    if is_rated(seats):
        ratings = new_ratings(ratings, places, seats=len(seats), is_draw=seats[0].is_draw)

    houses_beaten = sum(house.is_loser for house in houses)
    experts = [house.is_loser for house in houses if house.strength == EXPERT]
    experts_beaten = len(experts) if any(experts) else 0

    for seat, course, rating in zip(people, own, ratings, strict=True):
        spared = not seat.is_loser
        feats = Feats(
            GameResult.of(seat.place, is_loser=seat.is_loser, is_draw=seat.is_draw),
            epaulettes=seat.epaulettes,
            is_quickest=is_shortest and seat.place == 1,
            houses_beaten=spared * houses_beaten,
            experts_beaten=spared * experts_beaten,
            is_up_to_the_ace=bool(seat.epaulettes) and seat.level == Rank.ACE,
            preset=seat.is_loser * (seat.preset or ""),
            cheats_unseen=seat.cheats_unseen or 0,
            catches=seat.catches or 0,
            escaped_from=(spared and seat.place is not None) * seat.most_held,
        )
        course.rating = rating
        course.career = course.career.after(feats)
        for title in titles_for(feats, course.career, PRESETS):
            course.titles.setdefault(title, (seat.table_id, seat.game))


def is_rated(seats: Sequence[Any]) -> bool:
    """Returns whether a game changes ratings: not where cheating was on."""
    return seats[0].cheats_unseen is None


def add_newest(session: Session, seats: Sequence[ResultRow]) -> tuple[Mapping[int, Course], Consequences]:
    """Returns each person's course including the newest game, and the game's consequences; stores nothing.

    Sets the rating change in the results of people with at least `MIN_GAMES` rated games.
    """
    first = seats[0]
    people = {seat.player_id: seat for seat in seats if seat.player_id is not None}
    courses = defaultdict[int, Course](Course)
    rated_games = dict[int, int]()
    for row in _tallies_of(session, first.server_id, people):
        courses[row.player_id] = Course(Rating(row.strength, row.doubt), career_of(row))
        rated_games[row.player_id] = row.rated

    earlier = _some_bouts(session, first.server_id)
    before = {person: courses[person].rating for person in people}
    losses_before = {seat.seat: courses[person].career.fool_streak for person, seat in people.items()}
    add_game(courses, seats, is_shortest=_is_shortest(session, first, earlier))
    for person, seat in people.items():
        if is_rated(seats) and rated_games.get(person, 0) + 1 >= MIN_GAMES:
            seat.rating_change = courses[person].rating.points - before[person].points

    changes = {seat.seat: seat.rating_change for seat in seats if seat.rating_change is not None}
    has_more = len(earlier) + 1 == GAMES_BEFORE_MORE
    return courses, Consequences(changes, losses_before, has_more)


def write(session: Session, server: int, courses: Mapping[int, Course]) -> None:
    """Writes courses into people's tallies."""
    tallies = [
        TallyRow(server_id=server, player_id=person, **columns_of(course)).model_dump()
        for person, course in courses.items()
    ]
    put_all(session.connection(), TallyRow, tallies, CAREER_COLUMNS)


def add_titles(session: Session, server: int, courses: Mapping[int, Course]) -> None:
    """Adds the new titles of courses."""
    titles = [
        {"server_id": server, "player_id": person, "title": title.name, "table_id": table, "game": game}
        for person, course in courses.items()
        for title, (table, game) in course.titles.items()
    ]
    add_missing(session.connection(), TitleRow, titles)


def career_of(tally: Any) -> Career:
    """Returns the career in a tally, without duels, which have their own rows."""
    return Career(
        tuple(map(GameResult, tally.form)),
        tally.fool_streak,
        tally.safe_streak,
        tally.longest_safe_streak,
        tally.houses_beaten,
        frozenset(tally.presets_lost.split()),
    )


def _tallies_of(session: Session, server: int, people: Collection[int]) -> Iterable[Any]:
    """Returns the ratings, careers and numbers of rated games of people; newcomers have none."""
    tally = sa.inspect(TallyRow).columns
    result = sa.inspect(ResultRow).columns

    cheating = (
        sa.select(sa.func.count())
        .where(
            result.server_id == tally.server_id,
            result.player_id == tally.player_id,
            result.people >= MIN_PEOPLE,
            result.cheats_unseen.is_not(None),
        )
        .scalar_subquery()
    )
    rated = (tally.games - cheating).label("rated")

    columns = tally.player_id, rated, *(tally[name] for name in CAREER_COLUMNS)
    theirs = tally.server_id == server, tally.player_id.in_(people)
    return session.connection().execute(sa.select(*columns).where(*theirs))


def columns_of(course: Course) -> Mapping[str, Any]:
    """Returns the columns of a tally that hold a course."""
    career = course.career
    return {
        "strength": course.rating.strength,
        "doubt": course.rating.doubt,
        "form": "".join(result.value for result in career.form),
        "fool_streak": career.fool_streak,
        "safe_streak": career.safe_streak,
        "longest_safe_streak": career.longest_safe_streak,
        "houses_beaten": career.houses_beaten,
        "presets_lost": " ".join(sorted(career.presets_lost)),
    }


def _some_bouts(session: Session, server: int) -> Sequence[int]:
    """Returns how many bouts some of the server's counted games had, in no particular order."""
    counted = select(ResultRow.bouts).where(sa.text(GAME), ResultRow.server_id == server)
    return session.exec(counted.limit(max(MIN_EARLIER_GAMES, GAMES_BEFORE_MORE))).all()


def _is_shortest(session: Session, game: ResultRow, earlier: Sequence[int]) -> bool:
    """Returns whether a game that is not stored yet is the shortest of its server.

    `earlier` has the bouts of enough other games, or of all if there are fewer.
    """
    if not game.bouts or len(earlier) < MIN_EARLIER_GAMES:
        return False
    if any(0 < bouts <= game.bouts for bouts in earlier):
        return False

    here = select(ResultRow.bouts).where(sa.text(GAME), ResultRow.server_id == game.server_id)
    as_short = here.where(ResultRow.bouts <= game.bouts, ResultRow.bouts > 0)
    return session.exec(as_short.limit(1)).first() is None


# --- The rules by which a game was played ---


def preset_of(rules: Rules) -> str:
    """Returns the name of the preset that has these rules; empty if none has."""
    return PRESET_NAMES.get(rules, "")


def note_presets(session: Session, servers: Collection[int]) -> None:
    """Adds presets and levels to the results of earlier versions, from the openings of their games."""
    result = sa.inspect(ResultRow).columns
    entry = sa.inspect(EntryRow).columns
    missing = sa.select(result.table_id).where(result.server_id.in_(servers), result.preset.is_(None))
    openings = sa.select(entry.table_id, entry.game, entry.text).where(
        entry.table_id.in_(missing), entry.seat.is_(None)
    )

    games = list[Mapping[str, object]]()
    seats = list[Mapping[str, object]]()
    for table_id, game, text in session.connection().execute(openings):
        try:
            opening = Opening.from_text(text)
        except InvalidTextError:
            continue  # the reason for a stop, or a damaged opening

        key = {"of_table": table_id, "of_game": game}
        games.append({**key, "new_preset": preset_of(opening.rules)})
        seats += [{**key, "of_seat": seat, "new_level": level} for seat, level in enumerate(opening.levels)]

    of_game = result.table_id == sa.bindparam("of_table"), result.game == sa.bindparam("of_game")
    preset = sa.update(ResultRow).where(*of_game).values(preset=sa.bindparam("new_preset"))
    level = sa.update(ResultRow).where(*of_game, result.seat == sa.bindparam("of_seat"))
    if games:
        session.connection().execute(preset, games)
    if seats:
        session.connection().execute(level.values(level=sa.bindparam("new_level")), seats)
