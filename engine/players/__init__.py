"""House players: they see a `SeatView`, their memory, and nothing else."""

from collections.abc import Callable, Mapping
from random import Random
from types import MappingProxyType

from engine.players.adviser import Adviser
from engine.players.expert import DEFAULT_LIMIT, ENOUGH, Expert
from engine.players.house import Absent, Beginner, HousePlayer
from engine.players.memory import NOTHING_SEEN, Memory
from engine.players.regular import Regular
from engine.players.search import simulation
from engine.players.search.simulation import is_modelled
from engine.rules.settings import Rules

# Makers of house players by strength, the weakest first; only experts use the random numbers.
STRENGTHS: Mapping[str, Callable[[Random], HousePlayer]] = MappingProxyType(
    {"beginner": lambda _: Beginner(), "regular": lambda _: Regular(), "expert": Expert}
)


def strength_by(rules: Rules, strength: str) -> str:
    """Returns how strong house players of a strength really are by these rules.

    Experts look ahead; if these rules cannot be simulated, as with several decks, they play like regulars.
    """
    return strength if strength != "expert" or is_modelled(rules) else "regular"


def is_search_compiled() -> bool:
    """Returns whether the search of experts is compiled, which makes it 2.5 times as fast."""
    return not simulation.__file__.endswith(".py")
