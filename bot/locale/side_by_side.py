"""Lists sentences with all languages side by side, for people to read and edit.

    # bot/screens/lobby.py
    en: {n} seat kept
    en: {n} seats kept
    de (1): {n} Platz reserviert
    de (2, 3, 4): {n} Plätze reserviert
    ru (1, 21, 31):
    ru (2, 3, 4):
    ru (5, 6, 7):

An empty line separates sentences. The numbers in brackets are examples of the plural; they are ignored when a
list is read.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from gettext import c2py
from itertools import islice, zip_longest

from babel.messages import Catalog, Message

from bot.locale.catalogues import forms_of
from bot.locale.mistakes import mistakes_in
from bot.locale.translator import LOCALES

Catalogues = Mapping[str, Catalog]  # by language
_Translation = tuple[Message, tuple[str, ...]]  # a message, and its texts in one language

_ENGLISH = LOCALES[0]
_COMMENT = "#"
_LINE = re.compile(r"(?P<locale>[a-z]+)(?: \([^)]*\))?:(?: (?P<text>.*))?")

_NUMBERS = range(1, 200)
_EXAMPLES = 3  # of these, for each plural


def listing(messages: Iterable[Message], catalogues: Catalogues) -> str:
    """Returns a list of messages, with their translations so far."""
    return "\n\n".join(_entry(message, catalogues) for message in messages)


def _entry(message: Message, catalogues: Catalogues) -> str:
    places = dict.fromkeys(place for place, _ in message.locations)
    lines = [f"{_COMMENT} {', '.join(places)}"]
    lines += [f"{_ENGLISH}: {text}" for text in forms_of(message.id)]

    for locale, catalogue in catalogues.items():
        labels = _plural_labels(locale, catalogue) if isinstance(message.id, tuple) else [locale]
        translation = catalogue.get(message.id)
        texts = forms_of(translation.string) if translation else ()
        lines += [f"{label}: {text}".rstrip() for label, text in zip_longest(labels, texts, fillvalue="")]

    return "\n".join(lines)


def _plural_labels(locale: str, catalogue: Catalog) -> list[str]:
    """Returns the beginning of a line for each plural of a language: `ru (1, 21, 31)`."""
    plural_of = c2py(catalogue.plural_expr)
    labels = []
    for plural in range(catalogue.num_plurals):
        numbers = islice((number for number in _NUMBERS if plural_of(number) == plural), _EXAMPLES)
        labels.append(f"{locale} ({', '.join(map(str, numbers))})")

    return labels


@dataclass(slots=True)
class _Sentence:
    """A sentence of a list: its texts by language, and the line where each language begins."""

    line: int
    texts: dict[str, list[str]] = field(default_factory=dict)
    lines: dict[str, int] = field(default_factory=dict)


class ListError(Exception):
    """A list has mistakes; the message has a line for each."""


def fill(text: str, catalogues: Catalogues) -> int:
    """Writes the translations of a list into the catalogues, and returns how many of them are new.

    A language without a text keeps what it has.

    Raises:
        ListError: The list has mistakes. Nothing is changed.
    """
    mistakes: list[str] = []
    translations: list[_Translation] = []
    for sentence in _sentences_in(text, catalogues, mistakes):
        translations += _translations_in(sentence, catalogues, mistakes)

    if mistakes:
        raise ListError("\n".join(mistakes))

    new = [
        (message, forms)
        for message, forms in translations
        if message.fuzzy or forms_of(message.string) != forms
    ]
    for message, forms in new:
        message.string = forms if isinstance(message.id, tuple) else forms[0]
        message.flags.discard("fuzzy")

    return len(new)


def _translations_in(
    sentence: _Sentence, catalogues: Catalogues, mistakes: list[str]
) -> Iterator[_Translation]:
    """Yields the translations of a sentence, and adds what is wrong with them to `mistakes`."""
    english = sentence.texts.pop(_ENGLISH, [])
    if not english:
        mistakes.append(f"line {sentence.line}: the English is missing")
        return

    for locale, forms in sentence.texts.items():
        message = _message_in(catalogues[locale], english)
        if message is None:
            mistakes.append(f"line {sentence.line}: “{english[-1]}” is no sentence of the bot")
            return

        if not any(forms):
            continue

        about = f"line {sentence.lines[locale]}, “{english[-1]}”, {locale}"
        wrong = mistakes_in(english, forms, locale, catalogues[locale].num_plurals)
        mistakes += [f"{about}: {mistake}" for mistake in wrong]
        yield message, tuple(forms)


def _message_in(catalogue: Catalog, english: list[str]) -> Message | None:
    """Returns the message with exactly these texts; a catalogue looks only at the first of them."""
    message = catalogue.get(english[0])
    return message if message and forms_of(message.id) == tuple(english) else None


def _sentences_in(text: str, catalogues: Catalogues, mistakes: list[str]) -> Iterator[_Sentence]:
    """Yields the sentences of a list, and adds the lines that cannot be read to `mistakes`."""
    sentence = None
    for number, line in enumerate(map(str.rstrip, text.splitlines()), start=1):
        if line.startswith(_COMMENT):
            continue

        if not line:
            if sentence:
                yield sentence
            sentence = None
            continue

        read = _LINE.fullmatch(line)
        if read is None or read["locale"] not in (_ENGLISH, *catalogues):
            choice = ", ".join((_ENGLISH, *catalogues))
            mistakes.append(f"line {number}: “{line}” does not begin with a language ({choice}) and a colon")
            continue

        sentence = sentence or _Sentence(number)
        sentence.texts.setdefault(read["locale"], []).append(read["text"] or "")
        sentence.lines.setdefault(read["locale"], number)

    if sentence:
        yield sentence
