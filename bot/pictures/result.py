"""Draws tallies as bars, such as the most frequent fools, and the end of a game."""

from collections.abc import Sequence

from PIL import Image

from bot.pictures.canvas import COLOURS, PHOTO_COLOURS, SCALE, Canvas, Point, fitted, png_of, text_width
from bot.pictures.cards import PROPORTION, card_face, draw_fools_cap
from bot.pictures.lettering import ROBOT, distinct_names, printable
from bot.pictures.portraits import draw_portrait
from bot.pictures.subjects import Award, Bar, Chart, Look, Style
from bot.pictures.table import WIDTH, draw_medal
from engine import Card, Outcome, Rank, Suit

MAX_BARS = 15

_CHART_MARGIN = 24
_TITLE = 62  # the height of the line above the bars
_NOTE = 44  # and of the one below them
_CHART_ROW = 56
_BAR = 34
_NAME = 280  # the width of a name
_CHART_LETTERS = 28
_SMALL = 24
_AWARD = 44
_GAP = 12
_CHART_LEFT = _CHART_MARGIN + _AWARD + _GAP + _NAME + _GAP
_MEDALS = 3


def chart_picture(chart: Chart, style: Style) -> bytes:
    """Draws a chart of bars, with a line at zero if some go left, as a PNG, 900 dots wide."""
    bars = chart.bars[:MAX_BARS]
    top = _CHART_MARGIN + (_TITLE if chart.title else 0)
    bottom = top + max(1, len(bars)) * _CHART_ROW
    canvas = Canvas(WIDTH, bottom + (_NOTE if chart.note else 0) + _CHART_MARGIN, style.backdrop)

    if chart.title:
        _write(canvas, chart.title, _CHART_MARGIN + 24, 34, style.ink)

    if chart.note:
        _write(canvas, chart.note, bottom + _NOTE / 2 + 6, _SMALL, style.faint)

    labels = max((text_width(bar.label, _CHART_LETTERS) for bar in bars), default=0.0)
    room = WIDTH - _CHART_MARGIN - labels - _GAP - _CHART_LEFT
    least = min([0.0, *(bar.value for bar in bars)])
    most = max([0.0, *(bar.value for bar in bars)])
    scale = room / ((most - least) or 1.0)
    zero = _CHART_LEFT - least * scale
    places = _places(bars)
    names = distinct_names([bar.name for bar in bars], lambda _, name: fitted(name, _CHART_LETTERS, _NAME))
    for row, (bar, name) in enumerate(zip(bars, names, strict=True)):
        y = top + (row + 0.5) * _CHART_ROW
        _draw_award(canvas, chart, places, row, y, style=style)
        canvas.text((_CHART_MARGIN + _AWARD + _GAP, y), name, _CHART_LETTERS, style.ink)
        end = zero + max(_BAR / 2, scale * abs(bar.value)) * (-1 if bar.value < 0 else 1)
        colour = style.deep_gold if places[row] == 1 else style.defend

        if bar.value < 0:
            colour = style.take

        canvas.rounded((min(zero, end), y - _BAR / 2, max(zero, end), y + _BAR / 2), _BAR / 4, colour)
        canvas.text((max(zero, end) + _GAP, y), bar.label, _CHART_LETTERS, style.ink)

    if least < 0:
        canvas.stroke(((zero, top), (zero, bottom)), style.faint, 2)

    return png_of(canvas)


def _write(canvas: Canvas, line: str, y: float, size: float, ink: str) -> None:
    canvas.text((_CHART_MARGIN, y), fitted(printable(line), size, WIDTH - 2 * _CHART_MARGIN), size, ink)


def _places(bars: Sequence[Bar]) -> list[int]:
    """Returns the place of each bar, counted from 1; bars that show the same share a place."""
    keys = [(bar.value, bar.label) for bar in bars]
    return [1 + keys.index(place) for place in keys]


