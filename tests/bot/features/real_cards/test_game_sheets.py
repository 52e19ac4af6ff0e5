"""Reading a table of games with real cards: names, fools and dates, and a problem for each bad line."""

from dataclasses import replace
from datetime import datetime
from zoneinfo import ZoneInfo

import pytest
from babel.dates import get_month_names

from adapters.port import User, UserRef
from bot.features.real_cards.game_sheets import Club, NoTableError, Unread, games_in
from bot.features.real_cards.model import MAX_GAMES
from bot.handlers.people import by_name
from bot.locale import LOCALES

ZONE = ZoneInfo("Europe/Vilnius")
NOW = 1_800_000_000.0
ANNA, BORIS, CLARA, OTHER_CLARA = (
    User(UserRef("chat", number), name)
    for number, name in (("1", "Anna"), ("2", "Boris"), ("3", "Clara"), ("4", "clara"))
)
NAMED = by_name((ANNA, BORIS, CLARA))


def read(text: str) -> tuple[list[tuple[str, str, str]], list[tuple[int, Unread, str]]]:
    """Returns the games in a file, and its problems, in words."""
    games, problems = games_in(text.encode(), Club(ZONE, NOW, NAMED, LOCALES))
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


def test_players_with_commas_between_them_end_with_the_fool_where_the_heading_does() -> None:
    assert read("date,players,fool\n2025-11-21,Boris,Clara,Anna") == ([(NOON, "Anna", "ABC")], [])
    assert read("date,players,fool\n2025-11-21,Boris,Anna") == ([(NOON, "Anna", "AB")], [])
    assert read("date,fool\n2025-11-21,Anna,Boris,Clara") == ([(NOON, "Anna", "ABC")], [])


def test_a_column_of_marks_needs_no_known_name() -> None:
    games, problems = read("date,Bob,Dan\n2025-11-21,x,\n2025-11-20,,x")
    assert games == []
    assert problems == [(2, Unread.UNKNOWN, "Bob"), (3, Unread.UNKNOWN, "Dan")]


@pytest.mark.parametrize(
    "text",
    [
        "1,2025-11-21,Anna,Boris\n2,2025-11-22,Clara,Boris",
        "#;Date;Fool;Players\n1;21.11.25;Anna;Boris\n2;22.11.25;Clara;Boris",
        "date,players,fool\n2025-11-21,Anna; Boris,Anna\n2025-11-22,Boris & Clara,Clara",
        "Дата;Кто играл;;Дурак\n21.11.2025;Anna;Boris;Anna\n22.11.2025;Boris;Clara;Clara",
        "fool,date,place,players\nAnna,21 Nov 2025,home,Boris\nClara,22 Nov 2025,the pub,Boris",
    ],
)
def test_the_heading_says_which_column_is_which(text: str) -> None:
    assert read(text) == ([(NOON, "Anna", "AB"), ("1763805600", "Clara", "BC")], [])


@pytest.mark.parametrize(
    ("text", "players"),
    [
        ("date,Anna,Boris,Clara\n2025-11-21,x,,", "ABC"),
        ("Datum;Anna;Boris;Clara\n21.11.2025;X;-;-", "ABC"),
        ("Nr;Datum;Anna;Boris;Clara\n1;21.11.2025;1;0;0", "ABC"),
        ("date,Anna,Boris,Clara\n2025-11-21,x,o,", "AB"),
        ("дата;Anna;Boris;Clara\n21.11.2025;х;+;", "AB"),
    ],
)
def test_a_column_for_each_player_has_a_mark_for_the_fool(text: str, players: str) -> None:
    assert read(text) == ([(NOON, "Anna", players)], [])


def test_a_line_with_no_mark_or_two_has_no_fool() -> None:
    games, problems = read("date,Anna,Boris\n2025-11-20,,\n2025-11-21,x,\n2025-11-22,x,x")
    assert [fool for _, fool, _ in games] == ["Anna"]
    assert problems == [(2, Unread.FOOL, ""), (4, Unread.FOOL, "")]


def test_a_column_of_somebody_unknown_spoils_their_games_alone() -> None:
    games, problems = read("date,Anna,Boris,Zed\n2025-11-21,x,o,\n2025-11-22,,o,x")
    assert [fool for _, fool, _ in games] == ["Anna"]
    assert problems == [(3, Unread.UNKNOWN, "Zed")]


@pytest.mark.parametrize(
    "day",
    [
        *("21.11.25", "21/11/2025", "21 Nov 2025", "21-Nov-25", "Nov 21, 2025", "21. November 2025"),
        *("21 ноября 2025 г.", "21 листопада 2025", "2025 m. lapkričio 21 d.", "21.11.2025 20:30"),
    ],
)
def test_a_day_is_read_as_people_write_it(day: str) -> None:
    assert read(f'"{day}",Anna,Boris') == ([(NOON, "Anna", "AB")], [])


