"""The table as a picture: everything that everybody may see, and nothing else."""

from collections.abc import Collection, Sequence
from functools import lru_cache

from PIL import Image

from bot.pictures.arrow import arrow_box, draw_arrow
from bot.pictures.canvas import Box, Canvas, Part, Point, finished, part_of
from bot.pictures.card import PROPORTION, finished_face
from bot.pictures.layout import BEAT_SHIFT, WIDTH, layout_of, pair_places
from bot.pictures.lettering import told_apart
from bot.pictures.look import Look
from bot.pictures.marks import Mark
from bot.pictures.palette import Style
from bot.pictures.piles import heap_part, stock_part
from bot.pictures.plate import Sitting, fitted_name, plate_parts
from bot.pictures.png import quickly_packed
from engine import Card, PublicView, Seat


def table_picture(
    view: PublicView, names: Sequence[str], look: Look, *, away: Collection[Seat] = ()
) -> bytes:
    """Draw a running or finished game for everybody.

    Args:
        view: The position as a spectator sees it.
        names: What each seat is called, by seat; they may hold anything.
        look: Colours and letters.
        away: Seats of people whom a house player stands in for.

    Returns:
        A PNG, 900 dots wide.
    """
    style = look.style
    layout = layout_of(view.seats)
    picture = _empty_table(layout.height, style).copy()
    if view.outcome is None:
        colour = style.take if view.taking else style.attack
        _arrow_part(view.seats, view.attacker, view.defender, colour).lay_on(picture)
    stock_part(layout.stock, view.turn_up, view.talon, view.trump, look).lay_on(picture)
    heap_part(layout.heap, view.discard, style).lay_on(picture)
    _lay_bout(picture, layout.bout, view, look)
    sittings = [_sitting(view, seat, is_away=seat in away) for seat in range(view.seats)]

    def fitted(seat: int, name: str) -> str:
        return fitted_name(layout.places[seat].box, sittings[seat], name)

    for seat, name in enumerate(told_apart(names[: view.seats], fitted)):
        for part in plate_parts(layout.places[seat].box, sittings[seat], name, style):
            part.lay_on(picture)
    return quickly_packed(picture, style)


@lru_cache(maxsize=16)
def _empty_table(height: int, style: Style) -> Image.Image:
    canvas = Canvas(WIDTH, height, style.backdrop)
    canvas.rounded((14, 44, WIDTH - 14, height - 44), 150, style.felt, style.rim, 12)
    return finished(canvas.image)


@lru_cache(maxsize=64)
def _arrow_part(seats: int, attacker: Seat, defender: Seat, colour: str) -> Part:
    layout = layout_of(seats)
    box = arrow_box(layout, attacker, defender)
    return part_of(box, lambda canvas: draw_arrow(canvas, layout, attacker, defender, colour))


def _lay_bout(picture: Image.Image, box: Box, view: PublicView, look: Look) -> None:
    if not view.bout:
        return
    width, corners = pair_places(len(view.bout), box)

    def lay(card: Card, place: Point) -> None:
        face = finished_face(card, width, look, is_trump=card.suit is view.trump)
        Part(face, (round(place[0]), round(place[1]))).lay_on(picture)

    for pair, (x, y) in zip(view.bout, corners, strict=True):
        lay(pair.attack, (x, y))
        if pair.beat is not None:
            lay(pair.beat, (x + BEAT_SHIFT[0] * width, y + BEAT_SHIFT[1] * width * PROPORTION))


def _sitting(view: PublicView, seat: Seat, *, is_away: bool) -> Sitting:
    outcome = view.outcome
    is_out = seat in view.out
    return Sitting(
        cards=view.hand_counts[seat],
        marks=() if is_out or outcome is not None else _marks(view, seat),
        place=view.out.index(seat) + 1 if is_out else None,
        is_awaited=outcome is None and seat in view.awaited,
        is_away=is_away,
        is_fool=outcome is not None and seat in outcome.losers,
    )


def _marks(view: PublicView, seat: Seat) -> tuple[Mark, ...]:
    if seat == view.defender:
        return (Mark.TAKES if view.taking else Mark.DEFENDS,)
    is_done = seat in view.declined
    if seat == view.attacker:
        return (Mark.IS_DONE, Mark.ATTACKS) if is_done else (Mark.ATTACKS,)
    if is_done:
        return (Mark.IS_DONE,)
    return (Mark.HELPS,) if seat in view.throw_order else ()
