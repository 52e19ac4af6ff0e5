"""Text in pictures: names of any script, nothing wider than its place, no two alike."""

import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from functools import cache, lru_cache
from importlib.resources import files
from itertools import chain, count, groupby
from typing import NamedTuple

from arabic_reshaper import ArabicReshaper
from bidi.algorithm import get_display
from PIL import ImageFont

OWN = "font_roboto/files/Roboto-Bold.ttf"
"""The typeface of everything that no stranger has written."""

_OTHERS = "manimgx_fonts"  # a file for each alphabet
_HAN = "noto_cjk_sans_jp_bold/NotoSansCJKjp-Bold.otf"
_BOLD: list[float] = [700]
_TRIED_AT = 32
_NO_CHARACTER = "\U0010ffff"


@lru_cache(maxsize=64)
def font(size: int, file: str = OWN) -> ImageFont.FreeTypeFont:
    """Load a typeface in a size in dots."""
    package, _, inside = file.partition("/")
    path = str(files(package).joinpath(inside))
    # The simple layout is the one that needs no library of the system, so pictures are the same everywhere.
    loaded = ImageFont.truetype(path, size, layout_engine=ImageFont.Layout.BASIC)
    if "[wght]" in inside:
        loaded.set_variation_by_axes(_BOLD)
    return loaded


@lru_cache(maxsize=4096)
def file_with(character: str) -> str | None:
    """Name the first typeface that has a character; None if none has it."""
    if unicodedata.category(character)[0] == "C":
        return None
    return next((file for file in _files_for(character) if _has_glyph(file, character)), None)


def _files_for(character: str) -> Iterator[str]:
    """Name the typefaces from the likeliest one on: that of the script comes before those of others."""
    script = unicodedata.name(character, "").partition(" ")[0].title()
    others = sorted(_other_files(), key=lambda file: f"NotoSans{script}[" not in file)
    return chain((OWN,), others, (_HAN,))


@cache
def _other_files() -> tuple[str, ...]:
    names = sorted(file.name for file in files(_OTHERS).iterdir())
    return tuple(f"{_OTHERS}/{name}" for name in names if name.endswith(".ttf") and "Italic" not in name)


def _has_glyph(file: str, character: str) -> bool:
    """Whether a typeface knows a character; an unknown one is drawn like one that cannot exist."""
    return bytes(font(_TRIED_AT, file).getmask(character)) != _missing_glyph(file)


@cache
def _missing_glyph(file: str) -> bytes:
    return bytes(font(_TRIED_AT, file).getmask(_NO_CHARACTER))


# --- Text in pictures: names of any script, nothing wider than its place, no two alike ---


CAP_HEIGHT = 0.711
"""How high the typeface's capitals and digits are, in parts of its size."""

BOX = "\u25a1"
"""Stands for a letter that no typeface has."""

ROBOT = "\U0001f916"
"""The sign of house players, which is drawn."""

_DRAWN = {BOX: 0.7, ROBOT: 0.9}  # how wide the signs are that no typeface has to bring
_LONGEST = 100  # characters that are looked at; no place is wide enough for more
_NUMBER = re.compile(r"(.*?)( \(\d+\))?", re.DOTALL)  # what tells namesakes apart stands at the end
_RIGHT_TO_LEFT = {"R", "AL"}
_VARIANTS = "\ufe0e\ufe0f"
_LOOKED_AT = 24
_JOINED = ArabicReshaper({"delete_harakat": False, "support_ligatures": False})


class Run(NamedTuple):
    """A stretch of a line: letters of one typeface, or signs that are drawn (`file` is None)."""

    text: str
    file: str | None

    def font(self, size: int) -> ImageFont.FreeTypeFont:
        """Return its typeface in a size in dots."""
        return font(size, self.file or OWN)

    def width(self, size: int) -> float:
        """Say how wide it is, in dots."""
        if self.file is None:
            return sum(map(sign_width, self.text)) * size
        return self.font(size).getlength(self.text)


