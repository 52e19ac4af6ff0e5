"""The tallies of a server, as screens and as a file."""

from bot.screens.standings.boards import MOST_ROWS, fool_screen, leaderboard_screen
from bot.screens.standings.charts import best_chart, fool_chart
from bot.screens.standings.sheet import SheetForm, sheet
from bot.screens.standings.stats import stats_screen

__all__ = [
    "MOST_ROWS",
    "SheetForm",
    "best_chart",
    "fool_chart",
    "fool_screen",
    "leaderboard_screen",
    "sheet",
    "stats_screen",
]
