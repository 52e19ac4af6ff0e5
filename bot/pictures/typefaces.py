"""The typefaces of the pictures: one for everything the bot says, and others for names in other scripts."""

import unicodedata
from collections.abc import Iterator
from functools import cache, lru_cache
from importlib.resources import files
from itertools import chain

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
