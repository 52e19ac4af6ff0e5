"""Draws the picture of each subject; hands, puzzles and films here, tables and results in their own files."""

from collections.abc import Collection, Sequence
from functools import lru_cache
from io import BytesIO
from math import ceil

from PIL import Image

from bot.pictures.canvas import Box, Canvas, compressed, finished, in_palette, png_of
from bot.pictures.cards import PROPORTION, card_face, draw_suit
from bot.pictures.result import chart_picture, final_picture
from bot.pictures.subjects import (
    Chart,
    EndPicture,
    Film,
    HandPicture,
    Look,
    PuzzlePicture,
    Subject,
    TablePicture,
)
from bot.pictures.table import BEAT_SHIFT, WIDTH, drawn_table, pair_places, table_picture
from engine import Card, Suit

_MARGIN = 16
_GAP = 8
_RAISED = 22
_FULL_ROW = 9
_WIDEST_CARD = 132


def hand_picture(cards: Sequence[Card], trump: Suit, playable: Collection[Card] | None, look: Look) -> bytes:
    """Draws a hand, in the order of `cards`, in as many rows as it needs, as a PNG, 900 dots wide.

    Trumps have a golden edge. `playable` cards are raised and the others greyed; with None, all look alike.
    """
    rows = max(1, ceil(len(cards) / _FULL_ROW))
    columns = max(1, ceil(len(cards) / rows))
    width = int(min(_WIDEST_CARD, (WIDTH - 2 * _MARGIN - (columns - 1) * _GAP) / columns))
    lift = _RAISED if playable is not None else 0
    step = width * PROPORTION + lift + _GAP
    felt = Image.new("RGB", (WIDTH, round(2 * _MARGIN + rows * step - _GAP)), look.style.felt)
    picture = in_palette(felt, look.style)

    for number, card in enumerate(cards):
        row, column = divmod(number, columns)
        in_row = min(columns, len(cards) - row * columns)
        is_raised = playable is not None and card in playable
        x = WIDTH / 2 + (column - in_row / 2) * (width + _GAP) + _GAP / 2
        y = _MARGIN + row * step + (0 if is_raised else lift)
        is_dimmed = playable is not None and not is_raised
        face = _face_on_felt(card, width, look, is_trump=card.suit is trump, is_dimmed=is_dimmed)
        picture.paste(face, (round(x), round(y)))

    return compressed(picture)


@lru_cache(maxsize=1024)  # each takes at most 25 kB
def _face_on_felt(card: Card, width: int, look: Look, *, is_trump: bool, is_dimmed: bool) -> Image.Image:
    """Returns a card's front, with felt around its corners, in the palette of its style."""
    face = finished(card_face(card, width, look, is_trump=is_trump, is_dimmed=is_dimmed))
    ground = Image.new("RGB", face.size, look.style.felt)
    ground.paste(face, (0, 0), face)
    return in_palette(ground, look.style)


# --- A puzzle: two hands, and the cards between them ---


_PUZZLE_HEIGHT = 472  # messengers show such pictures about twice as wide as high
_PUZZLE_CARD = 92
_TRUMP = 84  # the size of the trump's sign


def puzzle_picture(puzzle: PuzzlePicture, look: Look) -> bytes:
    """Draws the other hand, the table and the solver's hand below one another, as a PNG, 900 dots wide."""
    canvas = Canvas(WIDTH, _PUZZLE_HEIGHT, look.style.felt)
    _draw_row(canvas, puzzle.other, _MARGIN, puzzle.trump, look)
    _draw_row(canvas, puzzle.hand, _PUZZLE_HEIGHT - _MARGIN - _PUZZLE_CARD * PROPORTION, puzzle.trump, look)

    strip = _PUZZLE_CARD * PROPORTION + 2 * _MARGIN
    middle = _PUZZLE_HEIGHT / 2
    centre = (2 * _MARGIN + _TRUMP / 2, middle)
    canvas.disc(centre, 0.7 * _TRUMP, look.style.face, look.style.deep_gold, 5)
    draw_suit(canvas, puzzle.trump, centre, _TRUMP, look.style.suits[puzzle.trump])

    box = (2 * _MARGIN + 1.5 * _TRUMP, strip, WIDTH - 2 * _MARGIN - 1.5 * _TRUMP, _PUZZLE_HEIGHT - strip)
    if puzzle.bout:
        _draw_bout(canvas, puzzle, box, look)

    return png_of(canvas)


def _draw_bout(canvas: Canvas, puzzle: PuzzlePicture, box: Box, look: Look) -> None:
    """Draws the cards on the table, each beating card over its attack card."""
    width, corners = pair_places(len(puzzle.bout), box)
    shift_x, shift_y = BEAT_SHIFT
    right = shift_x * width
    down = shift_y * width * PROPORTION

    for (attack, beat), (x, y) in zip(puzzle.bout, corners, strict=True):
        for card, corner in ((attack, (x, y)), (beat, (x + right, y + down))):
            if card is not None:
                canvas.lay(card_face(card, width, look, is_trump=card.suit is puzzle.trump), corner)


def _draw_row(canvas: Canvas, cards: Sequence[Card], top: float, trump: Suit, look: Look) -> None:
    """Draws cards side by side, overlapping only as far as necessary."""
    step = min(_PUZZLE_CARD + _GAP, (WIDTH - 2 * _MARGIN - _PUZZLE_CARD) / max(1, len(cards) - 1))
    first = (WIDTH - _PUZZLE_CARD - step * (len(cards) - 1)) / 2
    for number, card in enumerate(cards):
        face = card_face(card, _PUZZLE_CARD, look, is_trump=card.suit is trump)
        canvas.lay(face, (first + number * step, top))


# --- The end of a game as a short film: the last moves on the table, then the fool ---


FILM_WIDTH = 600  # dots across: a phone shows no more, and the file is half as large
# how long a move and the end are shown, in milliseconds
MOVE_MS = 1100
END_MS = 5000


def film_of(film: Film, look: Look) -> bytes:
    """Returns a film as an animated GIF, which every chat plays automatically."""
    frames = [
        _scale(drawn_table(view, film.names, look, wrong_cards=wrong_cards))
        for view, wrong_cards in zip(film.views, film.wrong_cards, strict=True)
    ]
    outcome = film.views[-1].outcome
    if outcome is not None:
        end = Image.new("RGB", frames[-1].size, look.style.backdrop)
        fool = _scale(Image.open(BytesIO(final_picture(outcome, film.names, look))))
        end.paste(fool, (0, (end.height - fool.height) // 2))
        frames.append(end)

    first, *others = (in_palette(frame, look.style) for frame in frames)
    lasting = [*[MOVE_MS] * len(others), END_MS]
    file = BytesIO()
    first.save(file, "GIF", save_all=True, append_images=others, duration=lasting, loop=0)

    return file.getvalue()


def _scale(picture: Image.Image) -> Image.Image:
    height = round(picture.height * FILM_WIDTH / picture.width)
    return picture.convert("RGB").resize((FILM_WIDTH, height), Image.Resampling.BOX)


def draw(subject: Subject, look: Look) -> bytes:
    """Returns the picture as a PNG; a film as a GIF."""
    match subject:
        case TablePicture(view, names, away):
            return table_picture(view, names, look, away=away)
        case Film():
            return film_of(subject, look)
        case EndPicture(outcome, names, left, portraits):
            return final_picture(outcome, names, look, left, portraits)
        case HandPicture(cards, trump, playable):
            return hand_picture(cards, trump, playable, look)
        case PuzzlePicture():
            return puzzle_picture(subject, look)
        case Chart():
            return chart_picture(subject, look.style)
