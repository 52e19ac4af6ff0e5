"""Finished games, as the rows of their results tell them."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class GameResult:
    """How a game ended for one person; who did not go out has no place.

    `trump` is empty, and `bouts` and `seconds` are 0, where nobody noted them.
    """

    place: int | None
    is_loser: bool
    is_draw: bool
    trump: str = ""
    bouts: int = 0
    seconds: float = 0.0
