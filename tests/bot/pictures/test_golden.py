"""The pictures look as they did when they were approved."""

import pytest
from PIL import Image, ImageChops

from tests.bot.pictures.positions import FOLDER, GOLDEN, opened
from tests.golden import REGENERATE

MAX_DIFFERENT = 0.001  # other versions of the typeface's renderer move edges a little


def share_of_difference(first: Image.Image, second: Image.Image) -> float:
    """Returns the share of pixels, at half the size, that are clearly of another colour."""
    strongest = ImageChops.difference(first.reduce(2), second.reduce(2)).split()
    differs = ImageChops.lighter(ImageChops.lighter(strongest[0], strongest[1]), strongest[2])
    return sum(differs.histogram()[48:]) / (differs.width * differs.height)


@pytest.mark.parametrize("name", GOLDEN)
def test_a_picture_looks_as_it_did(name: str) -> None:
    drawn = opened(GOLDEN[name]())
    golden = opened((FOLDER / f"{name}.png").read_bytes())
    hint = f"`{REGENERATE} pictures` draws it, if this is wanted"
    assert drawn.size == golden.size, hint
    assert share_of_difference(drawn, golden) <= MAX_DIFFERENT, hint


def test_a_mark_that_is_missing_would_be_noticed() -> None:
    golden = opened((FOLDER / "table-dark.png").read_bytes())
    without = golden.copy()
    plain = without.getpixel((280, 60))
    assert plain is not None
    without.paste(plain, (248, 54, 282, 88))
    assert share_of_difference(golden, without) > MAX_DIFFERENT


def test_every_golden_picture_has_a_drawing() -> None:
    assert {file.stem for file in FOLDER.iterdir()} == set(GOLDEN)
