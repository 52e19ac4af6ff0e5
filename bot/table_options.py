"""Choices of a table that are no rules of the game."""

from dataclasses import dataclass

CLOCKS = (60, 120, 300, 900, 0)
"""The clocks a table can have, in seconds; 0 is none."""


@dataclass(frozen=True, slots=True)
class TableOptions:
    """Choices of a table that are no rules of the game.

    Attributes:
        auto_done: Say Done for a seat that can do nothing else, after a short pause.
        clock: Seconds after which the table moves for somebody absent; 0 lets a game last for days.
        is_paused: Time stands still: nobody is called or moved for, and house players wait.
        strength: How well its house players play, by the names of the engine.
    """

    auto_done: bool = True
    clock: int = 120
    strength: str = "regular"
    is_paused: bool = False
