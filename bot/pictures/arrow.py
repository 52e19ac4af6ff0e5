"""An arrow across the felt, from who attacks to who defends."""

from math import atan2, cos, hypot, pi, sin

from bot.pictures.canvas import Canvas, Point
from bot.pictures.layout import Place
from bot.pictures.suits import bend

_LINE = 9
_HEAD = 26
_FROM_CORNER = 46
_ASIDE = 120  # how far an arrow straight across keeps from the middle, where the cards lie


def draw_arrow(canvas: Canvas, start: Place, end: Place, colour: str) -> None:
    """Draw the arrow from one plate to another; it leaves and arrives at the sides that face the table."""
    leaves, arrives = _ends(start, end)
    distance = hypot(arrives[0] - leaves[0], arrives[1] - leaves[1])
    reach = 44.0 if start.inward == end.inward else 0.4 * distance
    tip = _on(arrives, end.inward, 4)
    neck = _on(tip, end.inward, _HEAD * 0.8)
    curve = bend(leaves, _on(leaves, start.inward, reach), _on(neck, end.inward, reach * 0.4), neck)
    canvas.stroke([leaves, *curve], colour, _LINE)
    heading = atan2(-end.inward[1], -end.inward[0])
    wings = [
        (tip[0] - _HEAD * cos(heading + side * pi / 6), tip[1] - _HEAD * sin(heading + side * pi / 6))
        for side in (1, -1)
    ]
    canvas.polygon([tip, *wings], colour)


def _ends(start: Place, end: Place) -> tuple[Point, Point]:
    """Where the arrow leaves and arrives: near the corners of plates on one side, else at their middles."""
    first, last = start.edge, end.edge
    if start.inward == end.inward:
        return _towards(start, last), _towards(end, first)
    if first[0] == last[0]:
        return (first[0] + _ASIDE, first[1]), (last[0] + _ASIDE, last[1])
    return first, last


def _towards(place: Place, other: Point) -> Point:
    """The point of a plate's inner side that is near the corner next to another plate."""
    left, top, right, bottom = place.box
    x, y = place.edge
    if place.inward[0] == 0:
        return (right - _FROM_CORNER if other[0] > x else left + _FROM_CORNER), y
    return x, (bottom - _FROM_CORNER / 2 if other[1] > y else top + _FROM_CORNER / 2)


def _on(point: Point, direction: Point, distance: float) -> Point:
    return point[0] + direction[0] * distance, point[1] + direction[1] * distance
