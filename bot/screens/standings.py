"""The tallies of a server, as screens and as a file."""

import csv
import io
import json
from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum, auto

from adapters.port import Document, Mark, Screen, Span, UserRef
from bot.locale import Translator
from bot.model.results import Career, Duel, Fate, Rating, RatingPlace, Rivalry, Standing, Summary
from bot.pictures.subjects import Award, Bar, Chart
from bot.screens.story import Line
from bot.screens.table import lines_under_one_another, stacked
from bot.screens.words import SIGNS, bouts_text, duration, safe_name

_SUITS = {str(suit): sign for suit, sign in SIGNS.items()}


def shown_name(name: str, translator: Translator) -> str:
    """Return a name as it may be shown, and something to call those who have none."""
    return safe_name(name) or translator.text("a player")


def games_text(games: int, translator: Translator) -> str:
    """Count games."""
    return translator.count("{n} game", "{n} games", games)


def length_text(bouts: float, seconds: float, translator: Translator) -> str:
    """Say how long a game is on average."""
    return translator.text(
        "on average: {bouts}, {minutes}",
        bouts=bouts_text(round(bouts), translator),
        minutes=duration(seconds, translator),
    )


def trumps_text(trumps: Sequence[tuple[str, int]], translator: Translator) -> str:
    """Say how often which suit was trumps."""
    counts = " · ".join(f"{_SUITS[suit]} {count}" for suit, count in trumps if suit in _SUITS)
    return translator.text("trumps: {counts}", counts=counts)


def index_text(standing: Standing, translator: Translator) -> str:
    """Return the fool index as in `0.75`."""
    return translator.number(standing.index, 2)


def average_text(translator: Translator) -> str:
    """Explain the fool index."""
    return translator.text("index: 1.00 is average, lower is better")


def nothing_text(translator: Translator) -> str:
    """Say that nothing can be told yet, and which games would tell something."""
    return translator.text(
        "No finished games here yet: one counts when at least two people sat at its table. "
        "/durak opens a table."
    )


def plain(text: str) -> Line:
    """Return a text as a row."""
    return (Span(text),)


# --- Everybody in a row: who plays best, and who is durak most often ---


MEDALS = ("🥇", "🥈", "🥉")
MOST_ROWS = 15


def leaderboard_screen(
    standings: Sequence[Standing], title: str, translator: Translator, summary: Summary | None = None
) -> Screen:
    """Rank everybody, least foolish first: by the fool index, which is fair across table sizes."""
    rows = [
        _row(_place(place), standing, _share(standing, translator), translator)
        for place, standing in enumerate(standings[:MOST_ROWS], start=1)
    ]
    champion = _champion(standings, translator)
    return _board(title, champion, rows, () if summary is None else _footer(summary, translator), translator)


def fool_screen(standings: Sequence[Standing], title: str, translator: Translator) -> Screen:
    """Count who was the fool how often, most often first."""
    rows = [
        _row(
            "🃏" if place == 1 else f"{place}.",
            standing,
            f"{_share(standing, translator)} · {translator.percent(standing.rate)}",
            translator,
        )
        for place, standing in enumerate(standings[:MOST_ROWS], start=1)
    ]
    return _board(title, (), rows, (), translator)


def _board(title: str, champion: Line, rows: Sequence[Line], footer: Line, translator: Translator) -> Screen:
    if not rows:
        rows = [plain(nothing_text(translator))]
    parts = [(Span(title, Mark.BOLD),), champion, lines_under_one_another(*rows), footer]
    return Screen(body=stacked([part for part in parts if part]))


def _champion(standings: Sequence[Standing], translator: Translator) -> Line:
    """Name the champion, once somebody has played enough; with nobody to compare to there is none."""
    if not standings[1:] or not standings[0].is_proven:
        return ()
    name = Span(shown_name(standings[0].name, translator), Mark.BOLD)
    return translator.spans("👑 Champion: {name}", name=name)


def _row(place: str, standing: Standing, share: str, translator: Translator) -> Line:
    return Span(f"{place} "), Span(shown_name(standing.name, translator), Mark.BOLD), Span(f" · {share}")


def _place(place: int) -> str:
    return MEDALS[place - 1] if place <= len(MEDALS) else f"{place}."


def _share(standing: Standing, translator: Translator) -> str:
    return translator.text(
        "fool {fools} in {games} · index {index}",
        fools=standing.fools,
        games=games_text(standing.games, translator),
        index=index_text(standing, translator),
    )


