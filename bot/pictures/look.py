"""How pictures look to who sees them."""

from dataclasses import dataclass

from bot.pictures.palette import Style
from engine import Rank


@dataclass(frozen=True, slots=True)
class Look:
    """The colours of a picture, and what stands on its cards, from the two to the ace."""

    style: Style
    ranks: tuple[str, ...]

    def rank_text(self, rank: Rank) -> str:
        """Return a rank as it stands on a card."""
        return self.ranks[rank - Rank.TWO]
