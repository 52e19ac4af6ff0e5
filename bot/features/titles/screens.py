"""The line of a game's new titles."""

from collections import defaultdict
from collections.abc import Mapping, Sequence

from adapters.port import Span
from bot.locale import Translator
from bot.model.career import Title
from bot.screens.text import Line
from bot.screens.titles import TITLE_NAMES
from engine import Seat


def new_titles_line(
    titles: Mapping[Title, Sequence[Seat]], names: Sequence[str], translator: Translator
) -> Line:
    """Lists the titles that players earned in a game, by player."""
    by_holders = defaultdict[Sequence[Seat], list[str]](list)
    for title in Title:
        if seats := titles.get(title):
            by_holders[tuple(seats)].append(translator.text(TITLE_NAMES[title]))

    spans: list[Span] = []
    for holders, title_names in by_holders.items():
        whose = ", ".join(names[seat] for seat in holders)
        spans.append(Span(f"{' · ' if spans else '🏅 '}{whose}: {', '.join(title_names)}"))

    return tuple(spans)
