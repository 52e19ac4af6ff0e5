"""A seat's choice in the form in which worlds can think about it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from engine.players.memory import Memory
from engine.players.search.bitboards import masks_of
from engine.players.search.modelled_rules import fits
from engine.players.search.move_codes import in_bits
from engine.players.search.world_sampler import Guesses
from engine.rules.moves import Move
from engine.rules.views import SeatView


@dataclass(frozen=True, slots=True)
class Choice:
    """The moves by their shorthand, in the order of preference, and the ways in which the cards may lie."""

    options: Mapping[int, Move]
    guesses: Guesses

    @staticmethod
    def of(view: SeatView, moves: Sequence[Move], memory: Memory) -> "Choice | None":
        """Gives the choice between the moves that worlds know, of which there may be none.

        None where worlds do not play by these rules, it is not this seat's turn, or view and memory
        contradict each other.
        """
        if view.seat not in view.public.awaited or not fits(view.public.rules):
            return None
        masks = masks_of(view)
        try:
            return Choice(in_bits(moves, masks), Guesses(view, memory, masks))
        except ValueError:
            return None
