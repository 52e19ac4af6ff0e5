"""How a game ended, as a short film: the last moves on the table, then who is the fool."""

from io import BytesIO

from PIL import Image

from bot.pictures.canvas import in_palette
from bot.pictures.result import final_picture
from bot.pictures.subjects import Film, Look
from bot.pictures.table import drawn_table

WIDTH = 600
"""Dots across: a phone shows no more, and the file is half as large."""

MOVE_MS, END_MS = 1100, 5000
"""How long a move and the end are shown, in milliseconds."""


def film_of(film: Film, look: Look) -> bytes:
    """Return a film as an animated GIF, which every chat plays by itself."""
    frames = [_scaled(drawn_table(view, film.names, look)) for view in film.views]
    outcome = film.views[-1].outcome
    if outcome is not None:
        end = Image.new("RGB", frames[-1].size, look.style.backdrop)
        fool = _scaled(Image.open(BytesIO(final_picture(outcome, film.names, look))))
        end.paste(fool, (0, (end.height - fool.height) // 2))
        frames.append(end)
    first, *others = (in_palette(frame, look.style) for frame in frames)
    lasting = [*[MOVE_MS] * len(others), END_MS]
    file = BytesIO()
    first.save(file, "GIF", save_all=True, append_images=others, duration=lasting, loop=0)
    return file.getvalue()


def _scaled(picture: Image.Image) -> Image.Image:
    height = round(picture.height * WIDTH / picture.width)
    return picture.convert("RGB").resize((WIDTH, height), Image.Resampling.BOX)
