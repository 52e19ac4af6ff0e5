"""The tallies as people read them: complete, short enough, and safe."""

import csv
import io
import json
from dataclasses import replace

import pytest

from adapters.port import Document
from bot.model.results import Career, Duel, Fate, Rating, RatingPlace, Rivalry, Standing, Summary
from bot.screens.standings import SheetForm, fool_screen, leaderboard_screen, sheet, stats_screen
from tests.bot.chat import person
from tests.bot.messages import text_of
from tests.bot.screens.scenes import CHATS, TRANSLATOR

SHORTEST = min(limits.body for limits in CHATS)
LONG = "W" * 64


def fared(name: str, games: int, fools: int) -> Standing:
    return Standing(person(name).ref, name, games, fools, draws=1, first_out=2, expected=games / 2)


SUMMARY = Summary(
    games=12,
    bouts=8.6,
    seconds=840.0,
    trumps=(("H", 5), ("S", 4), ("D", 3)),
    rivalry=Rivalry(("Anna", "Boris"), (4, 3), 9),
)
CAREER = Career(
    form=(Fate.FOOL, Fate.DRAW, Fate.SAFE, Fate.FIRST_OUT),
    fool_streak=0,
    safe_streak=3,
    longest_fool_streak=1,
    longest_safe_streak=7,
    houses_beaten=2,
    duels=(Duel(person("Boris").ref, "Boris", games=9, own_fools=4, their_fools=3),),
    trumps=(("H", 5), ("S", 4)),
    bouts=8.6,
    seconds=840.0,
)


def test_the_leaderboard_tells_what_the_games_were_like() -> None:
    told = text_of(leaderboard_screen([fared("Anna", 9, 4)], "Leaderboard", TRANSLATOR, SUMMARY))
    assert "12 games · on average: 9 rounds, 14 minutes\ntrumps: ♥ 5 · ♠ 4 · ♦ 3" in told
    assert "biggest rivalry: Anna 4:3 Boris as the fool, in 9 games together" in told


def test_without_games_there_is_no_average_and_no_rivalry() -> None:
    told = text_of(leaderboard_screen([], "Leaderboard", TRANSLATOR, Summary(games=0)))
    assert told.startswith("Leaderboard\n\nNo finished games here yet: one counts when")
    assert "average" not in told
    assert "rivalry" not in told


@pytest.mark.parametrize(("games", "is_champion"), [(4, False), (5, True)])
def test_a_champion_has_played_enough_games(games: int, is_champion: bool) -> None:
    told = text_of(leaderboard_screen([fared("Anna", games, 0), fared("Boris", 9, 9)], "", TRANSLATOR))
    assert ("👑 Champion: Anna" in told) is is_champion


def test_who_has_nobody_to_compare_to_is_no_champion() -> None:
    assert "👑" not in text_of(leaderboard_screen([fared("Anna", 50, 0)], "", TRANSLATOR))


def test_fools_are_told_by_count_and_by_rate() -> None:
    told = text_of(fool_screen([fared("Anna", 8, 3)], "Who is the fool most often · this week", TRANSLATOR))
    assert told.startswith("Who is the fool most often · this week\n\n🃏 Anna · fool 3 in 8 games")
    assert told.endswith(" · 38%")


def test_stats_tell_everything_about_somebody() -> None:
    standing = replace(fared("Anna", 10, 4), epaulettes=2, points=14)
    told = text_of(
        stats_screen(
            standing,
            "Anna",
            TRANSLATOR,
            career=CAREER,
            rating=RatingPlace(4.25, 2, 7),
            against_asker=Duel(person("Clara").ref, "Clara", games=2, own_fools=0, their_fools=1),
        )
    )
    for fact in (
        "10 games\nfool 4 times · 40%\nfirst out: 2\ndraws: 1\nfool index: 0.88",
        "rating: 4.2, place 2 of 7",
        "epaulettes: 2\npoints: 14",
        "🃏 🤝 ✔️ ⭐",
        "now: 3 games without being the fool",
        "longest streaks: 7 games without being the fool; the fool 1 time in a row",
        "on average: 9 rounds, 14 minutes\ntrumps: ♥ 5 · ♠ 4",
        "bots beaten: 2",
        "biggest rival: Boris 3:4 Anna as the fool, in 9 games together",
        "against you: you 1:0 Anna as the fool, in 2 games together",
    ):
        assert fact in told


