"""The words of all screens: what people type and are called, cards, durations, and rows of buttons."""

import unicodedata
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from difflib import get_close_matches
from functools import cache, lru_cache
from itertools import chain, pairwise

from adapters.port import CallbackButton, Limits, Span, Tone, UserRef
from bot.locale import LOCALES, Translator, gettext_noop, spoken
from bot.model.buttons import Button
from bot.model.people import HandOrder
from bot.model.table import Player
from bot.pictures.cards import card_icon
from engine import Card, Rank, RankOrder, Rules, Seat, SeatView, Suit, full_deck

LONGEST_NOTICE = 200  # characters of a notice in the chat with the shortest ones
LONGEST_ECHO = 40  # how many characters of typed text are repeated in an answer
LEAST_LIKENESS = 0.3  # from 0 to 1; a word of another alphabet has none
MOST_NEAREST = 3  # how many names are suggested for an unknown one


class InvalidArgumentError(ValueError):
    """An argument cannot be read; the message is a sentence for the person who typed it."""


def one_of(values: Collection[str], word: str, translator: Translator) -> str:
    """Reads one of some words, however it is capitalised.

    Raises:
        InvalidArgumentError: It is none of them; the sentence lists them.
    """
    if word.lower() not in values:
        raise InvalidArgumentError(
            translator.text("There's no “{word}”; try: {valid}", word=echo(word), valid=", ".join(values))
        )
    return word.lower()


def nearest_of(word: str, names: Collection[str], meanings: Mapping[str, str]) -> str:
    """Lists the names that are most like a word that is none of them; a dash if there are no names.

    Where none is like it, the first ones are listed; of several with one meaning only the one most alike.
    """
    alike = get_close_matches(word[:LONGEST_ECHO].lower(), names, n=len(names) or 1, cutoff=LEAST_LIKENESS)
    found: dict[str, str] = {}
    for name in alike or names:
        found.setdefault(meanings.get(name, name), name)
    return ", ".join(list(found.values())[:MOST_NEAREST]) or "–"


def echo(word: str) -> str:
    """Shortens typed text, so that the sentence that says it back still fits a phone."""
    return word if len(word) <= LONGEST_ECHO else f"{word[:LONGEST_ECHO]}…"


# What each language calls itself.
LANGUAGES: Mapping[str, str] = {
    "en": "English",
    "ru": "русский",
    "uk": "українська",
    "de": "Deutsch",
    "lt": "lietuvių",
}


def language_named(word: str, translator: Translator) -> str:
    """Reads a typed language.

    Raises:
        InvalidArgumentError: It is not spoken here.
    """
    named = next((code for code, name in LANGUAGES.items() if name.lower() == word.lower()), None)
    return one_of(LOCALES, named or spoken(word) or word, translator)


# --- Lines of a screen ---


Line = tuple[Span, ...]

BREAK = Span("\n")


def as_lines(*lines: Line, between: Span = BREAK) -> Line:
    """Puts lines under one another; empty ones vanish."""
    spans: list[Span] = []
    for line in lines:
        if line:
            spans += (between, *line) if spans else line
    return tuple(spans)


def as_paragraphs(*blocks: Line) -> Line:
    """Puts blocks under one another with an empty line between them; empty ones vanish."""
    return as_lines(*blocks, between=Span("\n\n"))


def mentions(names: Iterable[str], users: Iterable[UserRef | None]) -> Line:
    """Mentions people by their names, with commas between."""
    called = ((Span(name, mention=user),) for name, user in zip(names, users, strict=True))
    return as_lines(*called, between=Span(", "))


# --- How cards look in text: a letter or number, in a reader's language, and the sign of the suit ---

SIGNS = {Suit.SPADES: "♠", Suit.HEARTS: "♥", Suit.DIAMONDS: "♦", Suit.CLUBS: "♣"}


def rank_text(rank: Rank, translator: Translator) -> str:
    """Returns a rank as it stands on a card: `10`, not `T`."""
    return translator.ranks[rank - Rank.TWO]


def card_text(card: Card, translator: Translator) -> str:
    """Returns a card as in `10♥`."""
    return _texts_of_cards(translator.ranks)[card]


