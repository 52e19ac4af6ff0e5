"""House players: they see a `SeatView`, what they remember, and nothing else."""

from collections.abc import Callable, Mapping
from random import Random
from types import MappingProxyType

from engine.players.adviser import Adviser
from engine.players.expert import DEFAULT_LIMIT, ENOUGH, Expert
from engine.players.house import Absent, Beginner, HousePlayer
from engine.players.memory import NOTHING_SEEN, Memory
from engine.players.regular import Regular

STRENGTHS: Mapping[str, Callable[[Random], HousePlayer]] = MappingProxyType(
    {"beginner": lambda _: Beginner(), "regular": lambda _: Regular(), "expert": Expert}
)
"""Makes a house player of a strength, the weakest first, with the random numbers for its guesses."""

__all__ = [
    "DEFAULT_LIMIT",
    "ENOUGH",
    "NOTHING_SEEN",
    "STRENGTHS",
    "Absent",
    "Adviser",
    "Beginner",
    "Expert",
    "HousePlayer",
    "Memory",
    "Regular",
]
