"""Puzzles: endings with a single winning move, from games that were really played."""

from bot.features.feature import Feature
from bot.features.puzzles import handlers
from bot.features.puzzles.part import SETTING, Puzzles
from bot.features.puzzles.rows import PuzzleAnswerRow, PuzzleRow
from bot.features.puzzles.store import PuzzleStore
from bot.storage import PersonalRows

FEATURE = Feature(
    "puzzles",
    handlers=handlers,
    setting=SETTING,
    rows=(PuzzleRow, PuzzleAnswerRow),
    about_people=(PersonalRows("puzzles answered", PuzzleAnswerRow.player_id),),
    part=lambda core: Puzzles(
        PuzzleStore(core.database), core.records, core.now, core.thinking, core.puzzles
    ),
    in_stats=Puzzles.in_stats,
    puzzle=Puzzles.by_number,
    offer=Puzzles.offer,
)
