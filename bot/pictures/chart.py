"""A tally as bars: who is durak most often, who plays best."""

from collections.abc import Sequence

from bot.pictures.canvas import Canvas, fitted, text_width
from bot.pictures.figures import draw_fools_cap
from bot.pictures.layout import WIDTH
from bot.pictures.lettering import told_apart, written
from bot.pictures.marks import draw_medal
from bot.pictures.palette import Style
from bot.pictures.png import png_of
from bot.pictures.subjects import Award, Bar, Chart

MOST_BARS = 15

_MARGIN = 24
_TITLE = 62  # the height of the line above the bars
_NOTE = 44  # and of the one below them
_ROW = 56
_BAR = 34
_NAME = 280  # the width of a name
_LETTERS = 28
_SMALL = 24
_AWARD = 44
_GAP = 12
_LEFT = _MARGIN + _AWARD + _GAP + _NAME + _GAP
_MEDALS = 3


def chart_picture(chart: Chart, style: Style) -> bytes:
    """Draw bars under one another, and where they are counted from if some go to the left.

    Returns:
        A PNG, 900 dots wide.
    """
    bars = chart.bars[:MOST_BARS]
    top = _MARGIN + (_TITLE if chart.title else 0)
    bottom = top + max(1, len(bars)) * _ROW
    canvas = Canvas(WIDTH, bottom + (_NOTE if chart.note else 0) + _MARGIN, style.backdrop)
    if chart.title:
        _write(canvas, chart.title, _MARGIN + 24, 34, style.ink)
    if chart.note:
        _write(canvas, chart.note, bottom + _NOTE / 2 + 6, _SMALL, style.faint)
    zero, scale = _scale(bars)
    names = told_apart([bar.name for bar in bars], lambda _, name: fitted(name, _LETTERS, _NAME))
    for row, (bar, name) in enumerate(zip(bars, names, strict=True)):
        y = top + (row + 0.5) * _ROW
        _draw_award(canvas, chart.award, row + 1, y, style)
        canvas.text((_MARGIN + _AWARD + _GAP, y), name, _LETTERS, style.ink)
        end = zero + max(_BAR / 2, scale * abs(bar.value)) * (-1 if bar.value < 0 else 1)
        colour = style.take if bar.value < 0 else style.deep_gold if row == 0 else style.defend
        canvas.rounded((min(zero, end), y - _BAR / 2, max(zero, end), y + _BAR / 2), _BAR / 4, colour)
        canvas.text((max(zero, end) + _GAP, y), bar.label, _LETTERS, style.ink)
    if any(bar.value < 0 for bar in bars):
        canvas.stroke(((zero, top), (zero, bottom)), style.faint, 2)
    return png_of(canvas)


def _write(canvas: Canvas, line: str, y: float, size: float, ink: str) -> None:
    canvas.text((_MARGIN, y), fitted(written(line), size, WIDTH - 2 * _MARGIN), size, ink)


def _scale(bars: Sequence[Bar]) -> tuple[float, float]:
    """Return the place that bars are counted from, and how many dots a value of one is long."""
    labels = max((text_width(bar.label, _LETTERS) for bar in bars), default=0.0)
    room = WIDTH - _MARGIN - labels - _GAP - _LEFT
    most = max((bar.value for bar in bars), default=0.0)
    least = min((bar.value for bar in bars), default=0.0)
    below, above = max(0.0, -least), max(0.0, most)
    scale = room / ((below + above) or 1.0)
    return _LEFT + below * scale, scale


def _draw_award(canvas: Canvas, award: Award, place: int, y: float, style: Style) -> None:
    if award is Award.CAP and place == 1:
        draw_fools_cap(canvas, (_MARGIN, y - _AWARD * 0.48), _AWARD, (style.take, style.defend, style.gold))
    elif award is Award.MEDALS and place <= _MEDALS:
        draw_medal(canvas, place, (_MARGIN + _AWARD / 2, y), _AWARD * 0.42, style)
    else:
        canvas.text((_MARGIN + _AWARD / 2, y), str(place), _LETTERS, style.faint, "middle")
