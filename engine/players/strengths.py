"""The house players by name."""

from collections.abc import Callable, Mapping
from random import Random
from types import MappingProxyType

from engine.players.expert import Expert
from engine.players.house import Beginner, HousePlayer
from engine.players.regular import Regular

STRENGTHS: Mapping[str, Callable[[Random], HousePlayer]] = MappingProxyType(
    {"beginner": lambda _: Beginner(), "regular": lambda _: Regular(), "expert": Expert}
)
"""Makes a house player of a strength, the weakest first, with the random numbers for its guesses."""
