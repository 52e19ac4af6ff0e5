"""What people are called: names come from strangers and may hold anything."""

import unicodedata
from collections import Counter
from collections.abc import Sequence

from bot.lobby import Sitter

LONGEST_NAME = 24
"""Characters of a name that are shown."""

HOUSE_SIGN = "🤖"

_JOINERS = "\u200d\ufe0f"  # they hold an emoji together


def safe_name(raw: str) -> str:
    r"""Give a name on one line, without marks that turn or hide text, cut to a readable length; maybe empty.

    >>> safe_name("  Anna\u202e  B.\n")
    'Anna B.'
    """
    kept = "".join(
        character if unicodedata.category(character)[0] not in "CZ" or character in _JOINERS else " "
        for character in unicodedata.normalize("NFC", raw)
        if unicodedata.category(character) != "Cf" or character in _JOINERS
    )
    name = " ".join(kept.split()).strip(_JOINERS)
    if not any(unicodedata.category(character)[0] not in "MC" for character in name):
        return ""
    if len(name) <= LONGEST_NAME:
        return _without_stacked_marks(name)
    return _without_stacked_marks(name[: LONGEST_NAME - 1].rstrip()) + "…"


def names_of(sitters: Sequence[Sitter]) -> tuple[str, ...]:
    """Give a name per seat; no two are equal, nobody is nameless, house players carry a sign."""
    names: list[str] = []
    used: Counter[str] = Counter()
    for seat, sitter in enumerate(sitters):
        name = safe_name(sitter.name) or f"#{seat + 1}"
        if sitter.is_house:
            name = f"{HOUSE_SIGN} {name}"
        used[name.casefold()] += 1
        namesakes = used[name.casefold()]
        names.append(f"{name} ({namesakes})" if namesakes > 1 else name)
    return tuple(names)


def _without_stacked_marks(name: str) -> str:
    """Keep at most two combining marks on a letter, so that a name stays on its line."""
    kept: list[str] = []
    marks = 0
    for character in name:
        marks = marks + 1 if unicodedata.combining(character) else 0
        if marks <= 2:  # noqa: PLR2004 - Vietnamese letters carry two
            kept.append(character)
    return "".join(kept)
