"""What can be played, but nobody should choose: the rules would contradict themselves, or wear out a table.

Records and running tables that were begun with such rules go on; see clashes.py for what cannot be dealt.
"""

from collections.abc import Iterator

from engine.rules.clashes import Clash, ClashReason, too_large, too_small
from engine.rules.settings import Settings

MOST_DECKS = 3
"""As many cards of a rank as still go into one attack, and behind its button."""
MOST_HAND = 18
"""More cards than this nobody finds their way about on a phone; it is half a deck for each of two."""
_FEWEST_OF_A_SUIT = 4


def find_objections(rules: Settings) -> Iterator[Clash]:
    """Name what speaks against choosing these rules."""
    for name, most in (("decks", MOST_DECKS), ("hand_size", MOST_HAND)):
        if getattr(rules, name) > most:
            yield too_large(name, most)
    # A hand has two of a suit more often than not; who may always deal anew never plays.
    fewest = max(_FEWEST_OF_A_SUIT, rules.hand_size // 2 + 1)
    if 0 < rules.redeal_same_suit < fewest:
        yield too_small("redeal_same_suit", fewest)
    if rules.epaulettes != "off" and rules.game_end == "places_filled":
        yield Clash(("epaulettes", "game_end"), ClashReason.EPAULETTES_AND_PLACES)
    if rules.teams != "off" and rules.winner != "none":
        yield Clash(("winner", "teams"), ClashReason.TEAMS_AND_WINNER)
    if rules.teams != "off" and rules.scoring == "punkte":
        yield Clash(("scoring", "teams"), ClashReason.TEAMS_AND_POINTS)
