"""A canvas that is larger than the picture, so that edges are smooth once it is scaled down."""

import re
import zlib
from collections.abc import Callable, Hashable, Sequence
from functools import cache, lru_cache
from io import BytesIO
from itertools import combinations
from math import atan2, ceil, cos, dist, floor, pi, sin
from typing import Literal, NamedTuple

from PIL import Image, ImageColor, ImageDraw

from bot.pictures.lettering import CAP_HEIGHT, ROBOT, SIGNS, cut, runs_of, width_of
from bot.pictures.subjects import Style

SCALE = 3  # dots of the drawing for each dot of the picture, in both directions

Point = tuple[float, float]
Box = tuple[float, float, float, float]
Align = Literal["left", "middle", "right"]
Shape = Sequence[Point]


class Canvas:
    """A drawing in progress; all places and sizes are in the finished picture's dots."""

    def __init__(
        self, width: float, height: float, ground: str | None = None, *, corner: Point = (0, 0)
    ) -> None:
        """Starts an empty drawing in the colour `ground`, or a transparent one.

        If the drawing is a part of a picture, `corner` is the place of its top left corner there.
        """
        self._corner = corner
        size = round(width * SCALE), round(height * SCALE)
        self.image = Image.new("RGBA", size) if ground is None else Image.new("RGB", size, ground)
        self._draw = ImageDraw.Draw(self.image)
        self.width = width
        self.height = height

    def rounded(
        self, box: Box, radius: float, fill: str | None, outline: str | None = None, line: float = 0
    ) -> None:
        """Draws a box with round corners."""
        (left, top), (right, bottom) = self._dots((box[:2], box[2:]))
        corners = round(left), round(top), round(right) - 1, round(bottom) - 1
        self._draw.rounded_rectangle(corners, round(radius * SCALE), fill, outline, round(line * SCALE))

    def disc(
        self, centre: Point, radius: float, fill: str | None, outline: str | None = None, line: float = 0
    ) -> None:
        """Draws a disc or, without a fill, a ring."""
        x, y = centre
        (left, top), (right, bottom) = self._dots(((x - radius, y - radius), (x + radius, y + radius)))
        box = round(left), round(top), round(right), round(bottom)
        self._draw.ellipse(box, fill, outline, round(line * SCALE))

    def polygon(self, shape: Shape, fill: str) -> None:
        """Fills a shape."""
        self._draw.polygon(self._dots(shape), fill)

    def stroke(self, points: Shape, fill: str, line: float) -> None:
        """Draws a line through points, with round ends."""
        self._draw.line(self._dots(points), fill, round(line * SCALE), joint="curve")
        for end in (points[0], points[-1]):
            self.disc(end, line / 2, fill)

    def text(self, place: Point, line: str, size: float, fill: str, align: Align = "left") -> None:
        """Writes a line; `place` is at its left end, middle or right end, halfway up its capitals."""
        dots = round(size * SCALE)
        shift = {"left": 0.0, "middle": 0.5, "right": 1.0}[align] * width_of(line, dots)
        ((x, middle),) = self._dots((place,))
        x = x - shift
        baseline = middle + CAP_HEIGHT * dots / 2

        for run in runs_of(line):
            if run.file is None:
                self._signs(x, baseline, run.text, dots, fill)
            else:
                self._draw.text((x, baseline), run.text, fill, run.font(dots), anchor="ls")

            x += run.width(dots)

    def squeezed_text(self, centre: Point, line: str, size: float, width: float, fill: str) -> None:
        """Writes a line around a point; a wide one is squeezed, as a ten is on printed cards."""
        natural = text_width(line, size)
        letters = Canvas(natural, size)
        letters.text((0, size / 2), line, size, fill)
        room = min(natural, width)
        image = letters.image.resize((round(room * SCALE), letters.image.height), Image.Resampling.BICUBIC)
        self.lay(image, (centre[0] - room / 2, centre[1] - size / 2))

    def lay(self, other: Image.Image, place: Point) -> None:
        """Lays another drawing onto this one, its upper left corner at a place."""
        ((left, top),) = self._dots((place,))
        corner = round(left), round(top)
        if self.image.mode == "RGBA":
            self.image.alpha_composite(other, corner)
        else:
            self.image.paste(other, corner, other)

    def _dots(self, shape: Shape) -> list[Point]:
        """Converts points of the picture to dots of the drawing."""
        left, top = self._corner
        return [((x - left) * SCALE, (y - top) * SCALE) for x, y in shape]

    def _signs(self, x: float, baseline: float, signs: str, size: int, fill: str) -> None:
        for sign in signs:
            if sign == ROBOT:  # a small head with an antenna: eyes and mouth are left open
                top = baseline - size * 0.56
                right = x + size * 0.82
                middle = x + size * 0.41
                self._draw.rounded_rectangle((x, top, right, baseline), size * 0.16, None, fill, size // 9)
                self._draw.line((middle, top, middle, top - size * 0.22), fill, size // 10)

                for part in (0.25, 0.57):
                    self._draw.circle((x + size * part, top + size * 0.24), size * 0.075, fill)

                y = top + size * 0.41
                self._draw.line((x + size * 0.25, y, x + size * 0.57, y), fill, size // 14)
            else:
                box = x + size * 0.08, baseline - size * CAP_HEIGHT, x + size * 0.62, baseline
                self._draw.rounded_rectangle(box, size * 0.1, None, fill, max(1, size // 14))

            x += SIGNS[sign] * size


def finished(drawing: Image.Image) -> Image.Image:
    """Reduces a drawing, which is `SCALE` times too large, to the size of the picture; this smooths edges."""
    return drawing.reduce(SCALE)


def fitted(line: str, size: float, width: float) -> str:
    """Returns as much of a line as fits into a width."""
    return cut(line, round(size * SCALE), width * SCALE)


def text_width(line: str, size: float) -> float:
    """Returns the width of a line."""
    return width_of(line, round(size * SCALE)) / SCALE


class Part(NamedTuple):
    """A finished part of a picture, to be laid onto it with its upper left corner at a place."""

    image: Image.Image
    corner: tuple[int, int]


@lru_cache(maxsize=512)  # a move changes little; a part takes 45 kB on average, and at most 140 kB
def part_of(box: Box, draw: Callable[..., None], *what: Hashable) -> Part:
    """Draws the content of a box with `draw(canvas, *what)`, and caches it for several pictures."""
    left = floor(box[0])
    top = floor(box[1])
    canvas = Canvas(ceil(box[2]) - left, ceil(box[3]) - top, corner=(left, top))
    draw(canvas, *what)
    x, y, right, bottom = canvas.image.getbbox() or (0, 0, 1, 1)

    # whole dots of the picture, without empty ones at the edges
    x = x // SCALE
    y = y // SCALE
    image = canvas.image.crop(
        (x * SCALE, y * SCALE, ceil(right / SCALE) * SCALE, ceil(bottom / SCALE) * SCALE)
    )

    return Part(finished(image), (left + x, top + y))


# --- Curves as points close to one another ---


STEPS = 24  # points of a curve: enough to look round at the size of a picture


def bend(start: Point, first: Point, second: Point, end: Point) -> list[Point]:
    """Follows a curve from start to end that leaves towards `first` and arrives from `second`."""
    points = []
    for step in range(1, STEPS + 1):
        t = step / STEPS
        a = (1 - t) ** 3
        b = 3 * t * (1 - t) ** 2
        c = 3 * t * t * (1 - t)
        d = t**3
        x, y = (a * start[i] + b * first[i] + c * second[i] + d * end[i] for i in (0, 1))
        points.append((x, y))

    return points


_STEP_OF_PATH = re.compile(r"([MLCQAZ])([^MLCQAZ]*)")


@cache
def shapes_of(path: str) -> tuple[Shape, ...]:
    """Returns the shapes of an SVG path with lines, curves and half circles (M, L, C, Q, A, Z)."""
    shapes: list[list[Point]] = []
    for step, numbers in _STEP_OF_PATH.findall(path):
        values = [float(number) for number in numbers.split()]
        points = list(zip(values[::2], values[1::2], strict=False))

        match step:
            case "M":
                shapes.append(points)
            case "L":
                shapes[-1] += points
            case "C":
                shapes[-1] += bend(shapes[-1][-1], *points)
            case "Q":
                shapes[-1] += _simple_bend(shapes[-1][-1], *points)
            case "A":
                shapes[-1] += _half_circle(shapes[-1][-1], (values[-2], values[-1]))

    return tuple(shapes)


def _half_circle(start: Point, end: Point) -> list[Point]:
    x = (start[0] + end[0]) / 2
    y = (start[1] + end[1]) / 2
    radius = dist(start, end) / 2
    begin = atan2(start[1] - y, start[0] - x)
    turns = (begin + pi * step / STEPS for step in range(1, STEPS + 1))
    return [(x + radius * cos(turn), y + radius * sin(turn)) for turn in turns]


def _simple_bend(start: Point, middle: Point, end: Point) -> list[Point]:
    first, second = (
        (corner[0] + 2 / 3 * (middle[0] - corner[0]), corner[1] + 2 / 3 * (middle[1] - corner[1]))
        for corner in (start, end)
    )
    return bend(start, first, second, end)


# --- From a drawing to the bytes of a small PNG ---


COLOURS = 88  # enough for smooth edges; a palette makes the file a quarter as large
PHOTO_COLOURS = 256  # for pictures with portraits
EDGE = (0.25, 0.5, 0.75)  # the shares of one colour in the dots on its edge to another
LEVEL = 5  # the compression level; 6 takes a quarter longer and makes files 7 % smaller

# Ignoring repetitions of three dots or fewer takes a seventh less time, and 3 % more bytes.
STRATEGY = zlib.Z_FILTERED


def png_of(canvas: Canvas, colours: int = COLOURS) -> bytes:
    """Returns a finished drawing as a PNG with its own palette; untouched parts stay transparent."""
    picture = finished(canvas.image)
    return compressed(picture.quantize(colours, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE))


def compressed(picture: Image.Image) -> bytes:
    """Returns a picture that has a palette as a PNG."""
    file = BytesIO()
    picture.save(file, "PNG", compress_level=LEVEL, compress_type=STRATEGY)
    return file.getvalue()


def in_palette(picture: Image.Image, style: Style) -> Image.Image:
    """Returns a picture in the palette shared by all pictures of a style; a new one would take longer."""
    return picture.quantize(palette=_palette(style), dither=Image.Dither.NONE)


@lru_cache(maxsize=4)
def _palette(style: Style) -> Image.Image:
    """Returns an image with a palette of a style's colours, and of the blends between them on edges."""
    colours = [ImageColor.getrgb(colour)[:3] for colour in style.colours]
    edges = [
        tuple(round(share * a + (1 - share) * b) for a, b in zip(one, other, strict=True))
        for one, other in combinations(colours, 2)
        for share in EDGE
    ]
    all_edges = Image.frombytes("RGB", (len(edges), 1), bytes(part for edge in edges for part in edge))
    few_edges = all_edges.quantize(COLOURS - len(colours), Image.Quantize.MEDIANCUT)
    palette = Image.new("P", (1, 1))
    palette.putpalette([*(part for colour in colours for part in colour), *(few_edges.getpalette() or ())])

    return palette
