"""The buttons of games with real cards."""

from dataclasses import dataclass
from enum import StrEnum, auto

from bot.model.buttons import Button


class CardGameAction(StrEnum):
    """The answers to games with real cards."""

    COUNT = auto()
    TAKE_BACK = auto()
    DAY_FIRST = auto()
    MONTH_FIRST = auto()


@dataclass(frozen=True)
class ChangeCardGames(Button, prefix="e"):
    """Confirm an entry of games with real cards, take it back, or choose the order of day and month."""

    number: int
    action: CardGameAction
