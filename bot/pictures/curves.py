"""Curves as points close to one another."""

from bot.pictures.canvas import Point

STEPS = 24
"""Points of a curve: enough to look round at the size of a picture."""


def bend(start: Point, first: Point, second: Point, end: Point) -> list[Point]:
    """Follow a curve from start to end that leaves towards `first` and arrives from `second`."""
    points = []
    for step in range(1, STEPS + 1):
        t = step / STEPS
        parts = ((1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3)
        corners = (start, first, second, end)
        points.append(
            (
                sum(part * corner[0] for part, corner in zip(parts, corners, strict=True)),
                sum(part * corner[1] for part, corner in zip(parts, corners, strict=True)),
            )
        )
    return points
