"""Who is durak most often: the tallies of a server."""

from collections.abc import Sequence

from adapters.port import Mark, Screen, Span
from bot.locale import Voice
from bot.screens.people import safe_name
from bot.screens.story import Line
from bot.screens.table import BREAK, stacked
from bot.storage import Standing

MEDALS = ("🥇", "🥈", "🥉")
MOST_ROWS = 15


def leaderboard_screen(standings: Sequence[Standing], title: str, voice: Voice) -> Screen:
    """Rank everybody, least foolish first: by the fool index, which is fair across table sizes."""
    rows = [
        _row(_place(place), standing, voice) for place, standing in enumerate(standings[:MOST_ROWS], start=1)
    ]
    return _listed(title, rows, voice)


def fool_screen(standings: Sequence[Standing], voice: Voice) -> Screen:
    """Count who was the fool how often, most often first."""
    rows = [
        _row("🃏" if place == 1 else f"{place}.", standing, voice)
        for place, standing in enumerate(standings[:MOST_ROWS], start=1)
    ]
    return _listed(voice.say("Who is durak most often"), rows, voice)


def stats_screen(standing: Standing | None, name: str, voice: Voice) -> Screen:
    """Show one player's tally."""
    title = (Span(safe_name(name) or voice.say("Player"), Mark.BOLD),)
    if standing is None:
        return Screen(body=stacked([title, voice.spans("No finished games here yet.")]))
    facts = [
        voice.count("{n} game", "{n} games", standing.games),
        voice.say("fool {n} times", n=standing.fools) if standing.fools != 1 else voice.say("fool once"),
        voice.say("first out: {n}", n=standing.first_out),
        voice.say("draws: {n}", n=standing.draws),
        voice.say("fool index: {index} (1.00 is average, lower is better)", index=f"{standing.index:.2f}"),
    ]
    return Screen(
        body=stacked([title, tuple(Span(("\n" if n else "") + fact) for n, fact in enumerate(facts))])
    )


def _listed(title: str, rows: Sequence[Line], voice: Voice) -> Screen:
    if not rows:
        rows = [voice.spans("No finished games here yet. /durak opens a table.")]
    lines: list[Span] = []
    for row in rows:
        lines += (BREAK, *row) if lines else row
    return Screen(body=stacked([(Span(title, Mark.BOLD),), tuple(lines)]))


def _row(place: str, standing: Standing, voice: Voice) -> Line:
    name = safe_name(standing.name) or voice.say("a player")
    return Span(f"{place} "), Span(name, Mark.BOLD), Span(f" · {_share(standing, voice)}")


def _place(place: int) -> str:
    return MEDALS[place - 1] if place <= len(MEDALS) else f"{place}."


def _share(standing: Standing, voice: Voice) -> str:
    games = voice.count("{n} game", "{n} games", standing.games)
    return voice.say(
        "fool {fools} in {games} · index {index}",
        fools=standing.fools,
        games=games,
        index=f"{standing.index:.2f}",
    )
