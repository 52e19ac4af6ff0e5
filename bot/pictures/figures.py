"""What people wear: a cap, a diadem and a crown tell court cards apart, and the fool gets a fool's cap."""

from bot.pictures.canvas import Canvas, Point, Shape
from bot.pictures.curves import bend
from engine import Rank

_CAP: Shape = ((0.04, 0.92), (0.10, 0.42), (0.42, 0.20), (0.80, 0.34), (0.96, 0.92))
_FEATHER: Shape = ((0.52, 0.50), (0.62, 0.10), (1.00, -0.16), (1.02, 0.16), (0.80, 0.44))
_DIADEM: Shape = (
    (0.02, 0.92),
    (0.02, 0.56),
    (0.26, 0.66),
    (0.50, 0.14),
    (0.74, 0.66),
    (0.98, 0.56),
    (0.98, 0.92),
)
_CROWN: Shape = (
    (0.06, 0.92),
    (0.00, 0.24),
    (0.27, 0.54),
    (0.50, 0.06),
    (0.73, 0.54),
    (1.00, 0.24),
    (0.94, 0.92),
)
_POINTS: dict[Rank, tuple[Point, ...]] = {
    Rank.QUEEN: ((0.50, 0.10), (0.02, 0.52), (0.98, 0.52)),
    Rank.KING: ((0.00, 0.20), (0.50, 0.02), (1.00, 0.20)),
}


def draw_headgear(canvas: Canvas, rank: Rank, place: Point, size: float, colours: tuple[str, str]) -> None:
    """Draw a cap, diadem or crown with its upper left corner at a place, in two colours."""

    def at(shape: Shape) -> Shape:
        return [(place[0] + x * size, place[1] + y * size * 0.72) for x, y in shape]

    gold, trim = colours
    if rank is Rank.JACK:
        canvas.polygon(at(_CAP), trim)
        canvas.polygon(at(_FEATHER), gold)
        band = gold
    else:
        canvas.polygon(at(_CROWN if rank is Rank.KING else _DIADEM), gold)
        for point in at(_POINTS[rank]):
            canvas.disc(point, size * 0.075, trim)
        band = trim
    (left, top), (right, bottom) = at(((0.04, 0.80), (0.96, 1.0)))
    canvas.rounded((left, top, right, bottom), size * 0.05, band)


def draw_fools_cap(canvas: Canvas, place: Point, size: float, colours: tuple[str, str, str]) -> None:
    """Draw a cap of two colours with three tails and a bell on each; `size` is its width."""
    side, middle, gold = colours

    def at(shape: Shape) -> Shape:
        return [(place[0] + x * size, place[1] + y * size) for x, y in shape]

    tail = [(0.20, 0.72), *bend((0.20, 0.72), (0.17, 0.34), (0.09, 0.28), (0.09, 0.60))]
    tail += bend((0.01, 0.60), (0.00, 0.00), (0.42, 0.02), (0.56, 0.72))
    canvas.polygon(at(tail), side)
    canvas.polygon(at([(1 - x, y) for x, y in tail]), side)
    spike = [*bend((0.28, 0.72), (0.32, 0.40), (0.42, 0.30), (0.50, 0.06))]
    canvas.polygon(at([*spike, *((1 - x, y) for x, y in reversed(spike))]), middle)
    (left, top), (right, bottom) = at(((0.16, 0.70), (0.84, 0.84)))
    canvas.rounded((left, top, right, bottom), size * 0.05, gold)
    for table_events in at(((0.05, 0.60), (0.50, 0.07), (0.95, 0.60))):
        canvas.disc(table_events, size * 0.07, gold)
