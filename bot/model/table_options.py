"""Choices of a table that are no rules of the game."""

from collections.abc import Mapping
from dataclasses import dataclass

from engine import STRENGTHS

CHOICES: Mapping[str, tuple[object, ...]] = {
    "clock": (60, 120, 300, 900, 0),
    "auto_done": (True, False),
    "strength": tuple(STRENGTHS),
    "hints": (True, False),
}
"""What can be chosen, by the names of `TableOptions`."""


@dataclass(frozen=True, slots=True)
class TableOptions:
    """Choices of a table that are no rules of the game.

    Attributes:
        auto_done: Say Done for a seat that can do nothing else, after a short pause.
        clock: Seconds after which the table moves for somebody absent; 0 lets a game last for days.
        hints: Let people ask what an expert would play.
        is_paused: Time stands still: nobody is called or moved for, and house players wait.
        strength: How well its house players play, by the names of the engine.
    """

    auto_done: bool = True
    clock: int = 120
    strength: str = "regular"
    is_paused: bool = False
    hints: bool = True
