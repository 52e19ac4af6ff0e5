"""One seat at the table: a name, how many cards, what this player is doing."""

from collections.abc import Iterator
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
_MARK_STEP = 2 * _MARK + 6
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


def plate_parts(box: Box, sitting: Sitting, name: str, style: Style) -> Iterator[Part]:
    """Draw a seat's plate, from the lowest part to the uppermost; `name` comes from `fitted_name`.

    Each part is kept for as long as it may be needed again: a move changes little of most plates.
    """
    left, top, right, bottom = box
    middle = bottom - 27
    yield _ground(box, style.awaited if sitting.is_awaited else style.plate, _edge(sitting, style))
    ink = style.awaited_ink if sitting.is_awaited else style.ink
    is_over = sitting.place is not None and not sitting.is_fool
    yield _name(box, name, style.faint if is_over else ink)
    if sitting.place is not None:
        yield _medal(sitting.place, (left + _PADDING + _MARK, middle), style)
    else:
        marks = len(sitting.marks) * _MARK_STEP
        yield _count((left + _PADDING, right - _PADDING - marks), middle, sitting.cards, ink, style=style)
    for number, mark in enumerate(reversed(sitting.marks)):
        yield _mark(mark, (right - _PADDING - _MARK - number * _MARK_STEP, middle), style)
    if sitting.is_fool:
        yield _cap((right - _CAP - 10, (top + bottom) / 2 - _CAP * 0.46), style)


@lru_cache(maxsize=64)  # each takes about 100 kB
def _ground(box: Box, colour: str, edge: str | None) -> Part:
    return part_of(box, lambda canvas: canvas.rounded(box, 18, colour, edge, 4 if edge else 0))


@lru_cache(maxsize=128)
def _name(box: Box, name: str, ink: str) -> Part:
    left, top, *_ = box
    return part_of(box, lambda canvas: canvas.text((left + _PADDING, top + 25), name, _NAME, ink))


@lru_cache(maxsize=128)
def _mark(mark: Mark, centre: Point, style: Style) -> Part:
    return part_of(_around(centre, _MARK + 1), lambda canvas: draw_mark(canvas, mark, centre, _MARK, style))


@lru_cache(maxsize=64)
def _medal(place: int, centre: Point, style: Style) -> Part:
    return part_of(_around(centre, _MARK + 1), lambda canvas: draw_medal(canvas, place, centre, _MARK, style))


@lru_cache(maxsize=64)
def _cap(place: Point, style: Style) -> Part:
    colours = style.take, style.defend, style.gold
    return part_of(
        (*place, place[0] + _CAP, place[1] + _CAP),
        lambda canvas: draw_fools_cap(canvas, place, _CAP, colours),
    )


@lru_cache(maxsize=256)  # each takes about 15 kB
def _count(between: Point, y: float, cards: int, ink: str, *, style: Style) -> Part:
    half = _BACK * PROPORTION / 2 + 1
    box = between[0], y - half, between[1], y + half
    return part_of(box, lambda canvas: _draw_count(canvas, between, y, cards, ink, style=style))


def _around(centre: Point, radius: float) -> Box:
    x, y = centre
    return x - radius, y - radius, x + radius, y + radius


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
