"""A tally as bars: who is durak most often."""

from collections.abc import Sequence
from dataclasses import dataclass

from bot.pictures.canvas import Canvas
from bot.pictures.figures import draw_fools_cap
from bot.pictures.layout import WIDTH
from bot.pictures.lettering import written
from bot.pictures.palette import DARK, Style
from bot.pictures.png import png_of

MOST_BARS = 15

_MARGIN = 24
_ROW = 56
_BAR = 34
_NAME = 280  # the width of a name
_LETTERS = 28
_CAP = 44


@dataclass(frozen=True, slots=True)
class Bar:
    """One line of a chart: how long the bar is against the others, and what is written behind it."""

    name: str
    value: float
    label: str


def chart_picture(bars: Sequence[Bar], *, title: str = "", style: Style = DARK) -> bytes:
    """Draw bars under one another; the first one wears the fool's cap.

    Args:
        bars: The lines, the first at the top; no more than fifteen are drawn.
        title: A line above them.
        style: The colours.

    Returns:
        A PNG, 900 dots wide.
    """
    bars = bars[:MOST_BARS]
    top = _MARGIN + (_ROW + 6 if title else 0)
    canvas = Canvas(WIDTH, top + max(1, len(bars)) * _ROW + _MARGIN, style.backdrop)
    if title:
        line = canvas.fitted(written(title), 34, WIDTH - 2 * _MARGIN)
        canvas.text((_MARGIN, _MARGIN + 24), line, 34, style.ink)
    labels = max((canvas.text_width(bar.label, _LETTERS) for bar in bars), default=0.0)
    longest = max((bar.value for bar in bars), default=0.0) or 1.0
    left = _MARGIN + _CAP + 12 + _NAME + 12
    room = WIDTH - _MARGIN - labels - 14 - left
    for row, bar in enumerate(bars):
        y = top + row * _ROW + _ROW / 2
        _draw_place(canvas, row + 1, y, style)
        name = canvas.fitted(written(bar.name) or "…", _LETTERS, _NAME)
        canvas.text((_MARGIN + _CAP + 12, y), name, _LETTERS, style.ink)
        width = max(_BAR / 2, room * max(0.0, bar.value) / longest)
        box = (left, y - _BAR / 2, left + width, y + _BAR / 2)
        canvas.rounded(box, _BAR / 4, style.gold if row == 0 else style.defend)
        canvas.text((left + width + 14, y), bar.label, _LETTERS, style.ink)
    return png_of(canvas)


def _draw_place(canvas: Canvas, place: int, y: float, style: Style) -> None:
    if place == 1:
        draw_fools_cap(canvas, (_MARGIN, y - _CAP * 0.48), _CAP, (style.take, style.defend, style.gold))
    else:
        canvas.text((_MARGIN + _CAP / 2, y), str(place), _LETTERS, style.faint, "middle")
