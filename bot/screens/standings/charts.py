"""The rows of tallies as bars; they show what the tallies say."""

from collections.abc import Sequence

from bot.locale import Translator
from bot.model.standings import Standing
from bot.pictures.subjects import Award, Bar, Chart
from bot.screens.standings.boards import MOST_ROWS
from bot.screens.standings.phrases import average_text, index_text, shown_name


def best_chart(standings: Sequence[Standing], title: str, translator: Translator) -> Chart:
    """Draw how far everybody is from the average: the better to the right, the worse to the left."""
    bars = tuple(
        Bar(shown_name(row.name, translator), 1 - row.index, index_text(row)) for row in standings[:MOST_ROWS]
    )
    return Chart(bars, Award.MEDALS, title, note=average_text(translator))


def fool_chart(standings: Sequence[Standing], title: str, translator: Translator) -> Chart:
    """Draw how often everybody was the fool."""
    bars = tuple(
        Bar(shown_name(row.name, translator), row.fools, f"{row.fools} / {row.games}")
        for row in standings[:MOST_ROWS]
    )
    return Chart(bars, Award.CAP, title)
