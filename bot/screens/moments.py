"""Moments in words, on the clocks of a server."""

from datetime import datetime
from zoneinfo import ZoneInfo

from babel.dates import format_skeleton

from adapters.port import Span
from bot.locale import Translator

UTC = "UTC"
"""What a server shows that has chosen no zone; people have to be told, for nobody lives by it."""


def moment(at: float, now: float, zone: ZoneInfo, translator: Translator) -> Span:
    """Name a moment (in Unix seconds), with its day unless that is today."""
    there, today = (datetime.fromtimestamp(each, zone) for each in (at, now))
    words = [f"{there:%H:%M}"]
    if there.date() != today.date():
        words.insert(0, format_skeleton("MMMEd", there, locale=translator.locale))
    if zone.key == UTC:
        words.append(UTC)
    return Span(" ".join(words), when=at)
