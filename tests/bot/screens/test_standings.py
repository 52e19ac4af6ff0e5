"""The standings on screens: complete, short enough, and safe."""

import csv
import io
import json
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from adapters.port import Document, PlayerCard
from bot.features.week.model import Week
from bot.features.week.screens import week_screen
from bot.locale import Translator
from bot.model.buttons import ExplainRanking, decode
from bot.model.career import Career, Duel, GameResult
from bot.model.rating import Rating, RatingPlace
from bot.model.standings import Rivalry, Standing, Summary
from bot.screens.standings import (
    SheetForm,
    counting_screen,
    fool_screen,
    leaderboard_screen,
    sheet,
    stats_screen,
)
from tests.bot.chat import person
from tests.bot.messages import buttons_of, text_of
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
    form=(GameResult.FOOL, GameResult.DRAW, GameResult.SAFE, GameResult.FIRST_OUT),
    fool_streak=0,
    safe_streak=3,
    longest_safe_streak=7,
    houses_beaten=2,
    duels=(Duel(person("Boris").ref, "Boris", games=9, own_fools=4, their_fools=3),),
)


def board(*rows: Standing, rivalry: Rivalry | None = None) -> str:
    return text_of(leaderboard_screen(rows, "Leaderboard", "all", TRANSLATOR, rivalry))


def test_a_leaderboard_tells_how_often_everybody_was_the_fool_in_one_figure() -> None:
    text = board(fared("Anna", 9, 1), fared("Boris", 12, 5), fared("Clara", 12, 9), rivalry=SUMMARY.rivalry)
    assert text.splitlines() == [
        "Leaderboard",
        "",
        "🥇 Anna · fool in 1 of 9",
        "🥈 Boris · 5 of 12",
        "🃏 Clara · 9 of 12",
        "",
        "⚔️ Biggest rivalry: in 9 games together, Anna was the fool 4 times, Boris 3 times",
    ]


def test_no_medal_is_for_those_who_are_worse_than_average() -> None:
    assert board(fared("Anna", 9, 1), fared("Boris", 9, 8)).splitlines()[2:] == [
        "🥇 Anna · fool in 1 of 9",
        "🃏 Boris · 8 of 9",
    ]
    average = board(fared("Anna", 8, 4), fared("Boris", 8, 4))
    assert average.splitlines()[2:] == ["1. Anna · fool in 4 of 8", "1. Boris · 4 of 8"]
    assert "🃏" not in board(fared("Anna", 8, 8))  # with no one to compare to


def test_who_fared_alike_shares_a_place() -> None:
    text = board(*(fared(name, 10, 1) for name in ("Anna", "Boris")), fared("Clara", 10, 2))
    assert [line[0] for line in text.splitlines()[2:]] == ["🥇", "🥇", "🥉"]


def test_who_fared_alike_shares_a_place_on_both_boards() -> None:
    tied = fared("Anna", 6, 3), fared("Boris", 6, 3), fared("Clara", 6, 1)
    text = text_of(fool_screen(tied, "Fools", TRANSLATOR))
    assert [line[:2].strip() for line in text.splitlines()[2:]] == ["🃏", "🃏", "3."]
    assert [line[0] for line in board(*reversed(tied)).splitlines()[2:]] == ["🥇", "2", "2"]
    worst = fared("Anna", 9, 8), fared("Boris", 9, 8), fared("Clara", 9, 1)
    assert [line[0] for line in board(*reversed(worst)).splitlines()[2:]] == ["🥇", "🃏", "🃏"]


def test_only_the_last_one_of_all_is_the_fool_of_the_board() -> None:
    crowd = [fared(f"Player {number}", 10, min(10, number)) for number in range(16)]
    assert "🃏" not in board(*crowd)
    assert board(*crowd[:15]).splitlines()[-1] == "🃏 Player 14 · 10 of 10"


@pytest.mark.parametrize(
    ("locale", "told"),
    [
        ("en", "(2 of 3 games)"),
        ("de", "(2 von 3 Spielen)"),
        ("ru", "(2 из 3 игр)"),
        ("lt", "(2 iš 3 partijų)"),
    ],
)
def test_the_fool_of_the_week_lost_some_of_the_games_in_any_language(locale: str, told: str) -> None:
    week = week_screen(Week(3, [fared("Anna", 3, 2)]), datetime(2026, 11, 29, tzinfo=UTC), Translator(locale))
    assert told in text_of(week).replace("\N{NO-BREAK SPACE}", " ")


def test_a_button_explains_how_it_is_counted() -> None:
    (button,) = buttons_of(leaderboard_screen([fared("Anna", 9, 1)], "", "week", TRANSLATOR))
    assert (button.label, decode(button.token)) == ("How is it counted?", ExplainRanking("week"))
    text = text_of(counting_screen([fared("Anna", 9, 1), fared("Boris", 9, 8)], SUMMARY, TRANSLATOR))
    assert "1 is average, lower is better. Players with fewer than 5 games come last." in text
    assert "\n\nAnna 0.53 · Boris 1.47\n\n" in text
    assert text.endswith("12 games · on average: 9 rounds, 14\N{NO-BREAK SPACE}min\ntrumps: ♥ 5 · ♠ 4 · ♦ 3")
    assert "average:" not in text_of(counting_screen([], Summary(games=0), TRANSLATOR))