def cards_text(cards: Iterable[Card], translator: Translator) -> str:
    """Returns cards side by side."""
    return " ".join(map(_texts_of_cards(translator.ranks).__getitem__, cards))


@cache
def _texts_of_cards(ranks: tuple[str, ...]) -> Mapping[Card, str]:
    return {card: ranks[card.rank - Rank.TWO] + SIGNS[card.suit] for card in full_deck(52)}


def in_hand_order(view: SeatView, order: HandOrder = HandOrder.RANK) -> list[Card]:
    """Sorts a seat's hand as people hold it: low to high or suit by suit, trumps last."""
    places = _places_in_hand(view.public.trump, view.public.rules.rank_order, order)
    return sorted(view.hand, key=places.__getitem__)


@cache
def _places_in_hand(trump: Suit, ranks: RankOrder, order: HandOrder) -> Mapping[Card, tuple[object, ...]]:
    places = dict[Card, tuple[object, ...]]()
    for card in full_deck(52):
        strength = card.rank.strength(ranks)
        suit = card.suit.value
        places[card] = (
            card.suit is trump,
            *((suit, strength) if order is HandOrder.SUIT else (strength, suit)),
        )

    return places


# --- How long a game takes, in words ---


_MINUTE = 60
_HOUR = 60 * 60
_DAY = 24 * 60 * 60
_FEW = 2  # from this many on, the larger unit is used


def bouts_text(bouts: int, translator: Translator) -> str:
    """Counts bouts."""
    return translator.count("{n} round", "{n} rounds", bouts)


def times_in_a_row(times: int, translator: Translator) -> str:
    """Counts how often the same happened, one time after the other."""
    return translator.count("{n} time in a row", "{n} times in a row", times)


def duration(seconds: float, translator: Translator) -> str:
    """Says how long, in the largest unit of which there are at least two; a moment is a minute."""
    if seconds >= _FEW * _DAY:
        return translator.count("{n} day", "{n} days", round(seconds / _DAY))
    if seconds >= _FEW * _HOUR:
        return translator.count("{n} hour", "{n} hours", round(seconds / _HOUR))
    return translator.text("{n} min", n=max(1, round(seconds / _MINUTE)))


# --- The icons that chats are given for their buttons ---


def card_icons() -> Mapping[str, bytes]:
    """Draws every card in the letters of every language, as PNGs by its name in text, such as `10♥`."""
    ranks = {rank for locale in LOCALES for rank in Translator(locale).ranks}
    return {rank + sign: card_icon(rank, suit) for rank in sorted(ranks) for suit, sign in SIGNS.items()}


# --- Rows of buttons that fit into a message ---


COMFORTABLE = 4  # buttons in a row that a thumb hits on a phone

# Pixels of a row of buttons on a phone 360 wide, between two of them, and beside a label.
_ROW = 306
_GAP = 4
_PADDING = 21

_NARROW = frozenset(" iljI|!.,:;·'’")
_SLIM = frozenset("frt()[]-–/")
_BROAD = frozenset("mwMW@%—шщжюфмыШЩЖЮФМЫ")
_LAST_LATIN = "\u024f"
_FIRST_SIGN = "\u2190"
_FIRST_WIDE = "\u2700"


def button_to(token: Button, label: str, tone: Tone = Tone.NEUTRAL, *, icon: str = "") -> CallbackButton:
    """Returns a button with this label; a press on it gives the token back."""
    return CallbackButton(str(token), label, tone, icon=icon)


