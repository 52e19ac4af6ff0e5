"""Looks ahead by playing many possible games on by habit, and judging what comes of them."""

from collections.abc import Callable, Iterator, Sequence
from random import Random
from time import perf_counter

from engine.players.search import evaluation as prospects
from engine.players.search import playout_policy as habits
from engine.players.search.simulation import World
from engine.players.search.world_sampler import Guesses

DRAW = 0.1
"""How bad a draw is, where to be the fool is 1: nobody wins, but nobody is the fool."""
_LONGEST = 400  # moves after which a game that goes round in circles counts as drawn
_OWN_SOUND = 0.8  # how many of one's own moves in a look ahead are sound
_SOUND = 0.3  # and of the others' moves
_ROUND = 16  # guesses between two looks at which moves fall behind
_MARGIN = 0.6  # a move is dropped when it has fallen behind by so much, divided by the root of the guesses


def best_move(guesses: Guesses, moves: Sequence[int], chance: Random, *, until: float, most: int) -> int:
    """Finds the move after which it is least likely to become the fool.

    Args:
        guesses: The ways in which the cards may lie.
        moves: The moves to choose from, of which there is at least one; in doubt the first one is chosen.
        chance: Draws the guesses.
        until: When to stop, in seconds of `perf_counter`.
        most: After how many guesses to stop even if there is time.
    """
    losses = dict.fromkeys(moves, 0.0)
    for number in _tried(losses, guesses, chance, until, most):
        if number % _ROUND == 0:
            least = min(losses.values()) + _MARGIN * number**0.5
            for move in [move for move, loss in losses.items() if loss >= least]:
                del losses[move]
            if len(losses) == 1:
                break
    return min(losses, key=lambda move: losses[move])


def risks(
    guesses: Guesses, moves: Sequence[int], chance: Random, *, until: float, most: int
) -> dict[int, float]:
    """Says how likely it is to become the fool after each of the moves; takes what `best_move` takes."""
    losses, number = dict.fromkeys(moves, 0.0), 1
    for number in _tried(losses, guesses, chance, until, most):  # noqa: B007 - the last one counts
        pass
    return {move: loss / number for move, loss in losses.items()}


def _tried(
    losses: dict[int, float], guesses: Guesses, chance: Random, until: float, most: int
) -> Iterator[int]:
    """Adds for each of the moves what it loses in one guess after another, and counts the guesses."""
    for number in range(1, most + 1):
        guess = guesses.draw(chance)
        for move in losses:
            losses[move] += _loss(guess, move, chance)
        yield number
        if perf_counter() > until:
            return


def _loss(guess: World, move: int, chance: Random) -> float:
    """Plays a move and what follows by habit; says how likely its player becomes the fool.

    The end between two is judged half by what it is worth when nobody errs, half by how it goes by habit.
    """
    seat = guess.mover
    world = guess.copy()
    world.play(move)
    _play_on(world, seat, chance, prospects.is_clear)
    if world.over or world.is_safe(seat):
        return _result(world, seat)
    risk = prospects.risk(world, seat) if prospects.is_clear(world) else DRAW
    if world.talon:
        return risk
    _play_on(world, seat, chance, _never)
    return (risk + _result(world, seat)) / 2


def _play_on(world: World, seat: int, chance: Random, is_enough: Callable[[World], bool]) -> None:
    """Plays until the seat is out or it is enough; a coin decides at every move whether it is a good one."""
    for _ in range(_LONGEST):
        if world.over or world.is_safe(seat) or is_enough(world):
            return
        sound = _OWN_SOUND if world.mover == seat else _SOUND
        choose = habits.choose if chance.random() < sound else habits.choose_lowest
        world.play(choose(world))


def _never(_world: World) -> bool:
    return False


def _result(world: World, seat: int) -> float:
    """What came of it for the seat; a game that is still on has gone round in circles."""
    if world.losers:
        return float(seat in world.losers)
    return DRAW if world.over or not world.is_safe(seat) else 0.0
