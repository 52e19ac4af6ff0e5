"""House players: they see a `SeatView`, what they remember, and nothing else."""

from engine.players.adviser import Adviser
from engine.players.expert import DEFAULT_LIMIT, ENOUGH, Expert
from engine.players.house import NOTHING_SEEN, Absent, Beginner, HousePlayer
from engine.players.memory import Memory
from engine.players.regular import Regular
from engine.players.strengths import STRENGTHS

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
