"""The end of the game between two: nothing is hidden any more, so it can be counted out to the last card."""

from collections.abc import Sequence
from time import perf_counter

from engine.players.search.simulation import World

WON, DRAWN, LOST = 1, 0, -1
_A_WHILE = 256  # positions between two looks at the clock

_Key = tuple[int, ...]


class OutOfTimeError(Exception):
    """The time was over before the end was found."""


def is_countable(world: World) -> bool:
    """Says whether only two are left and nothing is hidden; transfers could go on for ever."""
    return len(world.left) == 2 and not world.talon and not world.customs.transfer  # noqa: PLR2004 - two of them


def best_moves(world: World, moves: Sequence[int], until: float) -> list[int]:
    """Finds the moves that lead to the best end for the seat whose turn it is; of those that win the first.

    Args:
        world: A position that `is_countable`.
        moves: The moves to choose from, of which there is at least one.
        until: When to stop, in seconds of `perf_counter`.

    Raises:
        OutOfTimeError: the end was not found in time.
        RecursionError: the end is too far away.
    """
    count = _Count(world.mover, until)
    best = count.value(world, LOST, WON)
    good = (move for move in moves if best == LOST or count.after(world, move, best - 1, best) >= best)
    return [next(good)] if best == WON else list(good)


def values(world: World, moves: Sequence[int], until: float) -> list[int]:
    """Says for each of the moves how the game ends after it when nobody errs; raises as `best_moves` does."""
    count = _Count(world.mover, until)
    return [count.after(world, move, LOST, WON) for move in moves]


def value(world: World, until: float) -> int:
    """Says how the game ends for the seat whose turn it is when nobody errs; raises OutOfTimeError."""
    return _Count(world.mover, until).value(world, LOST, WON)


class _Count:
    """Alpha-beta over the positions that follow, each remembered with the bounds of its value."""

    def __init__(self, seat: int, until: float) -> None:
        self._seat = seat
        self._until = until
        self._bounds: dict[_Key, tuple[int, int]] = {}
        self._seen = 0

    def after(self, world: World, move: int, low: int, high: int) -> int:
        """Gives the value after a move, exact if it lies between `low` and `high`."""
        following = world.copy()
        following.play(move)
        return self.value(following, low, high)

    def value(self, world: World, low: int, high: int) -> int:
        """Gives the value for the seat: exact between `low` and `high`, else a bound of it."""
        if world.over:
            return DRAWN if not world.losers else LOST if self._seat in world.losers else WON
        self._look_at_the_clock()
        key = self._key(world)
        least, most = self._bounds.get(key, (LOST, WON))
        low, high = max(low, least), min(high, most)
        if low >= high:
            return least if least >= high else most
        found = self._best_for_mover(world, low, high)
        if found <= low:
            most = min(most, found)
        elif found >= high:
            least = max(least, found)
        else:
            least = most = found
        self._bounds[key] = least, most
        return found

    def _best_for_mover(self, world: World, low: int, high: int) -> int:
        if world.mover == self._seat:
            best = LOST
            for move in world.moves():
                best = max(best, self.after(world, move, max(low, best), high))
                if best >= high:
                    break
            return best
        best = WON
        for move in world.moves():
            best = min(best, self.after(world, move, low, min(high, best)))
            if best <= low:
                break
        return best

    def _key(self, world: World) -> _Key:
        one, other = world.left
        return (
            world.hands[one],
            world.hands[other],
            world.table,
            world.unbeaten,
            world.mover,
            world.attacker,
            world.attacks,
            world.taking,
        )

    def _look_at_the_clock(self) -> None:
        self._seen += 1
        if self._seen % _A_WHILE == 0 and perf_counter() > self._until:
            raise OutOfTimeError
