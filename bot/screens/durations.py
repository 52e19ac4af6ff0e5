"""How long a game takes, in words."""

from bot.locale import Translator

_MINUTE, _HOUR, _DAY = 60, 60 * 60, 24 * 60 * 60
_FEW = 2
"""So many of a unit, and more, are not told in the smaller one."""


def bouts_text(bouts: int, translator: Translator) -> str:
    """Count bouts."""
    return translator.count("{n} round", "{n} rounds", bouts)


def duration(seconds: float, translator: Translator) -> str:
    """Say how long, in the largest unit of which there are at least two; a moment is a minute."""
    if seconds >= _FEW * _DAY:
        return translator.count("{n} day", "{n} days", round(seconds / _DAY))
    if seconds >= _FEW * _HOUR:
        return translator.count("{n} hour", "{n} hours", round(seconds / _HOUR))
    return translator.count("{n} minute", "{n} minutes", max(1, round(seconds / _MINUTE)))
