"""Beside the bout: the talon with the turn-up and the trump suit, and the discard."""

from functools import cache, lru_cache

from PIL import Image

from bot.pictures.canvas import SCALE, Box, Canvas, Part, Point, part_of
from bot.pictures.card import PROPORTION, card_back, card_face
from bot.pictures.look import Look
from bot.pictures.palette import Style
from bot.pictures.suits import draw_suit
from engine import Card, Suit

_TUCKED = 0.86  # how far the turn-up looks out from under the talon, in parts of the card's width
_BADGE = 0.34  # the trump badge's radius, in the same
_OUTSIDE = 12  # dots by which a pile may reach out of its box
_PILE = ((-9, -6), (7, 4), (-2, 2))  # degrees and shift of the discard's cards


@lru_cache(maxsize=64)
def stock_part(box: Box, turn_up: Card | None, talon: int, trump: Suit, look: Look) -> Part:
    """Draw the talon on the turn-up, how many cards it holds, and below it the trump suit."""
    return part_of(_wider(box), lambda canvas: _draw_stock(canvas, box, turn_up, talon, trump, look=look))


@lru_cache(maxsize=64)
def heap_part(box: Box, count: int, style: Style) -> Part:
    """Draw the discard as an untidy pile, and how many cards it holds."""
    return part_of(_wider(box), lambda canvas: _draw_heap(canvas, box, count, style))


def _wider(box: Box) -> Box:
    left, top, right, bottom = box
    return left - _OUTSIDE, top - _OUTSIDE, right + _OUTSIDE, bottom + _OUTSIDE


def _draw_stock(
    canvas: Canvas, box: Box, turn_up: Card | None, talon: int, trump: Suit, *, look: Look
) -> None:
    style = look.style
    left, top, right, bottom = box
    width = int(right - left - 8)
    height = width * PROPORTION
    badge = _BADGE * width
    whole = _TUCKED * width + height + 10 + 2 * badge
    x, y = (left + right - width) / 2, (top + bottom - whole) / 2
    pile = y + _TUCKED * width
    if turn_up is not None:
        canvas.lay(card_face(turn_up, width, look), (x, y))
    if talon > 1:
        for lift in range(min(3, talon - 1)):
            canvas.lay(card_back(width, style), (x - 2 * lift, pile - 2 * lift))
    elif turn_up is None:
        canvas.rounded((x, pile, x + width, pile + height), width * 0.11, None, style.slot, 4)
    is_open = turn_up is not None and talon <= 1
    number = y + height + 0.43 * width if is_open else pile + height / 2
    _draw_number(canvas, (x + width / 2, number), talon, width, style)
    centre = x + width / 2, pile + height + 10 + badge
    canvas.disc(centre, badge, style.face, style.deep_gold, 5)
    draw_suit(canvas, trump, centre, badge * 1.2, style.suits[trump])


def _draw_heap(canvas: Canvas, box: Box, count: int, style: Style) -> None:
    left, top, right, bottom = box
    centre = (left + right) / 2, (top + bottom) / 2
    width = int((right - left) * 0.72)
    height = width * PROPORTION
    if count == 0:
        x, y = centre[0] - width / 2, centre[1] - height / 2
        canvas.rounded((x, y, x + width, y + height), width * 0.11, None, style.slot, 4)
        return
    for degrees, shift in _PILE[-min(count, len(_PILE)) :]:
        back = _turned_back(width, style, degrees)
        corner = centre[0] + shift - back.width / SCALE / 2, centre[1] + shift - back.height / SCALE / 2
        canvas.lay(back, corner)
    _draw_number(canvas, centre, count, width, style)


@cache
def _turned_back(width: int, style: Style, degrees: int) -> Image.Image:
    return card_back(width, style).rotate(degrees, Image.Resampling.BICUBIC, expand=True)


def _draw_number(canvas: Canvas, centre: Point, count: int, width: int, style: Style) -> None:
    x, y = centre
    half = width * 0.34
    canvas.rounded((x - half, y - half * 0.72, x + half, y + half * 0.72), half * 0.72, style.plate)
    canvas.text(centre, str(count), width * 0.36, style.ink, "middle")
