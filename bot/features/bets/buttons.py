"""The buttons of bets: the question under a running table, and its answers."""

from dataclasses import dataclass

from bot.model.buttons import Button, TableButton


@dataclass(frozen=True)
class AskBet(TableButton, prefix="fa"):
    """Ask who will be the fool of a table's running game."""

    game: int
    may_wait_in_private = True


@dataclass(frozen=True)
class PlaceBet(Button, prefix="fb"):
    """Bet that a seat loses a table's running game; in a team game the bet is on its team."""

    table_id: int
    game: int
    seat: int
