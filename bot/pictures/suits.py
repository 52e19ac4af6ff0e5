"""The shapes of the four suits, as outlines in a square from (0, 0) to (1, 1)."""

from functools import cache
from math import cos, pi, sin

from bot.pictures.canvas import Canvas, Point, Shape
from bot.pictures.curves import STEPS, bend
from engine import Suit


def draw_suit(canvas: Canvas, suit: Suit, centre: Point, size: float, fill: str) -> None:
    """Draw a suit's sign around a point."""
    left, top = centre[0] - size / 2, centre[1] - size / 2
    for outline in outlines(suit):
        canvas.polygon([(left + x * size, top + y * size) for x, y in outline], fill)


@cache
def outlines(suit: Suit) -> tuple[Shape, ...]:
    """Return the shapes that make up a suit's sign; they overlap."""
    if suit is Suit.HEARTS:
        return (_heart(),)
    if suit is Suit.DIAMONDS:
        return (_diamond(),)
    if suit is Suit.SPADES:
        leaf = [(x, 0.80 - (y - 0.05) * 0.83) for x, y in _heart()]
        return leaf, _stem(0.52)
    leaves = (_circle(0.5, 0.25, 0.215), _circle(0.245, 0.60, 0.215), _circle(0.755, 0.60, 0.215))
    return *leaves, ((0.36, 0.40), (0.64, 0.40), (0.60, 0.68), (0.40, 0.68)), _stem(0.50)


def _heart() -> Shape:
    right = bend((0.5, 0.24), (0.58, 0.02), (0.97, 0.00), (0.97, 0.34))
    right += bend((0.97, 0.34), (0.97, 0.58), (0.66, 0.76), (0.5, 0.97))
    return _mirrored(right)


def _diamond() -> Shape:
    right = bend((0.5, 0.0), (0.60, 0.20), (0.74, 0.40), (0.88, 0.5))
    right += bend((0.88, 0.5), (0.74, 0.60), (0.60, 0.80), (0.5, 1.0))
    return _mirrored(right)


def _stem(top: float) -> Shape:
    right = [(0.53, top), *bend((0.53, 0.74), (0.54, 0.86), (0.58, 0.94), (0.72, 0.97))]
    return _mirrored(right)


def _circle(x: float, y: float, radius: float) -> Shape:
    turns = (2 * pi * step / (2 * STEPS) for step in range(2 * STEPS))
    return [(x + radius * cos(turn), y + radius * sin(turn)) for turn in turns]


def _mirrored(right: Shape) -> Shape:
    """Close the right half of an outline with its mirror image."""
    return [*right, *((1 - x, y) for x, y in reversed(right))]
