"""All features of the bot, one folder for each."""

from typing import Any

from bot.features import bets, cups, learn, puzzles, real_cards, teasing, titles, turning, week
from bot.features.feature import Feature

# This is also the order of their lines in a message.
FEATURES: tuple[Feature[Any], ...] = (
    learn.FEATURE,
    teasing.FEATURE,
    titles.FEATURE,
    puzzles.FEATURE,
    bets.FEATURE,
    turning.FEATURE,
    week.FEATURE,
    real_cards.FEATURE,
    cups.FEATURE,
)
