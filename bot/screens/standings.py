"""The standings of a server and of one player, as screens, charts and files."""

import csv
import io
import json
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from enum import StrEnum, auto
from types import MappingProxyType

from adapters.port import Document, Figure, GameSign, Mark, PlayerCard, Screen, Span, UserRef
from bot.locale import Translator, gettext_noop
from bot.model.buttons import ExplainRanking, TypedCommand
from bot.model.career import Career, Duel, GameResult, Title
from bot.model.rating import Rating, RatingPlace
from bot.model.standings import (
    MIN_GAMES,
    MIN_GAMES_TOGETHER,
    CheatingTally,
    Counted,
    Ranking,
    Rivalry,
    Standing,
    Summary,
    places_of,
)
from bot.pictures.subjects import Award, Bar, Chart
from bot.screens.keyboard import button_to
from bot.screens.names import safe_name, shown_name
from bot.screens.settings import value_in_words
from bot.screens.text import SIGNS, Line, as_lines, as_paragraphs, bouts_text, duration, times, times_in_a_row
from bot.screens.titles import titles_line
from engine import STRENGTHS

_SUITS = {str(suit): sign for suit, sign in SIGNS.items()}


def games_text(games: int, translator: Translator) -> str:
    """Counts games."""
    return translator.count("{n} game", "{n} games", games)


def index_text(standing: Standing, translator: Translator) -> str:
    """Returns the fool index, as in `0.75`."""
    return translator.number(standing.index, 2)


def nothing_text(translator: Translator) -> str:
    """Explains, when there are no standings, which games count."""
    return translator.text("No game counts yet: at least two people have to play.")


def plain(text: str) -> Line:
    """Returns a text as a line without marks."""
    return (Span(text),)


# typed after /fool
SEASONS = "seasons"
ADD = "add"

MEDALS = ("🥇", "🥈", "🥉")
# Rows that a board shows. Callers pass one more standing if there are more.
MAX_ROWS = 15


def leaderboard_screen(
    standings: Sequence[Standing],
    title: str,
    period: str,
    translator: Translator,
    rivalry: Rivalry | None = None,
) -> Screen:
    """Renders the leaderboard by fool index, the least foolish first; a button explains the order.

    If there are more than `MAX_ROWS`, `standings` has one more. The button keeps the `period`.
    """
    top = standings[:MAX_ROWS]
    rows = [
        _row(sign, standing, _share(standing, translator, is_first=number == 0), translator)
        for number, (sign, standing) in enumerate(zip(_signs(standings), top, strict=True))
    ]
    footer = () if rivalry is None else plain(rivalry_text(rivalry, translator))
    button = button_to(ExplainRanking(period), translator.text("How is it counted?"))
    buttons = ((button,),) if standings else ()
    return replace(_board(title, rows, footer, translator), rows=buttons)


def counting_screen(standings: Sequence[Standing], summary: Summary, translator: Translator) -> Screen:
    """Explains the order of a leaderboard with each index on it, and summarises the games."""
    by_index = " · ".join(
        f"{shown_name(standing.name, translator)} {index_text(standing, translator)}"
        for standing in standings[:MAX_ROWS]
    )
    length = translator.text(
        "on average: {bouts}, {minutes}",
        bouts=bouts_text(round(summary.bouts), translator),
        minutes=duration(summary.seconds, translator),
    )
    trumps = " · ".join(f"{_SUITS[suit]} {count}" for suit, count in summary.trumps if suit in _SUITS)
    average = as_lines(
        plain(f"{games_text(summary.games, translator)} · {length}"),
        plain(translator.text("trumps: {counts}", counts=trumps)),
    )
    explained = translator.spans(
        "The fool index compares how often you were the fool with the average for tables of that "
        "size: 1 is average, lower is better. Players with fewer than {n} games come last.",
        n=str(MIN_GAMES),
    )
    title = translator.spans("How is it counted?", mark=Mark.BOLD)
    table = plain(by_index) if standings else ()

    shares = average if summary.trumps else ()
    return Screen(as_paragraphs(title, explained, table, shares))


