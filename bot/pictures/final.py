"""The end of a game as a picture to share: the fool with the cap, the others in order of going out."""

from collections.abc import Sequence

from PIL import Image

from bot.pictures.canvas import SCALE, Canvas, fitted, text_width
from bot.pictures.card import PROPORTION, card_face
from bot.pictures.figures import draw_fools_cap
from bot.pictures.layout import WIDTH
from bot.pictures.lettering import told_apart
from bot.pictures.look import Look
from bot.pictures.marks import draw_medal
from bot.pictures.palette import Style
from bot.pictures.png import png_of
from engine import Card, Outcome, Rank, Seat, Suit

_MARGIN = 28
_LEFT = 400  # the width of the loser's side
_MIDDLE = _LEFT + _MARGIN
_RIGHT = WIDTH - _MARGIN
_NAMES = _MIDDLE + 60
_POINTS = 64  # the width of points, with a gap before them
_LETTERS = 32
_ROW = 58
_LEAST_HEIGHT = 470
_LOSER = 50  # the height of a line with a loser's name
_SIZES = (46, 40, 35, 30, 26)  # of a loser's name; the first that fits
_CAP = 230
_EPAULETTE = 62
_MOST_EPAULETTES = 4


def final_picture(outcome: Outcome, names: Sequence[str], look: Look) -> bytes:
    """Draw who lost and who went out in which order.

    Args:
        outcome: How the game ended.
        names: What each seat is called, by seat; they may hold anything.
        look: Colours and letters.

    Returns:
        A PNG, 900 dots wide.
    """
    style = look.style
    placed = _in_order(outcome, len(names))
    losers_height = _CAP + len(outcome.losers) * _LOSER + _EPAULETTE * PROPORTION + 2 * _MARGIN
    height = max(_LEAST_HEIGHT, len(placed) * _ROW + 2 * _MARGIN, round(losers_height))
    canvas = Canvas(WIDTH, height, style.backdrop)
    room = _RIGHT - _POINTS - _NAMES
    drawn = told_apart(names, lambda _, name: fitted(name, _LETTERS, room))
    canvas.rounded((14, 14, _LEFT, height - 14), 30, style.felt, style.rim, 8)
    if outcome.losers:
        _draw_losers(canvas, outcome, drawn, look)
    else:
        _draw_draw(canvas, look)
    top = (height - len(placed) * _ROW) / 2
    for row, seat in enumerate(placed):
        _draw_line(canvas, top + (row + 0.5) * _ROW, outcome, seat, drawn[seat], style=style)
    return png_of(canvas)


def _in_order(outcome: Outcome, seats: int) -> list[Seat]:
    """Who stands on the right: those who went out, then who neither went out nor lost."""
    others = [seat for seat in range(seats) if seat not in outcome.order and seat not in outcome.losers]
    return [seat for seat in outcome.order if seat not in outcome.losers] + others


def _draw_line(canvas: Canvas, y: float, outcome: Outcome, seat: Seat, name: str, *, style: Style) -> None:
    """One line on the right: a place, a name, points that were won or lost."""
    if seat in outcome.order:
        draw_medal(canvas, outcome.order.index(seat) + 1, (_MIDDLE + 22, y), 22, style)
    points = f"{outcome.points[seat]:+d}" if outcome.points[seat] else ""
    canvas.text((_RIGHT, y), points, 30, style.ink, "right")
    canvas.text((_NAMES, y), name, _LETTERS, style.ink)


def _draw_losers(canvas: Canvas, outcome: Outcome, names: Sequence[str], look: Look) -> None:
    """The cap, below it who wears it, below them the epaulettes that they got."""
    style = look.style
    middle = (14 + _LEFT) / 2
    room = _LEFT - 14 - 2 * _MARGIN
    losers = [names[seat] for seat in outcome.losers]
    size = next(
        (size for size in _SIZES if all(text_width(name, size) <= room for name in losers)), _SIZES[-1]
    )
    worn = min(outcome.epaulettes, _MOST_EPAULETTES)
    block = _CAP + len(losers) * _LOSER + (_EPAULETTE * PROPORTION if worn else 0)
    y = (canvas.height - block) / 2
    draw_fools_cap(canvas, (middle - _CAP / 2, y), _CAP, (style.take, style.defend, style.gold))
    for line, name in enumerate(losers):
        place = middle, y + _CAP + (line + 0.4) * _LOSER
        canvas.text(place, fitted(name, size, room), size, style.felt_ink, "middle")
    y += _CAP + len(losers) * _LOSER
    rank = outcome.epaulette_rank or Rank.SIX
    for number, suit in zip(range(worn), Suit, strict=False):
        x = middle + (number - worn / 2) * (_EPAULETTE + 8) + 4
        canvas.lay(card_face(Card(suit, rank), _EPAULETTE, look), (x, y))


def _draw_draw(canvas: Canvas, look: Look) -> None:
    """Two aces that lean on one another: nobody lost."""
    middle = (14 + _LEFT) / 2
    for suit, degrees, aside in ((Suit.HEARTS, 12, -58), (Suit.SPADES, -12, 58)):
        face = card_face(Card(suit, Rank.ACE), 140, look)
        turned = face.rotate(degrees, Image.Resampling.BICUBIC, expand=True)
        x = middle + aside - turned.width / SCALE / 2
        canvas.lay(turned, (x, canvas.height / 2 - turned.height / SCALE / 2))