def test_without_games_there_is_a_sentence_and_no_button() -> None:
    empty = leaderboard_screen([], "Leaderboard", "all", TRANSLATOR)
    assert text_of(empty).startswith("Leaderboard\n\nNo game counts yet: at least two")
    assert not empty.rows


def test_fools_are_told_by_count_and_by_rate() -> None:
    text = text_of(fool_screen([fared("Anna", 9, 1)], "Who is the fool most often · this week", TRANSLATOR))
    assert text == "Who is the fool most often · this week\n\n🃏 Anna · 1 of 9 games · 11%"
    spared = text_of(fool_screen([fared("Anna", 9, 0)], "Who is the fool most often", TRANSLATOR))
    assert spared.endswith("\n\n1. Anna · 0 of 9 games · 0%")


def test_stats_tell_everything_about_somebody_in_a_few_lines() -> None:
    standing = replace(fared("Anna", 10, 4), epaulettes=2, points=14)
    against = Duel(person("Clara").ref, "Clara", games=3, own_fools=0, their_fools=1)
    rating = RatingPlace(4.25, 2, 7)

    text = text_of(
        stats_screen(standing, "Anna", TRANSLATOR, career=CAREER, rating=rating, against_asker=against)
    )
    assert text.splitlines() == [
        "Anna · 10 games, fool in 4 (40%)",
        "Place 2 of 7 · rating 4.2 · fool index 0.88 (1 is average)",
        "Last games: 🃏🤝✅⭐",
        "🃏 fool · 🤝 draw · ✅ safe · ⭐ out first",
        "Now safe 3 times in a row, best 7",
        "⚔️ Biggest rivalry: in 9 games together, Anna was the fool 4 times, Boris 3 times",
        "In 3 games together, Anna was the fool 0 times, you 1 time",
        "Out first: 2 · draws: 1 · epaulettes: 2 · points: 14 · bots beaten: 2",
    ]


def test_a_rivalry_with_the_asker_is_told_once() -> None:
    (duel,) = CAREER.duels
    text = text_of(stats_screen(fared("Anna", 10, 4), "Anna", TRANSLATOR, career=CAREER, against_asker=duel))
    assert "In 9 games together, Anna was the fool 4 times, you 3 times" in text
    assert "Boris" not in text


def test_the_key_explains_each_sign_of_the_last_games_and_no_other() -> None:
    career = replace(CAREER, form=(GameResult.SAFE, GameResult.FOOL, GameResult.SAFE))
    screen = stats_screen(fared("Anna", 10, 4), "Anna", TRANSLATOR, career=career)
    assert "Last games: ✅🃏✅\n✅ safe · 🃏 fool\n" in text_of(screen)

    assert isinstance(screen.facts, PlayerCard)
    assert [game.meaning for game in screen.facts.form] == ["safe", "fool", "safe"]


def test_no_place_no_rating_and_no_rival_is_told_after_a_few_games() -> None:
    duel = Duel(person("Boris").ref, "Boris", games=2, own_fools=2, their_fools=0)
    career = replace(CAREER, form=(GameResult.FOOL,), safe_streak=0, longest_safe_streak=0, duels=(duel,))

    text = text_of(
        stats_screen(
            fared("Anna", 2, 2),
            "Anna",
            TRANSLATOR,
            career=career,
            rating=RatingPlace(-3.3, 4, 4),
            against_asker=duel,
        )
    )

    assert text.splitlines()[:3] == [
        "Anna · 2 games, fool in 2 (100%)",
        "Place and rating after 3 more games",
        "Out first: 2 · draws: 1 · bots beaten: 2",
    ]
    assert "Boris" not in text
    assert "together" not in text


@pytest.mark.parametrize(
    ("different", "told"),
    [
        (
            {"fool_streak": 2, "safe_streak": 0},
            "Now the fool 2 times in a row, best: safe 7 times in a row",
        ),
        ({"fool_streak": 1, "safe_streak": 0}, "Best: safe 7 times in a row"),
        ({"longest_safe_streak": 3}, "Now safe 3 times in a row"),
        ({"safe_streak": 1, "longest_safe_streak": 1}, ""),
        ({"safe_streak": 0, "longest_safe_streak": 0}, ""),
    ],
)
def test_a_row_of_games_is_told_from_two_on(different: dict[str, int], told: str) -> None:
    career = replace(CAREER, **different)  # type: ignore[arg-type]  # names and numbers of its fields
    lines = text_of(stats_screen(fared("Anna", 10, 4), "Anna", TRANSLATOR, career=career)).splitlines()
    streaks = "\n".join(lines[4:-2])
    assert streaks == told


def test_what_never_happened_is_not_told() -> None:
    quiet = replace(CAREER, houses_beaten=0, duels=())
    text = text_of(stats_screen(fared("Anna", 10, 4), "Anna", TRANSLATOR, career=quiet))
    assert all(word not in text for word in ("bots", "rival", "epaulettes", "points", ": 0"))


