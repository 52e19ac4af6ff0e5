"""What several tallies say."""

from collections.abc import Sequence

from adapters.port import Span
from bot.locale import Translator
from bot.model.standings import Standing
from bot.screens.cards import SIGNS
from bot.screens.durations import bouts_text, duration
from bot.screens.people import safe_name
from bot.screens.story import Line

_SUITS = {str(suit): sign for suit, sign in SIGNS.items()}


def shown_name(name: str, translator: Translator) -> str:
    """Return a name as it may be shown, and something to call those who have none."""
    return safe_name(name) or translator.text("a player")


def games_text(games: int, translator: Translator) -> str:
    """Count games."""
    return translator.count("{n} game", "{n} games", games)


def percent(share: float) -> str:
    """Return a share as in `42 %`."""
    return f"{share:.0%}".replace("%", "\u202f%")


def length_text(bouts: float, seconds: float, translator: Translator) -> str:
    """Say how long a game is on average."""
    return translator.text(
        "on average: {bouts}, {minutes}",
        bouts=bouts_text(round(bouts), translator),
        minutes=duration(seconds, translator),
    )


def trumps_text(trumps: Sequence[tuple[str, int]], translator: Translator) -> str:
    """Say how often which suit was trumps."""
    counts = " · ".join(f"{_SUITS[suit]} {count}" for suit, count in trumps if suit in _SUITS)
    return translator.text("trumps: {counts}", counts=counts)


def index_text(standing: Standing) -> str:
    """Return the fool index as in `0.75`."""
    return f"{standing.index:.2f}"


def average_text(translator: Translator) -> str:
    """Explain the fool index."""
    return translator.text("index: 1.00 is average, lower is better")


def nothing_text(translator: Translator) -> str:
    """Say that nothing can be told yet, and which games would tell something."""
    return translator.text(
        "No finished games here yet: one counts when at least two people sat at its table. "
        "/durak opens a table."
    )


def plain(text: str) -> Line:
    """Return a text as a row."""
    return (Span(text),)