def rows_of(
    choices: Sequence[CallbackButton],
    *controls: Sequence[CallbackButton],
    limits: Limits,
    is_aligned: bool = True,
    page: int = 0,
    turn_to: Callable[[int], str] | None = None,
) -> tuple[tuple[CallbackButton, ...], ...]:
    """Lays out `choices` in rows, and below them each group of `controls` in rows of its own.

    A row has as many buttons as a phone shows whole, and more only where the chat has too few rows. Choices
    that are `is_aligned` stand in columns. What does not fit is on further pages: `turn_to` gives the token
    of the button that leads to one, and a page beyond the last shows the first. Without it, it is left out.
    """
    groups = [choices, *controls]
    most_rows = limits.buttons // limits.per_row
    laid = [
        _in_columns(group, limits) if place == 0 and is_aligned else _packed(group, limits)
        for place, group in enumerate(groups)
    ]
    while sum(map(len, laid)) > most_rows:
        heights = [len(rows) - 1 for rows in laid]  # what each would have with a row less
        places = [each for each, low in enumerate(heights) if 0 < len(groups[each]) <= limits.per_row * low]
        if not places:
            break
        tallest = max(places, key=lambda place: heights[place])
        joined = None if tallest == 0 and is_aligned else _with_a_row_less(laid[tallest], limits)
        laid[tallest] = joined or in_rows(groups[tallest], -(-len(groups[tallest]) // heights[tallest]))

    above, *below = laid
    room = most_rows - sum(map(len, below))
    if len(above) > room and turn_to is None:
        above = in_rows(choices[: room * limits.per_row], limits.per_row)
    elif len(above) > room and turn_to is not None:
        most = limits.per_row * (room - 1)
        pages = -(-len(choices) // most)
        page %= pages
        onward = CallbackButton(turn_to((page + 1) % pages), f"▶ {page + 1}/{pages}")
        above = *in_rows(choices[page * most : (page + 1) * most], limits.per_row), (onward,)

    return tuple(chain(above, *below))


def in_rows(buttons: Sequence[CallbackButton], width: int) -> tuple[tuple[CallbackButton, ...], ...]:
    """Lays out buttons in rows of `width`."""
    return tuple([tuple(buttons[start : start + width]) for start in range(0, len(buttons), width)])


def _in_columns(buttons: Sequence[CallbackButton], limits: Limits) -> tuple[tuple[CallbackButton, ...], ...]:
    """Lays out buttons in columns that the longest label fits into."""
    widest = max([label_width(button.label) for button in buttons], default=0)
    columns = min(limits.per_row, COMFORTABLE)
    while columns > 1 and widest > room_in(columns):
        columns -= 1
    return in_rows(buttons, columns)


def _packed(buttons: Sequence[CallbackButton], limits: Limits) -> tuple[tuple[CallbackButton, ...], ...]:
    """Lays out buttons in rows, each with as many as fit side by side there."""
    rows = list[list[CallbackButton]]()
    most = min(limits.per_row, COMFORTABLE)
    widest = 0.0

    for button in buttons:
        width = label_width(button.label)
        widest = max(widest, width)
        beside = len(rows[-1]) + 1 if rows else 0
        if 0 < beside <= most and widest <= room_in(beside):
            rows[-1].append(button)
        else:
            rows.append([button])
            widest = width

    return tuple(map(tuple, rows))


def _with_a_row_less(
    rows: tuple[tuple[CallbackButton, ...], ...], limits: Limits
) -> tuple[tuple[CallbackButton, ...], ...] | None:
    """Joins the two neighbouring rows whose labels lose least; None if no two go into one."""
    joined = [(*above, *below) for above, below in pairwise(rows)]
    lost = {
        place: max(label_width(each.label) for each in row) - room_in(len(row))
        for place, row in enumerate(joined)
        if len(row) <= limits.per_row
    }
    if not lost:
        return None

    place = min(lost, key=lost.__getitem__)
    return *rows[:place], joined[place], *rows[place + 2 :]


@cache
def room_in(columns: int) -> float:
    """Returns how many pixels a label has in a row of this many buttons."""
    return (_ROW - _GAP * (columns - 1)) / columns - _PADDING


@lru_cache(maxsize=4096)
def label_width(label: str) -> float:
    """Estimates how many pixels a label takes on a phone.

    >>> label_width("36") < label_width("Throw-in") < label_width("Подкидной")
    True
    """
    return sum(map(_width_of, label))


@cache
def _width_of(character: str) -> float:
    if character in _NARROW:
        return 3.3
    if character in _SLIM:
        return 4.5
    if character in _BROAD:
        return 10.5
    if unicodedata.category(character)[0] == "M":
        return 0.0
    if character >= _FIRST_WIDE:
        return 15.0
    if character >= _FIRST_SIGN:
        return 10.0

    if character.isupper():
        return 8.5

    return 7.3 if character <= _LAST_LATIN else 7.9


# --- What people are called: names come from strangers and may hold anything ---


LONGEST_NAME = 24  # characters of a name that are shown

# How many combining marks a letter keeps, so that a name stays on its line; Vietnamese letters carry two.
MOST_MARKS = 2

HOUSE_SIGN = "🤖"

_JOINERS = "\u200d\ufe0f"  # they hold an emoji together
_WITHOUT_JOINERS = dict.fromkeys(map(ord, _JOINERS))
_BLANKS = "\u115f\u1160\u2800\u3164\uffa0"  # letters and signs by their category, but nothing is seen


@lru_cache(maxsize=1024)
def safe_name(raw: str) -> str:
    r"""Returns a name on one line without marks that turn or hide text, cut to a readable length.

    >>> safe_name("  Anna\u202e  B.\n")
    'Anna B.'
    """
    visible = ""
    kept = ""
    marks = 0

    for character in raw:
        category = unicodedata.category(character)
        if character in _JOINERS:
            visible += character
        elif category != "Cf":
            visible += " " if character in _BLANKS or category[0] in "CZ" else character

    for character in unicodedata.normalize("NFC", visible):
        if character not in _JOINERS:
            marks = marks + 1 if unicodedata.combining(character) else 0
        if marks <= MOST_MARKS:
            kept += character

    name = " ".join(kept.split()).strip(" " + _JOINERS)
    if all(unicodedata.category(character)[0] in "MC" for character in name):
        return ""

    return name if len(name) <= LONGEST_NAME else name[: LONGEST_NAME - 1].rstrip(" " + _JOINERS) + "…"


def shown_name(name: str, translator: Translator) -> str:
    """Returns a name that is safe to show, or a placeholder for an empty one."""
    return safe_name(name) or translator.text("a player")


def names_of(players: Sequence[Player]) -> tuple[str, ...]:
    """Returns a name per seat; all differ, none is empty, house players carry a sign."""
    names = list[str]()
    used = set[str]()
    for seat, player in enumerate(players):
        name = safe_name(player.name) or f"#{seat + 1}"
        if player.user is None:
            name = f"{HOUSE_SIGN} {name}"

        chosen = name
        number = 1
        while (look := chosen.casefold().translate(_WITHOUT_JOINERS)) in used:  # names that look alike
            number += 1
            chosen = f"{name} ({number})"

        used.add(look)
        names.append(chosen)

    return tuple(names)


# --- What rule sets are called; the words people type for them are in `bot/model/people.py` ---


# Every preset, as people call it.
NAMES: Mapping[str, str] = {
    "podkidnoy-36": gettext_noop("Throw-in, 36 cards"),
    "podkidnoy-24": gettext_noop("Throw-in, 24 cards"),
    "podkidnoy-52": gettext_noop("Throw-in, 52 cards"),
    "perevodnoy": gettext_noop("Transfer"),
    "wikipedia-de": gettext_noop("German rules"),
    "classic": gettext_noop("Classic, first come"),
    "durnius": gettext_noop("Lithuanian"),
    "durnius-passing": gettext_noop("Lithuanian transfer"),
    "durnius-travel": gettext_noop("Lithuanian, travel card"),
    "pure": gettext_noop("Pure, no six-card cap"),
    "punktedurak": gettext_noop("Points Durak"),
}


def preset_name(name: str, translator: Translator) -> str:
    """Names a preset as people call it; a saved one keeps its own name."""
    return translator.text(NAMES[name]) if name in NAMES else name


# --- Who plays together, at a glance ---


TEAM_SIGNS = ("🔴", "🔵", "🟢")


def team_sign(rules: Rules, seat: Seat) -> str:
    """Returns the sign of a seat's team; empty when everybody plays alone."""
    return "" if rules.teams == "off" else TEAM_SIGNS[rules.team_of(seat)]
