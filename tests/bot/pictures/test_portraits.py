"""Portraits: any file becomes a small JPEG without anything else in it, and results show it."""

import struct
import zlib
from dataclasses import replace
from io import BytesIO

import pytest
from PIL import Image

from bot.pictures.portraits import MAX_DOTS, SIDE, small_portrait
from bot.pictures.result import final_picture
from tests.adapters.contract.portraits import BLUE, RED, dots_like, is_like, square
from tests.bot.pictures.positions import DARK_LOOK, EPAULETTES, NAMES

SECRET = b"51.5007 N, 0.1246 W"


def saved(picture: Image.Image, kind: str, **options: object) -> bytes:
    file = BytesIO()
    picture.save(file, kind, **options)
    return file.getvalue()


def red(width: int, height: int, mode: str = "RGB") -> Image.Image:
    return Image.new("RGB", (width, height), RED).convert(mode)


@pytest.mark.parametrize(
    "content",
    [
        saved(red(300, 300), "PNG"),
        saved(red(300, 300), "JPEG"),
        saved(red(300, 300), "WEBP"),
        saved(red(300, 300, "P"), "GIF", save_all=True, append_images=[red(300, 300, "P")]),
        saved(red(300, 300, "CMYK"), "JPEG"),
        saved(red(2000, 20), "PNG"),
        saved(red(1, 1), "PNG"),
    ],
    ids=["png", "jpeg", "webp", "animated", "cmyk", "wide", "tiny"],
)
def test_a_picture_of_any_kind_and_shape_becomes_a_small_square_jpeg(content: bytes) -> None:
    portrait = small_portrait(content)
    assert portrait is not None
    with Image.open(BytesIO(portrait)) as picture:
        assert (picture.format, picture.size) == ("JPEG", (SIDE, SIDE))
    assert is_like(portrait, RED)
    assert len(portrait) < 10_000


def test_transparent_parts_are_not_black() -> None:
    portrait = small_portrait(saved(Image.new("RGBA", (SIDE, SIDE), (0, 0, 0, 0)), "PNG"))
    assert is_like(portrait, (95, 106, 115))


def test_nothing_else_in_a_file_is_passed_on() -> None:
    exif = Image.Exif()
    exif[0x010E] = SECRET.decode()
    content = saved(red(300, 300), "JPEG", exif=exif, comment=SECRET) + SECRET
    assert content.count(SECRET) == 3
    portrait = small_portrait(content)
    assert portrait is not None
    assert SECRET not in portrait


def bomb(side: int) -> bytes:
    """Returns the beginning of a PNG that claims to be huge."""
    header = struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)
    chunk = struct.pack(">I", len(header)) + b"IHDR" + header
    data = zlib.compress(bytes(1000))
    chunk += struct.pack(">I", zlib.crc32(b"IHDR" + header))
    chunk += struct.pack(">I", len(data)) + b"IDAT" + data + struct.pack(">I", zlib.crc32(b"IDAT" + data))
    return b"\x89PNG\r\n\x1a\n" + chunk


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"<svg xmlns='http://www.w3.org/2000/svg'/>",
        b"<html></html>",
        saved(red(300, 300), "BMP"),  # only the kinds that chats have
        saved(red(300, 300), "PNG")[:200],
        bomb(5_000),
        bomb(12_000),
        bomb(60_000),
    ],
    ids=["empty", "svg", "html", "bmp", "torn", "large", "larger", "huge"],
)
def test_what_is_no_picture_or_a_huge_one_is_left_out(content: bytes) -> None:
    assert small_portrait(content) is None


def test_a_picture_of_exactly_the_largest_size_is_read() -> None:
    side = round(MAX_DOTS**0.5)
    assert small_portrait(saved(red(side, side), "PNG")) is not None
    assert small_portrait(saved(red(side, side + 1), "PNG")) is None


# --- in the picture of a result ---


RED_FACE = small_portrait(square(RED))
BLUE_FACE = small_portrait(square(BLUE))


def test_the_fool_and_everybody_with_a_portrait_have_it_beside_their_place() -> None:
    names = NAMES[:6]
    portraits: list[bytes | None] = [None] * 6
    portraits[EPAULETTES.losers[0]] = RED_FACE
    portraits[EPAULETTES.order[0]] = BLUE_FACE
    png = final_picture(EPAULETTES, names, DARK_LOOK, (), portraits)
    assert dots_like(png, RED) > dots_like(png, BLUE) > 1000
    assert len(png) < 40_000


def test_without_portraits_the_picture_is_as_ever() -> None:
    names = NAMES[:6]
    assert final_picture(EPAULETTES, names, DARK_LOOK, (), ()) == final_picture(EPAULETTES, names, DARK_LOOK)


def test_a_team_of_losers_keeps_one_cap_without_a_face() -> None:
    team = replace(EPAULETTES, losers=(1, 2), fool=None, order=())
    portraits = [RED_FACE if seat in team.losers else None for seat in range(6)]
    assert dots_like(final_picture(team, NAMES[:6], DARK_LOOK, (), portraits), RED) == 0
