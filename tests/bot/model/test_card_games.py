"""Reading a table of games with real cards: names, fools and dates, and a problem for each bad line."""

from dataclasses import replace
from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from adapters.port import User, UserRef
from bot.handlers.people import by_name
from bot.model.card_games import MAX_GAMES, NoTableError, Unread, games_in

ZONE = ZoneInfo("Europe/Vilnius")
NOW = 1_800_000_000.0
ANNA, BORIS, CLARA, OTHER_CLARA = (
    User(UserRef("chat", number), name)
    for number, name in (("1", "Anna"), ("2", "Boris"), ("3", "Clara"), ("4", "clara"))
)
NAMED = by_name((ANNA, BORIS, CLARA))


def read(text: str) -> tuple[list[tuple[str, str, str]], list[tuple[int, Unread, str]]]:
    """Returns the games in a file, and its problems, in words."""
    games, problems = games_in(text.encode(), ZONE, NOW, NAMED)
    told = [
        (
            f"{game.at:.0f}",
            game.fool.name,
            "".join(sorted(player.name[0] for player in game.players)),
        )
        for game in games
    ]

    return told, [(problem.line, problem.why, problem.word) for problem in problems]


NOON = "1763719200"  # of 21 November 2025, in Vilnius


@pytest.mark.parametrize(
    "text",
    [
        "2025-11-21,Anna,Boris",
        "date,fool,players\n2025-11-21,Anna,Boris\n",
        "Datum;Durak;Dabei\r\n21.11.2025;@anna;boris\r\n",
        "\ufeff21/11/2025\tANNA\tBoris",
        "2025-11-21T20:30, Anna , Anna / Boris",
        '2025-11-21,"Anna","Anna, Boris"',
        "2025-11-21,Anna,Anna,Boris,",
    ],
)
def test_a_game_is_read_as_people_write_it(text: str) -> None:
    assert read(text) == ([(NOON, "Anna", "AB")], [])


@pytest.mark.parametrize(
    ("line", "why", "word"),
    [
        ("yesterday,Anna,Boris", Unread.DATE, "yesterday"),
        ("2025-13-01,Anna,Boris", Unread.DATE, "2025-13-01"),
        ("2999-01-01,Anna,Boris", Unread.FUTURE, "2999-01-01"),
        ("2025-11-20,,Boris", Unread.FOOL, ""),
        ("2025-11-20", Unread.FOOL, ""),
        ("2025-11-20,Anna,Anna", Unread.PLAYERS, ""),
        ("2025-11-20,Anna,Dan", Unread.UNKNOWN, "Dan"),
        ("2025-11-21,Anna,Boris", Unread.KNOWN, "2025-11-21"),
    ],
)
def test_a_line_that_is_no_game_is_named_and_the_others_are_read(line: str, why: Unread, word: str) -> None:
    games, problems = read(f"date,fool,players\n2025-11-21,Anna,Boris\n\n{line}\n2025-11-22,Boris,Clara")
    assert [fool for _, fool, _ in games] == ["Anna", "Boris"]
    assert problems == [(4, why, word)]


def test_a_name_of_two_people_says_nothing() -> None:
    named = by_name((ANNA, CLARA, OTHER_CLARA))
    games, (problem,) = games_in(b"2025-11-21,Anna,Clara", ZONE, NOW, named)
    assert (games, problem.why, problem.word) == ([], Unread.AMBIGUOUS, "Clara")


def test_a_game_that_is_entered_already_is_no_second_one() -> None:
    games, _ = games_in(b"2025-11-21,Anna,Boris", ZONE, NOW, NAMED)
    again, (problem,) = games_in(b"2025-11-21,Anna,Boris", ZONE, NOW, NAMED, games[0].keys)
    assert (again, problem.why) == ([], Unread.KNOWN)


def test_the_longest_file_ends_somewhere() -> None:
    days = (
        f"{year}-{month:02}-{day:02}"
        for year in range(1990, 2020)
        for month in range(1, 13)
        for day in range(1, 29)
    )
    games, problems = games_in("\n".join(f"{day},Anna,Boris" for day in days).encode(), ZONE, NOW, NAMED)
    assert (len(games), [problem.why for problem in problems]) == (MAX_GAMES, [Unread.TOO_MANY])


@pytest.mark.parametrize("content", [b"", b"\x89PNG\r\n\x1a\n", b"date,fool,players", b"\xff\xfe\x00\xd8"])
def test_what_is_no_table_is_said_to_be_none(content: bytes) -> None:
    with pytest.raises(NoTableError):
        games_in(content, ZONE, NOW, NAMED)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "cp1251"])
def test_a_file_is_read_in_the_encodings_that_programs_write(encoding: str) -> None:
    boris = replace(BORIS, name="Борис")
    clara = replace(CLARA, name="Клара")
    content = "дата;дурак;игроки\n21.11.2025;Борис;@Клара\n".encode(encoding)
    (game,), problems = games_in(content, ZONE, NOW, by_name((boris, clara)))
    assert (game.fool, problems) == (boris, [])


def test_a_western_file_is_read_by_the_names_that_are_known() -> None:
    anna = replace(ANNA, name="Jürgen")
    (game,), _ = games_in("21.11.2025;Jürgen;Boris".encode("cp1252"), ZONE, NOW, by_name((anna, BORIS)))
    assert game.fool == anna


def orders(text: str) -> set[tuple[str, str | None]]:
    """Returns the day of each game, and its day if months come first, where that is open."""
    games, _ = games_in(text.encode(), ZONE, NOW, NAMED)

    def day(at: float | None) -> str | None:
        return None if at is None else f"{datetime.fromtimestamp(at, ZONE):%Y-%m-%d}"

    return {(day(game.at) or "", day(game.month_first_at)) for game in games}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("3/4/2025,Anna,Boris", {("2025-04-03", "2025-03-04")}),
        ("3-4-2025,Anna,Boris", {("2025-04-03", "2025-03-04")}),
        ("3.4.2025,Anna,Boris", {("2025-04-03", None)}),
        ("2025-04-03,Anna,Boris", {("2025-04-03", None)}),
        ("4/4/2025,Anna,Boris", {("2025-04-04", None)}),
        ("3/4/2025,Anna,Boris\n13/4/2025,Anna,Boris", {("2025-04-03", None), ("2025-04-13", None)}),
        ("3/4/2025,Anna,Boris\n4/13/2025,Anna,Boris", {("2025-03-04", None), ("2025-04-13", None)}),
        ("2/12/2027,Anna,Boris", set()),
        ("1/2/2027,Anna,Boris", {("2027-01-02", None)}),
    ],
)
def test_days_and_months_are_told_apart_where_the_file_tells_them(
    text: str, found: set[tuple[str, str | None]]
) -> None:
    assert orders(text) == found


def test_a_game_that_is_known_by_either_order_is_no_second_one() -> None:
    games, _ = games_in(b"2025-03-04,Anna,Boris", ZONE, NOW, NAMED)
    again, (problem,) = games_in(b"3/4/2025,Anna,Boris", ZONE, NOW, NAMED, games[0].keys)
    assert (again, problem.why) == ([], Unread.KNOWN)


def test_a_handle_names_its_owner_before_who_is_called_so() -> None:
    boris = replace(BORIS, handle="anna")
    (game,), _ = games_in(b"21.11.2025;@anna;Anna", ZONE, NOW, by_name((ANNA, boris)))
    assert (game.fool, set(game.players)) == (boris, {ANNA, boris})
