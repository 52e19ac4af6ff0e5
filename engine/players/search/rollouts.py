"""Rollouts: many possible games are played on by a simple policy, and what comes of them is evaluated."""

from collections.abc import Callable, Iterator, Sequence
from random import Random
from time import perf_counter

from engine.players.search import evaluation, playout_policy
from engine.players.search.simulation import SimulatedGame
from engine.players.search.world_sampler import WorldSampler

DRAW = 0.1
"""How bad a draw is, where to be the fool is 1: nobody wins, but nobody is the fool."""
_LONGEST = 400  # moves after which a game that goes round in circles counts as drawn
_OWN_SOUND = 0.8  # how many of one's own moves in a look ahead are sound
_SOUND = 0.3  # and of the others' moves
_ROUND = 16  # guesses between two looks at which moves fall behind
_MARGIN = 0.6  # a move is dropped when it has fallen behind by so much, divided by the root of the guesses


def best_move(sampler: WorldSampler, moves: Sequence[int], rng: Random, *, until: float, most: int) -> int:
    """Find the move after which it is least likely to become the fool.

    Args:
        sampler: Draws the ways in which the cards may lie.
        moves: The moves to choose from, of which there is at least one; in doubt the first one is chosen.
        rng: Makes the draws.
        until: When to stop, in seconds of `perf_counter`.
        most: After how many guesses to stop even if there is time.
    """
    losses = dict.fromkeys(moves, 0.0)
    for number in _tried(losses, sampler, rng, until, most):
        if number % _ROUND == 0:
            least = min(losses.values()) + _MARGIN * number**0.5
            for move in [move for move, loss in losses.items() if loss >= least]:
                del losses[move]
            if len(losses) == 1:
                break
    return min(losses, key=lambda move: losses[move])


def risks(
    sampler: WorldSampler, moves: Sequence[int], rng: Random, *, until: float, most: int
) -> dict[int, float]:
    """Return the risk to become the fool after each of the moves; the arguments are those of `best_move`."""
    losses = dict.fromkeys(moves, 0.0)
    guesses = sum(1 for _ in _tried(losses, sampler, rng, until, most))
    return {move: loss / max(guesses, 1) for move, loss in losses.items()}


def _tried(
    losses: dict[int, float], sampler: WorldSampler, rng: Random, until: float, most: int
) -> Iterator[int]:
    """Add for each of the moves what it loses in one guess after another; yield how many these are."""
    for number in range(1, most + 1):
        guess = sampler.sample(rng)
        for move in losses:
            losses[move] += _loss(guess, move, rng)
        yield number
        if perf_counter() > until:
            return


def _loss(guess: SimulatedGame, move: int, rng: Random) -> float:
    """Play a move and what follows by the playout policy; return how likely its player becomes the fool.

    The end between two is judged half by what it is worth when nobody errs, half by how it is played out.
    """
    seat = guess.mover
    game = guess.copy()
    game.play(move)
    _play_on(game, seat, rng, evaluation.can_evaluate)
    if game.over or game.is_safe(seat):
        return _result(game, seat)
    risk = evaluation.risk(game, seat) if evaluation.can_evaluate(game) else DRAW
    if game.talon:
        return risk
    _play_on(game, seat, rng, _never)
    return (risk + _result(game, seat)) / 2


def _play_on(game: SimulatedGame, seat: int, rng: Random, is_enough: Callable[[SimulatedGame], bool]) -> None:
    """Play until the seat is out or it is enough; a coin decides at every move whether it is a good one."""
    for _ in range(_LONGEST):
        if game.over or game.is_safe(seat) or is_enough(game):
            return
        sound = _OWN_SOUND if game.mover == seat else _SOUND
        choose = playout_policy.choose if rng.random() < sound else playout_policy.choose_lowest
        game.play(choose(game))


def _never(_game: SimulatedGame) -> bool:
    return False


def _result(game: SimulatedGame, seat: int) -> float:
    """Return what came of it for the seat; a game that is still on has gone round in circles."""
    if game.losers:
        return float(seat in game.losers)
    return DRAW if game.over or not game.is_safe(seat) else 0.0