def test_who_has_finished_no_game_is_told_so_by_name() -> None:
    assert text_of(stats_screen(None, "Anna", TRANSLATOR)) == "Anna hasn’t finished a game here yet."


def test_a_chat_that_draws_statistics_gets_the_figures_apart_from_the_sentences() -> None:
    rating = RatingPlace(points=3.14, place=2, of=7)
    drawn = stats_screen(fared("Anna", 10, 4), "Anna", TRANSLATOR, career=CAREER, rating=rating).facts
    assert isinstance(drawn, PlayerCard)
    figures = [(figure.value, figure.label) for figure in drawn.figures]
    assert figures[:2] == [("10", "Games"), ("4", "Times the fool")]
    assert figures[2:] == [("2 / 7", "Place"), ("0.88", "Fool index"), ("3.1", "Rating")]

    told = "".join(span.text for span in drawn.text)
    assert "Place" not in told
    assert "Last games" not in told
    assert "Anna · 10 games" not in told


def test_a_figure_that_is_no_count_has_its_meaning_beside_it() -> None:
    rating = RatingPlace(points=3.14, place=2, of=7)
    drawn = stats_screen(fared("Anna", 10, 4), "Anna", TRANSLATOR, rating=rating).facts
    assert isinstance(drawn, PlayerCard)
    assert [figure.label for figure in drawn.figures if figure.hint] == ["Fool index", "Rating"]


def test_a_chat_that_draws_statistics_reads_when_the_rating_begins_and_who_has_none() -> None:
    few = stats_screen(fared("Anna", 1, 1), "Anna", TRANSLATOR).facts
    assert isinstance(few, PlayerCard)
    assert [figure.value for figure in few.figures] == ["1", "1"]
    assert few.text[0].text.startswith("Place and rating after")

    nobody = stats_screen(None, "Anna", TRANSLATOR).facts
    assert isinstance(nobody, PlayerCard)
    assert not nobody.figures
    assert "".join(span.text for span in nobody.text) == "Anna hasn’t finished a game here yet."


def test_every_tally_fits_however_long_the_names_and_however_many_the_games() -> None:
    crowd = [fared(f"{LONG}{number}", 10_000, 5_000) for number in range(200)]
    rivalry = Rivalry((LONG, LONG), (5000, 5000), 10_000)
    summary = Summary(10_000, 99.0, 99_999.0, tuple((suit, 9999) for suit in "SHDC"), rivalry)

    screen = leaderboard_screen(crowd, "Leaderboard · this month", "month", TRANSLATOR, rivalry)
    assert len(text_of(screen)) <= SHORTEST
    assert len(text_of(counting_screen(crowd, summary, TRANSLATOR))) <= SHORTEST
    assert len(text_of(fool_screen(crowd, "Who is the fool most often · this month", TRANSLATOR))) <= SHORTEST

    duel = Duel(person(LONG).ref, LONG, 10_000, 5_000, 5_000)
    career = replace(CAREER, form=(GameResult.SAFE,) * 10, duels=(duel,))
    text = text_of(stats_screen(crowd[0], LONG, TRANSLATOR, career=career, against_asker=duel))
    assert len(text) <= SHORTEST


def test_nobody_is_nameless_and_no_name_breaks_a_line() -> None:
    rivalry = Rivalry(("", "A\nB"), (1, 0), 1)
    assert "in 1 game together, a player was the fool 1 time, A B 0 times" in board(rivalry=rivalry)


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

    found = json.loads(exported(SheetForm.JSON, "Anna").content)
    assert found == [{**found[0], "name": "Anna", "games": 8, "index": round(6 / 7, 4), "rating": 10.0}]


@pytest.mark.parametrize("name", ["=1+1", "+1", "-1", "@sum", "\t=1"])
def test_no_name_becomes_a_formula_in_a_spreadsheet(name: str) -> None:
    (row,) = csv.DictReader(io.StringIO(exported(SheetForm.CSV, name).content.decode(), newline=""))
    assert row["name"] == f"'{name}"
    assert json.loads(exported(SheetForm.JSON, name).content)[0]["name"] == name


def test_games_with_cheating_promise_no_rating() -> None:
    only_cheating = replace(fared("Anna", 6, 2), cheating=5, cards=1)
    text = text_of(stats_screen(only_cheating, "Anna", TRANSLATOR))
    assert "Anna · 6 games, fool in 2 (33%) · 🤫 5 · 📇 1" in text
    assert "Games with cheating don’t count for the rating." in text
    one_rated = replace(only_cheating, cards=0)
    assert "Place and rating after 4 more games" in text_of(stats_screen(one_rated, "Anna", TRANSLATOR))


def test_games_with_real_cards_promise_no_rating() -> None:
    only_cards = replace(fared("Anna", 5, 2), cards=5)
    text = text_of(stats_screen(only_cards, "Anna", TRANSLATOR))
    assert "Real-card games don’t count for the rating." in text
    assert "after" not in text
    of_both = replace(fared("Anna", 5, 2), cards=4)
    assert "Place and rating after 4 more games" in text_of(stats_screen(of_both, "Anna", TRANSLATOR))
