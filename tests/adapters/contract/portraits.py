"""The contract of every chat: the pictures that people show of themselves."""

from io import BytesIO

import pytest
from PIL import Image

from adapters.port import MAX_PORTRAIT
from tests.adapters.contract.harness import Harness, eventually
from tests.adapters.contract.steps import posted, says

RED = (200, 20, 20)
BLUE = (20, 20, 200)
NEAR = 12  # how far a colour may be off, of 255
LEAST = 128  # dots that are enough for a seat


def square(colour: tuple[int, int, int], side: int = 300) -> bytes:
    """Draws a square of one colour as a PNG."""
    file = BytesIO()
    Image.new("RGB", (side, side), colour).save(file, "PNG")
    return file.getvalue()


def dots_like(picture: bytes, colour: tuple[int, int, int]) -> int:
    """Counts the dots of a picture that have about this colour."""
    with Image.open(BytesIO(picture)) as opened:
        counted = opened.convert("RGB").getcolors(opened.width * opened.height) or ()

    return sum(
        number
        for number, dot in counted
        if isinstance(dot, tuple) and all(abs(a - b) < NEAR for a, b in zip(dot, colour, strict=True))
    )


def is_like(content: bytes | None, colour: tuple[int, int, int]) -> bool:
    """Returns whether a picture is large enough and has this colour, as far as a JPEG keeps it."""
    assert content is not None
    assert len(content) <= MAX_PORTRAIT
    with Image.open(BytesIO(content)) as picture:
        middle = picture.convert("RGB").getpixel((picture.width // 2, picture.height // 2))
        assert isinstance(middle, tuple)
        return min(picture.size) >= LEAST and all(
            abs(a - b) < NEAR for a, b in zip(middle, colour, strict=True)
        )


class PortraitContract:
    """Portraits, in chats whose people have some."""

    async def test_somebody_without_a_picture_has_none(self, harness: Harness) -> None:
        anna = await harness.newcomer("Anna")
        assert await harness.adapter.portrait_of(anna) is None

    async def test_everybody_has_their_own_picture(self, harness: Harness) -> None:
        _needs_portraits(harness)
        people = {await harness.newcomer(name): colour for name, colour in (("Anna", RED), ("Boris", BLUE))}
        for who, colour in people.items():
            await harness.show_portrait(who, square(colour))

        for who, colour in people.items():
            assert is_like(await harness.adapter.portrait_of(who), colour)

    async def test_a_picture_is_found_after_a_press_and_after_a_restart(self, harness: Harness) -> None:
        _needs_portraits(harness)
        anna = await harness.newcomer("Anna")
        await harness.show_portrait(anna, square(RED))
        _, table = await posted(harness, says("table", "Go"))
        await harness.presses(anna, table, "Go")
        await eventually(lambda: harness.inbox.pressed)
        assert is_like(await harness.adapter.portrait_of(anna), RED)

        await harness.restart()
        assert is_like(await harness.adapter.portrait_of(anna), RED)


def _needs_portraits(harness: Harness) -> None:
    if not harness.adapter.limits.portraits:
        pytest.skip("nobody has a picture in this chat")
