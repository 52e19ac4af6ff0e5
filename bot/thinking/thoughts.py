"""A thought: one seat's knowledge, and the house player that chooses a move from it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random
from time import perf_counter
from typing import TypeVar

import engine
from engine.players.adviser import SECONDS
from engine.players.expert import DEFAULT_LIMIT, Expert

T = TypeVar("T")

ADVISER = "adviser"  # the thinker for people who ask for a hint
SLOW = frozenset({"expert", ADVISER})  # thinkers that would block an event loop for too long
FULL_BUDGET = DEFAULT_LIMIT  # CPU seconds for a thought if nobody else waits


@dataclass(frozen=True, slots=True)
class Thought:
    """Everything that a house player may know before a move; nothing else leaves the process.

    Attributes:
        thinker: A strength of house players, or `ADVISER`.
        view: The game as the thinking seat sees it.
        moves: The seat's legal moves.
        memory: The seat's memory of the played cards.
    """

    thinker: str
    view: engine.SeatView = field(repr=False)
    moves: Sequence[engine.Move] = field(repr=False)
    memory: engine.Memory = field(repr=False)

    def best_move(self, seconds: float = FULL_BUDGET) -> engine.Move:
        """Returns the chosen move; a slow thinker finds it within `seconds` of CPU time."""
        return _player(self.thinker, seconds).choose(self.view, self.moves, self.memory)


def _player(thinker: str, seconds: float) -> engine.HousePlayer:
    chance = Random()  # guesses need no secure random numbers

    if thinker == ADVISER:
        # With the full budget all guesses are made, so that all get the same advice.
        limit = SECONDS if seconds >= FULL_BUDGET else seconds
        return engine.Adviser(limit)

    if thinker == "expert":
        return Expert(chance, limit=seconds)

    return engine.STRENGTHS[thinker](chance)


def timed(task: Callable[[], T]) -> tuple[T, float]:
    """Returns the result of a task, and the seconds it took, without the time for transport."""
    began = perf_counter()
    result = task()
    return result, perf_counter() - began


def ready() -> None:
    """Does nothing; a process that runs it has loaded everything needed for thinking."""
