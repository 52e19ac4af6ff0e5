"""Jokes beside the table and under the result."""

from bot.features.feature import Feature
from bot.features.teasing.part import SETTING, Teasing

FEATURE = Feature(
    "teasing",
    setting=SETTING,
    part=lambda core: Teasing(core.finished_games),
    at_the_table=Teasing.at_the_table,
    under_the_result=Teasing.under_the_result,
)
