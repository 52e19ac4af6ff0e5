"""Bets for honour on the fool of a running game."""

from bot.features.bets import handlers
from bot.features.bets.part import SETTING, Bets
from bot.features.bets.rows import BetRow
from bot.features.bets.store import BetStore, void_bets
from bot.features.feature import Feature
from bot.storage import PersonalRows

FEATURE = Feature(
    "bets",
    handlers=handlers,
    setting=SETTING,
    rows=(BetRow,),
    about_people=(PersonalRows("bets", BetRow.player_id),),
    part=lambda core: Bets(BetStore(core.database)),
    at_the_table=Bets.at_the_table,
    under_the_result=Bets.under_the_result,
    in_stats=Bets.in_stats,
    highlight=Bets.highlight,
    game_ended=void_bets,
    forget=Bets.forget,
)