def _draw_award(
    canvas: Canvas, chart: Chart, places: Sequence[int], row: int, y: float, *, style: Style
) -> None:
    """Draws the mark before a bar: a medal, the fool's cap, or the number of its place."""
    middle = _CHART_MARGIN + _AWARD / 2
    place = places[row]
    value = chart.bars[row].value
    is_last = place == places[-1] and len(places) > 1 and not chart.goes_on
    has_cap = is_last and value < 0

    if chart.award is Award.CAP:
        has_cap = place == 1 and value > 0

    if has_cap:
        colours = style.take, style.defend, style.gold
        draw_fools_cap(canvas, (_CHART_MARGIN, y - _AWARD * 0.48), _AWARD, colours)
    elif chart.award is Award.MEDALS and value > 0 and place <= _MEDALS:
        draw_medal(canvas, place, (middle, y), _AWARD * 0.42, style)
    else:
        canvas.text((middle, y), str(place), _CHART_LETTERS, style.faint, "middle")


# --- The end of a game as a picture to share: the fool with the cap, the others in order of going out ---


_MARGIN = 28
_LEFT = 400  # the width of the loser's side
_MIDDLE = _LEFT + _MARGIN
_RIGHT = WIDTH - _MARGIN
_NAMES = _MIDDLE + 60
_POINTS = 64  # the width of points, with a gap before them
_LETTERS = 32
_ROW = 58
_MIN_HEIGHT = 470
_LOSER = 50  # the height of a line with a loser's name
_SIZES = (46, 40, 35, 30, 26)  # of a loser's name; the first that fits
_CAP = 230
_WORN_CAP = 150  # the width of the cap on a portrait
_FOOL = 66  # the radius of the fool's portrait
_PORTRAIT = 24  # the radius of the other ones
_PORTRAIT_STEP = 2 * _PORTRAIT + 14
_EPAULETTE = 62
_MAX_EPAULETTES = 4
_LEFT_CARD = 72  # the width of a card that the fool has left
_LEFT_STRIP = round(_LEFT_CARD * PROPORTION) + 14


def final_picture(
    outcome: Outcome,
    names: Sequence[str],
    look: Look,
    left: Sequence[Card] = (),
    portraits: Sequence[bytes | None] = (),
) -> bytes:
    """Draws the fool and the order of going out, as a PNG, 900 dots wide; `names` may contain anything.

    Below both are the cards that the fool has `left`. With `portraits`, players without one have the first
    letter of their name in its place.
    """
    style = look.style
    others = [seat for seat in outcome.order if seat not in outcome.losers]
    others += [seat for seat in range(len(names)) if seat not in (*outcome.order, *outcome.losers)]
    losers_height = _CAP + len(outcome.losers) * _LOSER + _EPAULETTE * PROPORTION + 2 * _MARGIN
    height = max(_MIN_HEIGHT, len(others) * _ROW + 2 * _MARGIN, round(losers_height))
    canvas = Canvas(WIDTH, height + (_LEFT_STRIP if left else 0), style.backdrop)
    names_at = _NAMES + (_PORTRAIT_STEP if portraits else 0)
    labels = distinct_names(names, lambda _, name: fitted(name, _LETTERS, _RIGHT - _POINTS - names_at))
    canvas.rounded((14, 14, _LEFT, height - 14), 30, style.felt, style.rim, 8)

    if outcome.losers:
        portrait = portraits[outcome.losers[0]] if portraits and len(outcome.losers) == 1 else None
        _draw_losers(canvas, height, outcome, labels, look, portrait=portrait)
    else:
        _draw_aces(canvas, look)

    top = (height - len(others) * _ROW) / 2
    for row, seat in enumerate(others):
        y = top + (row + 0.5) * _ROW
        if seat in outcome.order:
            draw_medal(canvas, outcome.order.index(seat) + 1, (_MIDDLE + 22, y), 22, style)

        points = f"{outcome.points[seat]:+d}" if outcome.points[seat] else ""
        canvas.text((_RIGHT, y), points, 30, style.ink, "right")
        name = labels[seat]
        if portraits:
            _draw_face(canvas, portraits[seat], name, (_NAMES + _PORTRAIT, y), look)
            name = name.removeprefix(ROBOT).strip()  # the sign is the face

        canvas.text((names_at, y), name, _LETTERS, style.ink)

    _draw_left(canvas, height, left, look)
    return png_of(canvas, PHOTO_COLOURS if portraits else COLOURS)


