"""The tallies of a server, as screens and as a file."""

from bot.screens.standings.boards import MOST_ROWS, fool_screen, leaderboard_screen
from bot.screens.standings.phrases import shown_name
from bot.screens.standings.sheet import SheetForm, sheet
from bot.screens.standings.stats import RatingPlace, stats_screen

__all__ = [
    "MOST_ROWS",
    "RatingPlace",
    "SheetForm",
    "fool_screen",
    "leaderboard_screen",
    "sheet",
    "shown_name",
    "stats_screen",
]
