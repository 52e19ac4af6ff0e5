"""Games that people played with real cards: entered, confirmed, and counted with the others."""

from bot.features.feature import Feature
from bot.features.real_cards import handlers
from bot.features.real_cards.buttons import ChangeCardGames
from bot.features.real_cards.part import RealCards
from bot.features.real_cards.rows import CardNoticeRow, CardPostRow
from bot.features.real_cards.store import CardGameStore
from bot.storage import PersonalRows

FEATURE = Feature(
    "real_cards",
    handlers=handlers,
    rows=(CardPostRow, CardNoticeRow),
    about_people=(PersonalRows("questions about games with real cards", CardNoticeRow.player_id),),
    part=lambda core: RealCards(CardGameStore(core.database), core),
    before_forgetting=RealCards.before_forgetting,
    answer_shown=(ChangeCardGames, RealCards.answer_shown),
    load=RealCards.load,
)