def _draw_face(canvas: Canvas, portrait: bytes | None, label: str, centre: Point, look: Look) -> None:
    """Draws a player's portrait, or else a disc with the first letter of their name."""
    if portrait is not None:
        draw_portrait(canvas, portrait, centre, _PORTRAIT)
        return

    canvas.disc(centre, _PORTRAIT, look.style.felt)
    canvas.text(centre, label[:1], _PORTRAIT, look.style.felt_ink, "middle")


def _draw_left(canvas: Canvas, top: int, left: Sequence[Card], look: Look) -> None:
    """Draws cards side by side, overlapping only as far as necessary."""
    room = WIDTH - 2 * _MARGIN - _LEFT_CARD
    step = min(_LEFT_CARD + 8, room / max(1, len(left) - 1))
    first = (WIDTH - _LEFT_CARD - step * (len(left) - 1)) / 2
    for number, card in enumerate(left):
        canvas.lay(card_face(card, _LEFT_CARD, look), (first + number * step, top))


def _draw_losers(
    canvas: Canvas,
    height: int,
    outcome: Outcome,
    names: Sequence[str],
    look: Look,
    *,
    portrait: bytes | None,
) -> None:
    """Draws the cap, on the fool's `portrait` if there is one, the losers below it, and their epaulettes."""
    style = look.style
    middle = (14 + _LEFT) / 2
    room = _LEFT - 14 - 2 * _MARGIN
    losers = [names[seat] for seat in outcome.losers]
    size = next(
        (size for size in _SIZES if all(text_width(name, size) <= room for name in losers)), _SIZES[-1]
    )
    epaulettes = min(outcome.epaulettes, _MAX_EPAULETTES)
    block = _CAP + len(losers) * _LOSER + (_EPAULETTE * PROPORTION if epaulettes else 0)
    y = (height - block) / 2
    cap = _CAP
    if portrait is not None:
        cap = _WORN_CAP
        centre = middle, y + _CAP - _FOOL - _MARGIN / 2
        canvas.disc(centre, _FOOL + 5, style.take)
        draw_portrait(canvas, portrait, centre, _FOOL)
    draw_fools_cap(canvas, (middle - cap / 2, y), cap, (style.take, style.defend, style.gold))

    for line, name in enumerate(losers):
        place = middle, y + _CAP + (line + 0.4) * _LOSER
        canvas.text(place, fitted(name, size, room), size, style.felt_ink, "middle")

    y += _CAP + len(losers) * _LOSER
    rank = outcome.epaulette_rank or Rank.SIX
    for number, suit in zip(range(epaulettes), Suit, strict=False):
        x = middle + (number - epaulettes / 2) * (_EPAULETTE + 8) + 4
        canvas.lay(card_face(Card(suit, rank), _EPAULETTE, look), (x, y))


def _draw_aces(canvas: Canvas, look: Look) -> None:
    """Draws two aces that lean against each other, for a draw."""
    middle = (14 + _LEFT) / 2
    for suit, degrees, aside in ((Suit.HEARTS, 12, -58), (Suit.SPADES, -12, 58)):
        face = card_face(Card(suit, Rank.ACE), 140, look)
        turned = face.rotate(degrees, Image.Resampling.BICUBIC, expand=True)
        x = middle + aside - turned.width / SCALE / 2
        canvas.lay(turned, (x, canvas.height / 2 - turned.height / SCALE / 2))
