"""The tallies are the same as counting the results one by one."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import combinations, permutations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.port import RoomRef, ServerRef, User
from bot.model.choices import TableOptions
from bot.model.standings import MIN_GAMES_TOGETHER, MIN_PEOPLE, Counted, Ranking, Standing, Summary, places_of
from bot.model.table import Player
from bot.storage import Database, PlayerStore, SqlJournal, StandingsStore, TableStore
from engine import PRESETS, Opening, Outcome, Rank
from engine.runtime import Entry
from tests.bot.storage.samples import ANNA, BORIS, OPENING, SEED, SERVER, open_table, opened, person, playing
from tests.examples import examples

OTHER_SERVER = ServerRef("telegram", "-200")
PEOPLE = tuple(person(number) for number in range(4))

DAY = 24 * 60 * 60.0
NEW_YEAR = datetime(2026, 1, 1, tzinfo=UTC).timestamp()
# Ends of games, close to the ends of months and of years.
TIMES = (NEW_YEAR - 5, NEW_YEAR + 5, NEW_YEAR + 30 * DAY, NEW_YEAR + 31 * DAY, NEW_YEAR + 365 * DAY)

# Times from which games count: the beginnings of a year and a month in UTC, and in zones ahead and behind.
SINCES = (
    None,
    0.0,
    *(NEW_YEAR + hours * 3600 for hours in (-24 * 20, -2, 0, 5, 24 * 10)),
    NEW_YEAR + 31 * DAY - 1,
    NEW_YEAR + 999 * DAY,
)


@dataclass(frozen=True)
class Finished:
    """A game as it was; `players` holds None for a house player."""

    server: ServerRef
    players: tuple[User | None, ...]
    outcome: Outcome
    at: float
    bouts: int = 0
    opening: Opening = OPENING


@st.composite
def finished(draw: st.DrawFn) -> Finished:
    people = draw(st.lists(st.sampled_from(PEOPLE), min_size=1, max_size=4, unique=True))
    houses = draw(st.integers(1 if len(people) == 1 else 0, 2))
    players: Sequence[User | None] = draw(st.permutations([*people, *([None] * houses)]))
    order = draw(st.permutations(range(len(players))))
    losers = draw(st.integers(0, len(players) - 1))
    outcome = Outcome(
        fool=order[-1] if losers == 1 else None,
        losers=tuple(order[len(order) - losers :]),
        is_draw=losers == 0,
        order=tuple(order[: len(order) - losers]),
        points=(0,) * len(players),
        epaulettes=draw(st.integers(0, 1)),
    )
    by_the_rules = PRESETS.values()
    with_cheating = [replace(rules, cheating=True) for rules in by_the_rules]
    playable = [rules for rules in (*by_the_rules, *with_cheating) if not rules.obstacles(len(players))]
    opening = Opening(
        draw(st.sampled_from(playable)),
        players=len(players),
        seed=SEED,
        levels=draw(st.sampled_from([(), (int(Rank.ACE),) * len(players)])),
    )
    server = draw(st.sampled_from([SERVER, SERVER, OTHER_SERVER]))
    bouts = draw(st.integers(0, 9))
    return Finished(server, tuple(players), outcome, draw(st.sampled_from(TIMES)), bouts, opening)


async def record(database: Database, games: Sequence[Finished], *, first: int = 1) -> None:
    """Records games as they would be played: at one table per server, in order."""
    tables = {}
    for number, game in enumerate(games, start=first):
        if game.server not in tables:
            table = await open_table(database, RoomRef(game.server, "1"), PEOPLE[0])
            tables[game.server] = replace(table, options=TableOptions(strength="expert"))

        table = replace(
            tables[game.server],
            game=number,
            players=tuple(
                Player("Ada") if user is None else Player(user.name, user.ref) for user in game.players
            ),
        )
        await TableStore(database).save(table)
        entry = Entry(table.id, number, number, None, game.opening.to_text(), None, at=game.at)
        snapshot = f"bouts {game.bouts}"
        await SqlJournal(database).append(entry, snapshot=snapshot, outcome=game.outcome)


def kind_of(game: Finished) -> Counted:
    return Counted.CHEATING if game.opening.rules.cheating else Counted.HONEST


def that_count(
    games: Sequence[Finished], server: ServerRef, since: float | None, counted: Counted = Counted.HERE
) -> list[Finished]:
    return [
        game
        for game in games
        if game.server == server
        and kind_of(game) in counted
        and len([user for user in game.players if user is not None]) >= MIN_PEOPLE
        and (since is None or game.at >= since)
    ]


def rivalries(games: Sequence[Finished], server: ServerRef, since: float | None) -> list[Any]:
    """Finds the pairs with the most games in which one was the fool and the other was not."""
    together, fools = Counter[frozenset[str]](), Counter[tuple[str, str]]()
    for game in that_count(games, server, since):
        lost = {user.name: seat in game.outcome.losers for seat, user in enumerate(game.players) if user}
        together.update(map(frozenset, combinations(lost, 2)))
        fools.update((one, other) for one, other in permutations(lost, 2) if lost[one] and not lost[other])

    ranks = {
        frozenset({(one, fools[one, other]), (other, fools[other, one]), number}): (decided, number)
        for (one, other), number in together.items()
        if number >= MIN_GAMES_TOGETHER and (decided := fools[one, other] + fools[other, one])
    }
    return [each for each, rank in ranks.items() if rank == max(ranks.values())] or [None]


def rivalry_of(summary: Summary) -> frozenset[Any] | None:
    if (told := summary.rivalry) is None:
        return None
    return frozenset({*zip(told.names, told.fools, strict=True), told.games})


def recount(
    games: Sequence[Finished], server: ServerRef, since: float | None, counted: Counted
) -> dict[str, list[float]]:
    """Counts games, fools, draws, first places, expected defeats and games with cheating one by one."""
    counts: defaultdict[str, list[float]] = defaultdict(lambda: [0, 0, 0, 0, 0.0, 0])
    for game in that_count(games, server, since, counted):
        for seat, user in enumerate(game.players):
            if user is not None:
                count = counts[user.ref.id]
                count[0] += 1
                count[1] += seat in game.outcome.losers
                count[2] += game.outcome.is_draw
                count[3] += game.outcome.order[:1] == (seat,)
                count[4] += max(1, len(game.outcome.losers)) / len(game.players)
                count[5] += game.opening.rules.cheating

    return counts


def numbers(row: Standing) -> list[float]:
    return [row.games, row.fools, row.draws, row.first_out, row.expected, row.cheating]


@given(
    st.lists(finished(), max_size=12),
    st.sampled_from(SINCES),
    st.sampled_from([Counted.HERE, Counted.HONEST, Counted.CHEATING, Counted.TOGETHER]),
)
@examples(25)
async def test_tallies_equal_a_plain_recount(
    games: list[Finished], since: float | None, counted: Counted
) -> None:
    async with opened() as database:
        for user in PEOPLE:
            await PlayerStore(database).remember(user)

        await record(database, games)
        standings = StandingsStore(database)
        for server in (SERVER, OTHER_SERVER):
            expected = recount(games, server, since, counted)
            summary = await standings.summary(server, since, counted)
            assert rivalry_of(summary) in rivalries(games, server, since)
            if Counted.HONEST in counted:
                assert summary.games == len(that_count(games, server, since, counted))

            for rows in (
                await standings.ranking(server, since, counted=counted),
                await standings.ranking(server, since, counted=counted, by=Ranking.FOOLS),
            ):
                assert {row.user.id: numbers(row) for row in rows} == {
                    user: pytest.approx(count) for user, count in expected.items()
                }

            for user in PEOPLE:
                own = await standings.stats(server, user.ref, counted)
                always = recount(games, server, None, counted).get(user.ref.id)
                assert (own and numbers(own)) == (always and pytest.approx(always))


@given(st.lists(finished(), max_size=12))
@examples(6)
async def test_the_best_are_first_and_the_most_frequent_fools_are_first(games: list[Finished]) -> None:
    async with opened() as database:
        await record(database, games)
        rows = await StandingsStore(database).ranking(SERVER, counted=Counted.HONEST)  # those that are rated
        best = [row.rank(Ranking.BEST) for row in rows]
        assert best == sorted(best)
        for row, place in zip(rows, places_of(rows, Ranking.BEST), strict=True):
            rating = await StandingsStore(database).rating(SERVER, row.user)
            assert rating is not None
            assert (rating.place, rating.of) == (place, len(rows))

        fools = await StandingsStore(database).ranking(SERVER, by=Ranking.FOOLS)
        assert fools == sorted(fools, key=lambda row: row.rank(Ranking.FOOLS))


def test_the_index_is_fair_across_table_sizes() -> None:
    average = Standing(ANNA.ref, "Anna", games=12, fools=3, draws=0, first_out=0, expected=3.0)
    assert average.index == 1
    assert replace(average, fools=0).index == 0.5
    assert replace(average, games=0, fools=0, expected=0.0).index == 1


async def test_a_game_against_house_players_alone_does_not_count(database: Database) -> None:
    alone = Outcome(fool=0, losers=(0,), is_draw=False, order=(1,), points=(0, 0))
    await record(database, [Finished(SERVER, (PEOPLE[0], None), alone, 1.0)])
    assert await StandingsStore(database).ranking(SERVER) == []
    assert await StandingsStore(database).ranking(SERVER, by=Ranking.FOOLS) == []
    assert await StandingsStore(database).stats(SERVER, PEOPLE[0].ref) is None
    practice = await StandingsStore(database).practice(SERVER, PEOPLE[0].ref)
    assert practice is not None
    assert (practice.games, practice.fools) == (1, 1)
    assert await StandingsStore(database).practice(OTHER_SERVER, PEOPLE[0].ref) is None


async def test_a_game_among_people_is_no_practice(database: Database) -> None:
    lost = Outcome(fool=0, losers=(0,), is_draw=False, order=(1, 2), points=(0, 0, 0))
    await record(database, [Finished(SERVER, (PEOPLE[0], PEOPLE[1], None), lost, 1.0)])
    assert await StandingsStore(database).practice(SERVER, PEOPLE[0].ref) is None


async def test_people_are_shown_by_their_newest_name(database: Database) -> None:
    table = await playing(database)
    outcome = Outcome(fool=1, losers=(1,), is_draw=False, order=(0,), points=(0, 0))
    entry = Entry(table.id, 1, 1, None, OPENING.to_text(), None, at=1.0)
    await SqlJournal(database).append(entry, snapshot="", outcome=outcome)
    await PlayerStore(database).remember(replace(BORIS, name="Boris II"))
    assert (await StandingsStore(database).ranking(SERVER, by=Ranking.FOOLS))[0].name == "Boris II"


async def test_somebody_who_never_played_has_no_tally(database: Database) -> None:
    await open_table(database)
    assert await StandingsStore(database).stats(SERVER, BORIS.ref) is None
    assert await StandingsStore(database).stats(ServerRef("discord", "1"), ANNA.ref) is None
    assert await StandingsStore(database).ranking(ServerRef("discord", "1")) == []
