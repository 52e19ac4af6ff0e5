"""The CPU time of one picture of a table."""

from collections.abc import Iterator
from random import Random
from time import process_time

from bot.locale import Translator
from bot.pictures.drawing import draw
from bot.pictures.subjects import DARK, Look, TablePicture
from engine import PRESETS, Opening
from tests.bench.rows import Measured

NAMES = ("Anna", "Boris", "Clara", "Dora")


def table_picture(is_quick: bool, /) -> Measured:
    """Renders the table after each move of a game of four, on one thread, with warm caches."""
    moves = 5 if is_quick else 60
    first, _ = _drawn("first", moves)
    milliseconds, size = _drawn("second", moves)
    return Measured([milliseconds], f"{size / 1024:.0f} KiB each; in its first game {first:.1f} ms")


def _drawn(seed: str, moves: int) -> tuple[float, float]:
    """Returns the milliseconds and the bytes of a picture in one deal."""
    look = Look(DARK, Translator("en").ranks)
    tables = list(_tables(seed, moves))
    seconds = 0.0
    size = 0

    for subject in tables:
        began = process_time()
        size += len(draw(subject, look))
        seconds += process_time() - began

    return 1000 * seconds / len(tables), size / len(tables)


def _tables(seed: str, count: int) -> Iterator[TablePicture]:
    """Plays a random deal; returns the public view after each move."""
    chance = Random(1)
    state = Opening(PRESETS["podkidnoy-36"], len(NAMES), seed).deal()
    for _ in range(count):
        yield TablePicture(state.public_view(), NAMES)
        if state.outcome() is not None:
            return

        seat = chance.choice(sorted(state.awaited))
        state = state.apply(seat, chance.choice(state.legal_moves(seat))).state
