"""From a drawing to the bytes of a small PNG."""

from io import BytesIO

from PIL import Image

from bot.pictures.canvas import SCALE, Canvas

COLOURS = 96
"""Enough for smooth edges; a palette makes the file a quarter as large."""


def png_of(canvas: Canvas) -> bytes:
    """Give a finished drawing as a PNG with a palette; what nothing was drawn on stays transparent."""
    picture = canvas.image.reduce(SCALE)
    few = picture.quantize(COLOURS, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    file = BytesIO()
    few.save(file, "PNG", compress_level=8)
    return file.getvalue()