def _footer(summary: Summary, translator: Translator) -> Line:
    rows = [plain(average_text(translator))] if summary.games else []
    if summary.trumps:
        length = length_text(summary.bouts, summary.seconds, translator)
        rows += [plain(f"{games_text(summary.games, translator)} · {length}")]
        rows += [plain(trumps_text(summary.trumps, translator))]
    if summary.rivalry is not None:
        rows.append(_rivalry(summary.rivalry, translator))
    return lines_under_one_another(*rows)


def _rivalry(rivalry: Rivalry, translator: Translator) -> Line:
    one, other = (Span(shown_name(name, translator), Mark.BOLD) for name in rivalry.names)
    return translator.spans(
        "biggest rivalry: {one} {fools} {other} as the fool, in {games} together",
        one=one,
        other=other,
        fools="{}:{}".format(*rivalry.fools),
        games=games_text(rivalry.games, translator),
    )


# --- The rows of tallies as bars; they show what the tallies say ---


def best_chart(standings: Sequence[Standing], title: str, translator: Translator) -> Chart:
    """Draw how far everybody is from the average: the better to the right, the worse to the left."""
    bars = tuple(
        Bar(shown_name(row.name, translator), 1 - row.index, index_text(row, translator))
        for row in standings[:MOST_ROWS]
    )
    return Chart(bars, Award.MEDALS, title, note=average_text(translator))


def fool_chart(standings: Sequence[Standing], title: str, translator: Translator) -> Chart:
    """Draw how often everybody was the fool."""
    bars = tuple(
        Bar(shown_name(row.name, translator), row.fools, f"{row.fools} / {row.games}")
        for row in standings[:MOST_ROWS]
    )
    return Chart(bars, Award.CAP, title)


# --- The tallies as a file, for other programs ---


COLUMNS = (
    "platform",
    "id",
    "name",
    "games",
    "fools",
    "rate",
    "expected",
    "index",
    "rating",
    "first_out",
    "draws",
    "epaulettes",
    "points",
)

_FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""How a cell begins that a spreadsheet would compute."""


class SheetForm(StrEnum):
    """What kind of file it is."""

    CSV = auto()
    JSON = auto()


def sheet(
    standings: Sequence[Standing], ratings: Mapping[UserRef, Rating], form: SheetForm, title: str
) -> Document:
    """Write everybody's numbers into a file; its columns keep their names in every language."""
    rows = [_sheet_row(standing, ratings.get(standing.user)) for standing in standings]
    text = _csv(rows) if form is SheetForm.CSV else json.dumps(rows, ensure_ascii=False, indent=2) + "\n"
    return Document(f"{title}.{form}", text.encode())


def _sheet_row(standing: Standing, rating: Rating | None) -> dict[str, str | int | float | None]:
    return dict(
        zip(
            COLUMNS,
            (
                standing.user.platform,
                standing.user.id,
                standing.name,
                standing.games,
                standing.fools,
                round(standing.rate, 4),
                round(standing.expected, 4),
                round(standing.index, 4),
                None if rating is None else round(rating.points, 4),
                standing.first_out,
                standing.draws,
                standing.epaulettes,
                standing.points,
            ),
            strict=True,
        )
    )


def _csv(rows: Sequence[Mapping[str, str | int | float | None]]) -> str:
    file = io.StringIO()
    writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
    writer.writeheader()
    for row in rows:
        writer.writerow({name: _harmless(value) for name, value in row.items()})
    return file.getvalue()


def _harmless(value: str | float | None) -> str | float | None:
    """Keep a stranger's name from being a formula."""
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULA) else value


# --- How one person plays ---


FATES = {Fate.FOOL: "🃏", Fate.FIRST_OUT: "⭐", Fate.DRAW: "🤝", Fate.SAFE: "✔️"}


