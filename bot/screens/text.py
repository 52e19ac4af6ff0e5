"""Text of screens: lines and paragraphs, cards and durations, and what people typed."""

import unicodedata
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from difflib import get_close_matches
from functools import cache

from adapters.port import Span, UserRef
from bot.locale import LOCALES, Translator, spoken
from bot.model.profile import HandOrder
from bot.model.refusal import RefusedError
from engine import Card, Rank, RankOrder, SeatView, Suit, full_deck

Line = tuple[Span, ...]

BREAK = Span("\n")
NO_BREAK = "\N{NO-BREAK SPACE}"


def as_lines(*lines: Line, between: Span = BREAK) -> Line:
    """Joins lines by `between`, and leaves out empty ones."""
    spans: list[Span] = []
    for line in lines:
        if line:
            spans += (between, *line) if spans else line
    return tuple(spans)


def as_paragraphs(*blocks: Line) -> Line:
    """Joins blocks by an empty line, and leaves out empty ones."""
    return as_lines(*blocks, between=Span("\n\n"))


def pictured(line: Line) -> Line:
    """Marks a line as something that the picture of its screen also shows."""
    return tuple([replace(span, in_picture=True) for span in line])


def plain_text(line: Line) -> str:
    """Returns the words of a line without their marks."""
    return "".join([span.text for span in line])


def mentions(names: Iterable[str], users: Iterable[UserRef | None]) -> Line:
    """Mentions people by their names, with commas between."""
    people = ((Span(name, mention=user),) for name, user in zip(names, users, strict=True))
    return as_lines(*people, between=Span(", "))


SIGNS = {Suit.SPADES: "♠", Suit.HEARTS: "♥", Suit.DIAMONDS: "♦", Suit.CLUBS: "♣"}


def rank_text(rank: Rank, translator: Translator) -> str:
    """Returns a rank as printed on a card: `10`, not `T`."""
    return translator.ranks[rank - Rank.TWO]


def card_text(card: Card, translator: Translator) -> str:
    """Returns a card, as in `10♥`."""
    return _texts_of_cards(translator.ranks)[card]


def cards_text(cards: Iterable[Card], translator: Translator) -> str:
    """Returns cards separated by spaces."""
    return " ".join(map(_texts_of_cards(translator.ranks).__getitem__, cards))


@cache
def _texts_of_cards(ranks: tuple[str, ...]) -> Mapping[Card, str]:
    return {card: ranks[card.rank - Rank.TWO] + SIGNS[card.suit] for card in full_deck(52)}


def in_hand_order(view: SeatView, order: HandOrder = HandOrder.RANK) -> list[Card]:
    """Sorts a seat's hand by rank or by suit, with trumps last."""
    places = _places_in_hand(view.public.trump, view.public.rules.rank_order, order)
    return sorted(view.hand, key=places.__getitem__)


@cache
def _places_in_hand(trump: Suit, ranks: RankOrder, order: HandOrder) -> Mapping[Card, tuple[object, ...]]:
    places = dict[Card, tuple[object, ...]]()
    for card in full_deck(52):
        strength = card.rank.strength(ranks)
        suit = card.suit.value
        place = (suit, strength) if order is HandOrder.SUIT else (strength, suit)
        places[card] = (card.suit is trump, *place)

    return places


_MINUTE = 60
_HOUR = 60 * 60
_DAY = 24 * 60 * 60
_FEW = 2  # the number from which the larger unit is used


def bouts_text(bouts: int, translator: Translator) -> str:
    """Counts bouts, which people call rounds."""
    return translator.count("{n} round", "{n} rounds", bouts)


def times(number: int, translator: Translator) -> str:
    """Renders a number of times, as in "3 times"."""
    return translator.count("{n} time", "{n} times", number)


def times_in_a_row(times: int, translator: Translator) -> str:
    """Renders a number of times in a row."""
    return translator.count("{n} time in a row", "{n} times in a row", times)


def duration(seconds: float, translator: Translator) -> str:
    """Renders a duration in the largest unit of which it has at least two, and in minutes otherwise."""
    if seconds >= _FEW * _DAY:
        return translator.count("{n} day", "{n} days", round(seconds / _DAY))
    if seconds >= _FEW * _HOUR:
        return translator.count("{n} hour", "{n} hours", round(seconds / _HOUR))
    return translator.text("{n} min", n=max(1, round(seconds / _MINUTE)))


MAX_NOTICE_LENGTH = 200  # characters that fit a notice in every chat
MAX_ECHO_LENGTH = 30  # characters of typed text that an answer repeats
MIN_LIKENESS = 0.3  # from 0 to 1; words in different alphabets have 0
MAX_NEAREST = 3  # names suggested for an unknown one


def one_of(values: Collection[str], word: str) -> str:
    """Returns a word in lower case if it is one of `values`.

    Raises:
        RefusedError: It is not; the sentence lists the values.
    """
    if word.lower() not in values:
        raise RefusedError("There's no “{word}”; try: {valid}", word=echo(word), valid=", ".join(values))
    return word.lower()


def nearest_of(word: str, names: Collection[str], meanings: Mapping[str, str]) -> str:
    """Lists the names closest to an unknown word, or else the first ones; a dash if there are no names.

    `meanings` maps words of other languages to their names. The closest match is listed as it is, and the
    others by their meanings, because the reader may not know those languages.
    """
    close = get_close_matches(word[:MAX_ECHO_LENGTH].lower(), names, n=len(names) or 1, cutoff=MIN_LIKENESS)
    near = dict.fromkeys(meanings.get(name, name) for name in close or names)
    if close:
        near = dict.fromkeys([close[0], *(name for name in near if name != meanings.get(close[0]))])

    return ", ".join([isolated(name) for name in near][:MAX_NEAREST]) or "–"


def echo(word: str) -> str:
    """Returns typed text without invisible characters, shortened so that an answer can repeat it."""
    visible = "".join(character for character in word if unicodedata.category(character) != "Cf")
    return isolated(visible if len(visible) <= MAX_ECHO_LENGTH else f"{visible[:MAX_ECHO_LENGTH]}…")


FIRST_STRONG_ISOLATE = "\u2068"
POP_ISOLATE = "\u2069"
_RIGHT_TO_LEFT = {"R", "AL"}


def isolated(text: str) -> str:
    """Isolates a right-to-left text, which would otherwise reorder the numbers and signs beside it.

    Returns any other text unchanged.
    """
    if _RIGHT_TO_LEFT.isdisjoint(map(unicodedata.bidirectional, text)):
        return text
    return f"{FIRST_STRONG_ISOLATE}{text}{POP_ISOLATE}"


# Each language's name in the language itself.
LANGUAGES: Mapping[str, str] = {
    "en": "English",
    "ru": "русский",
    "uk": "українська",
    "de": "Deutsch",
    "lt": "lietuvių",
}


def language_named(word: str) -> str:
    """Reads a typed language.

    Raises:
        RefusedError: The bot doesn't speak it.
    """
    code = next((code for code, name in LANGUAGES.items() if name.lower() == word.lower()), None)
    return one_of(LOCALES, code or spoken(word) or word)