def test_a_row_of_lost_games_is_told_as_one() -> None:
    losing = replace(CAREER, fool_streak=2, safe_streak=0)
    told = text_of(stats_screen(fared("Anna", 10, 4), "Anna", TRANSLATOR, career=losing))
    assert "now: the fool 2 times in a row" in told


def test_what_never_happened_is_not_told() -> None:
    quiet = replace(CAREER, houses_beaten=0, duels=(), trumps=())
    told = text_of(stats_screen(fared("Anna", 10, 4), "Anna", TRANSLATOR, career=quiet))
    assert all(word not in told for word in ("house", "rival", "trumps", "average:", "epaulettes", "points"))


def test_every_tally_fits_however_long_the_names_and_however_many_the_games() -> None:
    crowd = [fared(f"{LONG}{number}", 10_000, 5_000) for number in range(200)]
    rivalry = Rivalry((LONG, LONG), (5000, 5000), 10_000)
    summary = Summary(10_000, 99.0, 99_999.0, tuple((suit, 9999) for suit in "SHDC"), rivalry)
    assert (
        len(text_of(leaderboard_screen(crowd, "Leaderboard · this month", TRANSLATOR, summary))) <= SHORTEST
    )
    assert len(text_of(fool_screen(crowd, "Who is the fool most often · this month", TRANSLATOR))) <= SHORTEST
    duel = Duel(person(LONG).ref, LONG, 10_000, 5_000, 5_000)
    career = replace(CAREER, form=(Fate.SAFE,) * 10, duels=(duel,), trumps=summary.trumps)
    told = text_of(stats_screen(crowd[0], LONG, TRANSLATOR, career=career, against_asker=duel))
    assert len(told) <= SHORTEST


def test_nobody_is_nameless_and_no_name_breaks_a_line() -> None:
    rivalry = Rivalry(("", "A\nB"), (1, 0), 1)
    told = text_of(leaderboard_screen([], "L", TRANSLATOR, replace(SUMMARY, rivalry=rivalry)))
    assert "biggest rivalry: a player 1:0 A B" in told


# --- the file ---------------------------------------------------------------------------------------------


def exported(form: SheetForm, *names: str) -> Document:
    standings = [fared(name, 8, 3) for name in names]
    return sheet(standings, {standings[0].user: Rating(25.0, 5.0)}, form, "durak-all")


def test_the_file_can_be_read_by_other_programs() -> None:
    document = exported(SheetForm.CSV, "Anna", 'B, "the" Boris\nČ')
    assert document.name == "durak-all.csv"
    rows = list(csv.DictReader(io.StringIO(document.content.decode(), newline="")))
    assert [row["name"] for row in rows] == ["Anna", 'B, "the" Boris\nČ']
    assert (rows[0]["fools"], rows[0]["rate"], rows[0]["rating"], rows[1]["rating"]) == (
        "3",
        "0.375",
        "10.0",
        "",
    )
    told = json.loads(exported(SheetForm.JSON, "Anna").content)
    assert told == [{**told[0], "name": "Anna", "games": 8, "index": round(6 / 7, 4), "rating": 10.0}]


@pytest.mark.parametrize("name", ["=1+1", "+1", "-1", "@sum", "\t=1"])
def test_no_name_becomes_a_formula_in_a_spreadsheet(name: str) -> None:
    (row,) = csv.DictReader(io.StringIO(exported(SheetForm.CSV, name).content.decode(), newline=""))
    assert row["name"] == f"'{name}"
    assert json.loads(exported(SheetForm.JSON, name).content)[0]["name"] == name
