"""How somebody likes to hold their cards."""

from enum import StrEnum, auto


class HandOrder(StrEnum):
    """What cards are sorted by; trumps come last either way."""

    RANK = auto()
    SUIT = auto()

    @property
    def other(self) -> "HandOrder":
        """The order that this one can be changed to."""
        return HandOrder.SUIT if self is HandOrder.RANK else HandOrder.RANK