def fool_screen(
    standings: Sequence[Standing],
    title: str,
    translator: Translator,
    apart: Mapping[Counted, Sequence[Standing]] = MappingProxyType({}),
    *,
    has_buttons: bool = True,
) -> Screen:
    """Ranks players by lost games, the most frequent fool first.

    Each kind of game counted `apart` has a separate list below. The buttons open the seasons, and explain how
    to add a game with real cards.
    """
    lists = [
        as_lines(translator.spans(_APART[kind], mark=Mark.BOLD), *_fools(players, translator))
        for kind, players in apart.items()
        if players
    ]
    screen = _board(title, _fools(standings, translator), as_paragraphs(*lists), translator)
    if not has_buttons:
        return screen

    seasons = button_to(TypedCommand(f"fool {SEASONS}"), translator.text("🏛 Seasons"))
    add = button_to(TypedCommand(f"fool {ADD}"), translator.text("📇 Add a game"))
    return replace(screen, rows=((seasons, add),))


# The headings of games that are counted apart.
_APART: Mapping[Counted, str] = {
    Counted.CHEATING: gettext_noop("🤫 With cheating"),
    Counted.CARDS: gettext_noop("📇 With real cards"),
}


def _fools(standings: Sequence[Standing], translator: Translator) -> list[Line]:
    top = standings[:MAX_ROWS]
    rows = list[Line]()
    for place, standing in zip(places_of(top, Ranking.FOOLS), top, strict=True):
        sign = "🃏" if place == 1 and standing.fools else f"{place}."
        share = f"{games_lost_text(standing, translator)} · {translator.percent(standing.rate)}"
        rows.append(_row(sign, standing, share, translator))

    return rows


def _board(title: str, rows: Sequence[Line], footer: Line, translator: Translator) -> Screen:
    if not rows:
        rows = [plain(nothing_text(translator))]
    return Screen(body=as_paragraphs((Span(title, Mark.BOLD),), as_lines(*rows), footer))


def _row(sign: str, standing: Standing, share: str, translator: Translator) -> Line:
    name = Span(shown_name(standing.name, translator), Mark.BOLD)
    return Span(f"{sign} "), name, Span(f" · {share}{_unrated(standing)}")


def _unrated(standing: Standing) -> str:
    """Returns the numbers of games that are not rated, each with its sign; empty without any."""
    kinds = (("🤫", standing.cheating), ("📇", standing.cards))
    return "".join(f" · {sign} {games}" for sign, games in kinds if games)


def _signs(standings: Sequence[Standing]) -> Iterator[str]:
    """Yields a sign for each row: a medal, the fool's card, or the place.

    Medals are for the first three if better than average. The fool's card is for the last if worse than
    average, and only on a board that shows everybody. Players who share a place share the sign.
    """
    top = standings[:MAX_ROWS]
    places = places_of(top, Ranking.BEST)
    is_whole = len(standings) == len(top) > 1
    last = places[-1] if is_whole else None

    for place, standing in zip(places, top, strict=True):
        if place <= len(MEDALS) and standing.index < 1:
            yield MEDALS[place - 1]
        elif place == last and standing.index > 1:
            yield "🃏"
        else:
            yield f"{place}."


def _share(standing: Standing, translator: Translator, *, is_first: bool) -> str:
    message = gettext_noop("fool in {fools} of {games}") if is_first else gettext_noop("{fools} of {games}")
    return translator.text(message, fools=standing.fools, games=standing.games)


def games_lost_text(standing: Standing, translator: Translator) -> str:
    """Returns how many of a player's games were lost, as in `3 of 4 games`."""
    return translator.count(
        "{fools} of {n} game", "{fools} of {n} games", standing.games, fools=standing.fools
    )


def rivalry_text(rivalry: Rivalry, translator: Translator) -> str:
    """Returns a sentence about how often each of two rivals was the fool."""
    one, other = (shown_name(name, translator) for name in rivalry.names)
    first, second = (times(fools, translator) for fools in rivalry.fools)

    return translator.count(
        "⚔️ Biggest rivalry: in {n} game together, {one} was the fool {first}, {other} {second}",
        "⚔️ Biggest rivalry: in {n} games together, {one} was the fool {first}, {other} {second}",
        rivalry.games,
        one=one,
        first=first,
        other=other,
        second=second,
    )


def best_chart(standings: Sequence[Standing], title: str, translator: Translator) -> Chart:
    """Charts each player's distance from the average fool index: better to the right, worse to the left."""
    bars = tuple(
        Bar(shown_name(row.name, translator), 1 - row.index, f"{row.fools} / {row.games}")
        for row in standings[:MAX_ROWS]
    )
    return Chart(bars, Award.MEDALS, title, goes_on=len(standings) > MAX_ROWS)


