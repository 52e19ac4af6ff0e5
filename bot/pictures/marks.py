"""Small round marks that say what a seat is doing, and the medal of one who is out."""

from enum import Enum, auto

from bot.pictures.canvas import Canvas, Point, Shape
from bot.pictures.palette import Style


class Mark(Enum):
    """What a seat is doing in this bout."""

    ATTACKS = auto()
    HELPS = auto()
    DEFENDS = auto()
    TAKES = auto()
    IS_DONE = auto()


_SHIELD: Shape = ((0, -0.66), (0.52, -0.44), (0.48, 0.12), (0, 0.68), (-0.48, 0.12), (-0.52, -0.44))
_CHECK: Shape = ((-0.42, 0.04), (-0.1, 0.36), (0.46, -0.34))
_BLADE: Shape = ((0.62, -0.62), (0.56, -0.28), (-0.10, 0.36), (-0.36, 0.10), (0.28, -0.56))
_GUARD: Shape = ((-0.48, -0.08), (0.08, 0.48))
_GRIP: Shape = ((-0.22, 0.22), (-0.52, 0.52))


def draw_mark(canvas: Canvas, mark: Mark, centre: Point, radius: float, style: Style) -> None:
    """Draw a mark as a disc in its colour with a sign on it."""
    colour = {
        Mark.ATTACKS: style.attack,
        Mark.HELPS: style.faint,
        Mark.DEFENDS: style.defend,
        Mark.TAKES: style.take,
        Mark.IS_DONE: style.done,
    }[mark]
    ink = style.mark_ink
    line = radius * 0.22

    def at(shape: Shape) -> Shape:
        return [(centre[0] + x * radius, centre[1] + y * radius) for x, y in shape]

    canvas.disc(centre, radius, colour)
    match mark:
        case Mark.ATTACKS:
            canvas.polygon(at(_BLADE), ink)
            canvas.stroke(at(_GUARD), ink, radius * 0.15)
            canvas.stroke(at(_GRIP), ink, line)
        case Mark.HELPS:
            canvas.stroke(at(((-0.45, 0), (0.45, 0))), ink, line)
            canvas.stroke(at(((0, -0.45), (0, 0.45))), ink, line)
        case Mark.DEFENDS:
            canvas.polygon(at(_SHIELD), ink)
        case Mark.TAKES:
            canvas.stroke(at(((0, -0.55), (0, 0.25))), ink, line)
            canvas.stroke(at(((-0.34, -0.08), (0, 0.27), (0.34, -0.08))), ink, line)
            canvas.stroke(at(((-0.42, 0.55), (0.42, 0.55))), ink, line)
        case Mark.IS_DONE:
            canvas.stroke(at(_CHECK), ink, line)


def draw_medal(canvas: Canvas, place: int, centre: Point, radius: float, style: Style) -> None:
    """Draw the number of somebody's place, on gold, silver or bronze for the first three."""
    metals = (style.gold, "#b9c2cb", "#cd8f5b")
    metal = metals[place - 1] if place <= len(metals) else style.slot
    canvas.disc(centre, radius, metal)
    ink = "#1b1503" if place <= len(metals) else style.ink
    canvas.text(centre, str(place), radius * 1.15, ink, "middle")
