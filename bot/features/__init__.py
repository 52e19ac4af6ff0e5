"""All features of the bot, each in a folder of its own."""

from bot.features.feature import Feature
from bot.features.learn import LEARN

FEATURES: tuple[Feature, ...] = (LEARN,)
