"""The end of the game between two: nothing is hidden, so it can be solved to the last card."""

from collections.abc import Hashable
from math import inf
from random import Random
from time import thread_time

from engine.players.search.rollouts import SearchRoot
from engine.players.search.simulation import SimulatedGame

WON = 1
DRAWN = 0
LOST = -1
_CLOCK_EVERY = 256  # positions between two looks at the clock
_MAX_KEPT = 100_000  # positions, of some 300 bytes each, whose values are kept from move to move

_Key = tuple[int, ...]
_Bounds = dict[_Key, tuple[int, int]]
# Bounds of the values of positions, by everything that a position does not say itself.
_bounds_by_facts: dict[Hashable, _Bounds] = {}


class GaveUpError(Exception):
    """The time was over, or too many positions were looked at, before the end was found."""


def best_moves(root: SearchRoot, *, seconds: float, most: float = inf) -> list[int]:
    """Returns the moves that lead to the best end, in their order; of those that win only the first.

    There are none where the end cannot be found within the seconds or the positions allowed. The
    findings are kept for the next moves, so the end may be found then.
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
    """Returns how the game ends after each of the moves when no player errs; empty if it is not found.

    Nothing is kept, so within the same number of positions the same is found each time.
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
    """Returns the position if nothing is hidden and only two are left; transfers could be endless."""
    if not root.moves or not root.sampler.is_certain:
        return None
    game = root.sampler.sample(Random(0))
    return game if len(game.in_game) == 2 and not game.talon and not game.rules.transfer else None


class _Solver:
    """Alpha-beta over the positions that follow, each remembered with the bounds of its value."""

    def __init__(self, seat: int, until: float, most: float, bounds: _Bounds) -> None:
        self._seat = seat
        self._until = until
        self._most = most
        self._bounds = bounds
        self._seen = 0

    def best_of(self, game: SimulatedGame, moves: list[int]) -> list[int]:
        """Returns those of the moves that lead to the best end; of those that win only the first."""
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
        """Returns the value after a move, exact if it lies between `low` and `high`."""
        following = game.copy()
        following.play(move)
        return self.value(following, low, high)

    def value(self, game: SimulatedGame, low: int, high: int) -> int:
        """Returns the value for the seat: exact between `low` and `high`, else a bound of it.

        Raises:
            GaveUpError: It takes too long.
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
