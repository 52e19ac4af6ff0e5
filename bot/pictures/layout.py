"""Where things lie: seats around the table, clockwise from the upper left; cards on it, as large as fits."""

from dataclasses import dataclass
from math import ceil

from bot.pictures.canvas import Box, Point
from bot.pictures.card import PROPORTION

WIDTH = 900
PLATE_HEIGHT = 86

BEAT_SHIFT = (0.46, 0.24)
"""How far a beating card lies right of and below the beaten one, in parts of its width and height."""

_MARGIN = 12
_GAP = 12
_LANE = 36  # between plates and cards, for the arrow
_LEAST_MIDDLE = 312  # the height of what lies between the plates above and below
_ALONG_ROWS = 8  # seats above and below the table; further ones sit at its sides
_WIDEST_PLATE = 300
_SIDE_PLATE = 186
_SIDE_GAP = 28  # room for an arrow
_WIDEST_CARD = 128


@dataclass(frozen=True, slots=True)
class Place:
    """A seat's plate, and the direction in which the table lies from it."""

    box: Box
    inward: Point

    @property
    def edge(self) -> Point:
        """The middle of the side that faces the table."""
        left, top, right, bottom = self.box
        x, y = self.inward
        return (left + right + x * (right - left)) / 2, (top + bottom + y * (bottom - top)) / 2


@dataclass(frozen=True, slots=True)
class Layout:
    """A table for some number of seats.

    Attributes:
        height: Of the whole picture.
        places: The seats' plates, by seat.
        stock: The talon's place.
        bout: The place of the cards on the table.
        heap: The discard's place.
    """

    height: int
    places: tuple[Place, ...]
    stock: Box
    bout: Box
    heap: Box


def layout_of(seats: int) -> Layout:
    """Give everything on a table its place."""
    beside = max(0, seats - _ALONG_ROWS)
    along = seats - beside
    right, left = ceil(beside / 2), beside // 2
    top = _MARGIN + PLATE_HEIGHT + _LANE
    height = 2 * top + max(_LEAST_MIDDLE, _column_height(right))
    upper, lower = _row(ceil(along / 2)), _row(along // 2)
    places = (
        *(_place(x, _MARGIN, width, (0, 1)) for x, width in upper),
        *(_side(row, right, height, (-1, 0)) for row in range(right)),
        *(_place(x, height - _MARGIN - PLATE_HEIGHT, width, (0, -1)) for x, width in reversed(lower)),
        *(_side(row, left, height, (1, 0)) for row in reversed(range(left))),
    )
    inset = _MARGIN + _SIDE_PLATE + 4 if beside else 40
    bottom = height - top
    stock = 84 if beside else 112
    return Layout(
        height=height,
        places=places,
        stock=(inset, top, inset + stock, bottom),
        bout=(inset + stock + 14, top, WIDTH - inset - stock - 14, bottom),
        heap=(WIDTH - inset - stock, top, WIDTH - inset, bottom),
    )


def pair_places(count: int, box: Box) -> tuple[int, list[Point]]:
    """Return the largest cards with which so many pairs fit into a box, and each pair's upper left corner."""
    left, top, right, bottom = box
    wide, high = right - left, bottom - top
    width, rows = max((_card_width(count, rows, wide, high), -rows) for rows in range(1, count + 1))
    rows = -rows
    columns = ceil(count / rows)
    step_x, step_y = _pair_size(width)
    corners = []
    for number in range(count):
        row, column = divmod(number, columns)
        in_row = min(columns, count - row * columns)
        x = (left + right) / 2 + (column - in_row / 2) * step_x + (step_x - width * (1 + BEAT_SHIFT[0])) / 2
        y = (top + bottom) / 2 + (row - rows / 2) * step_y
        corners.append((x, y))
    return width, corners


def _card_width(count: int, rows: int, wide: float, high: float) -> int:
    per_width, per_height = _pair_size(1)
    columns = ceil(count / rows)
    return int(min(_WIDEST_CARD, wide / columns / per_width, high / rows / per_height))


def _pair_size(width: float) -> Point:
    """A pair's size with the space to the next."""
    return width * (1 + BEAT_SHIFT[0] + 0.14), width * PROPORTION * (1 + BEAT_SHIFT[1] + 0.06)


def _row(count: int) -> list[tuple[float, float]]:
    """Where plates in a row begin, and how wide they are."""
    width = min(_WIDEST_PLATE, (WIDTH - 2 * _MARGIN - (count - 1) * _GAP) / count)
    space = (WIDTH - count * width) / (count + 1)
    return [(space + number * (width + space), width) for number in range(count)]


def _column_height(count: int) -> int:
    return count * PLATE_HEIGHT + (count - 1) * _SIDE_GAP


def _side(row: int, count: int, height: float, inward: Point) -> Place:
    x = _MARGIN if inward[0] > 0 else WIDTH - _MARGIN - _SIDE_PLATE
    y = (height - _column_height(count)) / 2 + row * (PLATE_HEIGHT + _SIDE_GAP)
    return _place(x, y, _SIDE_PLATE, inward)


def _place(x: float, y: float, width: float, inward: Point) -> Place:
    return Place((x, y, x + width, y + PLATE_HEIGHT), inward)
