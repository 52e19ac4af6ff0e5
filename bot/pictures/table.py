"""The table as a picture: everything that everybody may see, and nothing else."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from functools import cache, lru_cache
from math import atan2, ceil, cos, hypot, pi, sin

from PIL import Image

from bot.pictures.canvas import (
    SCALE,
    Box,
    Canvas,
    Part,
    Point,
    Shape,
    bend,
    finished,
    fitted,
    part_of,
    quickly_packed,
    text_width,
)
from bot.pictures.cards import PROPORTION, card_back, card_face, draw_fools_cap, draw_suit, finished_face
from bot.pictures.lettering import ROBOT, told_apart
from bot.pictures.subjects import Look, Style
from engine import Card, PublicView, Seat, Suit

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
    """A table for some number of seats."""

    height: int  # of the whole picture
    places: tuple[Place, ...]  # the seats' plates, by seat
    stock: Box  # the talon's place
    bout: Box  # the place of the cards on the table
    heap: Box  # the discard's place


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
    """Return the largest card size with which all pairs fit into a box, and each pair's upper left corner."""
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


# --- An arrow across the felt, from the attacker to the defender ---


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


# --- Small round marks that say what a seat is doing, and the medal of one who is out ---


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
    """Draw the number of a player's place, on gold, silver or bronze for the first three."""
    metals = (style.gold, "#b9c2cb", "#cd8f5b")
    metal = metals[place - 1] if place <= len(metals) else style.slot
    canvas.disc(centre, radius, metal)
    ink = "#1b1503" if place <= len(metals) else style.ink
    canvas.text(centre, str(place), radius * 1.15, ink, "middle")


# --- Beside the bout: the talon with the turn-up and the trump suit, and the discard ---


_TUCKED = 0.86  # how far the turn-up looks out from under the talon, in parts of the card's width
_APART = 0.56  # how wide a turn-up is that left the game: it lies above the talon, in the same
_BADGE = 0.34  # the trump badge's radius, in the same
_OUTSIDE = 12  # dots by which a pile may reach out of its box
_PILE = ((-9, -6), (7, 4), (-2, 2))  # degrees and shift of the discard's cards


@dataclass(frozen=True, slots=True)
class Stock:
    """What lies beside the bout; a turn-up that `is_removed` from the game does not lie under the talon."""

    turn_up: Card | None
    talon: int
    trump: Suit
    is_removed: bool = False


@lru_cache(maxsize=64)
def stock_part(box: Box, stock: Stock, look: Look) -> Part:
    """Draw the talon on the turn-up, how many cards it holds, and below it the trump suit."""
    return part_of(_wider(box), lambda canvas: _draw_stock(canvas, box, stock, look))


@lru_cache(maxsize=64)
def heap_part(box: Box, count: int, style: Style) -> Part:
    """Draw the discard as an untidy pile, and how many cards it holds."""
    return part_of(_wider(box), lambda canvas: _draw_heap(canvas, box, count, style))


def _wider(box: Box) -> Box:
    left, top, right, bottom = box
    return left - _OUTSIDE, top - _OUTSIDE, right + _OUTSIDE, bottom + _OUTSIDE


def _draw_stock(canvas: Canvas, box: Box, stock: Stock, look: Look) -> None:
    style, turn_up = look.style, stock.turn_up
    left, top, right, bottom = box
    width = int(right - left - 8)
    height = width * PROPORTION
    badge = _BADGE * width
    whole = _TUCKED * width + height + 10 + 2 * badge
    x, y = (left + right - width) / 2, (top + bottom - whole) / 2
    pile = y + _TUCKED * width
    if turn_up is not None and stock.is_removed:
        small = int(_APART * width)
        canvas.lay(card_face(turn_up, small, look), (x + (width - small) / 2, y))
    elif turn_up is not None:
        canvas.lay(card_face(turn_up, width, look), (x, y))
    is_drawn_last = turn_up is not None and not stock.is_removed
    if backs := max(0, stock.talon - is_drawn_last):
        for lift in range(min(3, backs)):
            canvas.lay(card_back(width, style), (x - 2 * lift, pile - 2 * lift))
    elif not is_drawn_last:
        canvas.rounded((x, pile, x + width, pile + height), width * 0.11, None, style.slot, 4)
    number = y + height + 0.43 * width if is_drawn_last and not backs else pile + height / 2
    _draw_number(canvas, (x + width / 2, number), stock.talon, width, style)
    centre = x + width / 2, pile + height + 10 + badge
    canvas.disc(centre, badge, style.face, style.deep_gold, 5)
    draw_suit(canvas, stock.trump, centre, badge * 1.2, style.suits[stock.trump])


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


