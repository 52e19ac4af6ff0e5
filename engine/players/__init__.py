"""House players: they see a `SeatView`, what they remember, and nothing else."""

from engine.players.absent import Absent
from engine.players.beginner import Beginner
from engine.players.house import NOTHING_SEEN, HousePlayer
from engine.players.memory import Memory
from engine.players.regular import Regular

__all__ = ["NOTHING_SEEN", "Absent", "Beginner", "HousePlayer", "Memory", "Regular"]