@pytest.mark.parametrize(
    "day", ["12.11.49", "12.11.1949", "12.11.0026", "12.11.026", "12.11.9", "31 Feb 2025"]
)
def test_a_year_before_1950_is_no_date(day: str) -> None:
    games, problems = read(f"date,fool,players\n{day},Anna,Boris\n2025-11-21,Anna,Boris")
    assert len(games) == 1
    assert problems == [(2, Unread.DATE, day)]


def test_no_two_months_of_the_languages_share_a_name() -> None:
    names = {
        (name.casefold().rstrip("."), month)
        for locale in LOCALES
        for width in ("wide", "abbreviated")
        for context in ("format", "stand-alone")
        for month, name in get_month_names(width, context, locale).items()
    }
    assert len({name for name, _ in names}) == len(names)


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


def test_today_is_no_future_even_before_noon_and_tomorrow_is_even_after_it() -> None:
    morning = Club(ZONE, NOW, NAMED, LOCALES)  # of 15 January 2027
    afternoon = Club(ZONE, NOW + 4 * 60 * 60, NAMED, LOCALES)
    assert games_in(b"2027-01-15,Anna,Boris", morning)[0]
    _, (problem,) = games_in(b"2027-01-16,Anna,Boris", afternoon)
    assert problem.why is Unread.FUTURE


def test_a_name_of_two_people_says_nothing() -> None:
    named = by_name((ANNA, CLARA, OTHER_CLARA))
    games, (problem,) = games_in(b"2025-11-21,Anna,Clara", Club(ZONE, NOW, named, LOCALES))
    assert (games, problem.why, problem.word) == ([], Unread.AMBIGUOUS, "Clara")


def test_a_game_that_is_entered_already_is_no_second_one() -> None:
    games, _ = games_in(b"2025-11-21,Anna,Boris", Club(ZONE, NOW, NAMED, LOCALES))
    again, (problem,) = games_in(b"2025-11-21,Anna,Boris", Club(ZONE, NOW, NAMED, LOCALES, games[0].keys))
    assert (again, problem.why) == ([], Unread.KNOWN)


def test_the_longest_file_ends_somewhere() -> None:
    days = (
        f"{year}-{month:02}-{day:02}"
        for year in range(1990, 2020)
        for month in range(1, 13)
        for day in range(1, 29)
    )
    sheet = "\n".join(f"{day},Anna,Boris" for day in days)
    games, problems = games_in(sheet.encode(), Club(ZONE, NOW, NAMED, LOCALES))
    assert (len(games), [problem.why for problem in problems]) == (MAX_GAMES, [Unread.TOO_MANY])


@pytest.mark.parametrize("content", [b"", b"\x89PNG\r\n\x1a\n", b"date,fool,players", b"\xff\xfe\x00\xd8"])
def test_what_is_no_table_is_said_to_be_none(content: bytes) -> None:
    with pytest.raises(NoTableError):
        games_in(content, Club(ZONE, NOW, NAMED, LOCALES))


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "cp1251"])
def test_a_file_is_read_in_the_encodings_that_programs_write(encoding: str) -> None:
    boris = replace(BORIS, name="Борис")
    clara = replace(CLARA, name="Клара")
    content = "дата;дурак;игроки\n21.11.2025;Борис;@Клара\n".encode(encoding)
    (game,), problems = games_in(content, Club(ZONE, NOW, by_name((boris, clara)), LOCALES))
    assert (game.fool, problems) == (boris, [])


def test_a_western_file_is_read_by_the_names_that_are_known() -> None:
    anna = replace(ANNA, name="Jürgen")
    club = Club(ZONE, NOW, by_name((anna, BORIS)), LOCALES)
    (game,), _ = games_in("21.11.2025;Jürgen;Boris".encode("cp1252"), club)
    assert game.fool == anna


def orders(text: str) -> set[tuple[str, str | None]]:
    """Returns the day of each game, and its day if months come first, where that is open."""
    games, _ = games_in(text.encode(), Club(ZONE, NOW, NAMED, LOCALES))

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
    games, _ = games_in(b"2025-03-04,Anna,Boris", Club(ZONE, NOW, NAMED, LOCALES))
    again, (problem,) = games_in(b"3/4/2025,Anna,Boris", Club(ZONE, NOW, NAMED, LOCALES, games[0].keys))
    assert (again, problem.why) == ([], Unread.KNOWN)


def test_a_handle_names_its_owner_before_who_is_called_so() -> None:
    boris = replace(BORIS, handle="anna")
    (game,), _ = games_in(b"21.11.2025;@anna;Anna", Club(ZONE, NOW, by_name((ANNA, boris)), LOCALES))
    assert (game.fool, set(game.players)) == (boris, {ANNA, boris})
