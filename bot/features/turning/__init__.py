"""The move that decided a game, under its result."""

from bot.features.feature import Feature
from bot.features.turning.part import SETTING, Turning

FEATURE = Feature(
    "turning",
    setting=SETTING,
    part=lambda core: Turning(core.reviews),
    under_the_result=Turning.under_the_result,
)
