"""Sets text in pictures: names in any script, none wider than its place, no two alike.

The bot includes a typeface with Latin, Cyrillic and signs. For other scripts it uses the machine's Noto fonts
(on Debian: fonts-noto-core and fonts-noto-cjk). Without them a seat shows its number, and the text beside the
picture shows the name.
"""

import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from functools import cache, lru_cache
from importlib.resources import files
from itertools import chain, count
from pathlib import Path
from typing import NamedTuple

from PIL import ImageFont, features

OWN = "font_roboto/files/Roboto-Bold.ttf"  # the included typeface, for everything but some names

# Where a machine keeps its fonts.
FOLDERS = (
    "/usr/share/fonts",
    "/usr/local/share/fonts",
    "~/.local/share/fonts",
    "/Library/Fonts",
    "~/Library/Fonts",
    "C:/Windows/Fonts",
)

_FONT = re.compile(r"NotoSans(\w*)-(Bold|Regular)\.[ot]t[cf]")
_HAN = ("CJK", "HANGUL", "HIRAGANA", "KATAKANA", "BOPOMOFO", "KANGXI", "IDEOGRAPHIC")
_OF_SEVERAL = ("", "symbols", "symbols2", "math")  # fonts of no single script
_TRIED_AT = 96  # the size in dots for tests, more than any letter of a name is drawn in
_NO_CHARACTER = "\U0010ffff"


@lru_cache(maxsize=64)
def font(size: int, file: str = OWN) -> ImageFont.FreeTypeFont:
    """Loads a typeface in a size in dots."""
    if file != OWN:
        return ImageFont.truetype(file, size)  # laid out as the script requires

    package, _, inside = file.partition("/")
    path = str(files(package).joinpath(inside))
    # The simple layout needs no system library, so pictures are the same everywhere.
    return ImageFont.truetype(path, size, layout_engine=ImageFont.Layout.BASIC)


@lru_cache(maxsize=4096)
def file_with(character: str) -> str | None:
    """Returns the file of the first typeface that can draw a character; None if there is none."""
    if unicodedata.category(character)[0] == "C":
        return None
    if _has_glyph(OWN, character):
        return OWN
    if unicodedata.bidirectional(character) in _RIGHT_TO_LEFT and not features.check("raqm"):
        return None  # its letters would not be joined, and in the wrong order

    name = unicodedata.name(character, "")
    installed = _find_installed()
    script = name.replace(" ", "").replace("-", "").casefold()
    own = sorted((key for key in installed if key and script.startswith(key)), key=len, reverse=True)
    han = [key for key in installed if key.startswith("cjk")] if name.startswith(_HAN) else []
    fonts = (installed[key] for key in (*own, *han, *_OF_SEVERAL) if key in installed)

    return next((file for file in fonts if _has_glyph(file, character)), None)


@cache
def _find_installed() -> Mapping[str, str]:
    """Returns the machine's fonts by the script in their names, preferably bold ones."""
    fonts: dict[str, str] = {}
    for folder in FOLDERS:
        for file in sorted(Path(folder).expanduser().rglob("NotoSans*-*.[ot]t[cf]")):
            if match := _FONT.fullmatch(file.name):
                fonts.setdefault(match[1].casefold(), str(file))

    return fonts


def _has_glyph(file: str, character: str) -> bool:
    """Returns whether a typeface has a glyph for a character, rather than the one for missing glyphs."""
    try:
        return bytes(font(_TRIED_AT, file).getmask(character)) != _missing_glyph(file)
    except (OSError, ValueError):  # a font that cannot be read, a character wider than the library draws
        return False


@cache
def _missing_glyph(file: str) -> bytes:
    return bytes(font(_TRIED_AT, file).getmask(_NO_CHARACTER))


CAP_HEIGHT = 0.711  # the height of the typeface's capitals and digits, relative to its size
BOX = "\u25a1"  # in place of a letter that no typeface has
ROBOT = "\U0001f916"  # the sign of house players, which is drawn

# The widths of the signs that need no typeface, relative to the size of the letters.
SIGNS = {BOX: 0.7, ROBOT: 0.9}

_MAX_CHARACTERS = 100  # the rest of a name is ignored, as no place is wide enough for more
_NUMBER = re.compile(r"(.*?)( \(\d+\))?", re.DOTALL)  # namesakes differ at the end
_RIGHT_TO_LEFT = {"R", "AL"}
_VARIANTS = "\ufe0e\ufe0f"
_LOOKED_AT = 24


