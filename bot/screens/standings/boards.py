"""Everybody in a row: who plays best, and who is durak most often."""

from collections.abc import Sequence

from adapters.port import Mark, Screen, Span
from bot.locale import Voice
from bot.model.standings import Rivalry, Standing, Summary
from bot.screens.standings.phrases import (
    average_text,
    games_text,
    index_text,
    length_text,
    lines,
    nothing_text,
    percent,
    plain,
    shown_name,
    trumps_text,
)
from bot.screens.story import Line
from bot.screens.table import stacked

MEDALS = ("🥇", "🥈", "🥉")
MOST_ROWS = 15


def leaderboard_screen(
    standings: Sequence[Standing], title: str, voice: Voice, summary: Summary | None = None
) -> Screen:
    """Rank everybody, least foolish first: by the fool index, which is fair across table sizes."""
    rows = [
        _row(_place(place), standing, _share(standing, voice), voice)
        for place, standing in enumerate(standings[:MOST_ROWS], start=1)
    ]
    champion = _champion(standings, voice)
    return _board(title, champion, rows, () if summary is None else _footer(summary, voice), voice)


def fool_screen(standings: Sequence[Standing], title: str, voice: Voice) -> Screen:
    """Count who was the fool how often, most often first."""
    rows = [
        _row(
            "🃏" if place == 1 else f"{place}.",
            standing,
            f"{_share(standing, voice)} · {percent(standing.rate)}",
            voice,
        )
        for place, standing in enumerate(standings[:MOST_ROWS], start=1)
    ]
    return _board(title, (), rows, (), voice)


def _board(title: str, champion: Line, rows: Sequence[Line], footer: Line, voice: Voice) -> Screen:
    if not rows:
        rows = [plain(nothing_text(voice))]
    parts = [(Span(title, Mark.BOLD),), champion, lines(rows), footer]
    return Screen(body=stacked([part for part in parts if part]))


def _champion(standings: Sequence[Standing], voice: Voice) -> Line:
    """Name the champion, once somebody has played enough; with nobody to compare to there is none."""
    if not standings[1:] or not standings[0].is_proven:
        return ()
    name = Span(shown_name(standings[0].name, voice), Mark.BOLD)
    return voice.spans("👑 Champion: {name}", name=name)


def _row(place: str, standing: Standing, share: str, voice: Voice) -> Line:
    return Span(f"{place} "), Span(shown_name(standing.name, voice), Mark.BOLD), Span(f" · {share}")


def _place(place: int) -> str:
    return MEDALS[place - 1] if place <= len(MEDALS) else f"{place}."


def _share(standing: Standing, voice: Voice) -> str:
    return voice.say(
        "fool {fools} in {games} · index {index}",
        fools=standing.fools,
        games=games_text(standing.games, voice),
        index=index_text(standing),
    )


def _footer(summary: Summary, voice: Voice) -> Line:
    rows = [plain(average_text(voice))] if summary.games else []
    if summary.trumps:
        length = length_text(summary.bouts, summary.seconds, voice)
        rows += [plain(f"{games_text(summary.games, voice)} · {length}")]
        rows += [plain(trumps_text(summary.trumps, voice))]
    if summary.rivalry is not None:
        rows.append(_rivalry(summary.rivalry, voice))
    return lines(rows)


def _rivalry(rivalry: Rivalry, voice: Voice) -> Line:
    one, other = (Span(shown_name(name, voice), Mark.BOLD) for name in rivalry.names)
    return voice.spans(
        "biggest rivalry: {one} {fools} {other} as the fool, in {games} together",
        one=one,
        other=other,
        fools="{}:{}".format(*rivalry.fools),
        games=games_text(rivalry.games, voice),
    )
