"""Games with real cards, which people enter and confirm, and which count with the others."""

from bot.features.feature import Feature
from bot.features.real_cards import handlers
from bot.features.real_cards.messages import CardMessages
from bot.features.real_cards.model import CARD_GAMES
from bot.features.real_cards.part import RealCards
from bot.features.real_cards.rows import CardEntryRow
from bot.features.real_cards.store import CardGameStore, show_again
from bot.storage import PersonalRows

FEATURE = Feature(
    "real_cards",
    handlers=handlers,
    rows=(CardEntryRow,),
    about_people=(PersonalRows("games with real cards taken back", CardEntryRow.taken_back_by, show_again),),
    part=lambda core: RealCards(CardGameStore(core.database), core),
    load=RealCards.load,
    shows=(CARD_GAMES, CardMessages),
)
