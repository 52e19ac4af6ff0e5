"""Firsts and titles, for results and /stats."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence

from adapters.port import Span
from bot.locale import Translator, gettext_noop
from bot.model.results import Title
from bot.screens.text import Line
from engine import Seat

# the name of each title; a test fails on a missing one
TITLE_NAMES: Mapping[Title, str] = {
    Title.FIRST_GAME: gettext_noop("first game"),
    Title.FIRST_FOOL: gettext_noop("first time the fool"),
    Title.THREE_IN_A_ROW: gettext_noop("the fool three times in a row"),
    Title.FIVE_IN_A_ROW: gettext_noop("the fool five times in a row"),
    Title.TEN_WITHOUT: gettext_noop("ten games without being the fool"),
    Title.QUICKEST: gettext_noop("out first in the shortest game"),
    Title.EPAULETTES: gettext_noop("first epaulettes"),
    Title.THREE_EXPERTS: gettext_noop("three experts beaten"),
    Title.ESCAPED: gettext_noop("out after holding fourteen cards"),
    Title.LADDER: gettext_noop("up to the ace"),
    Title.EVERY_PRESET: gettext_noop("the fool by all rules"),
}


def new_titles_line(
    titles: Mapping[Title, Sequence[Seat]], names: Sequence[str], translator: Translator
) -> Line:
    """Lists in one line the titles a game has brought, by player."""
    won = defaultdict[Sequence[Seat], list[str]](list)
    for title in Title:
        if seats := titles.get(title):
            won[tuple(seats)].append(translator.text(TITLE_NAMES[title]))

    spans: list[Span] = []
    for holders, named in won.items():
        whose = ", ".join(names[seat] for seat in holders)
        spans.append(Span(f"{' · ' if spans else '🏅 '}{whose}: {', '.join(named)}"))

    return tuple(spans)


def titles_line(titles: Collection[Title], translator: Translator) -> Line:
    """Lists the titles of a player."""
    listed = ", ".join(translator.text(TITLE_NAMES[title]) for title in Title if title in titles)
    return translator.spans("🏅 Titles: {titles}", titles=listed) if listed else ()