# --- One seat at the table: a name, how many cards, what this player is doing ---


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
    """What is shown of a seat."""

    cards: int  # how many cards they hold
    marks: tuple[Mark, ...] = ()  # what they are doing, the most important last
    place: int | None = None  # which one they were to go out, from 1; None while they play
    is_awaited: bool = False  # whether everybody waits for them
    is_away: bool = False  # whether a house player stands in for them
    is_fool: bool = False  # whether they lost the game


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


# --- The table as a picture: everything that everybody may see, and nothing else ---


def table_picture(
    view: PublicView, names: Sequence[str], look: Look, *, away: Collection[Seat] = ()
) -> bytes:
    """Draw a running or finished game for everybody; gives a PNG, 900 dots wide.

    `names`, by seat, may hold anything; house players stand in for those who are `away`.
    """
    return quickly_packed(drawn_table(view, names, look, away=away), look.style)


def drawn_table(
    view: PublicView, names: Sequence[str], look: Look, *, away: Collection[Seat] = ()
) -> Image.Image:
    """Return the same picture as an image in full colour."""
    style = look.style
    layout = layout_of(view.seats)
    picture = _empty_table(layout.height, style).copy()
    if view.outcome is None:
        colour = style.take if view.taking else style.attack
        _arrow_part(view.seats, view.attacker, view.defender, colour).lay_on(picture)
    stock = Stock(view.turn_up, view.talon, view.trump, view.rules.turn_up == "removed")
    stock_part(layout.stock, stock, look).lay_on(picture)
    heap_part(layout.heap, view.discard, style).lay_on(picture)
    _lay_bout(picture, layout.bout, view, look)
    sittings = [_sitting(view, seat, is_away=seat in away) for seat in range(view.seats)]

    def fitted(seat: int, name: str) -> str:
        return fitted_name(layout.places[seat].box, sittings[seat], name)

    for seat, name in enumerate(told_apart(names[: view.seats], fitted)):
        for part in plate_parts(layout.places[seat].box, sittings[seat], name, style):
            part.lay_on(picture)
    return picture


@lru_cache(maxsize=16)
def _empty_table(height: int, style: Style) -> Image.Image:
    canvas = Canvas(WIDTH, height, style.backdrop)
    canvas.rounded((14, 44, WIDTH - 14, height - 44), 150, style.felt, style.rim, 12)
    return finished(canvas.image)


@lru_cache(maxsize=64)
def _arrow_part(seats: int, attacker: Seat, defender: Seat, colour: str) -> Part:
    layout = layout_of(seats)
    box = arrow_box(layout, attacker, defender)
    return part_of(box, lambda canvas: draw_arrow(canvas, layout, attacker, defender, colour))


def _lay_bout(picture: Image.Image, box: Box, view: PublicView, look: Look) -> None:
    if not view.bout:
        return
    width, corners = pair_places(len(view.bout), box)

    def lay(card: Card, place: Point) -> None:
        face = finished_face(card, width, look, is_trump=card.suit is view.trump)
        Part(face, (round(place[0]), round(place[1]))).lay_on(picture)

    for pair, (x, y) in zip(view.bout, corners, strict=True):
        lay(pair.attack, (x, y))
        if pair.beat is not None:
            lay(pair.beat, (x + BEAT_SHIFT[0] * width, y + BEAT_SHIFT[1] * width * PROPORTION))


def _sitting(view: PublicView, seat: Seat, *, is_away: bool) -> Sitting:
    outcome = view.outcome
    is_out = seat in view.out
    return Sitting(
        cards=view.hand_counts[seat],
        marks=() if is_out or outcome is not None else _marks(view, seat),
        place=view.out.index(seat) + 1 if is_out else None,
        is_awaited=outcome is None and seat in view.awaited,
        is_away=is_away,
        is_fool=outcome is not None and seat in outcome.losers,
    )


def _marks(view: PublicView, seat: Seat) -> tuple[Mark, ...]:
    if seat == view.defender:
        return (Mark.TAKES if view.taking else Mark.DEFENDS,)
    is_done = seat in view.declined
    if seat == view.attacker:
        return (Mark.IS_DONE, Mark.ATTACKS) if is_done else (Mark.ATTACKS,)
    if is_done:
        return (Mark.IS_DONE,)
    return (Mark.HELPS,) if seat in view.throw_order else ()
