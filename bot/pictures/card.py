"""One card: a face whose index can be read on a phone, or a back."""

from functools import cache, lru_cache

from PIL import Image

from bot.pictures.canvas import SCALE, Canvas, finished
from bot.pictures.figures import draw_headgear
from bot.pictures.lettering import CAP_HEIGHT
from bot.pictures.look import Look
from bot.pictures.palette import Style
from bot.pictures.suits import draw_suit
from engine import Card, Rank

PROPORTION = 1.4
"""How high a card is, in parts of its width."""

_PATTERNED = 40  # narrower backs are plain: a pattern on them is only noise
_INDEX_WIDTH = 0.40  # of the card: so much stays visible under a card that beats it


def card_face(
    card: Card, width: int, look: Look, *, is_trump: bool = False, is_dimmed: bool = False
) -> Image.Image:
    """Draw a card's front, `width` dots wide in the finished picture; trumps have a golden edge."""
    style = look.style
    canvas = _blank(width, style.dimmed if is_dimmed else style.face, style.face_edge)
    if is_trump:
        box = (0, 0, width, width * PROPORTION)
        canvas.rounded(box, width * 0.11, None, style.deep_gold, max(1.8, width * 0.042))
    colour = style.suits[card.suit]
    _draw_index(canvas, look.rank_text(card.rank), colour)
    draw_suit(canvas, card.suit, (0.245 * width, 0.68 * width), 0.29 * width, colour)
    if card.rank in (Rank.JACK, Rank.QUEEN, Rank.KING):
        draw_headgear(canvas, card.rank, (0.52 * width, 0.15 * width), 0.40 * width, (style.gold, colour))
    size = 0.62 if card.rank is Rank.ACE else 0.54
    draw_suit(canvas, card.suit, (0.62 * width, 1.00 * width), size * width, colour)
    return canvas.image


@lru_cache(maxsize=256)  # each takes about 50 kB
def finished_face(
    card: Card, width: int, look: Look, *, is_trump: bool = False, is_dimmed: bool = False
) -> Image.Image:
    """Return a card's front in the size of the picture."""
    return finished(card_face(card, width, look, is_trump=is_trump, is_dimmed=is_dimmed))


@cache
def card_back(width: int, style: Style) -> Image.Image:
    """Draw a card's back."""
    canvas = _blank(width, style.face, style.face_edge)
    height = width * PROPORTION
    edge = max(2.0, width * 0.07)
    inner = Canvas(width - 2 * edge, height - 2 * edge, style.back)
    step = width * 0.24
    across = int((width + height) / step) + 1 if width >= _PATTERNED else 0
    for line in range(-across, across):
        for slope in (1, -1):
            start = (line * step, 0.0) if slope == 1 else (line * step, height)
            end = (line * step + height, height) if slope == 1 else (line * step + height, 0.0)
            inner.stroke((start, end), style.back_line, width * 0.014)
    mask = Canvas(inner.width, inner.height, "#000000")
    mask.rounded((0, 0, inner.width, inner.height), width * 0.06, "#ffffff")
    canvas.image.paste(inner.image, (round(edge * SCALE), round(edge * SCALE)), mask.image.convert("L"))
    return canvas.image


def _blank(width: int, fill: str, edge: str) -> Canvas:
    canvas = Canvas(width, width * PROPORTION)
    box = (0, 0, width, width * PROPORTION)
    canvas.rounded(box, width * 0.11, fill, edge, max(1.0, width * 0.014))
    return canvas


def _draw_index(canvas: Canvas, rank: str, colour: str) -> None:
    """Write the rank into the upper left corner."""
    width = canvas.width
    size = 0.54 * width
    centre = 0.245 * width, 0.09 * width + CAP_HEIGHT * size / 2
    canvas.squeezed_text(centre, rank, size, _INDEX_WIDTH * width, colour)
