"""The screens of one evening: as they were approved in English, and of the same shape in every language."""

import re
from collections import Counter
from collections.abc import Iterator
from functools import cache

import pytest

from adapters.port import CallbackButton, Screen
from bot.locale import LOCALES, Translator
from bot.locale.catalogues import forms_of, known_catalogue_of
from bot.locale.messages import every_message
from bot.screens.keyboard import label_width, room_in
from bot.screens.settings import WORDINGS
from engine import SETTINGS, value_text
from tests.bot.screens.evening import FILE, evening, screens
from tests.golden import assert_approved

TRANSLATED = LOCALES[1:]
CYRILLIC = ("ru", "uk")

# The names of the evening, the suits, and commands: a translation leaves them as they are.
FIXED = re.compile(r"\b(?:Player \d|Anna|Boris|Clara|Dan|Eva|Fritz|Friends|Jester)\b|[♠♥♦♣]|/[a-z]+\b")
NUMBER = re.compile(r"\d+")

LATIN = re.compile(r"[A-Za-z]{2,}")
SEAL = re.compile(r"\b[0-9a-f]{4,}\b")
TYPED = re.compile(r"/[a-z]+(?: [a-z0-9@:=_-]+)*")
IN_EVERY_LANGUAGE = {"Chat", "OK", "UTC", "Telegram", "English", "Deutsch", "lietuvi"}
WRITTEN_BY_PEOPLE = {"On", "Saturday", "we", "played", "friday"}

# Traces of an empty placeholder, or of one that was not filled.
BROKEN = re.compile(r"\S  +\S|\s[,.;!?)]|\(\s|\(, |\(\)|“”|[{}]|\s$|·$|^\s*·")


@cache
def screens_in(locale: str) -> tuple[tuple[str, Screen], ...]:
    return tuple(screens(Translator(locale)))


def lines_of(screen: Screen) -> list[str]:
    return "".join(span.text for span in screen.text).split("\n")


def labels_of(screen: Screen) -> list[str]:
    return [button.label for row in screen.rows for button in row]


def shape_of(screen: Screen) -> tuple[object, ...]:
    """Returns the parts that are the same in every language: names in each line, links, buttons, drawings."""
    fixed = [sorted(FIXED.findall(line)) for line in lines_of(screen)]
    links = Counter((span.mention, span.link, span.when, span.counts_down) for span in screen.text)
    del links[None, None, None, False]
    buttons = [
        (type(button), button.token if isinstance(button, CallbackButton) else "")
        for row in screen.rows
        for button in row
    ]
    return fixed, links, buttons, type(screen.board), type(screen.facts), screen.reaction


def test_the_screens_read_as_they_were_approved() -> None:
    assert_approved(evening(LOCALES[0]), FILE, "screens")


@pytest.mark.parametrize("locale", TRANSLATED)
def test_an_evening_has_the_same_shape_in_every_language(locale: str) -> None:
    pairs = zip(screens_in(LOCALES[0]), screens_in(locale), strict=True)
    for (name, english), (other_name, translated) in pairs:
        assert name == other_name
        assert shape_of(translated) == shape_of(english), name


@pytest.mark.parametrize("locale", TRANSLATED)
def test_every_number_of_the_english_is_in_the_translation(locale: str) -> None:
    """A translation may have more: English writes small ones as words."""
    for (name, english), (_, translated) in zip(screens_in(LOCALES[0]), screens_in(locale), strict=True):
        for line, other in zip(lines_of(english), lines_of(translated), strict=True):
            assert not Counter(NUMBER.findall(line)) - Counter(NUMBER.findall(other)), (name, other)


@pytest.mark.parametrize("locale", LOCALES)
def test_no_line_has_a_gap_where_something_was_to_be(locale: str) -> None:
    for name, screen in screens_in(locale):
        for text in (*lines_of(screen), *labels_of(screen)):
            assert not BROKEN.search(text), (name, text)


@pytest.mark.parametrize("locale", CYRILLIC)
def test_no_words_of_the_code_stay_english(locale: str) -> None:
    """Cyrillic reveals words that were never offered for translation, into any language."""
    unfinished = words_still_to_translate(locale) | words_still_to_write()
    expected = IN_EVERY_LANGUAGE | WRITTEN_BY_PEOPLE | unfinished
    for name, screen in screens_in(locale):
        for text in (*lines_of(screen), *labels_of(screen)):
            translated = SEAL.sub("", FIXED.sub("", TYPED.sub("", text)))
            assert not set(LATIN.findall(translated)) - expected, (name, text)


def words_still_to_translate(locale: str) -> set[str]:
    return {word for text in english_texts(locale) for word in LATIN.findall(text)}


def words_still_to_write() -> set[str]:
    """Returns what settings without a wording show; `test_rules.py` fails on each of these."""
    bare = [name for name in SETTINGS if WORDINGS[name].label == name]
    texts = [*bare, *(value_text(value) for name in bare for value in SETTINGS[name])]
    return {word for text in texts for word in LATIN.findall(text)}


def english_texts(locale: str) -> Iterator[str]:
    """Yields the texts of the sentences that have no translation."""
    known = {message.id for message in known_catalogue_of(locale)}
    for message in every_message():
        if message.id not in known:
            yield from forms_of(message.id)


# Screens that divide a phone's row among labels that are longer in some language.
WITH_LONG_LABELS = ("settings", "table", "host", "help", "leaving")


@pytest.mark.parametrize("locale", LOCALES)
def test_labels_fit_a_phone(locale: str) -> None:
    labels = [
        (button.label, len(row))
        for name, screen in screens_in(locale)
        if not name.startswith(WITH_LONG_LABELS)
        for row in screen.rows
        for button in row
        if isinstance(button, CallbackButton)
    ]
    assert [(label, width) for label, width in labels if label_width(label) > room_in(width)] == []
