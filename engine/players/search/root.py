"""Where a search begins: what a seat sees and may do, in the form in which games are simulated."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from engine.players.memory import Memory
from engine.players.search.bitboards import card_bits_of
from engine.players.search.modelled_rules import is_modelled
from engine.players.search.move_codes import by_code
from engine.players.search.world_sampler import WorldSampler
from engine.rules.moves import Move
from engine.rules.views import SeatView


@dataclass(frozen=True, slots=True)
class SearchRoot:
    """The moves by their codes, in the order of preference, and the ways in which the cards may lie."""

    moves: Mapping[int, Move]
    sampler: WorldSampler

    @staticmethod
    def of(view: SeatView, moves: Sequence[Move], memory: Memory) -> "SearchRoot | None":
        """Return the root with those of the moves that are simulated, of which there may be none.

        None where these rules are not simulated, it is not this seat's turn, or view and memory contradict
        each other.
        """
        if view.seat not in view.public.awaited or not is_modelled(view.public.rules):
            return None
        bits = card_bits_of(view)
        try:
            return SearchRoot(by_code(moves, bits), WorldSampler(view, memory, bits))
        except ValueError:
            return None
