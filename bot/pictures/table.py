"""Draws the table as a picture: all public facts, and nothing else."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from functools import cache, lru_cache
from math import atan2, ceil, cos, dist, pi, sin
from typing import NamedTuple

from PIL import Image

from bot.pictures.canvas import (
    SCALE,
    Box,
    Canvas,
    Part,
    Point,
    Shape,
    bend,
    compressed,
    finished,
    fitted,
    in_palette,
    part_of,
    text_width,
)
from bot.pictures.cards import PROPORTION, card_back, card_face, draw_fools_cap, draw_suit, finished_face
from bot.pictures.lettering import ROBOT, distinct_names
from bot.pictures.subjects import Look, Style
from engine import Card, PublicView, Seat, Suit

WIDTH = 900
PLATE_HEIGHT = 86

# How far a beating card is right of and below the beaten one, relative to its width and height.
BEAT_SHIFT = (0.46, 0.24)

_MARGIN = 12
_GAP = 12
_LANE = 36  # between plates and cards, for the arrow
_MIN_MIDDLE = 312  # the height between the plates above and below
_ALONG_ROWS = 8  # seats above and below the table; further ones sit at its sides
_WIDEST_PLATE = 300
_SIDE_PLATE = 186
_SIDE_GAP = 28  # room for an arrow
_WIDEST_CARD = 150


@dataclass(frozen=True, slots=True)
class SeatPlate:
    """A seat's plate, and the direction from it to the table."""

    box: Box
    inward: Point

    @property
    def edge(self) -> Point:
        """The middle of the side that faces the table."""
        left, top, right, bottom = self.box
        x, y = self.inward
        return (left + right + x * (right - left)) / 2, (top + bottom + y * (bottom - top)) / 2

    def towards(self, other: "SeatPlate") -> Point:
        """Returns the point of the side facing the table that is near the corner next to another plate."""
        x, y = self.edge
        return (self.box[2] - _FROM_CORNER if other.edge[0] > x else self.box[0] + _FROM_CORNER), y


@dataclass(frozen=True, slots=True)
class Layout:
    """The layout of a table for some number of seats."""

    height: int  # of the whole picture
    places: tuple[SeatPlate, ...]  # the seats' plates, by seat
    stock: Box  # the talon's place
    bout: Box  # the place of the cards on the table
    heap: Box  # the discard's place