def sign_width(sign: str) -> float:
    """Say how wide a drawn sign is, in parts of the letters' size."""
    return _DRAWN[sign]


def written(name: str) -> str:
    """Return a name as it can be drawn; maybe empty.

    Fancy letters become plain ones, letters that no typeface has become boxes, other signs are left out.

    >>> written("Ａｎｎａ\u200b  🐊")
    'Anna 🐊'
    """
    kept = "".join(map(_drawable, unicodedata.normalize("NFC", name[:_LONGEST])))
    return " ".join(kept.split())


def told_apart(names: Sequence[str], fitted: Callable[[int, str], str]) -> tuple[str, ...]:
    """Return each name as it can be drawn and as it fits, numbered where it would look like one before it.

    A name of which nothing can be drawn becomes its number in the list, from 1.

    Args:
        names: What people are called; they may hold anything.
        fitted: Gives as much of a name as fits into the place with this index.
    """
    chosen: dict[tuple[bytes, ...], str] = {}
    for place, name in enumerate(names):
        plain = written(name)
        if not plain.strip(f"{BOX} "):
            plain = f"#{place + 1}"
        variants = chain([plain], (f"{plain} ({number})" for number in count(2)))
        shown = next(each for variant in variants if _look(each := fitted(place, variant)) not in chosen)
        chosen[_look(shown)] = shown
    return tuple(chosen.values())


@lru_cache(maxsize=4096)
def width_of(text: str, size: int) -> float:
    """Say how wide a line is, in dots."""
    return sum(run.width(size) for run in runs_of(text))


def cut(text: str, size: int, width: float) -> str:
    """Return as much of a line as fits into a width, with an ellipsis for what does not.

    A number that tells namesakes apart stays.

    >>> cut("Anna", 20, 500), cut("Anastasia", 20, 60), cut("Anastasia (2)", 20, 85)
    ('Anna', 'Ana…', 'Ana… (2)')
    """
    if width_of(text, size) <= width:
        return text
    match = _NUMBER.fullmatch(text)
    assert match is not None  # it matches every text
    kept, number = match.group(1), match.group(2) or ""
    while kept and width_of(f"{kept.rstrip()}…{number}", size) > width:
        kept = kept[:-1]
    return f"{kept.rstrip()}…{number}"


@lru_cache(maxsize=1024)
def runs_of(text: str) -> tuple[Run, ...]:
    """Split a line into stretches, as they stand from left to right."""
    stretches = groupby(_from_left_to_right(text), key=_file_of)
    return tuple(Run("".join(letters), file) for file, letters in stretches)


def _from_left_to_right(text: str) -> str:
    """Put the letters of scripts that run from right to left in the order in which they are drawn."""
    if any(unicodedata.bidirectional(character) in _RIGHT_TO_LEFT for character in text):
        return str(get_display(_JOINED.reshape(text)))
    return text


def _file_of(character: str) -> str | None:
    return None if character in _DRAWN else file_with(character) or OWN


@lru_cache(maxsize=1024)
def _look(text: str) -> tuple[bytes, ...]:
    """What is equal for lines that look alike: an A is an A in Latin and in Cyrillic."""
    return tuple(
        run.text.encode() if run.file is None else bytes(run.font(_LOOKED_AT).getmask(run.text))
        for run in runs_of(text)
    )


def _drawable(character: str) -> str:
    category = unicodedata.category(character)
    if category == "Sk" or character in _VARIANTS:  # the colour of an emoji's skin, and how it is drawn
        return ""
    file = file_with(character)
    if character == ROBOT or character.isspace() or file == OWN:
        return character
    plain = unicodedata.normalize("NFKD", character)
    if all(file_with(letter) == OWN for letter in plain):
        return unicodedata.normalize("NFC", plain)
    return character if file else BOX if category[0] == "L" else ""
