"""All features of the bot, each in a folder of its own."""

from typing import Any

from bot.features.bets import BETS
from bot.features.cups import CUPS
from bot.features.feature import Feature
from bot.features.learn import LEARN
from bot.features.puzzles import PUZZLES
from bot.features.real_cards import REAL_CARDS
from bot.features.teasing import TEASING
from bot.features.titles import TITLES
from bot.features.turning import TURNING
from bot.features.week import WEEK

# In the order of what they add to a message.
FEATURES: tuple[Feature[Any], ...] = (LEARN, TEASING, TITLES, PUZZLES, BETS, TURNING, WEEK, REAL_CARDS, CUPS)
