"""Four short games that teach Durak."""

from bot.features.feature import Feature
from bot.features.learn import handlers

FEATURE: Feature[None] = Feature("learn", handlers=handlers)
