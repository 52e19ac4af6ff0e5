"""Turns messages into text and spans of one language.

Messages stand in the code in English, are translated by gettext, and have named places: `"{name} takes."`.
"""

from collections.abc import Iterator, Mapping
from functools import cache
from string import Formatter

from adapters.port import Mark, Span
from bot.locale.catalogues import translations_of

LOCALES = ("en", "ru", "uk", "de", "lt")
"""The languages the bot speaks; the first is the one everything is written in."""

Phrase = str | Span | tuple[Span, ...]
"""What may stand in a place of a message."""


def gettext_noop(message: str) -> str:
    """Mark a message that stands in a table of messages and is translated later."""
    return message


class Summaries(Mapping[str, str]):
    """The translations of a message by language, each made when a chat asks for it."""

    def __init__(self, message: str) -> None:
        self._message = message

    def __getitem__(self, locale: str) -> str:
        if locale not in LOCALES[1:]:
            raise KeyError(locale)
        return Translator(locale).text(self._message)

    def __iter__(self) -> Iterator[str]:
        return iter(LOCALES[1:])

    def __len__(self) -> int:
        return len(LOCALES) - 1


def spoken(locale: str) -> str | None:
    """Return the language of a locale, if it is spoken here.

    >>> spoken("en-GB"), spoken("tlh")
    ('en', None)
    """
    base = locale.replace("_", "-").partition("-")[0].lower()
    return base if base in LOCALES else None


class Translator:
    """Says messages in one language.

    Attributes:
        locale: Which one it is, as in `LOCALES`.
        ranks: What stands on cards, from the two to the ace, as players of this language write it.
    """

    def __init__(self, locale: str) -> None:
        """Speak `locale` (`de`, `en-GB`), or English if that is not among `LOCALES`."""
        self.locale = spoken(locale) or LOCALES[0]
        self._sentences = translations_of(self.locale)
        self.ranks = _ranks_in(self.locale)

    def text(self, message: str, **places: object) -> str:
        """Return the message as plain text."""
        return self._sentences.gettext(message).format(**places)

    def count(self, one: str, many: str, number: int, **places: object) -> str:
        """Return the form of a message that fits `number`, which stands in its place `{n}`."""
        return self._sentences.ngettext(one, many, number).format(n=number, **places)

    def spans(self, message: str, *, mark: Mark = Mark.PLAIN, **places: Phrase) -> tuple[Span, ...]:
        """Return the message as spans, so that names and cards keep their own look inside it."""
        spans: list[Span] = []
        for literal, place, _, _ in Formatter().parse(self._sentences.gettext(message)):
            if literal:
                spans.append(Span(literal, mark))
            if place is not None:
                spans.extend(_as_spans(places[place], mark))
        return tuple(spans)


@cache
def _ranks_in(locale: str) -> tuple[str, ...]:
    return tuple(translations_of(locale).gettext(gettext_noop("2 3 4 5 6 7 8 9 10 J Q K A")).split())


def _as_spans(phrase: Phrase, mark: Mark) -> tuple[Span, ...]:
    match phrase:
        case str():
            return (Span(phrase, mark),)
        case Span():
            return (phrase,)
        case _:
            return phrase
