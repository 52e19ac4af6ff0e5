"""One card as an icon on a button: a rank and a suit that can be told at the height of a line of text."""

from bot.pictures.canvas import Canvas
from bot.pictures.palette import DARK
from bot.pictures.png import png_of
from bot.pictures.suits import draw_suit
from engine import Suit

SIZE = 128
"""Dots in both directions; chats show it at about 22, or twice that on a phone."""


def card_icon(rank: str, suit: Suit) -> bytes:
    """Draw a white card with nothing but its rank, as it is written on cards, and its suit beside it."""
    canvas = Canvas(SIZE, SIZE)
    canvas.rounded((0, 0, SIZE, SIZE), 18, DARK.face, DARK.face_edge, 3)
    colour = DARK.suits[suit]
    canvas.squeezed_text((36, SIZE / 2), rank, 112, 58, colour)
    draw_suit(canvas, suit, (95, SIZE / 2), 54, colour)
    return png_of(canvas)
