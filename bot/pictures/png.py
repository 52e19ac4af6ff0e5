"""From a drawing to the bytes of a small PNG."""

from io import BytesIO

from PIL import Image

from bot.pictures.canvas import Canvas, finished

COLOURS = 88
"""Enough for smooth edges; a palette makes the file a quarter as large."""


def png_of(canvas: Canvas) -> bytes:
    """Return a finished drawing as a PNG with a palette; what nothing was drawn on stays transparent."""
    return packed(finished(canvas.image))


def packed(picture: Image.Image) -> bytes:
    """Return a picture in its own size as a PNG with a palette."""
    few = picture.quantize(COLOURS, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    file = BytesIO()
    few.save(file, "PNG", compress_level=7)
    return file.getvalue()
