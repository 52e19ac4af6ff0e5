"""What is remembered about a person."""

from dataclasses import dataclass

from bot.model.hand_order import HandOrder


@dataclass(frozen=True, slots=True)
class Profile:
    """What a person chose, or their chat says of them.

    Attributes:
        language: The one they chose, else the locale of their chat; empty when neither is known.
        hand_order: How they hold their cards.
        reachable: Whether the bot can write to them; None when that was never tried.
    """

    language: str = ""
    hand_order: HandOrder = HandOrder.RANK
    reachable: bool | None = None