def fool_chart(standings: Sequence[Standing], title: str, translator: Translator) -> Chart:
    """Charts each player's number of lost games."""
    bars = tuple(
        Bar(shown_name(row.name, translator), row.fools, f"{row.fools} / {row.games}")
        for row in standings[:MAX_ROWS]
    )
    return Chart(bars, Award.CAP, title)


# Functions that return the cells of a player's row, by column.
COLUMNS: Mapping[str, Callable[[Standing, Rating | None], str | int | float | None]] = {
    "platform": lambda standing, _: standing.user.platform,
    "id": lambda standing, _: standing.user.id,
    "name": lambda standing, _: standing.name,
    "games": lambda standing, _: standing.games,
    "fools": lambda standing, _: standing.fools,
    "rate": lambda standing, _: round(standing.rate, 4),
    "expected": lambda standing, _: round(standing.expected, 4),
    "index": lambda standing, _: round(standing.index, 4),
    "rating": lambda _, rating: None if rating is None else round(rating.points, 4),
    "first_out": lambda standing, _: standing.first_out,
    "draws": lambda standing, _: standing.draws,
    "epaulettes": lambda standing, _: standing.epaulettes,
    "points": lambda standing, _: standing.points,
}

_FORMULA = ("=", "+", "-", "@", "\t", "\r")  # a spreadsheet takes a cell that begins like this for a formula


class SheetForm(StrEnum):
    """The format of the file."""

    CSV = auto()
    JSON = auto()


def sheet(
    standings: Sequence[Standing],
    ratings: Mapping[UserRef, Rating],
    form: SheetForm,
    title: str,
) -> Document:
    """Returns all standings as a file, with the same column names in every language."""
    rows = [
        {name: cell(standing, ratings.get(standing.user)) for name, cell in COLUMNS.items()}
        for standing in standings
    ]
    text = _csv(rows) if form is SheetForm.CSV else json.dumps(rows, ensure_ascii=False, indent=2) + "\n"
    return Document(f"{title}.{form}", text.encode())


def _csv(rows: Sequence[Mapping[str, str | int | float | None]]) -> str:
    file = io.StringIO()
    writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
    writer.writeheader()
    for row in rows:
        writer.writerow({name: _harmless(value) for name, value in row.items()})

    return file.getvalue()


def _harmless(value: str | float | None) -> str | float | None:
    """Escapes a text, such as a stranger's name, that a spreadsheet would take for a formula."""
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULA) else value


MIN_STREAK = 2  # the shortest streak that is shown

# The sign of each result, and its meaning.
RESULT_SIGNS: Mapping[GameResult, tuple[str, str]] = {
    GameResult.FOOL: ("🃏", gettext_noop("fool")),
    GameResult.SAFE: ("✅", gettext_noop("safe")),
    GameResult.FIRST_OUT: ("⭐", gettext_noop("out first")),
    GameResult.DRAW: ("🤝", gettext_noop("draw")),
}


def stats_screen(
    standing: Standing | None,
    name: str,
    translator: Translator,
    *,
    career: Career | None = None,
    rating: RatingPlace | None = None,
    against_asker: Duel | None = None,
    practice: Standing | None = None,
    houses: Mapping[str, tuple[int, int]] = MappingProxyType({}),
    cheating: CheatingTally | None = None,
    extras: Sequence[Line] = (),
    titles: Collection[Title] = (),
) -> Screen:
    """Renders one player's statistics.

    `standing` is None if they have finished no game that counts. `practice` is their standing in games that
    had only house players besides. `houses` maps each strength of these to the games lost and played.
    `extras` are lines of features.
    """
    player_name = safe_name(name) or translator.text("Player")
    title = Span(player_name, Mark.BOLD)
    heading: Line
    place = Line()
    lines: list[Line] = []

    if standing is not None:
        heading = (title, Span(f" · {_games(standing, translator)}{_unrated(standing)}"))
        place = _place(standing, rating, translator)
    elif practice is not None:
        heading = (title,)
    else:
        heading = translator.spans("{name} hasn't finished a game here yet.", name=title)

    form: Sequence[GameSign] = ()
    if career is not None:
        form = _form(career, translator)
        lines.append(_streaks(career, translator))
        lines += _company(career, against_asker, player_name, translator)

    if standing is not None:
        lines.append(_counts(standing, career, translator))

    if practice is not None:
        lines.append(plain(_practice(practice, translator)))

    if houses:
        lines.append(plain(_against(houses, translator)))

    if cheating is not None:
        lines.append(_cheating(cheating, translator))

    if titles:
        lines.append(titles_line(titles, translator))

    lines += extras
    figures = _figures(standing or practice, rating, translator)
    is_in_figures = standing is not None and is_placed(standing)
    text_lines = lines if is_in_figures else [place, *lines]
    text = as_lines(*text_lines) if figures else heading
    card = PlayerCard(player_name, figures, text, tuple(form))
    last_games = _form_lines(form, translator)

    return Screen(body=as_lines(heading, place, *last_games, *lines), facts=card)


