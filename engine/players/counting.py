"""Counts out the end of a game from what a seat sees and remembers."""

from collections.abc import Sequence
from random import Random
from time import perf_counter

from engine.players import endgame
from engine.players.customs import fits
from engine.players.guesses import Guesses
from engine.players.masks import Masks, masks_of
from engine.players.memory import Memory
from engine.players.shorthand import in_bits
from engine.players.world import World
from engine.rules.moves import Move
from engine.rules.views import SeatView


def is_modelled(view: SeatView) -> bool:
    """Says whether worlds play this game, and whether it is this seat's turn in them."""
    return view.seat in view.public.awaited and fits(view.public.rules)


def best_moves(
    view: SeatView, moves: Sequence[Move], memory: Memory, *, most: int, seconds: float
) -> list[Move]:
    """Gives the moves that lead to the best end, in their order; of those that win the first.

    There are none where the end cannot be counted out.

    Args:
        view: What the seat sees.
        moves: Its moves.
        memory: What it remembers.
        most: How many cards may be left in the game.
        seconds: How long it may take.
    """
    masks = masks_of(view)
    world = _ending(view, memory, masks, most)
    if world is None:
        return []
    options = in_bits(moves, masks)
    try:
        return [options[move] for move in endgame.best_moves(world, list(options), perf_counter() + seconds)]
    except (endgame.OutOfTime, RecursionError):
        return []


def values(
    view: SeatView, moves: Sequence[Move], memory: Memory, *, most: int, seconds: float
) -> dict[Move, int] | None:
    """Says how the game ends after each of the moves, as `endgame` names it; takes the same."""
    masks = masks_of(view)
    world = _ending(view, memory, masks, most)
    if world is None:
        return None
    options = in_bits(moves, masks)
    try:
        found = endgame.values(world, list(options), perf_counter() + seconds)
    except (endgame.OutOfTime, RecursionError):
        return None
    return dict(zip(options.values(), found, strict=True))


def _ending(view: SeatView, memory: Memory, masks: Masks, most: int) -> World | None:
    """The position, if nothing is hidden from the seat and only the end is left."""
    public = view.public
    if public.talon or sum(public.hand_counts) > most or not is_modelled(view):
        return None
    try:
        guesses = Guesses(view, memory, masks)
    except ValueError:
        return None
    world = guesses.draw(Random(0))  # noqa: S311 - when there is one guess only, chance has no say
    return world if guesses.is_certain and endgame.is_countable(world) else None
