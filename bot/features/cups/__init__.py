"""Cup evenings for four to sixteen people: two rounds, a final, and an honour for the best and the worst."""

from bot.features.cups import handlers
from bot.features.cups.messages import CupMessages
from bot.features.cups.model import CUP
from bot.features.cups.part import SETTING, Cups
from bot.features.cups.rows import CupEntrantRow, CupRow
from bot.features.cups.store import CupStore, leave_cups, schedule_cup
from bot.features.feature import Feature
from bot.storage import PersonalRows, clear, keep

FEATURE = Feature(
    "cups",
    handlers=handlers,
    setting=SETTING,
    rows=(CupRow, CupEntrantRow),
    about_people=(
        PersonalRows("cups opened", CupRow.opener_id, keep),
        PersonalRows("cups entered", CupEntrantRow.player_id, leave_cups),
        PersonalRows("cups won", CupRow.winner_id, clear),
        PersonalRows("fool's caps", CupRow.fool_id, clear),
    ),
    game_ended=schedule_cup,
    part=lambda core: Cups(CupStore(core.database), core),
    in_season=Cups.in_season,
    member_left=Cups.sign_off,
    room_moved=Cups.room_moved,
    forget=Cups.forget,
    shows=(CUP, CupMessages),
)