@cache
def layout_of(seats: int) -> Layout:
    """Returns the layout of a table with this number of seats."""
    beside = max(0, seats - _ALONG_ROWS)
    along = seats - beside
    right = ceil(beside / 2)
    left = beside // 2
    top = _MARGIN + PLATE_HEIGHT + _LANE
    height = 2 * top + max(_MIN_MIDDLE, right * (PLATE_HEIGHT + _SIDE_GAP) - _SIDE_GAP)
    places = (
        *_row(ceil(along / 2), _MARGIN, (0, 1)),
        *_column(right, WIDTH - _MARGIN - _SIDE_PLATE, height, (-1, 0)),
        *reversed(_row(along // 2, height - _MARGIN - PLATE_HEIGHT, (0, -1))),
        *reversed(_column(left, _MARGIN, height, (1, 0))),
    )
    inset, stock = (_MARGIN + _SIDE_PLATE + 4, 84) if beside else (40, 112)
    bottom = height - top

    return Layout(
        height=height,
        places=places,
        stock=(inset, top, inset + stock, bottom),
        bout=(inset + stock + 14, top, WIDTH - inset - stock - 14, bottom),
        heap=(WIDTH - inset - stock, top, WIDTH - inset, bottom),
    )


def _row(count: int, y: float, inward: Point) -> list[SeatPlate]:
    """Returns plates beside one another, from left to right."""
    width = min(_WIDEST_PLATE, (WIDTH - 2 * _MARGIN - (count - 1) * _GAP) / count)
    space = (WIDTH - count * width) / (count + 1)
    lefts = [space + number * (width + space) for number in range(count)]
    return [SeatPlate((x, y, x + width, y + PLATE_HEIGHT), inward) for x in lefts]


def _column(count: int, x: float, height: float, inward: Point) -> list[SeatPlate]:
    """Returns plates under one another, halfway up the table, from top to bottom."""
    step = PLATE_HEIGHT + _SIDE_GAP
    tops = [(height - count * step + _SIDE_GAP) / 2 + row * step for row in range(count)]
    return [SeatPlate((x, y, x + _SIDE_PLATE, y + PLATE_HEIGHT), inward) for y in tops]


def pair_places(count: int, box: Box) -> tuple[int, list[Point]]:
    """Returns the largest card size at which all pairs fit into a box, and each pair's upper left corner."""
    left, top, right, bottom = box
    # with a gap to the next pair
    across = 1 + BEAT_SHIFT[0] + 0.14
    down = PROPORTION * (1 + BEAT_SHIFT[1] + 0.06)

    def card_width(rows: int) -> int:
        columns = ceil(count / rows)
        return int(min(_WIDEST_CARD, (right - left) / columns / across, (bottom - top) / rows / down))

    rows = max(range(1, count + 1), key=card_width)
    width = card_width(rows)
    columns = ceil(count / rows)
    corners = []

    for number in range(count):
        row, column = divmod(number, columns)
        in_row = min(columns, count - row * columns)
        x = (left + right) / 2 + (column - in_row / 2) * across * width + 0.07 * width
        corners.append((x, (top + bottom) / 2 + (row - rows / 2) * down * width))

    return width, corners


# --- An arrow across the felt, from the attacker to the defender ---


_LINE = 9
_HEAD = 24
_FROM_CORNER = 46
_DIP = 44  # how far an arrow between neighbours bends towards the cards
_CLEAR = 7  # between the bout's place and an arrow that passes it


def draw_arrow(canvas: Canvas, points: Shape, colour: str) -> None:
    """Draws an arrow along `points`: its line ends at the last but one, the tip of its head is the last."""
    (x, y), (tip_x, tip_y) = points[-2:]
    heading = atan2(tip_y - y, tip_x - x)
    wings = [
        (tip_x - _HEAD * cos(heading + side * pi / 6), tip_y - _HEAD * sin(heading + side * pi / 6))
        for side in (1, -1)
    ]
    canvas.stroke(points[:-1], colour, _LINE)
    canvas.polygon([points[-1], *wings], colour)


@cache
def _arrow(seats: int, attacker: Seat, defender: Seat) -> tuple[Box, Shape]:
    """Returns the box around the arrow from plate to plate, and its points."""
    layout = layout_of(seats)
    start = layout.places[attacker]
    end = layout.places[defender]
    left = max(start.box[0], end.box[0])
    right = min(start.box[2], end.box[2])
    points: Shape

    if left < right:  # above one another: straight, beside the cards if there is room
        lane = layout.bout[0] - _CLEAR if left + right < WIDTH else layout.bout[2] + _CLEAR
        x = min(max(lane, left + _FROM_CORNER), right - _FROM_CORNER)
        if end.box[1] > start.box[3]:
            leaves = start.box[3]
            tip = end.box[1] - 4
            way = 1
        else:
            leaves = start.box[1]
            tip = end.box[3] + 4
            way = -1

        points = (x, leaves), (x, tip - way * _HEAD * 0.8), (x, tip)
    elif start.inward == end.inward:
        points = _curve(start.towards(end), end.towards(start), start, end, _DIP)
    else:
        points = _curve(start.edge, end.edge, start, end, 0.4 * dist(start.edge, end.edge))

    across, down = zip(*points, strict=True)
    return (min(across) - _HEAD, min(down) - _HEAD, max(across) + _HEAD, max(down) + _HEAD), points


def _curve(leaves: Point, arrives: Point, start: SeatPlate, end: SeatPlate, reach: float) -> Shape:
    def on(point: Point, direction: Point, distance: float) -> Point:
        return point[0] + direction[0] * distance, point[1] + direction[1] * distance

    tip = on(arrives, end.inward, 4)
    neck = on(tip, end.inward, _HEAD * 0.8)
    bends = bend(leaves, on(leaves, start.inward, reach), on(neck, end.inward, reach * 0.4), neck)
    return leaves, *bends, tip


# --- Small round marks of a seat's state, and the medal of a seat that is out ---


class SeatState(Enum):
    """The state of a seat in this bout."""

    ATTACKS = auto()
    HELPS = auto()
    DEFENDS = auto()
    TAKES = auto()


_SHIELD: Shape = ((0, -0.66), (0.52, -0.44), (0.48, 0.12), (0, 0.68), (-0.48, 0.12), (-0.52, -0.44))
_BLADE: Shape = ((0.62, -0.62), (0.56, -0.28), (-0.10, 0.36), (-0.36, 0.10), (0.28, -0.56))
_GUARD: Shape = ((-0.48, -0.08), (0.08, 0.48))
_GRIP: Shape = ((-0.22, 0.22), (-0.52, 0.52))


def draw_mark(canvas: Canvas, mark: SeatState, centre: Point, radius: float, style: Style) -> None:
    """Draws a mark as a disc in its colour with a sign on it."""
    colour = {
        SeatState.ATTACKS: style.attack,
        SeatState.HELPS: style.faint,
        SeatState.DEFENDS: style.defend,
        SeatState.TAKES: style.take,
    }[mark]
    ink = style.mark_ink
    line = radius * 0.22

    def at(shape: Shape) -> Shape:
        return [(centre[0] + x * radius, centre[1] + y * radius) for x, y in shape]

    canvas.disc(centre, radius, colour)
    match mark:
        case SeatState.ATTACKS:
            canvas.polygon(at(_BLADE), ink)
            canvas.stroke(at(_GUARD), ink, radius * 0.15)
            canvas.stroke(at(_GRIP), ink, line)
        case SeatState.HELPS:
            canvas.stroke(at(((-0.45, 0), (0.45, 0))), ink, line)
            canvas.stroke(at(((0, -0.45), (0, 0.45))), ink, line)
        case SeatState.DEFENDS:
            canvas.polygon(at(_SHIELD), ink)
        case SeatState.TAKES:
            canvas.stroke(at(((0, -0.55), (0, 0.25))), ink, line)
            canvas.stroke(at(((-0.34, -0.08), (0, 0.27), (0.34, -0.08))), ink, line)
            canvas.stroke(at(((-0.42, 0.55), (0.42, 0.55))), ink, line)


def draw_medal(canvas: Canvas, place: int, centre: Point, radius: float, style: Style) -> None:
    """Draws the number of a player's place, on gold, silver or bronze for the first three."""
    metals = (style.gold, "#b9c2cb", "#cd8f5b")
    metal = metals[place - 1] if place <= len(metals) else style.slot
    canvas.disc(centre, radius, metal)
    ink = "#1b1503" if place <= len(metals) else style.ink
    canvas.text(centre, str(place), radius * 1.15, ink, "middle")


# --- Beside the bout: the talon with the turn-up and the trump suit, and the discard ---


_TUCKED = 0.86  # how far the turn-up shows from under the talon, relative to a card's width
_APART = 0.56  # the same for a turn-up removed from the game, which is above the talon
_BADGE = 0.34  # the trump badge's radius, relative to a card's width
_OUTSIDE = 12  # dots by which a pile may exceed its box
_PILE = ((-9, -6), (7, 4), (-2, 2))  # degrees and shift of the discard's cards


def _around(box: Box, margin: float) -> Box:
    left, top, right, bottom = box
    return left - margin, top - margin, right + margin, bottom + margin


class Stock(NamedTuple):
    """The cards beside the bout; a turn-up that `is_removed` from the game is not under the talon."""

    talon: int
    turn_up: Card | None
    trump: Suit
    is_removed: bool


def draw_stock(canvas: Canvas, box: Box, stock: Stock, look: Look) -> None:
    """Draws the talon on the turn-up, the number of its cards, and below it the trump suit."""
    talon, turn_up, trump, is_removed = stock
    style = look.style
    left, top, right, bottom = box
    width = int(right - left - 8)
    height = width * PROPORTION
    badge = _BADGE * width
    whole = _TUCKED * width + height + 10 + 2 * badge
    x = (left + right - width) / 2
    y = (top + bottom - whole) / 2
    pile = y + _TUCKED * width

    if turn_up is not None and is_removed:
        small = int(_APART * width)
        canvas.lay(card_face(turn_up, small, look), (x + (width - small) / 2, y))
    elif turn_up is not None:
        canvas.lay(card_face(turn_up, width, look), (x, y))

    is_drawn_last = turn_up is not None and not is_removed
    if backs := max(0, talon - is_drawn_last):
        for lift in range(min(3, backs)):
            canvas.lay(card_back(width, style), (x - 2 * lift, pile - 2 * lift))
    elif not is_drawn_last:
        canvas.rounded((x, pile, x + width, pile + height), width * 0.11, None, style.slot, 4)

    number = y + height + 0.43 * width if is_drawn_last and not backs else pile + height / 2
    _draw_number(canvas, (x + width / 2, number), talon, width, style)
    centre = x + width / 2, pile + height + 10 + badge
    canvas.disc(centre, badge, style.face, style.deep_gold, 5)
    draw_suit(canvas, trump, centre, badge * 1.2, style.suits[trump])


def draw_heap(canvas: Canvas, box: Box, count: int, style: Style) -> None:
    """Draws the discard as an untidy pile with the number of its cards."""
    left, top, right, bottom = box
    centre = (left + right) / 2, (top + bottom) / 2
    width = int((right - left) * 0.72)
    height = width * PROPORTION

    if count == 0:
        x = centre[0] - width / 2
        y = centre[1] - height / 2
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


# --- One seat at the table: a name, the number of cards, the player's state ---


_PADDING = 14
_NAME = 31  # sizes of letters
_COUNT = 32
_BACK = 24  # a small card's width
_MAX_BACKS = 6
_STEP = 8
_MARK = 17  # a mark's radius
_MARK_STEP = 2 * _MARK + 6
_CAP = 70
_TEAM = 12  # the radius of a team's sign
_TEAM_ROOM = 2 * _TEAM + 8


def plate_parts(view: PublicView, seat: Seat, box: Box, name: str, style: Style) -> Iterator[Part]:
    """Yields the parts of a seat's plate, the lowest first; `name` has to fit."""
    left, top, right, bottom = box
    middle = bottom - 27
    is_out = seat in view.out
    is_fool = view.outcome is not None and seat in view.outcome.losers
    is_awaited = view.outcome is None and seat in view.awaited

    marks = _marks(view, seat)
    edges = {SeatState.ATTACKS: style.attack, SeatState.DEFENDS: style.defend, SeatState.TAKES: style.take}
    edge = style.gold if is_fool else None

    if marks:
        edge = edges.get(marks[-1])

    ground, ink = (style.awaited, style.awaited_ink) if is_awaited else (style.plate, style.ink)
    edge_width = 4 if edge else 0
    yield part_of(box, Canvas.rounded, box, 18, ground, edge, edge_width)

    name_ink = style.faint if is_out and not is_fool else ink
    name_at = left + _PADDING, top + 25
    if view.rules.teams != "off":
        centre = name_at[0] + _TEAM, name_at[1]
        team = view.rules.team_of(seat)
        yield part_of(_around((*centre, *centre), _TEAM + 1), draw_team, team, centre, _TEAM, style)
        name_at = name_at[0] + _TEAM_ROOM, name_at[1]

    yield part_of(box, Canvas.text, name_at, name, _NAME, name_ink)

    if is_out:
        centre = left + _PADDING + _MARK, middle
        yield part_of(
            _around((*centre, *centre), _MARK + 1), draw_medal, view.out.index(seat) + 1, centre, _MARK, style
        )
    else:
        end = right - _PADDING - len(marks) * _MARK_STEP
        count_box = left + _PADDING, middle - _BACK, end, middle + _BACK
        yield part_of(count_box, draw_count, count_box, view.hand_counts[seat], ink, style)

    for number, mark in enumerate(reversed(marks)):
        centre = right - _PADDING - _MARK - number * _MARK_STEP, middle
        yield part_of(_around((*centre, *centre), _MARK + 1), draw_mark, mark, centre, _MARK, style)

    if is_fool:
        x = right - _CAP - 10
        y = (top + bottom) / 2 - _CAP * 0.46
        colours = style.take, style.defend, style.gold
        yield part_of((x, y, x + _CAP, y + _CAP), draw_fools_cap, (x, y), _CAP, colours)


def _marks(view: PublicView, seat: Seat) -> tuple[SeatState, ...]:
    """Returns the marks of a player's state, the most important last."""
    if view.outcome is not None or seat in view.out:
        return ()
    if seat == view.defender:
        return (SeatState.TAKES if view.taking else SeatState.DEFENDS,)

    if seat == view.attacker:
        return (SeatState.ATTACKS,)

    return (SeatState.HELPS,) if seat in view.throw_order else ()


def draw_team(canvas: Canvas, team: int, centre: Point, radius: float, style: Style) -> None:
    """Draws a team's number on its colour, which its sign in texts has as well."""
    colour = (style.take, style.defend, style.suits[Suit.CLUBS])[team]
    canvas.disc(centre, radius, colour)
    canvas.text(centre, str(team + 1), radius * 1.4, style.face, "middle")


def draw_count(canvas: Canvas, box: Box, cards: int, ink: str, style: Style) -> None:
    """Draws the number of cards and, as far as there is room, a fan of small backs before it."""
    left, top, right, bottom = box
    y = (top + bottom) / 2
    number = text_width(str(cards), _COUNT) + 9
    room = int((right - left - number - _BACK) / _STEP) + 1
    backs = min(cards, _MAX_BACKS, room)
    for back in range(backs):
        canvas.lay(card_back(_BACK, style), (left + back * _STEP, y - _BACK * PROPORTION / 2))

    x = left + (_BACK + (backs - 1) * _STEP + 9 if backs > 0 else 0)
    canvas.text((x, y), str(cards), _COUNT, ink)


# --- The whole table: all public facts, and nothing else ---


def table_picture(
    view: PublicView, names: Sequence[str], look: Look, *, away: Collection[Seat] = ()
) -> bytes:
    """Draws the public view of a running or finished game, as a PNG, 900 dots wide.

    `names`, by seat, may contain anything; house players replace those who are `away`.
    """
    return compressed(in_palette(drawn_table(view, names, look, away=away), look.style))


def drawn_table(
    view: PublicView,
    names: Sequence[str],
    look: Look,
    *,
    away: Collection[Seat] = (),
    wrong_cards: Collection[Card] = (),
) -> Image.Image:
    """Returns the picture of `table_picture` as an image in full colour.

    `wrong_cards` are framed, as they were played against the rules. Only a film of a finished game has any.
    """
    style = look.style
    layout = layout_of(view.seats)
    boxes = [place.box for place in layout.places]
    losers = view.outcome.losers if view.outcome is not None else ()

    def as_it_fits(seat: Seat, name: str) -> str:
        left, _, right, _ = boxes[seat]
        room = right - left - 2 * _PADDING
        if seat in losers:
            room -= _CAP
        if view.rules.teams != "off":
            room -= _TEAM_ROOM
        if seat in away:
            name = f"{ROBOT} {name}"

        return fitted(name, _NAME, room)

    stock = Stock(view.talon, view.turn_up, view.trump, view.rules.turn_up == "removed")
    parts = [
        part_of(_around(layout.stock, _OUTSIDE), draw_stock, layout.stock, stock, look),
        part_of(_around(layout.heap, _OUTSIDE), draw_heap, layout.heap, view.discard, style),
        *_bout_parts(view, layout.bout, look, wrong_cards),
    ]

    if view.outcome is None:
        box, points = _arrow(view.seats, view.attacker, view.defender)
        colour = style.take if view.taking else style.attack
        parts.insert(0, part_of(box, draw_arrow, points, colour))

    for seat, name in enumerate(distinct_names(names[: view.seats], as_it_fits)):
        parts.extend(plate_parts(view, seat, boxes[seat], name, style))

    picture = _empty_table(layout.height, style).copy()
    for image, corner in parts:
        picture.paste(image, corner, image)

    return picture


@lru_cache(maxsize=16)
def _empty_table(height: int, style: Style) -> Image.Image:
    canvas = Canvas(WIDTH, height, style.backdrop)
    canvas.rounded((14, 44, WIDTH - 14, height - 44), 150, style.felt, style.rim, 12)
    return finished(canvas.image)


def _bout_parts(view: PublicView, box: Box, look: Look, wrong_cards: Collection[Card]) -> Iterator[Part]:
    if not view.bout:
        return

    width, corners = pair_places(len(view.bout), box)
    right = BEAT_SHIFT[0] * width
    down = BEAT_SHIFT[1] * width * PROPORTION

    for pair, (x, y) in zip(view.bout, corners, strict=True):
        for card, corner in ((pair.attack, (x, y)), (pair.beat, (x + right, y + down))):
            if card is not None:
                face = finished_face(card, width, look, is_trump=card.suit is view.trump)
                yield Part(face, (round(corner[0]), round(corner[1])))

            if card in wrong_cards:
                frame = (*corner, corner[0] + width, corner[1] + width * PROPORTION)
                yield part_of(frame, _draw_frame, frame, look.style.take)


_FRAME = 6  # the width of the line around a card that was played against the rules
_FRAME_RADIUS = 10


def _draw_frame(canvas: Canvas, box: Box, colour: str) -> None:
    canvas.rounded(box, _FRAME_RADIUS, None, colour, _FRAME)
