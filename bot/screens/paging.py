"""Rows of buttons that fit into a message."""

from collections.abc import Callable, Sequence

from adapters.port import Button, CallbackButton, Limits

COMFORTABLE = 4
"""Buttons in a row that a thumb hits on a phone."""


def rows_of(
    buttons: Sequence[CallbackButton],
    controls: Sequence[CallbackButton],
    limits: Limits,
    *,
    page: int,
    turn_to: Callable[[int], str],
) -> tuple[tuple[Button, ...], ...]:
    """Lay out `choices` in rows with `controls` below them; what does not fit is on further pages.

    `turn_to` gives the token of the button that leads to a page. A page beyond the last shows the first.
    """
    width = min(limits.per_row, COMFORTABLE)
    below = in_rows(controls, width)
    most_rows = limits.buttons // limits.per_row - len(below)
    if len(buttons) > width * most_rows:
        width = limits.per_row
    if len(buttons) <= width * most_rows:
        shown, pager = list(buttons), []
    else:
        room = width * (most_rows - 1)
        pages = -(-len(buttons) // room)
        page = page % pages
        shown = list(buttons[page * room : (page + 1) * room])
        pager = [CallbackButton(turn_to((page + 1) % pages), f"▶ {page + 1}/{pages}")]
    return tuple(row for row in (*in_rows(shown, width), tuple(pager), *below) if row)


def in_rows(buttons: Sequence[CallbackButton], width: int) -> tuple[tuple[CallbackButton, ...], ...]:
    """Lay out buttons side by side, so many in a row."""
    return tuple(tuple(buttons[start : start + width]) for start in range(0, len(buttons), width))
