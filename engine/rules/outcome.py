"""How a game ended."""

from dataclasses import dataclass

from engine.rules.cards import Rank

Seat = int


@dataclass(frozen=True, slots=True)
class Outcome:
    """The end of one game.

    `fool` is the one loser of a game without teams; `losers` are the fool, the losing team, or those who got
    no place. `order` is the order of going out, `points` what each seat won in this game. `epaulettes` counts
    the sixes (or the step of the ladder, whose rank is `epaulette_rank`) that the losers wear. `winner` is
    set where the rules name one.
    """

    fool: Seat | None
    losers: tuple[Seat, ...]
    is_draw: bool
    order: tuple[Seat, ...]
    points: tuple[int, ...]
    epaulettes: int = 0
    epaulette_rank: Rank | None = None
    winner: Seat | None = None
