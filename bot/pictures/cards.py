"""Draws one card of a picture: its face, or its back."""

from collections.abc import Mapping
from functools import cache, lru_cache

from PIL import Image

from bot.pictures.canvas import Canvas, Point, Shape, bend, finished, png_of, shapes_of
from bot.pictures.deck import (
    BACK,
    COURT_SUIT,
    COURTS,
    FRAME,
    HEIGHT,
    INDEX,
    INDEX_SUIT,
    INDEX_WIDTH,
    OUTLINE,
    PAINTS,
    SASH,
    SUITS,
    WIDTH,
    Layer,
    back_pattern,
    court,
    turned,
)
from bot.pictures.subjects import DARK, Look, Style
from engine import Card, Rank, Suit


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


def _mirror(right: Shape) -> Shape:
    """Closes the right half of an outline with its mirror image."""
    return [*right, *((1 - x, y) for x, y in reversed(right))]


_SIGN = 20  # the size of a suit's sign in the units of the deck


def draw_suit(
    canvas: Canvas, suit: Suit, centre: Point, size: float, fill: str, *, is_turned: bool = False
) -> None:
    """Draws a suit's sign around a point."""
    scale = (-size if is_turned else size) / _SIGN
    for shape in shapes_of(SUITS[suit]):
        moved = [(centre[0] + (x - _SIGN / 2) * scale, centre[1] + (y - _SIGN / 2) * scale) for x, y in shape]
        canvas.polygon(moved, fill)


# --- One card ---


PROPORTION = HEIGHT / WIDTH  # a card's height relative to its width

# On a phone, where three dots of a picture are a point, a card is about 40 points wide. So it has a single
# index, larger than a printed one, and beside it the card's figure or a single suit sign.
_ENLARGED = 1.55
_ASIDE = 17  # how far the figure is to the right of a printed one, in the units of the deck
_FIGURED = 100  # the width in dots from which a figure can be made out

_INDEX_BOX = 2 * INDEX.x, INDEX_SUIT.y + INDEX_SUIT.size  # from the card's corner to the end of its index


def card_face(
    card: Card, width: int, look: Look, *, is_trump: bool = False, is_dimmed: bool = False
) -> Image.Image:
    """Draws a card's front, `width` dots wide in the finished picture; trumps have a golden edge."""
    style = look.style
    face = style.dimmed if is_dimmed else style.face
    canvas = _blank(width, face, style.face_edge)
    colour = style.suits[card.suit]

    if card.rank in COURTS and width >= _FIGURED:
        ground = style.dimmed if is_dimmed else PAINTS["ground"]
        figure = _figure(card, width, {**PAINTS, "ground": ground, "suit": colour})
        canvas.lay(figure, (_ASIDE * width / WIDTH, 0))
    else:
        draw_suit(canvas, card.suit, (0.62 * width, width), 0.54 * width, colour)

    if is_trump:
        box = (0, 0, width, width * PROPORTION)
        canvas.rounded(box, width * 0.11, None, style.deep_gold, max(1.8, width * 0.042))

    canvas.lay(_index(card, width, look), (0, 0))
    return canvas.image


def _index(card: Card, width: int, look: Look) -> Image.Image:
    """Draws rank and suit as for the upper left corner."""
    scale = width / WIDTH * _ENLARGED
    canvas = Canvas(_INDEX_BOX[0] * scale, _INDEX_BOX[1] * scale)
    colour = look.style.suits[card.suit]
    rank = look.ranks[card.rank - Rank.TWO]

    x, y, size = INDEX
    canvas.squeezed_text((x * scale, y * scale), rank, size * scale, INDEX_WIDTH * scale, colour)

    x, y, size = INDEX_SUIT
    draw_suit(canvas, card.suit, (x * scale, y * scale), size * scale, colour)
    return canvas.image


def _figure(card: Card, width: int, paints: Mapping[str, str]) -> Image.Image:
    """Draws the two-headed figure of a court card in its frame, as in the middle of a card of this width."""
    canvas = Canvas(width, width * PROPORTION)
    _draw_layer(canvas, Layer("ground", FRAME, is_outlined=False), paints)
    for is_turned in (False, True):
        for layer in court(card.rank, card.suit):
            _draw_layer(canvas, layer, paints, is_turned=is_turned)

    scale = width / WIDTH
    for place in (COURT_SUIT, turned(COURT_SUIT)):
        x, y, size = (part * scale for part in place)
        draw_suit(canvas, card.suit, (x, y), size, paints["suit"], is_turned=place.y > HEIGHT / 2)

    _draw_layer(canvas, Layer("gold", SASH), paints)
    (frame,) = shapes_of(FRAME)
    canvas.stroke([(x * scale, y * scale) for x, y in (*frame, frame[0])], paints["suit"], scale)
    return canvas.image


def _draw_layer(canvas: Canvas, layer: Layer, paints: Mapping[str, str], *, is_turned: bool = False) -> None:
    scale = canvas.width / WIDTH
    for shape in shapes_of(layer.path):
        points = [(WIDTH - x, HEIGHT - y) for x, y in shape] if is_turned else shape
        outline = [(x * scale, y * scale) for x, y in points]
        canvas.polygon(outline, paints[layer.paint])
        if layer.is_outlined:
            canvas.stroke([*outline, outline[0]], paints["ink"], OUTLINE * scale)


@lru_cache(maxsize=256)  # each takes about 50 kB
def finished_face(
    card: Card, width: int, look: Look, *, is_trump: bool = False, is_dimmed: bool = False
) -> Image.Image:
    """Returns a card's front in the size of the picture."""
    return finished(card_face(card, width, look, is_trump=is_trump, is_dimmed=is_dimmed))


_PATTERNED = 40  # narrower backs are plain, as a pattern would be only noise


@cache
def card_back(width: int, style: Style) -> Image.Image:
    """Draws a card's back."""
    canvas = _blank(width, style.face, style.face_edge)
    pattern = back_pattern() if width >= _PATTERNED else ""
    for path, colour in ((BACK, style.back), (pattern, style.back_line)):
        _draw_layer(canvas, Layer("print", path, is_outlined=False), {"print": colour})

    return canvas.image


def _blank(width: int, fill: str, edge: str) -> Canvas:
    canvas = Canvas(width, width * PROPORTION)
    box = (0, 0, width, width * PROPORTION)
    canvas.rounded(box, width * 0.11, fill, edge, max(1.0, width * 0.014))
    return canvas


# --- One card as an icon on a button ---


SIZE = 128  # dots in both directions; chats show it at about 22, or twice that on a phone


def card_icon(rank: str, suit: Suit) -> bytes:
    """Draws a white card with only its rank, as written on cards, and its suit beside it, as a PNG."""
    canvas = Canvas(SIZE, SIZE)
    canvas.rounded((0, 0, SIZE, SIZE), 18, DARK.face, DARK.face_edge, 3)
    colour = DARK.suits[suit]
    canvas.squeezed_text((36, SIZE / 2), rank, 112, 58, colour)
    draw_suit(canvas, suit, (95, SIZE / 2), 54, colour)
    return png_of(canvas)
