"""An arrow across the felt, from who attacks to who defends."""

from math import atan2, cos, hypot, pi, sin

from bot.pictures.canvas import Box, Canvas, Point, Shape
from bot.pictures.curves import bend
from bot.pictures.layout import WIDTH, Layout, Place
from engine import Seat

_LINE = 9
_HEAD = 24
_FROM_CORNER = 46
_DIP = 44  # how far an arrow between neighbours bends towards the cards
_CLEAR = 7  # between the bout's place and an arrow that passes it


def arrow_box(layout: Layout, attacker: Seat, defender: Seat) -> Box:
    """Return the box in which the arrow lies."""
    across, down = zip(*_path(layout, layout.places[attacker], layout.places[defender]), strict=True)
    return min(across) - _HEAD, min(down) - _HEAD, max(across) + _HEAD, max(down) + _HEAD


def draw_arrow(canvas: Canvas, layout: Layout, attacker: Seat, defender: Seat, colour: str) -> None:
    """Draw the arrow from one plate to another, around the cards as far as it can be."""
    points = _path(layout, layout.places[attacker], layout.places[defender])
    (x, y), (tip_x, tip_y) = points[-2:]
    heading = atan2(tip_y - y, tip_x - x)
    wings = [
        (tip_x - _HEAD * cos(heading + side * pi / 6), tip_y - _HEAD * sin(heading + side * pi / 6))
        for side in (1, -1)
    ]
    canvas.stroke(points[:-1], colour, _LINE)
    canvas.polygon([points[-1], *wings], colour)


def _path(layout: Layout, start: Place, end: Place) -> Shape:
    """The points from plate to plate; the line ends at the last but one, the head's tip is the last."""
    left, right = max(start.box[0], end.box[0]), min(start.box[2], end.box[2])
    if left < right:
        return _straight(layout, start, end, (left + _FROM_CORNER, right - _FROM_CORNER))
    if start.inward == end.inward:
        return _curve(_towards(start, end), _towards(end, start), start, end, _DIP)
    distance = hypot(end.edge[0] - start.edge[0], end.edge[1] - start.edge[1])
    return _curve(start.edge, end.edge, start, end, 0.4 * distance)


def _straight(layout: Layout, start: Place, end: Place, between: Point) -> Shape:
    """Up or down between plates that stand above one another, beside the cards if there is room."""
    is_left = sum(between) < WIDTH
    queue = layout.bout[0] - _CLEAR if is_left else layout.bout[2] + _CLEAR
    x = min(max(queue, between[0]), between[1])
    if end.box[1] > start.box[3]:
        leaves, tip, way = start.box[3], end.box[1] - 4, 1
    else:
        leaves, tip, way = start.box[1], end.box[3] + 4, -1
    return (x, leaves), (x, tip - way * _HEAD * 0.8), (x, tip)


def _curve(leaves: Point, arrives: Point, start: Place, end: Place, reach: float) -> Shape:
    tip = _on(arrives, end.inward, 4)
    neck = _on(tip, end.inward, _HEAD * 0.8)
    bends = bend(leaves, _on(leaves, start.inward, reach), _on(neck, end.inward, reach * 0.4), neck)
    return [leaves, *bends, tip]


def _towards(place: Place, other: Place) -> Point:
    """The point of a plate's inner side that is near the corner next to another plate."""
    left, _, right, _ = place.box
    x, y = place.edge
    return (right - _FROM_CORNER if other.edge[0] > x else left + _FROM_CORNER), y


def _on(point: Point, direction: Point, distance: float) -> Point:
    return point[0] + direction[0] * distance, point[1] + direction[1] * distance
