"""What one picture of a table costs."""

from collections.abc import Iterator
from random import Random
from time import process_time

from bot.locale import Translator
from bot.pictures.drawing import draw
from bot.pictures.look import Look
from bot.pictures.palette import DARK
from bot.pictures.subjects import TablePicture
from engine import PRESETS, Opening
from tests.bench.rows import Measured

NAMES = ("Anna", "Boris", "Clara", "Dora")
WARMING_UP = 5
"""Pictures in which letters and cards are drawn for the first time."""


def table_picture(is_quick: bool, /) -> Measured:
    """Draw the table after each move of a game of four, on one thread."""
    look = Look(DARK, Translator("en").ranks)
    seconds, size = list[float](), 0
    for subject in list(_tables(5 if is_quick else 60)):
        began = process_time()
        size += len(draw(subject, look))
        seconds.append(process_time() - began)
    counted = seconds[min(WARMING_UP, len(seconds) - 1) :]
    return Measured([1000 * sum(counted) / len(counted)], f"{size / len(seconds) / 1024:.0f} KiB each")


def _tables(count: int) -> Iterator[TablePicture]:
    """Play by chance; gives what everybody sees after each move."""
    chance = Random(1)
    state = Opening(PRESETS["podkidnoy-36"], len(NAMES), "pictures").deal()
    for _ in range(count):
        yield TablePicture(state.public_view(), NAMES)
        if state.outcome() is not None:
            return
        seat = chance.choice(sorted(state.awaited))
        state = state.apply(seat, chance.choice(state.legal_moves(seat))).state