def _cheating(tally: CheatingTally, translator: Translator) -> Line:
    return translator.spans(
        "🤫 Got away with it: {unseen} · got caught: {caught} · 👀 caught others: {catches} · "
        "👻 was seeing things: {ghosts}",
        unseen=str(tally.unseen),
        caught=str(tally.caught),
        catches=str(tally.catches),
        ghosts=str(tally.wrong_accusations),
    )


def _figures(
    standing: Standing | None, rating: RatingPlace | None, translator: Translator
) -> tuple[Figure, ...]:
    """Returns the numbers at the top of a player's statistics; none if there is no `standing`.

    These are the games and how many of them were lost. After enough games the fool index is added, and for
    players with a rating their place and points.
    """
    if standing is None:
        return ()

    games = Figure(str(standing.games), translator.count("Game", "Games", standing.games))
    fools = Figure(str(standing.fools), translator.count("Time the fool", "Times the fool", standing.fools))
    if not is_placed(standing):
        return games, fools

    index = Figure(
        index_text(standing, translator),
        translator.text("Fool index"),
        translator.text("1 is average, lower is better"),
    )
    if rating is None:
        return games, fools, index

    place = Figure(f"{rating.place} / {rating.of}", translator.text("Place"))
    points = Figure(
        translator.number(rating.points),
        translator.text("Rating"),
        translator.text("a newcomer has 0, higher is better"),
    )
    return games, fools, place, index, points


def is_placed(standing: Standing) -> bool:
    """Returns whether a player has enough rated games for a place and a rating."""
    return standing.rated >= MIN_GAMES


def unplaced_text(standing: Standing, translator: Translator) -> str:
    """Returns how many of the games for a place a player has, as in `1 of 5 games`; empty with a place."""
    if is_placed(standing):
        return ""
    return translator.count("{rated} of {n} game", "{rated} of {n} games", MIN_GAMES, rated=standing.rated)


def _games(standing: Standing, translator: Translator) -> str:
    return translator.text(
        "{games}, fool in {fools} ({share})",
        games=games_text(standing.games, translator),
        fools=standing.fools,
        share=translator.percent(standing.rate),
    )


def _place(standing: Standing, rating: RatingPlace | None, translator: Translator) -> Line:
    if not standing.rated and standing.cheating:
        return translator.spans("Games with cheating don't count for the rating.")
    if not standing.rated:
        return translator.spans("Real-card games don't count for the rating.")

    if (missing := MIN_GAMES - standing.rated) > 0:
        return plain(
            translator.count(
                "Place and rating after {n} more game", "Place and rating after {n} more games", missing
            )
        )

    index = translator.text("fool index {index} (1 is average)", index=index_text(standing, translator))
    if rating is None:
        return plain(index[:1].upper() + index[1:])

    place = translator.text("Place {place} of {people}", place=rating.place, people=rating.of)
    points = translator.text("rating {rating}", rating=translator.number(rating.points))
    return plain(f"{place} · {points} · {index}")


def _counts(standing: Standing, career: Career | None, translator: Translator) -> Line:
    """Lists the counts that are not zero."""
    counts = (
        (standing.first_out, gettext_noop("out first: {n}")),
        (standing.draws, gettext_noop("draws: {n}")),
        (standing.epaulettes, gettext_noop("epaulettes: {n}")),
        (standing.points, gettext_noop("points: {n}")),
        (0 if career is None else career.houses_beaten, gettext_noop("bots beaten: {n}")),
    )
    text = " · ".join(translator.text(message, n=n) for n, message in counts if n)

    return plain(text[:1].upper() + text[1:]) if text else ()


