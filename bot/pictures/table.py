"""The table as a picture: everything that everybody may see, and nothing else."""

from collections.abc import Collection, Sequence

from bot.pictures.arrow import draw_arrow
from bot.pictures.canvas import Box, Canvas, Point
from bot.pictures.card import PROPORTION, card_face
from bot.pictures.layout import BEAT_SHIFT, WIDTH, layout_of, pair_places
from bot.pictures.lettering import told_apart
from bot.pictures.look import Look
from bot.pictures.marks import Mark
from bot.pictures.piles import draw_heap, draw_stock
from bot.pictures.plate import Sitting, draw_plate, fitted_name
from bot.pictures.png import png_of
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
    canvas = Canvas(WIDTH, layout.height, style.backdrop)
    canvas.rounded((14, 44, WIDTH - 14, layout.height - 44), 150, style.felt, style.rim, 12)
    if view.outcome is None:
        colour = style.take if view.taking else style.attack
        draw_arrow(canvas, layout, view.attacker, view.defender, colour)
    draw_stock(canvas, layout.stock, view, look)
    draw_heap(canvas, layout.heap, view.discard, style)
    _draw_bout(canvas, layout.bout, view, look)
    sittings = [_sitting(view, seat, is_away=seat in away) for seat in range(view.seats)]

    def fitted(seat: int, name: str) -> str:
        return fitted_name(canvas, layout.places[seat].box, sittings[seat], name)

    for seat, name in enumerate(told_apart(names[: view.seats], fitted)):
        draw_plate(canvas, layout.places[seat].box, sittings[seat], name, style)
    return png_of(canvas)


def _draw_bout(canvas: Canvas, box: Box, view: PublicView, look: Look) -> None:
    if not view.bout:
        return
    width, corners = pair_places(len(view.bout), box)

    def lay(card: Card, place: Point) -> None:
        face = card_face(card, width, look, is_trump=card.suit is view.trump)
        canvas.lay(face, place)

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
