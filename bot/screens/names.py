"""Names of people, presets and teams on screens. People's names may contain anything."""

import unicodedata
from collections.abc import Mapping, Sequence
from functools import lru_cache

from bot.locale import Translator, gettext_noop
from bot.model.table import Player
from bot.screens.text import isolated
from engine import Rules, Seat

MAX_NAME_LENGTH = 24  # characters of a name that are shown

# Combining marks kept on each letter, so that a name stays within its line. Vietnamese letters have two.
MAX_MARKS = 2

HOUSE_SIGN = "🤖"

_JOINERS = "\u200d\ufe0f"  # parts of emoji
_WITHOUT_JOINERS = dict.fromkeys(map(ord, _JOINERS))
_BLANKS = "\u115f\u1160\u2800\u3164\uffa0"  # letters and signs by their category, but invisible


@lru_cache(maxsize=1024)
def safe_name(raw: str) -> str:
    r"""Returns a name on one line, without characters that reorder or hide text, and shortened.

    Empty if nothing visible is left.

    >>> safe_name("  Anna\u202e  B.\n")
    'Anna B.'
    """
    visible = ""
    readable = ""
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
        if marks <= MAX_MARKS:
            readable += character

    name = " ".join(readable.split()).strip(" " + _JOINERS)
    if all(unicodedata.category(character)[0] in "MC" for character in name):
        return ""

    if len(name) > MAX_NAME_LENGTH:
        name = name[: MAX_NAME_LENGTH - 1].rstrip(" " + _JOINERS) + "…"

    return isolated(name)


def warning_text(sentence: str, chat: str, translator: Translator) -> str:
    """Returns a sentence as a warning, after the name of its chat if that is given."""
    name = safe_name(chat)
    if name:
        return "⚠️ " + translator.text("“{chat}”: {text}", chat=name, text=sentence)
    return f"⚠️ {sentence[:1].upper()}{sentence[1:]}"


def shown_name(name: str, translator: Translator) -> str:
    """Returns a name that is safe to show, or a placeholder for an empty one."""
    return safe_name(name) or translator.text("a player")


def names_of(players: Sequence[Player]) -> tuple[str, ...]:
    """Returns a name per seat: all different, none empty, and a sign before those of house players."""
    names = list[str]()
    looks = set[str]()
    for seat, player in enumerate(players):
        name = safe_name(player.name) or f"#{seat + 1}"
        if player.user is None:
            name = f"{HOUSE_SIGN} {name}"

        unique = name
        number = 1
        while _look_of(unique) in looks:
            number += 1
            unique = f"{name} ({number})"

        looks.add(_look_of(unique))
        names.append(unique)

    return tuple(names)


def _look_of(name: str) -> str:
    """Returns the same text for names that readers can't tell apart."""
    return name.casefold().translate(_WITHOUT_JOINERS)


# Other words that people type for presets are in `bot/model/preset_words.py`.
PRESET_NAMES: Mapping[str, str] = {
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

# Sentences for newcomers, shown beside the name and the numbers of cards and players.
PRESET_SENTENCES: Mapping[str, str] = {
    "podkidnoy-36": gettext_noop("The usual game: beat every card or take them all."),
    "podkidnoy-24": gettext_noop("A quick game with the high cards only, from the nine up."),
    "podkidnoy-52": gettext_noop("A long game with every card from the two up."),
    "perevodnoy": gettext_noop("Like the usual game, but an attack can be passed on to the next player."),
    "wikipedia-de": gettext_noop(
        "Only the defender's neighbours throw in, and a bad hand can be dealt anew."
    ),
    "classic": gettext_noop("Once a card is beaten, all may throw in: the quickest goes first."),
    "durnius": gettext_noop("The game of Lithuania: a fool beaten with sixes wears them as epaulettes."),
    "durnius-passing": gettext_noop("The game of Lithuania, where an attack can be passed on."),
    "durnius-travel": gettext_noop(
        "The game of Lithuania, where showing a trump is enough to pass an attack on."
    ),
    "pure": gettext_noop("An attack may have as many cards as the defender holds."),
    "punktedurak": gettext_noop("The first three without cards win points, and nobody throws in."),
}


# The settings that the names of these rules say.
SAID_BY_NAMES: Mapping[str, frozenset[str]] = {
    "podkidnoy-24": frozenset({"deck"}),
    "podkidnoy-36": frozenset({"deck"}),
    "podkidnoy-52": frozenset({"deck"}),
    "perevodnoy": frozenset({"transfer"}),
    "durnius-passing": frozenset({"transfer"}),
    "durnius-travel": frozenset({"transfer", "transfer_by_showing_trump"}),
}


def preset_name(name: str, translator: Translator) -> str:
    """Returns the translated name of a preset, or the own name of a saved rule set."""
    return translator.text(PRESET_NAMES[name]) if name in PRESET_NAMES else isolated(name)


TEAM_SIGNS = ("🔴", "🔵", "🟢")


def team_sign(rules: Rules, seat: Seat) -> str:
    """Returns the sign of a seat's team; empty without teams."""
    return "" if rules.teams == "off" else TEAM_SIGNS[rules.team_of(seat)]
