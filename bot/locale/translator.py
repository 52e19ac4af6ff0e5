"""Turns messages into text and spans of one language.

Messages are English sentences in the code with named places (`"{name} takes."`), translated by gettext. The
text has typographic apostrophes, and no line break between a number and its unit, or before a dash.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime
from functools import cache, lru_cache
from itertools import chain
from string import Formatter

from babel.dates import format_date, format_skeleton
from babel.lists import format_list
from babel.numbers import format_decimal, format_percent

from adapters.port import Mark, Span
from bot.locale.catalogues import known_catalogue_of, translations_in, translations_of
from bot.locale.servers import OF_SERVERS, gettext_noop

# The languages of the bot; the first is that of the messages in the code.
LOCALES = ("en", "ru", "uk", "de", "lt")

Phrase = str | Span | tuple[Span, ...]  # a value for a place of a message


class Summaries(Mapping[str, str]):
    """The translations of a message by language, without English; each is made when a chat asks for it."""

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


@lru_cache
def spoken(locale: str) -> str | None:
    """Returns the language of a locale; None if it is not one of the bot's.

    >>> spoken("en-GB"), spoken("tlh")
    ('en', None)
    """
    base = locale.replace("_", "-").partition("-")[0].lower()
    return base if base in LOCALES else None


class Translator:
    """Translates messages into one language.

    Attributes:
        locale: Its code, as in `LOCALES`.
        ranks: The letters on cards, from the two to the ace, as players of this language write them.
    """

    def __init__(self, locale: str, *, says_server: bool = False) -> None:
        """Translates into `locale` (such as `de` or `en-GB`), or into English if the bot does not speak it.

        With `says_server`, a community is called a server rather than a chat.
        """
        self.locale = spoken(locale) or LOCALES[0]
        self._meant = OF_SERVERS if says_server else {}
        self.ranks = tuple(_sentence(self.locale, gettext_noop("2 3 4 5 6 7 8 9 10 J Q K A")).split())

    def text(self, message: str, **places: object) -> str:
        """Returns the message as plain text."""
        return _sentence(self.locale, self._meant.get(message, message)).format(**places)

    def count(self, one: str, many: str, number: int, /, **places: object) -> str:
        """Returns the form of a message that fits `number`, which fills the place `{n}`."""
        sentence = translations_of(self.locale).ngettext(one, many, number)
        return _typeset(self.locale, sentence).format(n=number, **places)

    def number(self, value: float, decimals: int = 1, *, is_change: bool = False) -> str:
        """Returns a number as this language writes it; a change always has a sign.

        >>> Translator("de").number(2.5), Translator("en").number(1.44, is_change=True)
        ('2,5', '+1.4')
        """
        digits = "0." + "0" * decimals
        pattern = f"+{digits};-{digits}" if is_change else digits
        text = format_decimal(value, pattern, locale=self.locale)
        return text.replace("-", "\N{MINUS SIGN}")

    def listing(self, names: Sequence[str]) -> str:
        """Returns names as an enumeration.

        >>> Translator("de").listing(["Anna", "Boris", "Clara"])
        'Anna, Boris und Clara'
        """
        return format_list(names, locale=self.locale).replace(", and ", " and ")

    def percent(self, share: float) -> str:
        """Returns a share (1 is all) in whole percent.

        >>> Translator("en").percent(0.42)
        '42%'
        """
        return format_percent(share, locale=self.locale)

    def full_date(self, day: date) -> str:
        """Returns a date in which the month cannot be taken for the day.

        >>> Translator("de").full_date(date(2026, 11, 3))
        '3. November 2026'
        """
        return format_date(day, "long", locale=self.locale)

    def moment(self, at: datetime) -> str:
        """Returns a day of the week, with its date and time.

        >>> Translator("de").moment(datetime(2026, 11, 23, 20, 30))
        'Mo., 23. November, 20:30'
        """
        return f"{format_skeleton('MMMMEd', at, locale=self.locale)}, {at:%H:%M}"

    def day(self, at: datetime) -> str:
        """Returns a date without its year.

        >>> Translator("de").day(datetime(2026, 11, 29))
        '29. November'
        """
        return format_skeleton("MMMMd", at, locale=self.locale)

    def spans(self, message: str, *, mark: Mark = Mark.PLAIN, **places: Phrase) -> tuple[Span, ...]:
        """Returns the message as spans, so that names and cards keep their own look inside it."""
        sentence = _sentence(self.locale, self._meant.get(message, message))
        return self._filled(sentence, mark, places)

    def count_spans(
        self, one: str, many: str, number: int, /, *, mark: Mark = Mark.PLAIN, **places: Phrase
    ) -> tuple[Span, ...]:
        """Returns the form of a message that fits `number`, as spans."""
        sentence = translations_of(self.locale).ngettext(one, many, number)
        return self._filled(_typeset(self.locale, sentence), mark, places)

    def _filled(self, sentence: str, mark: Mark, places: Mapping[str, Phrase]) -> tuple[Span, ...]:
        """Returns a sentence with its places filled."""
        spans: list[Span] = []
        for literal, place in _parts(sentence):
            if literal:
                spans.append(Span(literal, mark))

            if place is not None:
                phrase = places[place]
                match phrase:
                    case tuple():
                        spans += phrase
                    case str():
                        spans.append(Span(phrase, mark))
                    case Span():
                        spans.append(phrase)

        return tuple(spans)


@cache
def _sentence(locale: str, message: str) -> str:
    """Returns a message in a language; cached, as there are only those of the code."""
    return _typeset(locale, translations_of(locale).gettext(message))


@cache
def _parts(sentence: str) -> tuple[tuple[str, str | None], ...]:
    """Splits a sentence at its places: each text, and the name of the place after it."""
    return tuple((text, place) for text, place, _, _ in Formatter().parse(sentence))


# Where a line may not break: between a number and its unit, and before a dash.
_BREAKS = re.compile(r"(?<=\d) (?=[^\W\d])|(?<=\{n\}) (?=[^\W\d])| (?=[–—])")

# The same in English, where only abbreviated units need it.
_ENGLISH_BREAKS = re.compile(r"(?<=\d) (?=(?:s|min)\b)|(?<=\{n\}) (?=(?:s|min)\b)| (?=[–—])")


@cache
def _typeset(locale: str, sentence: str) -> str:
    breaks = _ENGLISH_BREAKS if locale == LOCALES[0] else _BREAKS
    return breaks.sub("\N{NO-BREAK SPACE}", sentence.replace("'", "\N{RIGHT SINGLE QUOTATION MARK}"))


def load_languages() -> None:
    """Loads everything that the first sentence in each language needs.

    Without catalogues compiled by a build, each language takes a tenth of a second of CPU.
    """
    for locale in LOCALES:
        translator = Translator(locale)
        translator.number(1.0)
        translator.percent(1.0)
        translator.listing(["", ""])
        sentences_of(PAGES, locale)


PAGES = "adapters/"  # the folder with the sentences of the pages


def is_said(words: str) -> bool:
    """Returns whether these words occur in any sentence of the bot, in any language; searches them all."""
    spoken_words = re.compile(rf"(?<!\w){re.escape(words)}(?!\w)")
    return any(map(spoken_words.search, _all_sentences()))


def _all_sentences() -> Iterator[str]:
    """Yields every sentence in every language, with all its plurals."""
    for message in chain.from_iterable(map(known_catalogue_of, LOCALES)):
        for text in (message.id, message.string):
            yield from (text,) if isinstance(text, str) else text or ()


@cache
def sentences_of(folder: str, locale: str) -> Mapping[str, str]:
    """Returns the translations of the messages in the files of a folder (`adapters/`)."""
    translations = translations_in(folder, locale)
    return {message: _typeset(locale, translation) for message, translation in translations.items()}