class Run(NamedTuple):
    """A stretch of a line: letters of one typeface, or signs that are drawn (`file` is None)."""

    text: str
    file: str | None

    def font(self, size: int) -> ImageFont.FreeTypeFont:
        """Returns its typeface in a size in dots."""
        return font(size, self.file or OWN)

    def width(self, size: int) -> float:
        """Returns its width, in dots."""
        if self.file is None:
            return sum(SIGNS[sign] for sign in self.text) * size
        return self.font(size).getlength(self.text)


def printable(name: str) -> str:
    """Returns the drawable form of a name, which may be empty.

    Fancy letters become plain ones, letters that no typeface has become boxes, other signs are left out.

    >>> printable("Ａｎｎａ\u200b  Б.")
    'Anna Б.'
    """
    letters = "".join(map(_drawable, unicodedata.normalize("NFC", name[:_MAX_CHARACTERS])))
    return " ".join(letters.split())


def distinct_names(names: Sequence[str], fitted: Callable[[int, str], str]) -> tuple[str, ...]:
    """Returns each name as it can be drawn and as it fits, numbered if it would look like an earlier one.

    A name without anything that can be drawn becomes its number in the list, from 1.

    Args:
        names: People's names, which may contain anything.
        fitted: Returns as much of a name as fits into the place with this index.
    """
    labels: dict[tuple[bytes, ...], str] = {}
    for place, name in enumerate(names):
        plain = printable(name)
        if not fitted(place, plain).strip(f"{BOX}…{ROBOT} "):
            plain = f"#{place + 1}"

        variants = chain([plain], (f"{plain} ({number})" for number in count(2)))
        label = next(each for variant in variants if _look(each := fitted(place, variant)) not in labels)
        labels[_look(label)] = label

    return tuple(labels.values())


@lru_cache(maxsize=4096)
def width_of(text: str, size: int) -> float:
    """Returns the width of a line, in dots."""
    return sum(run.width(size) for run in runs_of(text))


def cut(text: str, size: int, width: float) -> str:
    """Returns as much of a line as fits into a width, with an ellipsis for the rest.

    A number that distinguishes namesakes is kept.

    >>> cut("Anna", 20, 500), cut("Anastasia", 20, 60), cut("Anastasia (2)", 20, 85)
    ('Anna', 'Ana…', 'Ana… (2)')
    """
    if width_of(text, size) <= width:
        return text

    match = _NUMBER.fullmatch(text)
    assert match is not None  # it matches every text

    head = match.group(1)
    number = match.group(2) or ""
    while head and width_of(f"{head.rstrip()}…{number}", size) > width:
        head = head[:-1]

    return f"{head.rstrip()}…{number}"


@lru_cache(maxsize=1024)
def runs_of(text: str) -> tuple[Run, ...]:
    """Splits a line into runs, ordered from left to right.

    Words in one script stay together, so that their letters are in the order of the script.
    """
    runs: list[Run] = []
    file: str | None = OWN
    for character in text:
        is_letter = unicodedata.category(character)[0] == "L"
        if character in SIGNS:
            file = None
        elif is_letter or file in (None, OWN) or not _has_glyph(file or OWN, character):
            file = file_with(character) or OWN

        before = runs.pop().text if runs and runs[-1].file == file else ""
        runs.append(Run(before + character, file))

    return tuple(runs)


@lru_cache(maxsize=1024)
def _look(text: str) -> tuple[bytes, ...]:
    """Returns a key that's equal for lines that look alike: an A is an A in Latin and in Cyrillic."""
    return tuple(
        run.text.encode() if run.file is None else bytes(run.font(_LOOKED_AT).getmask(run.text))
        for run in runs_of(text)
    )


def _drawable(character: str) -> str:
    category = unicodedata.category(character)
    if category == "Sk" or character in _VARIANTS:  # an emoji's skin colour, and its style
        return ""

    file = file_with(character)
    if character == ROBOT or character.isspace() or file == OWN:
        return character

    plain = unicodedata.normalize("NFKD", character)
    if all(file_with(letter) == OWN for letter in plain):
        return unicodedata.normalize("NFC", plain)

    return character if file else BOX if category[0] == "L" else ""
