"""What people type after commands, and what is wrong with it."""

from collections.abc import Collection

from bot.locale import LOCALES, Translator, spoken
from engine import nearest

LONGEST_NOTICE = 200
"""Characters of a notice on a phone: the chat with the smallest ones cuts them there."""

LONGEST_ECHO = 40
"""Characters of what somebody typed that are said back."""


class InvalidArgumentError(ValueError):
    """What was typed after a command means nothing; the message is a sentence for who typed it."""


def one_of(values: Collection[str], word: str, translator: Translator) -> str:
    """Read one of some words, however it is capitalised.

    Raises:
        InvalidArgumentError: It is none of them; the sentence lists them.
    """
    if word.lower() not in values:
        raise InvalidArgumentError(
            translator.text("There is no “{word}”; try: {valid}", word=echo(word), valid=", ".join(values))
        )
    return word.lower()


def nearest_of(word: str, names: Collection[str]) -> str:
    """List the names that are most like a word that is none of them; a dash if there are no names."""
    return ", ".join(nearest(word, names)) or "–"


def echo(word: str) -> str:
    """Shorten what somebody typed, so that the sentence that says it back still fits a phone."""
    return word if len(word) <= LONGEST_ECHO else f"{word[:LONGEST_ECHO]}…"


def language_named(word: str, translator: Translator) -> str:
    """Read the language that somebody typed.

    Raises:
        InvalidArgumentError: It is not spoken here.
    """
    return one_of(LOCALES, spoken(word) or word, translator)
