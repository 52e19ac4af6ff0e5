"""Draws the picture of each subject; hands and films here, tables and results in their own files."""

from collections.abc import Collection, Sequence
from io import BytesIO
from math import ceil

from PIL import Image

from bot.pictures.canvas import in_palette, packed
from bot.pictures.cards import PROPORTION, finished_face
from bot.pictures.result import chart_picture, final_picture
from bot.pictures.subjects import Chart, EndPicture, Film, HandPicture, Look, Subject, TablePicture
from bot.pictures.table import WIDTH, drawn_table, table_picture
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
    picture = Image.new("RGB", (WIDTH, round(2 * _MARGIN + rows * step - _GAP)), look.style.felt)

    for number, card in enumerate(cards):
        row, column = divmod(number, columns)
        in_row = min(columns, len(cards) - row * columns)
        is_raised = playable is not None and card in playable
        x = WIDTH / 2 + (column - in_row / 2) * (width + _GAP) + _GAP / 2
        y = _MARGIN + row * step + (0 if is_raised else lift)
        is_dimmed = playable is not None and not is_raised
        face = finished_face(card, width, look, is_trump=card.suit is trump, is_dimmed=is_dimmed)
        picture.paste(face, (round(x), round(y)), face)

    return packed(picture)


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
        case Chart():
            return chart_picture(subject, look.style)
