"""One player's cards; only that player may ever see this picture."""

from collections.abc import Collection, Sequence
from math import ceil

from PIL import Image

from bot.pictures.canvas import packed
from bot.pictures.cards import PROPORTION, finished_face
from bot.pictures.subjects import Look
from bot.pictures.table import WIDTH
from engine import Card, Suit

_MARGIN = 16
_GAP = 8
_RAISED = 22
_FULL_ROW = 9
_WIDEST_CARD = 132


def hand_picture(cards: Sequence[Card], trump: Suit, playable: Collection[Card] | None, look: Look) -> bytes:
    """Draw a hand, in the order of `cards`, in as many rows as it needs.

    Args:
        cards: The hand.
        trump: The trump suit; its cards have a golden edge.
        playable: Cards that may be played now are raised, the others are greyed; None: all are alike.
        look: Colours and letters.

    Returns:
        A PNG, 900 dots wide.
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
