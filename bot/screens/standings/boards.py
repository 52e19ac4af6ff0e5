"""Everybody in a row: who plays best, and who is durak most often."""

from collections.abc import Sequence

from adapters.port import Mark, Screen, Span
from bot.locale import Translator
from bot.model.standings import Rivalry, Standing, Summary
from bot.screens.standings.phrases import (
    average_text,
    games_text,
    index_text,
    length_text,
    nothing_text,
    percent,
    plain,
    shown_name,
    trumps_text,
)
from bot.screens.story import Line
from bot.screens.table import lines_under_one_another, stacked

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
            f"{_share(standing, translator)} · {percent(standing.rate)}",
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
        index=index_text(standing),
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
