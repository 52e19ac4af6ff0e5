"""Draws whatever there is a picture of."""

from bot.pictures.film import film_of
from bot.pictures.hand import hand_picture
from bot.pictures.result import chart_picture, final_picture
from bot.pictures.subjects import Chart, EndPicture, Film, HandPicture, Look, Subject, TablePicture
from bot.pictures.table import table_picture


def draw(subject: Subject, look: Look) -> bytes:
    """Return the picture as a PNG; a film as a GIF."""
    match subject:
        case TablePicture(view, names, away):
            return table_picture(view, names, look, away=away)
        case Film():
            return film_of(subject, look)
        case EndPicture(outcome, names):
            return final_picture(outcome, names, look)
        case HandPicture(cards, trump, playable):
            return hand_picture(cards, trump, playable, look)
        case Chart():
            return chart_picture(subject, look.style)
