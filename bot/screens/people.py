"""What people are called: names come from strangers and may hold anything."""

import unicodedata
from collections.abc import Sequence
from itertools import chain, count

from bot.model.players import Player

LONGEST_NAME = 24
"""Characters of a name that are shown."""

HOUSE_SIGN = "🤖"

_JOINERS = "\u200d\ufe0f"  # they hold an emoji together
_BLANKS = "\u115f\u1160\u2800\u3164\uffa0"  # letters and signs by their category, but nothing is seen


def safe_name(raw: str) -> str:
    r"""Return a name on one line without marks that turn or hide text, cut to a readable length; maybe empty.

    >>> safe_name("  Anna\u202e  B.\n")
    'Anna B.'
    """
    kept = "".join(
        " " if _is_blank(character) else character
        for character in raw
        if unicodedata.category(character) != "Cf" or character in _JOINERS
    )
    whole = unicodedata.normalize("NFC", kept)
    name = " ".join(_without_stacked_marks(whole).split()).strip(" " + _JOINERS)
    if all(unicodedata.category(character)[0] in "MC" for character in name):
        return ""
    if len(name) <= LONGEST_NAME:
        return name
    return name[: LONGEST_NAME - 1].rstrip(" " + _JOINERS) + "…"


def names_of(players: Sequence[Player]) -> tuple[str, ...]:
    """Return a name per seat; no two are equal, nobody is nameless, house players carry a sign."""
    names: list[str] = []
    used: set[str] = set()
    for seat, player in enumerate(players):
        name = safe_name(player.name) or f"#{seat + 1}"
        if player.is_house:
            name = f"{HOUSE_SIGN} {name}"
        variants = chain([name], (f"{name} ({number})" for number in count(2)))
        chosen = next(variant for variant in variants if _look(variant) not in used)
        used.add(_look(chosen))
        names.append(chosen)
    return tuple(names)


def _is_blank(character: str) -> bool:
    if character in _JOINERS:
        return False
    return character in _BLANKS or unicodedata.category(character)[0] in "CZ"


def _look(name: str) -> str:
    """What is equal for names that look alike."""
    return "".join(character for character in name.casefold() if character not in _JOINERS)


def _without_stacked_marks(name: str) -> str:
    """Keep at most two combining marks on a letter, so that a name stays on its line."""
    kept: list[str] = []
    marks = 0
    for character in name:
        if character not in _JOINERS:
            marks = marks + 1 if unicodedata.combining(character) else 0
        if marks <= 2:  # Vietnamese letters carry two
            kept.append(character)
    return "".join(kept)
