"""Counts out the end of a game from what a seat sees and remembers."""

from random import Random
from time import perf_counter

from engine.players.search import endgame_solver as endgame
from engine.players.search.root import Choice
from engine.players.search.simulation import World


def best_moves(choice: Choice, *, seconds: float) -> list[int]:
    """Gives the moves that lead to the best end, in their order; of those that win the first.

    There are none where the end cannot be counted out in so many seconds.
    """
    world = _ending(choice)
    if world is None:
        return []
    try:
        return endgame.best_moves(world, list(choice.options), perf_counter() + seconds)
    except (endgame.OutOfTimeError, RecursionError):
        return []


def ends(choice: Choice, *, seconds: float) -> dict[int, int]:
    """Says how the game ends after each of the moves, as `endgame` names it; empty where `best_moves` is."""
    world = _ending(choice)
    if world is None:
        return {}
    try:
        found = endgame.values(world, list(choice.options), perf_counter() + seconds)
    except (endgame.OutOfTimeError, RecursionError):
        return {}
    return dict(zip(choice.options, found, strict=True))


def _ending(choice: Choice) -> World | None:
    """The position, if nothing is hidden from the seat and only the end is left."""
    if not choice.options or not choice.guesses.is_certain:
        return None
    world = choice.guesses.draw(Random(0))  # noqa: S311 - there is one guess only, so chance has no say
    return world if endgame.is_countable(world) else None