def stats_screen(
    standing: Standing | None,
    name: str,
    translator: Translator,
    *,
    career: Career | None = None,
    rating: RatingPlace | None = None,
    against_asker: Duel | None = None,
    practice: Standing | None = None,
) -> Screen:
    """Show one player's tally.

    Args:
        standing: Their numbers; None when they finished no game that counts.
        name: What they are called.
        translator: Says it.
        career: What their games tell in their order.
        rating: How strong they are.
        against_asker: How they fared against who asks, when that is somebody else.
        practice: Their numbers against house players alone, which count for nothing else.
    """
    called = safe_name(name) or translator.text("Player")
    title = (Span(called, Mark.BOLD),)
    numbers = (
        [plain(nothing_text(translator))]
        if standing is None
        else list(_numbers(standing, rating, translator))
    )
    parts = [title, lines_under_one_another(*numbers)]
    if career is not None:
        parts.append(lines_under_one_another(*_story(career, translator)))
        parts.append(lines_under_one_another(*_company(career, against_asker, called, translator)))
    if practice is not None:
        parts.append(plain(_practice(practice, translator)))
    return Screen(body=stacked([part for part in parts if part]))


def _numbers(standing: Standing, rating: RatingPlace | None, translator: Translator) -> Iterator[Line]:
    yield plain(games_text(standing.games, translator))
    yield plain(f"{_fools(standing, translator)} · {translator.percent(standing.rate)}")
    yield plain(translator.text("first out: {n}", n=standing.first_out))
    yield plain(translator.text("draws: {n}", n=standing.draws))
    index = index_text(standing, translator)
    yield plain(translator.text("fool index: {index} (1.00 is average, lower is better)", index=index))
    if rating is not None:
        yield plain(
            translator.text(
                "rating: {rating}, place {place} of {people} (newcomers start at 0)",
                rating=translator.number(rating.points),
                place=rating.place,
                people=rating.of,
            )
        )
    if standing.epaulettes:
        yield plain(translator.text("epaulettes: {n}", n=standing.epaulettes))
    if standing.points:
        yield plain(translator.text("points: {n}", n=standing.points))


def _practice(practice: Standing, translator: Translator) -> str:
    return translator.text(
        "against bots alone: {games}, {fools}",
        games=games_text(practice.games, translator),
        fools=_fools(practice, translator),
    )


def _fools(standing: Standing, translator: Translator) -> str:
    return translator.count("fool once", "fool {n} times", standing.fools)


def _story(career: Career, translator: Translator) -> Iterator[Line]:
    form = " ".join(FATES[fate] for fate in career.form)
    yield plain(translator.text("newest games, the last one on the right: {form}", form=form))
    yield plain(_streak(career, translator))
    yield plain(
        translator.text(
            "longest streaks: {safe}; {fool}",
            safe=_safe_in_a_row(career.longest_safe_streak, translator),
            fool=_fool_in_a_row(career.longest_fool_streak, translator),
        )
    )
    if career.trumps:
        yield plain(length_text(career.bouts, career.seconds, translator))
        yield plain(trumps_text(career.trumps, translator))


def _streak(career: Career, translator: Translator) -> str:
    if career.fool_streak:
        return translator.text("now: {streak}", streak=_fool_in_a_row(career.fool_streak, translator))
    return translator.text("now: {streak}", streak=_safe_in_a_row(career.safe_streak, translator))


def _safe_in_a_row(games: int, translator: Translator) -> str:
    return translator.count("{n} game without being the fool", "{n} games without being the fool", games)


def _fool_in_a_row(games: int, translator: Translator) -> str:
    return translator.count("the fool {n} time in a row", "the fool {n} times in a row", games)


def _company(career: Career, against_asker: Duel | None, name: str, translator: Translator) -> Iterator[Line]:
    if career.houses_beaten:
        yield plain(translator.text("bots beaten: {n}", n=career.houses_beaten))
    if career.duels and career.duels[0].decided:
        rival = career.duels[0]
        yield translator.spans(
            "biggest rival: {duel}", duel=_duel(rival, shown_name(rival.name, translator), name, translator)
        )
    if against_asker is not None:
        yield translator.spans(
            "against you: {duel}", duel=_duel(against_asker, translator.text("you"), name, translator)
        )


def _duel(duel: Duel, rival: str, name: str, translator: Translator) -> Line:
    """Say who of two was the fool how often."""
    return translator.spans(
        "{one} {fools} {other} as the fool, in {games} together",
        one=Span(rival, Mark.BOLD),
        other=Span(name, Mark.BOLD),
        fools=f"{duel.their_fools}:{duel.own_fools}",
        games=games_text(duel.games, translator),
    )


# --- The tallies of a server, as screens and as a file ---


__all__ = [
    "MOST_ROWS",
    "SheetForm",
    "best_chart",
    "fool_chart",
    "fool_screen",
    "leaderboard_screen",
    "sheet",
    "stats_screen",
]