def _practice(practice: Standing, translator: Translator) -> str:
    return translator.text("Against bots alone: {games}", games=_games(practice, translator))


def _against(houses: Mapping[str, tuple[int, int]], translator: Translator) -> str:
    """Renders the score against each strength of house players, the weakest first."""
    scores = (
        f"{value_in_words('strength', strength, translator)} "
        f"{translator.text('{fools} of {games}', fools=houses[strength][0], games=houses[strength][1])}"
        for strength in STRENGTHS
        if strength in houses
    )
    return translator.text("🤖 The fool against bots: {scores}", scores=" · ".join(scores))


def _form(career: Career, translator: Translator) -> Sequence[GameSign]:
    """Returns the signs of the newest games, the latest at the end; none below `MIN_STREAK` games."""
    if len(career.form) < MIN_STREAK:
        return ()

    signs = (RESULT_SIGNS[result] for result in career.form)
    return [GameSign(sign, translator.text(meaning)) for sign, meaning in signs]


def _form_lines(form: Sequence[GameSign], translator: Translator) -> Sequence[Line]:
    """Renders the signs of the newest games, and below them their meanings."""
    if not form:
        return ()

    row = translator.spans("Last games: {signs}", signs="".join(game.sign for game in form))
    key = " · ".join(f"{game.sign} {game.meaning}" for game in dict.fromkeys(form))
    return row, (Span(key, Mark.ITALIC),)


def _streaks(career: Career, translator: Translator) -> Line:
    """Renders the current streak and the longest safe one, if they are long enough."""
    if len(career.form) < MIN_STREAK:
        return ()

    facts = _streak(career, translator), _record(career, translator)
    text = ", ".join(filter(None, facts))
    return plain(text[:1].upper() + text[1:]) if text else ()


def _streak(career: Career, translator: Translator) -> str:
    if career.fool_streak >= MIN_STREAK:
        in_a_row = times_in_a_row(career.fool_streak, translator)
        return translator.text("now the fool {times}", times=in_a_row)

    if career.safe_streak >= MIN_STREAK:
        in_a_row = times_in_a_row(career.safe_streak, translator)
        return translator.text("now safe {times}", times=in_a_row)

    return ""


def _record(career: Career, translator: Translator) -> str:
    if career.longest_safe_streak < MIN_STREAK or career.longest_safe_streak == career.safe_streak:
        return ""
    if career.safe_streak >= MIN_STREAK:
        return translator.text("best {n}", n=career.longest_safe_streak)

    in_a_row = times_in_a_row(career.longest_safe_streak, translator)
    return translator.text("best: safe {times}", times=in_a_row)


def _company(career: Career, against_asker: Duel | None, name: str, translator: Translator) -> Iterator[Line]:
    """Yields the biggest rivalry, and then the games with the asker, unless it is the same."""
    rivals = (duel for duel in career.duels if duel.decided and duel.games >= MIN_GAMES_TOGETHER)
    rival = next(rivals, None)

    if rival is not None and rival != against_asker:
        fools = (rival.own_fools, rival.their_fools)
        rivalry = Rivalry((name, rival.name), fools, rival.games)
        yield plain(rivalry_text(rivalry, translator))

    if against_asker is not None and against_asker.games >= MIN_GAMES_TOGETHER:
        yield plain(
            translator.count(
                "In {n} game together, {name} was the fool {own}, you {their}",
                "In {n} games together, {name} was the fool {own}, you {their}",
                against_asker.games,
                name=name,
                own=times(against_asker.own_fools, translator),
                their=times(against_asker.their_fools, translator),
            )
        )


def honour_line(one: str, several: str, standings: Sequence[Standing], translator: Translator) -> Line:
    """Names the players who share a place, in the sentence `one` or `several`; empty without any."""
    if not standings:
        return ()

    share = games_lost_text(standings[0], translator)
    names = [shown_name(standing.name, translator) for standing in standings]
    if len(names) == 1:
        return translator.spans(one, name=names[0], share=share)

    return translator.spans(several, names=translator.listing(names), share=share)
