"""A stored puzzle, and a person's tally."""

from dataclasses import dataclass

from engine import Puzzle


@dataclass(frozen=True, slots=True)
class KeptPuzzle:
    """A puzzle and its number."""

    id: int
    puzzle: Puzzle
    was_shown: bool  # whether it was ever posted, or handed out to somebody


@dataclass(frozen=True, slots=True)
class PuzzleTally:
    """How many puzzles a person solved at the first try, and how many in a row up to now."""

    solved: int
    in_a_row: int
