"""What a row of games tells about one person: streaks, form, rivals."""

from collections.abc import Iterable

from adapters.port import UserRef
from bot.model.standings import Career, Duel, Fate, FinishedGame, SeatResult, career_of
from tests.bot.storage.samples import ANNA, BORIS, CLARA

NAMES = {"A": ANNA, "B": BORIS, "C": CLARA}


def game(order: str, losers: str = "", **facts: object) -> FinishedGame:
    """A game as `game("AB", "C")`: A went out first, then B, and C is the fool; `h` is a house player."""
    seats = [_seat(letter, place, is_loser=False) for place, letter in enumerate(order, start=1)]
    seats += [_seat(letter, None, is_loser=True) for letter in losers]
    return FinishedGame(0.0, not losers, tuple(seats), **facts)  # type: ignore[arg-type]  # they fit


def _seat(letter: str, place: int | None, *, is_loser: bool) -> SeatResult:
    user = NAMES.get(letter)
    if user is None:
        return SeatResult(None, "Ada", place, is_loser)
    return SeatResult(user.ref, user.name, place, is_loser)


def career(games: Iterable[FinishedGame], user: UserRef = ANNA.ref) -> Career:
    return career_of(user, games)


def row(text: str) -> list[FinishedGame]:
    """Games of Anna and Boris: `F` Anna is the fool, `.` Boris is, `=` a draw."""
    kinds = {"F": game("B", "A"), ".": game("A", "B"), "=": game("AB")}
    return [kinds[letter] for letter in text]


def test_streaks_are_counted_up_to_now_and_at_their_longest() -> None:
    told = career(row("FF...F"))
    assert (told.fool_streak, told.longest_fool_streak) == (1, 2)
    assert (told.safe_streak, told.longest_safe_streak) == (0, 3)


def test_a_draw_ends_a_streak_of_the_fool_and_no_other() -> None:
    told = career(row("FF=F.=."))
    assert (told.longest_fool_streak, told.safe_streak, told.longest_safe_streak) == (2, 3, 3)


def test_games_of_others_do_not_end_a_streak() -> None:
    assert career([game("B", "A"), game("B", "C"), game("B", "A")]).fool_streak == 2


def test_nobody_without_a_game_has_a_streak_or_a_rival() -> None:
    told = career([game("B", "C")])
    assert told == Career((), 0, 0, 0, 0, 0, (), (), 0.0, 0.0)


def test_the_form_shows_the_ten_newest_games_and_the_newest_last() -> None:
    told = career([*row("FFFFF"), *row("F.=F.=F"), game("BA", "C")])
    assert len(told.form) == 10
    assert told.form[-4:] == (Fate.FIRST_OUT, Fate.DRAW, Fate.FOOL, Fate.SAFE)


def test_a_duel_counts_games_in_which_one_of_two_was_the_fool() -> None:
    told = career([game("AB", "C"), game("B", "AC"), game("BC", "A"), game("CA", "B"), game("BC", "A")])
    assert told.duels == (
        Duel(BORIS.ref, "Boris", games=5, own_fools=3, their_fools=1),
        Duel(CLARA.ref, "Clara", games=5, own_fools=2, their_fools=1),
    )
    assert told.against(CLARA.ref) == told.duels[1]
    assert told.against(ANNA.ref) is None


def test_a_house_player_is_beaten_by_those_who_did_not_lose_with_it() -> None:
    games = [game("AB", "h"), game("B", "Ah"), game("Bh", "A"), game("BA", "hh")]
    assert career(games).houses_beaten == 3
    assert career(games, BORIS.ref).houses_beaten == 4


def test_trumps_and_length_are_those_of_the_games_where_they_are_known() -> None:
    told = career(
        [
            game("A", "B", trump="H", bouts=8, seconds=100.0),
            game("A", "B"),
            game("A", "B", trump="H", bouts=10, seconds=200.0),
            game("A", "B", trump="S", bouts=12, seconds=600.0),
        ]
    )
    assert told.trumps == (("H", 2), ("S", 1))
    assert (told.bouts, told.seconds) == (10.0, 300.0)
