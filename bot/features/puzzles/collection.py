"""The puzzles that come with the program, for servers whose own games have none yet.

`collection.txt` has the text of each position, and below it the moves of its line, such as `> 1 D TC QC`.
A blank line separates puzzles; the easy ones are first. `python -m tests.regenerate puzzles` collects them
from games of house players.
"""

from collections.abc import Iterable, Sequence
from importlib.resources import files

from engine import Puzzle, line_text, puzzle_of

FILE = "collection.txt"
_MOVE = "> "


def collection() -> Sequence[Puzzle]:
    """Reads the puzzles that come with the program, from easy to hard."""
    text = files(__package__).joinpath(FILE).read_text("utf-8")
    return [_puzzle(block) for block in text.strip().split("\n\n")]


def collection_text(puzzles: Iterable[Puzzle]) -> str:
    """Writes puzzles as `collection` reads them."""
    return "\n\n".join(map(_block, puzzles)) + "\n"


def _puzzle(block: str) -> Puzzle:
    lines = block.splitlines()
    moves = [line.removeprefix(_MOVE) for line in lines if line.startswith(_MOVE)]
    state = [line for line in lines if not line.startswith(_MOVE)]
    return puzzle_of("\n".join(state), "\n".join(moves))


def _block(puzzle: Puzzle) -> str:
    moves = [f"{_MOVE}{move}" for move in line_text(puzzle).splitlines()]
    return "\n".join([puzzle.state.to_text().rstrip(), *moves])
