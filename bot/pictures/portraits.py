"""Portraits: pictures of people from elsewhere, made small and square, and drawn round."""

from io import BytesIO

from PIL import Image, ImageDraw, ImageOps

from bot.pictures.canvas import SCALE, Canvas, Point

SIDE = 128  # dots
FORMATS = ("JPEG", "PNG", "WEBP", "GIF")
MAX_DOTS = 2048 * 2048  # in the largest picture that is read; more would take too much memory
QUALITY = 85
_GROUND = "#5f6a73"  # under transparent parts


def small_portrait(content: bytes) -> bytes | None:
    """Returns the middle of a picture as a small JPEG; None if it is unreadable or huge.

    The picture is encoded again, so that nothing else in the file is passed on.
    """
    try:
        with Image.open(BytesIO(content), formats=FORMATS) as picture:
            if picture.width * picture.height > MAX_DOTS:
                return None
            square = ImageOps.fit(picture.convert("RGBA"), (SIDE, SIDE))
    except Exception:  # a damaged file may raise anything
        return None

    portrait = Image.new("RGB", square.size, _GROUND)
    portrait.paste(square, mask=square)
    file = BytesIO()
    portrait.save(file, "JPEG", quality=QUALITY)
    return file.getvalue()


def draw_portrait(canvas: Canvas, jpeg: bytes, centre: Point, radius: float) -> None:
    """Draws a portrait in a circle."""
    side = round(2 * radius * SCALE)
    with Image.open(BytesIO(jpeg), formats=("JPEG",)) as picture:
        face = picture.convert("RGBA").resize((side, side), Image.Resampling.BICUBIC)

    circle = Image.new("L", face.size)
    ImageDraw.Draw(circle).ellipse((0, 0, side - 1, side - 1), 255)
    face.putalpha(circle)
    canvas.lay(face, (centre[0] - radius, centre[1] - radius))
