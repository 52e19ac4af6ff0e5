"""Text in pictures: one typeface, names of any script, nothing wider than its place."""

import unicodedata
from collections.abc import Iterator
from functools import cache, lru_cache
from importlib.resources import files
from itertools import groupby

from PIL import ImageFont

CAP_HEIGHT = 0.711
"""How high the typeface's capitals and digits are, in parts of its size."""

BOX = "\u25a1"
"""Stands for a letter that the typeface does not have."""

ROBOT = "\U0001f916"
"""The sign of house players, which is drawn."""

_DRAWN = {BOX: 0.7, ROBOT: 0.9}  # how wide the signs are that no typeface has to bring
_LONGEST = 100  # characters that are looked at; no place is wide enough for more
_NO_CHARACTER = "\U0010ffff"


@lru_cache(maxsize=48)  # a size keeps the whole file in memory
def font(size: int) -> ImageFont.FreeTypeFont:
    """Give the typeface in a size in dots."""
    path = files("font_roboto") / "files" / "Roboto-Bold.ttf"
    return ImageFont.truetype(str(path), size, layout_engine=ImageFont.Layout.BASIC)


def written(name: str) -> str:
    """Give a name as it can be drawn; maybe empty.

    Fancy letters become plain ones, letters of other scripts become boxes, other signs are left out.

    >>> written("Ａｎｎａ 🐊")
    'Anna'
    """
    kept = "".join(map(_drawable, unicodedata.normalize("NFC", name[:_LONGEST])))
    return " ".join(kept.split())


def width_of(text: str, size: int) -> float:
    """Say how wide a line is, in dots."""
    return sum(run_width(run, size) for run in runs_of(text))


def cut(text: str, size: int, width: float) -> str:
    """Give as much of a line as fits into a width, with an ellipsis for what does not.

    >>> cut("Anna", 20, 500), cut("Anastasia", 20, 60)
    ('Anna', 'Ana…')
    """
    if width_of(text, size) <= width:
        return text
    kept = text
    while kept and width_of(kept.rstrip() + "…", size) > width:
        kept = kept[:-1]
    return kept.rstrip() + "…"


def runs_of(text: str) -> Iterator[str]:
    """Split a line into stretches of the typeface's own letters and single drawn signs."""
    for is_drawn, run in groupby(text, key=_DRAWN.__contains__):
        if is_drawn:
            yield from run
        else:
            yield "".join(run)


def run_width(run: str, size: int) -> float:
    """Say how wide one stretch of `runs_of` is, in dots."""
    return _DRAWN[run] * size if run in _DRAWN else font(size).getlength(run)


def _drawable(character: str) -> str:
    if character == ROBOT or _has_glyph(character):
        return character
    plain = unicodedata.normalize("NFKD", character)
    if plain != character and all(map(_has_glyph, plain)):
        return unicodedata.normalize("NFC", plain)
    return BOX if unicodedata.category(character)[0] == "L" else ""


@cache
def _missing_glyph() -> bytes:
    return bytes(font(32).getmask(_NO_CHARACTER))


def _has_glyph(character: str) -> bool:
    """Whether the typeface knows a character; an unknown one is drawn like one that cannot exist."""
    if character.isspace():
        return True
    if unicodedata.category(character)[0] == "C":
        return False
    return bytes(font(32).getmask(character)) != _missing_glyph()
