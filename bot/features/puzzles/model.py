"""A stored puzzle, and a person's tally."""

from dataclasses import dataclass

from engine import Puzzle


@dataclass(frozen=True, slots=True)
class KeptPuzzle:
    """A puzzle and its number."""

    id: int
    puzzle: Puzzle
    was_shown: bool  # whether it was ever posted or given to somebody


@dataclass(frozen=True, slots=True)
class PuzzleTally:
    """The number of puzzles that a person solved at the first try, and the length of the current streak."""

    solved: int
    in_a_row: int
