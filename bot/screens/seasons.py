"""The hall of fame: the fools and the champions of each season."""

from collections.abc import Sequence
from datetime import datetime

from adapters.port import Mark, Screen, Span
from bot.locale import Translator, gettext_noop
from bot.model.calendar import SEASON_MONTHS
from bot.model.standings import Season
from bot.screens.standings import games_text, honour_line, nothing_text
from bot.screens.text import Line, as_lines, as_paragraphs

FOOL_OF_THE_SEASON = gettext_noop("🃏 Fool of the season: {name} ({share})")
FOOLS_OF_THE_SEASON = gettext_noop("🃏 Fools of the season: {names} ({share} each)")
CHAMPION = gettext_noop("🏆 Champion: {name}, the fool in {share}")
CHAMPIONS = gettext_noop("🏆 Champions: {names}, the fool in {share} each")


def seasons_screen(
    seasons: Sequence[tuple[datetime, Season, Sequence[Line]]], translator: Translator
) -> Screen:
    """Renders the hall of fame, in the order of `seasons`.

    Each season comes with its start in the server's time zone, and with the lines that features add.
    """
    title = (Span(f"🏛 {translator.text('Hall of fame')}", Mark.BOLD),)
    if not seasons:
        return Screen(as_paragraphs(title, (Span(nothing_text(translator)),)))

    parts: list[Line] = [title]
    for began, season, extras in seasons:
        last = began.month + SEASON_MONTHS - 1
        name = f"{began.year} · {began.month:02}–{last:02} · {games_text(season.games, translator)}"
        fools = honour_line(FOOL_OF_THE_SEASON, FOOLS_OF_THE_SEASON, season.fools, translator)
        champions = honour_line(CHAMPION, CHAMPIONS, season.champions, translator)
        parts.append(as_lines((Span(name, Mark.BOLD),), fools, champions, *extras))

    return Screen(as_paragraphs(*parts))
