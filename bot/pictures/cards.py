"""One card: a face whose index can be read on a phone, or a back."""

from functools import cache, lru_cache
from math import cos, pi, sin

from PIL import Image

from bot.pictures.canvas import SCALE, STEPS, Canvas, Point, Shape, bend, finished, png_of
from bot.pictures.lettering import CAP_HEIGHT
from bot.pictures.subjects import DARK, Look, Style
from engine import Card, Rank, Suit

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
    """Draws a cap, diadem or crown with its upper left corner at a place, in two colours."""

    def at(shape: Shape) -> Shape:
        return [(place[0] + x * size, place[1] + y * size * 0.72) for x, y in shape]

    gold, trim = colours
    if rank is Rank.JACK:
        canvas.polygon(at(_CAP), trim)
        canvas.polygon(at(_FEATHER), gold)
        band = gold
    else:
        headdress = _CROWN if rank is Rank.KING else _DIADEM
        canvas.polygon(at(headdress), gold)
        for point in at(_POINTS[rank]):
            canvas.disc(point, size * 0.075, trim)

        band = trim

    (left, top), (right, bottom) = at(((0.04, 0.80), (0.96, 1.0)))
    canvas.rounded((left, top, right, bottom), size * 0.05, band)


def draw_fools_cap(canvas: Canvas, place: Point, size: float, colours: tuple[str, str, str]) -> None:
    """Draws a cap of two colours with three tails and a bell on each; `size` is its width."""
    side, middle, gold = colours

    def at(shape: Shape) -> Shape:
        return [(place[0] + x * size, place[1] + y * size) for x, y in shape]

    tail = [(0.20, 0.72), *bend((0.20, 0.72), (0.17, 0.34), (0.09, 0.28), (0.09, 0.60))]
    tail += bend((0.01, 0.60), (0.00, 0.00), (0.42, 0.02), (0.56, 0.72))
    canvas.polygon(at(tail), side)
    canvas.polygon(at([(1 - x, y) for x, y in tail]), side)
    spike = bend((0.28, 0.72), (0.32, 0.40), (0.42, 0.30), (0.50, 0.06))
    canvas.polygon(at(_mirror(spike)), middle)
    (left, top), (right, bottom) = at(((0.16, 0.70), (0.84, 0.84)))
    canvas.rounded((left, top, right, bottom), size * 0.05, gold)

    for bell in at(((0.05, 0.60), (0.50, 0.07), (0.95, 0.60))):
        canvas.disc(bell, size * 0.07, gold)


# --- The shapes of the four suits, as outlines in a square from (0, 0) to (1, 1) ---


def draw_suit(canvas: Canvas, suit: Suit, centre: Point, size: float, fill: str) -> None:
    """Draws a suit's sign around a point."""
    left = centre[0] - size / 2
    top = centre[1] - size / 2
    for outline in outlines(suit):
        canvas.polygon([(left + x * size, top + y * size) for x, y in outline], fill)


@cache
def outlines(suit: Suit) -> tuple[Shape, ...]:
    """Returns the shapes that make up a suit's sign; they overlap."""
    if suit is Suit.HEARTS:
        return (_heart(),)

    if suit is Suit.DIAMONDS:
        right = bend((0.5, 0.0), (0.60, 0.20), (0.74, 0.40), (0.88, 0.5))
        right += bend((0.88, 0.5), (0.74, 0.60), (0.60, 0.80), (0.5, 1.0))
        return (_mirror(right),)

    if suit is Suit.SPADES:
        leaf = [(x, 0.80 - (y - 0.05) * 0.83) for x, y in _heart()]
        return leaf, _stem(0.52)

    leaves = (_circle(0.5, 0.25, 0.215), _circle(0.245, 0.60, 0.215), _circle(0.755, 0.60, 0.215))
    return *leaves, ((0.36, 0.40), (0.64, 0.40), (0.60, 0.68), (0.40, 0.68)), _stem(0.50)


def _heart() -> Shape:
    right = bend((0.5, 0.24), (0.58, 0.02), (0.97, 0.00), (0.97, 0.34))
    right += bend((0.97, 0.34), (0.97, 0.58), (0.66, 0.76), (0.5, 0.97))
    return _mirror(right)


def _stem(top: float) -> Shape:
    right = [(0.53, top), *bend((0.53, 0.74), (0.54, 0.86), (0.58, 0.94), (0.72, 0.97))]
    return _mirror(right)


