"""The weekly report on Sunday evening."""

from bot.features.feature import Feature
from bot.features.week import handlers
from bot.features.week.part import SETTING, Weeks
from bot.features.week.store import WeekStore

FEATURE = Feature(
    "week",
    handlers=handlers,
    setting=SETTING,
    part=lambda core: Weeks(WeekStore(core.database), core.servers, core.now),
    before_choice=Weeks.before_choice,
)
