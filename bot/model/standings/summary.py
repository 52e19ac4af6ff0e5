"""What the games of a server were like, all together."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Rivalry:
    """The two who decided most games between themselves: one was the fool, and the other was not."""

    names: tuple[str, str]
    fools: tuple[int, int]
    games: int


@dataclass(frozen=True, slots=True)
class Summary:
    """All games that count.

    `bouts` and `seconds` are averages, and `trumps` counts suits, over the games of which that was noted.
    """

    games: int
    bouts: float = 0.0
    seconds: float = 0.0
    trumps: tuple[tuple[str, int], ...] = ()
    rivalry: Rivalry | None = None
