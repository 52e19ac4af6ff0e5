"""Collects the puzzles that come with the program: `python -m tests.regenerate puzzles`.

They are from games of house players with the seeds c0, c1 and so on, so that the same players collect the
same puzzles. A puzzle is easy if beginners find its answer, medium if only regular players do, and hard if
neither does. Collecting stops at two puzzles of each level for each kind of game: a minute or two.
"""

from collections.abc import Iterator
from itertools import count
from pathlib import Path

from bot.features.puzzles import collection
from engine import Beginner, Memory, Puzzle, puzzles_in
from engine.players import Regular
from engine.puzzles import MAX_LINE_MOVES
from engine.rules.settings import PRESETS
from tests.engine.test_puzzles import played

FILE = Path(collection.__file__).with_name(collection.FILE)

# The rules of the games, and how many play them; the presets that are left out have no puzzles.
GAMES = (("podkidnoy-36", 2), ("podkidnoy-24", 3), ("podkidnoy-36", 4), ("podkidnoy-52", 3), ("pure", 2))
EASY, MEDIUM, HARD = range(3)
OF_EACH = 2  # puzzles of a level from one kind of games


def collected() -> str:
    """Returns the text of the collection, found anew."""
    puzzles = [(game, puzzle) for game in GAMES for puzzle in _of_one_kind(*game)]
    puzzles.sort(key=lambda pair: (level(pair[1]), len(pair[1].line), GAMES.index(pair[0])))
    return collection.collection_text(puzzle for _, puzzle in puzzles)


def level(puzzle: Puzzle) -> int:
    """Returns how hard it is to find the answer: `EASY`, `MEDIUM` or `HARD`."""
    state = puzzle.state
    view = state.view_for(puzzle.seat)
    moves = state.legal_moves(puzzle.seat)
    memory = Memory(gone=state.discard)

    if Beginner().choose(view, moves, memory) == puzzle.answer:
        return EASY
    return MEDIUM if Regular(solved=0).choose(view, moves, memory) == puzzle.answer else HARD


def _of_one_kind(preset: str, players: int) -> Iterator[Puzzle]:
    """Yields `OF_EACH` puzzles of each level, at most one from each game."""
    missing = dict.fromkeys((EASY, MEDIUM, HARD), OF_EACH)
    for number in count():
        record = played(f"c{number}", players, PRESETS[preset].to_text())
        fits = (puzzle for puzzle in puzzles_in(record) if missing.get(level(puzzle)) and _is_whole(puzzle))
        puzzle = next(fits, None)
        if puzzle is None:
            continue

        yield puzzle
        missing[level(puzzle)] -= 1
        if not any(missing.values()):
            return


def _is_whole(puzzle: Puzzle) -> bool:
    """Returns whether the line leads to the end of the game, and has more than one move of the solver."""
    own = [seat for seat, _ in puzzle.line if seat == puzzle.seat]
    return len(puzzle.line) < MAX_LINE_MOVES and len(own) > 1
