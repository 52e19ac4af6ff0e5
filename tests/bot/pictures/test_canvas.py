"""A layer on a picture looks as if it had been drawn there directly."""

import pytest
from PIL import Image, ImageChops

from bot.pictures.canvas import Canvas, finished, part_of

WIDTH = 320
HEIGHT = 28
ROUNDING = 3  # invisible to the eye, of 255 steps


def draw(canvas: Canvas) -> None:
    canvas.text((5, 14), "WÄgo Жук 漢字 😀 🤖", 20, "#d04020")
    canvas.squeezed_text((220, 14), "10", 20, 15, "#ffffff")
    canvas.stroke([(240, 5), (280, 22)], "#4080ff", 3)
    canvas.disc((300, 14), 9, "#ffffff", "#207040", 3)


@pytest.mark.parametrize("ground", ["#ffffff", "#1b5e3a", "#000000"])
def test_edges_have_no_fringes(ground: str) -> None:
    canvas = Canvas(WIDTH, HEIGHT, ground)
    draw(canvas)
    picture = Image.new("RGB", (WIDTH, HEIGHT), ground)
    image, corner = part_of((0, 0, WIDTH, HEIGHT), draw)
    picture.paste(image, corner, image)
    difference = ImageChops.difference(finished(canvas.image), picture)
    assert max(difference.tobytes()) <= ROUNDING
