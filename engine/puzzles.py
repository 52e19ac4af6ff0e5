"""Puzzles from games that were played: two players are left, nothing is hidden, and only one move wins."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import inf

from engine.players.memory import Memory
from engine.players.search.endgame_solver import WON, best_moves, values
from engine.players.search.rollouts import SearchRoot
from engine.rules.declarations import Ending
from engine.rules.errors import InvalidTextError
from engine.rules.events import Seat
from engine.rules.moves import Move, Resign
from engine.rules.record import Record
from engine.rules.settings import BASE, DECLARATIONS, PRESETS
from engine.rules.state import State

# Legal moves in the position of a puzzle.
MIN_MOVES = 3
MAX_MOVES = 7
MAX_OFFERED = 4  # moves offered as choices
MAX_LINE_MOVES = 12  # moves of a winning line that are shown

_DECISIVE = {name for name, each in DECLARATIONS.items() if each.ending is Ending.DECIDES}
_NEED_DEFAULT = {name for name, each in DECLARATIONS.items() if each.ending is Ending.NEEDS_DEFAULT}

_POSITIONS = 20_000  # positions searched before an ending is left unsolved


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A position in which only one move wins for the seat to move."""

    state: State
    seat: Seat  # the seat to move
    # The winning moves and the best answers to them, each with its seat; the first one solves the puzzle.
    line: tuple[tuple[Seat, Move], ...]

    @property
    def moves(self) -> tuple[Move, ...]:
        """The choices, at most `MAX_OFFERED`: the move that wins, among others."""
        moves = self.state.legal_moves(self.seat)
        others = [move for move in moves if move != self.answer][: MAX_OFFERED - 1]
        return tuple(move for move in moves if move == self.answer or move in others)

    @property
    def unusual_settings(self) -> Mapping[str, object]:
        """The settings that can decide the puzzle and differ from the base preset, with their values."""
        differences = self.state.rules.differences(PRESETS[BASE])
        return {name: value for name, value in differences.items() if name in _DECISIVE}

    @property
    def answer(self) -> Move:
        """The move that wins."""
        return self.line[0][1]


def puzzles_in(record: Record) -> Iterator[Puzzle]:
    """Yields the puzzles in a recorded game.

    Raises:
        ValueError: The record cannot be played.
    """
    state = record.opening.deal()
    for seat, action in record.actions:
        puzzle = None if isinstance(action, Resign) else puzzle_at(state, seat)
        if puzzle is not None:
            yield puzzle

        state = state.act(seat, action).state


def puzzle_at(state: State, seat: Seat) -> Puzzle | None:
    """Returns a position as a puzzle for the seat to move; None if it makes no puzzle.

    Two players are left without a talon, and exactly one of a few moves wins.
    """
    if not _is_ending(state):
        return None

    moves = state.legal_moves(seat)
    root = _root(state, seat) if MIN_MOVES <= len(moves) <= MAX_MOVES else None
    if root is None or len(root.moves) != len(moves):
        return None

    worth = values(root, seconds=inf, most=_POSITIONS)
    winning = [root.moves[code] for code, value in worth.items() if value == WON]
    if len(winning) != 1:
        return None

    line = _line(state, seat, winning[0])
    return None if line is None else Puzzle(state, seat, line)


def _is_ending(state: State) -> bool:
    """Returns whether two players are left without a talon, by rules that the solver follows exactly."""
    if not state.rules.has_defaults(_NEED_DEFAULT):
        return False
    in_game = state.players - len(state.out)
    return in_game == 2 and not state.talon and len(state.awaited) == 1


def _line(state: State, seat: Seat, move: Move) -> tuple[tuple[Seat, Move], ...] | None:
    """Plays the best moves of both to the end; returns None if it is not won, or cannot be solved."""
    line = []
    while True:
        line.append((seat, move))
        state = state.apply(seat, move).state
        if (outcome := state.outcome()) is not None:
            is_won = bool(outcome.losers) and line[0][0] not in outcome.losers
            return tuple(line[:MAX_LINE_MOVES]) if is_won else None

        seat = min(state.awaited)
        root = _root(state, seat)
        best = [] if root is None else best_moves(root, seconds=inf, most=_POSITIONS)
        if root is None or not best:
            return None

        move = root.moves[best[0]]


def _root(state: State, seat: Seat) -> SearchRoot | None:
    """Returns the search of a seat that remembers every card that is gone, and so knows the other hand."""
    return SearchRoot.of(state.view_for(seat), state.legal_moves(seat), Memory(gone=state.discard))


# --- as text ----------------------------------------------------------------------------------------------


def line_text(puzzle: Puzzle) -> str:
    """Writes the line of a puzzle, as `puzzle_of` reads it."""
    return "\n".join(f"{seat} {move}" for seat, move in puzzle.line)


def puzzle_of(state: str, line: str) -> Puzzle:
    """Reads a puzzle from the texts of its position and its line.

    Raises:
        InvalidTextError: A text cannot be read, or the line cannot be played.
    """
    position = State.from_text(state)
    pairs = (row.partition(" ") for row in line.splitlines())

    try:
        moves = tuple((int(seat), Move.parse(move)) for seat, _, move in pairs)
        reached = position
        for seat, move in moves:
            reached = reached.apply(seat, move).state
    except ValueError as error:
        raise InvalidTextError(line) from error

    if not moves:
        raise InvalidTextError(line)

    return Puzzle(position, moves[0][0], moves)
