"""The firsts and titles that players earned in a game, under its result."""

from bot.features.feature import Feature
from bot.features.titles.part import SETTING, NewTitles

FEATURE = Feature(
    "titles",
    setting=SETTING,
    part=lambda core: NewTitles(core.titles),
    under_the_result=NewTitles.under_the_result,
)
