"""One seat at the table: a name, how many cards, what this player is doing."""

from dataclasses import dataclass
from functools import lru_cache

from bot.pictures.canvas import Box, Canvas, Part, Point, fitted, part_of, text_width
from bot.pictures.card import PROPORTION, card_back
from bot.pictures.figures import draw_fools_cap
from bot.pictures.lettering import ROBOT
from bot.pictures.marks import Mark, draw_mark, draw_medal
from bot.pictures.palette import Style

_PADDING = 14
_NAME = 26  # sizes of letters
_COUNT = 32
_BACK = 24  # a small card's width
_MOST_BACKS = 6
_STEP = 8
_MARK = 17  # a mark's radius
_CAP = 70


@dataclass(frozen=True, slots=True)
class Sitting:
    """What is shown of a seat.

    Attributes:
        cards: How many cards they hold.
        marks: What they are doing, the most important last.
        place: Which one they were to go out, from 1; None while they play.
        is_awaited: Whether everybody waits for them.
        is_away: Whether a house player stands in for them.
        is_fool: Whether they lost the game.
    """

    cards: int
    marks: tuple[Mark, ...] = ()
    place: int | None = None
    is_awaited: bool = False
    is_away: bool = False
    is_fool: bool = False


def fitted_name(box: Box, sitting: Sitting, name: str) -> str:
    """Return what stands on a plate for a name."""
    left, _, right, _ = box
    room = right - left - 2 * _PADDING - (_CAP if sitting.is_fool else 0)
    return fitted(f"{ROBOT} {name}" if sitting.is_away else name, _NAME, room)


@lru_cache(maxsize=128)  # each takes about 100 kB
def plate_part(box: Box, sitting: Sitting, name: str, style: Style) -> Part:
    """Draw a seat's plate; `name` comes from `fitted_name`."""
    return part_of(box, lambda canvas: _draw_plate(canvas, box, sitting, name, style))


def _draw_plate(canvas: Canvas, box: Box, sitting: Sitting, name: str, style: Style) -> None:
    left, top, right, bottom = box
    edge = _edge(sitting, style)
    canvas.rounded(box, 18, style.awaited if sitting.is_awaited else style.plate, edge, 4 if edge else 0)
    ink = style.awaited_ink if sitting.is_awaited else style.ink
    is_over = sitting.place is not None and not sitting.is_fool
    canvas.text((left + _PADDING, top + 25), name, _NAME, style.faint if is_over else ink)
    middle = bottom - 27
    marks = len(sitting.marks) * (2 * _MARK + 6)
    if sitting.place is not None:
        draw_medal(canvas, sitting.place, (left + _PADDING + _MARK, middle), _MARK, style)
    else:
        _draw_count(
            canvas, (left + _PADDING, right - _PADDING - marks), middle, sitting.cards, ink, style=style
        )
    x = right - _PADDING - _MARK
    for mark in reversed(sitting.marks):
        draw_mark(canvas, mark, (x, middle), _MARK, style)
        x -= 2 * _MARK + 6
    if sitting.is_fool:
        cap = right - _CAP - 10, (top + bottom) / 2 - _CAP * 0.46
        draw_fools_cap(canvas, cap, _CAP, (style.take, style.defend, style.gold))


def _edge(sitting: Sitting, style: Style) -> str | None:
    if sitting.is_fool:
        return style.gold
    colours = {Mark.ATTACKS: style.attack, Mark.DEFENDS: style.defend, Mark.TAKES: style.take}
    return colours.get(sitting.marks[-1]) if sitting.marks else None


def _draw_count(canvas: Canvas, between: Point, y: float, cards: int, ink: str, *, style: Style) -> None:
    """Draw a fan of small backs and the number that it stands for; the fan takes what room is left."""
    left, right = between
    number = text_width(str(cards), _COUNT) + 9
    room = int((right - left - number - _BACK) / _STEP) + 1
    backs = min(cards, _MOST_BACKS, room)
    for back in range(backs):
        canvas.lay(card_back(_BACK, style), (left + back * _STEP, y - _BACK * PROPORTION / 2))
    x = left + (_BACK + (backs - 1) * _STEP + 9 if backs > 0 else 0)
    canvas.text((x, y), str(cards), _COUNT, ink)