def _circle(x: float, y: float, radius: float) -> Shape:
    turns = (2 * pi * step / (2 * STEPS) for step in range(2 * STEPS))
    return [(x + radius * cos(turn), y + radius * sin(turn)) for turn in turns]


def _mirror(right: Shape) -> Shape:
    """Closes the right half of an outline with its mirror image."""
    return [*right, *((1 - x, y) for x, y in reversed(right))]


# --- One card: a face whose index can be read on a phone, or a back ---


PROPORTION = 1.4  # how high a card is, in parts of its width
_PATTERNED = 40  # narrower backs are plain: a pattern on them is only noise
_INDEX_WIDTH = 0.40  # of the card: so much stays visible under a card that beats it


def card_face(
    card: Card, width: int, look: Look, *, is_trump: bool = False, is_dimmed: bool = False
) -> Image.Image:
    """Draws a card's front, `width` dots wide in the finished picture; trumps have a golden edge."""
    style = look.style
    face = style.dimmed if is_dimmed else style.face
    canvas = _blank(width, face, style.face_edge)

    if is_trump:
        box = (0, 0, width, width * PROPORTION)
        canvas.rounded(box, width * 0.11, None, style.deep_gold, max(1.8, width * 0.042))

    colour = style.suits[card.suit]
    size = 0.54 * width
    place = 0.245 * width, 0.09 * width + CAP_HEIGHT * size / 2
    canvas.squeezed_text(place, look.ranks[card.rank - Rank.TWO], size, _INDEX_WIDTH * width, colour)
    draw_suit(canvas, card.suit, (0.245 * width, 0.68 * width), 0.29 * width, colour)

    if card.rank in (Rank.JACK, Rank.QUEEN, Rank.KING):
        draw_headgear(canvas, card.rank, (0.52 * width, 0.15 * width), 0.40 * width, (style.gold, colour))

    size = 0.62 if card.rank is Rank.ACE else 0.54
    draw_suit(canvas, card.suit, (0.62 * width, 1.00 * width), size * width, colour)
    return canvas.image


@lru_cache(maxsize=256)  # each takes about 50 kB
def finished_face(
    card: Card, width: int, look: Look, *, is_trump: bool = False, is_dimmed: bool = False
) -> Image.Image:
    """Returns a card's front in the size of the picture."""
    return finished(card_face(card, width, look, is_trump=is_trump, is_dimmed=is_dimmed))


@cache
def card_back(width: int, style: Style) -> Image.Image:
    """Draws a card's back."""
    canvas = _blank(width, style.face, style.face_edge)
    height = width * PROPORTION
    edge = max(2.0, width * 0.07)
    inner = Canvas(width - 2 * edge, height - 2 * edge, style.back)
    step = width * 0.24
    across = int((width + height) / step) + 1 if width >= _PATTERNED else 0
    for line in range(-across, across):
        x = line * step
        inner.stroke(((x, 0), (x + height, height)), style.back_line, width * 0.014)
        inner.stroke(((x, height), (x + height, 0)), style.back_line, width * 0.014)

    mask = Canvas(inner.width, inner.height, "#000000")
    mask.rounded((0, 0, inner.width, inner.height), width * 0.06, "#ffffff")
    canvas.image.paste(inner.image, (round(edge * SCALE), round(edge * SCALE)), mask.image.convert("L"))

    return canvas.image


def _blank(width: int, fill: str, edge: str) -> Canvas:
    canvas = Canvas(width, width * PROPORTION)
    box = (0, 0, width, width * PROPORTION)
    canvas.rounded(box, width * 0.11, fill, edge, max(1.0, width * 0.014))
    return canvas


# --- One card as an icon on a button ---


SIZE = 128  # dots in both directions; chats show it at about 22, or twice that on a phone


def card_icon(rank: str, suit: Suit) -> bytes:
    """Draws a white card with nothing but its rank, as it is written on cards, and its suit beside it."""
    canvas = Canvas(SIZE, SIZE)
    canvas.rounded((0, 0, SIZE, SIZE), 18, DARK.face, DARK.face_edge, 3)
    colour = DARK.suits[suit]
    canvas.squeezed_text((36, SIZE / 2), rank, 112, 58, colour)
    draw_suit(canvas, suit, (95, SIZE / 2), 54, colour)
    return png_of(canvas)
