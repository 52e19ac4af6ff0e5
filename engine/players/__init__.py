"""House players: they see a `SeatView` and nothing else."""

from engine.players.absent import Absent
from engine.players.beginner import Beginner
from engine.players.house import HousePlayer

__all__ = ["Absent", "Beginner", "HousePlayer"]
