"""The career of one person over several games: streaks, form, rivals."""

from collections.abc import Mapping
from dataclasses import replace

from adapters.port import User, UserRef
from bot.model.career import Career, Duel, Feats, GameResult
from bot.storage import Database, PlayerStore, RecordStore, StandingsStore
from bot.storage.ended import Consequences
from engine import Outcome, Seat
from tests.bot.storage.samples import ANNA, BORIS, CLARA, SERVER
from tests.bot.storage.test_standings import Finished, record

NAMES = {"A": ANNA, "B": BORIS, "C": CLARA}
KINDS = {
    "F": GameResult.of(None, is_loser=True, is_draw=False),
    ".": GameResult.of(1, is_loser=False, is_draw=False),
    "=": GameResult.of(1, is_loser=False, is_draw=True),
}


def row(text: str) -> list[GameResult]:
    """Builds one person's games: `F` is a game as the fool, `.` another one, `=` a draw."""
    return [KINDS[letter] for letter in text]


def career_of(results: list[GameResult]) -> Career:
    """Returns the career of a person whose games ended like this, in order."""
    found = Career()
    for result in results:
        found = found.after(Feats(result))
    return found


def game(order: str, losers: str = "") -> Finished:
    """Builds a game: in `game("AB", "C")` A went out first, then B; C is the fool. `h` is a house player."""
    seats = range(len(order + losers))
    lost = tuple(seats[len(order) :])
    outcome = Outcome(
        fool=lost[0] if len(lost) == 1 else None,
        losers=lost,
        is_draw=not lost,
        order=tuple(seats[: len(order)]),
        points=(0,) * len(seats),
    )
    return Finished(SERVER, tuple(NAMES.get(letter) for letter in order + losers), outcome, at=1.0)


async def career(database: Database, games: list[Finished], user: User = ANNA) -> Career:
    """Returns the career of a player who played these games at one table."""
    for known in NAMES.values():
        await PlayerStore(database).remember(known)
    await record(database, games)
    return await StandingsStore(database).career(SERVER, user.ref)


def test_streaks_are_counted_up_to_now_and_at_their_longest() -> None:
    found = career_of(row("FF...F"))
    assert found.fool_streak == 1
    assert (found.safe_streak, found.longest_safe_streak) == (0, 3)


def test_a_draw_ends_a_streak_of_the_fool_and_no_other() -> None:
    assert career_of(row("FF=")).fool_streak == 0
    found = career_of(row("FF=F.=."))
    assert (found.safe_streak, found.longest_safe_streak) == (3, 3)


async def test_games_of_others_do_not_end_a_streak(database: Database) -> None:
    found = await career(database, [game("B", "A"), game("B", "C"), game("B", "A")])
    assert found.fool_streak == 2


async def test_nobody_without_a_game_has_a_streak_or_a_rival(database: Database) -> None:
    assert await career(database, [game("B", "Ch")]) == Career()
    assert await StandingsStore(database).career(SERVER, UserRef("telegram", "never seen")) == Career()


async def test_games_against_house_players_alone_are_in_no_career(database: Database) -> None:
    assert (await career(database, [game("A", "h"), game("A", "Bh")])).houses_beaten == 1


async def test_a_clock_that_is_set_back_changes_no_order_of_games(database: Database) -> None:
    games = [replace(game("B", "A"), at=3.0), replace(game("A", "B"), at=1.0), replace(game("AB"), at=2.0)]
    assert (await career(database, games)).form == (GameResult.FOOL, GameResult.FIRST_OUT, GameResult.DRAW)


def test_the_form_shows_the_ten_newest_games_and_the_newest_last() -> None:
    found = career_of([*row("FFFFF"), *row("F.=F.=F"), GameResult.of(2, is_loser=False, is_draw=False)])
    assert len(found.form) == 10
    assert found.form[-4:] == (GameResult.FIRST_OUT, GameResult.DRAW, GameResult.FOOL, GameResult.SAFE)


async def test_a_duel_counts_games_in_which_one_of_two_was_the_fool(database: Database) -> None:
    games = [game("AB", "C"), game("B", "AC"), game("BC", "A"), game("CA", "B"), game("BC", "A")]
    found = await career(database, games)
    assert found.duels == (
        Duel(BORIS.ref, "Boris", games=5, own_fools=3, their_fools=1),
        Duel(CLARA.ref, "Clara", games=5, own_fools=2, their_fools=1),
    )
    assert found.against(CLARA.ref) == found.duels[1]
    assert found.against(ANNA.ref) is None
    of_clara = await StandingsStore(database).career(SERVER, CLARA.ref)
    assert of_clara.against(ANNA.ref) == Duel(ANNA.ref, "Anna", games=5, own_fools=1, their_fools=2)


async def test_a_house_player_is_beaten_by_those_who_did_not_lose_with_it(database: Database) -> None:
    games = [game("AB", "h"), game("B", "Ah"), game("Bh", "A"), game("BA", "hh")]
    assert (await career(database, games)).houses_beaten == 3
    assert (await StandingsStore(database).career(SERVER, BORIS.ref)).houses_beaten == 4


async def test_a_game_knows_how_many_its_people_had_lost_in_a_row_before_it(database: Database) -> None:
    games = [
        game("B", "A"),
        game("BC", "A"),
        game("CB", "Ah"),
        game("A", "C"),
        game("C", "A"),
        game("h", "A"),
    ]
    await career(database, [replace(each, at=float(at)) for at, each in enumerate(games)])
    records = RecordStore(database)

    async def before(table_id: int, number: int) -> Mapping[Seat, int]:
        return (await records.consequences(table_id, number)).losses_before

    assert await before(1, 1) == {0: 0, 1: 0}
    assert await before(1, 2) == {0: 0, 1: 0, 2: 1}
    assert await before(1, 3) == {0: 0, 1: 0, 2: 2}
    assert await before(1, 4) == {0: 3, 1: 0}
    assert await before(1, 5) == {0: 1, 1: 0}
    assert await before(1, 6) == {}  # which counts for no one
    assert await before(9, 9) == {}


async def test_what_a_game_changes_is_the_same_when_it_ends_as_when_it_is_read(database: Database) -> None:
    noted = dict[tuple[int, int], Consequences]()
    database.on_result.append(noted.__setitem__)
    orders = [("B", "A"), ("AB", "C"), ("h", "A"), ("CB", "Ah"), ("BA", ""), *[("A", "B")] * 12]
    games = [replace(game(*order), at=float(at)) for at, order in enumerate(orders)]
    await record(database, games)

    records = RecordStore(database)
    assert noted == {(1, number): await records.consequences(1, number) for number, _ in enumerate(games, 1)}
    assert [number for (_, number), changed in noted.items() if changed.has_more] == [4]
    assert noted[1, len(games)].rating_changes
