"""Solves endings between two players: nothing is hidden, so they can be played to the last card."""

from collections.abc import Hashable
from math import inf
from random import Random
from time import thread_time

from engine.players.search.rollouts import SearchRoot
from engine.players.search.simulation import SimulatedGame

WON = 1
DRAWN = 0
LOST = -1
_CLOCK_EVERY = 256  # positions between two checks of the clock
_MAX_KEPT = 100_000  # positions, of some 300 bytes each, whose values are cached from move to move

_Key = tuple[int, ...]
_Bounds = dict[_Key, tuple[int, int]]
# Cached bounds of positions, grouped by the facts of the game that are not part of a position's key.
_bounds_by_facts: dict[Hashable, _Bounds] = {}


class GaveUpError(Exception):
    """The limit of time or of positions was reached before the ending was solved."""


def best_moves(root: SearchRoot, *, seconds: float, most: float = inf) -> list[int]:
    """Returns the moves that lead to the best result, in their order; only the first one if it wins.

    Returns none if the ending cannot be solved within `seconds` of CPU time and `most` positions. Values are
    cached for later moves, so these may then succeed.
    """
    game = _ending(root)
    if game is None:
        return []

    if sum(map(len, _bounds_by_facts.values())) > _MAX_KEPT:
        _bounds_by_facts.clear()

    facts = (game.mover, *game.in_game, game.limit, len(game.hands), game.rules.original)
    solver = _Solver(game.mover, thread_time() + seconds, most, _bounds_by_facts.setdefault(facts, {}))
    try:
        return solver.best_of(game, list(root.moves))
    except (GaveUpError, RecursionError):
        return []


def values(root: SearchRoot, *, seconds: float, most: float = inf) -> dict[int, int]:
    """Returns the result after each of the moves if no player errs; empty if it cannot be solved.

    It gives up after `seconds`, or after `most` positions. Nothing is cached between calls, so a limit by
    `most` gives the same result on every machine.
    """
    game = _ending(root)
    if game is None:
        return {}

    solver = _Solver(game.mover, thread_time() + seconds, most, {})
    try:
        return {move: solver.after(game, move, LOST, WON) for move in root.moves}
    except (GaveUpError, RecursionError):
        return {}


def _ending(root: SearchRoot) -> SimulatedGame | None:
    """Returns the position if it has two players and nothing hidden; transfers could be endless."""
    if not root.moves or not root.sampler.is_certain:
        return None
    game = root.sampler.sample(Random(0))
    return game if len(game.in_game) == 2 and not game.talon and not game.rules.transfer else None


class _Solver:
    """Alpha-beta search that caches the bounds of each position's value."""

    def __init__(self, seat: int, until: float, most: float, bounds: _Bounds) -> None:
        self._seat = seat
        self._until = until
        self._most = most
        self._bounds = bounds
        self._seen = 0

    def best_of(self, game: SimulatedGame, moves: list[int]) -> list[int]:
        """Returns the moves that lead to the best result; only the first one if it wins."""
        best = self.value(game, LOST, WON)
        if best == LOST:
            return moves

        good = []
        for move in moves:
            if self.after(game, move, best - 1, best) >= best:
                good.append(move)
                if best == WON:
                    break

        return good

    def after(self, game: SimulatedGame, move: int, low: int, high: int) -> int:
        """Returns the value after a move, exact if it is between `low` and `high`."""
        following = game.copy()
        following.play(move)
        return self.value(following, low, high)

    def value(self, game: SimulatedGame, low: int, high: int) -> int:
        """Returns the value for the seat: exact between `low` and `high`, else a bound of it.

        Raises:
            GaveUpError: The limit of time or of positions is reached.
        """
        if game.over:
            return self._result(game)

        self._seen += 1
        is_late = self._seen % _CLOCK_EVERY == 0 and thread_time() > self._until
        if is_late or self._seen > self._most:
            raise GaveUpError

        one, other = game.in_game
        key = (
            game.hands[one],
            game.hands[other],
            game.table,
            game.unbeaten,
            game.mover,
            game.attacker,
            game.attacks,
            game.taking,
        )
        least, most = self._bounds.get(key, (LOST, WON))
        low = max(low, least)
        high = min(high, most)
        if low >= high:
            return least if least >= high else most

        is_own = game.mover == self._seat
        best = LOST if is_own else WON
        for move in game.moves():
            if is_own:
                best = max(best, self.after(game, move, max(low, best), high))
            else:
                best = min(best, self.after(game, move, low, min(high, best)))

            is_enough = best >= high if is_own else best <= low
            if is_enough:
                break

        if best <= low:
            most = min(most, best)
        elif best >= high:
            least = max(least, best)
        else:
            least = most = best

        self._bounds[key] = least, most
        return best

    def _result(self, game: SimulatedGame) -> int:
        if not game.losers:
            return DRAWN
        return LOST if self._seat in game.losers else WON
