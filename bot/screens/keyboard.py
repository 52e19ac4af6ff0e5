"""Lays out the buttons of screens in rows, columns and pages for a phone."""

import math
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import cache, lru_cache
from itertools import chain, pairwise

from adapters.port import CallbackButton, Limits, Span, Tone
from bot.locale import Translator
from bot.model.buttons import Button

Rows = tuple[tuple[CallbackButton, ...], ...]

COMFORTABLE = 4  # buttons in a row that a thumb can hit on a phone

# On a phone 360 pixels wide: the width of a row, the gap between two buttons, and the padding of a label.
_ROW = 306
_GAP = 4
_PADDING = 21

_NARROW = frozenset(" iljI|!.,:;·'’")
_SLIM = frozenset("frt()[]-–/")
_BROAD = frozenset("mwMW@%—шщжюфмыШЩЖЮФМЫ")
_LAST_LATIN = "\u024f"
_FIRST_SIGN = "\u2190"
_FIRST_WIDE = "\u2700"


def button_to(token: Button, label: str, tone: Tone = Tone.NEUTRAL, *, icon: str = "") -> CallbackButton:
    """Returns a button with this label; a press on it returns the token."""
    return CallbackButton(str(token), label, tone, icon=icon)


def in_menu(buttons: Iterable[CallbackButton], title: str) -> list[CallbackButton]:
    """Returns the buttons as choices of one menu; chats without menus show them as buttons."""
    return [replace(button, menu=title) for button in buttons]


def in_settings_menu(buttons: Iterable[CallbackButton], translator: Translator) -> list[CallbackButton]:
    """Returns the buttons of settings as choices of one menu."""
    return in_menu(buttons, translator.text("Change a setting…"))


def listed(labels: Iterable[str], limits: Limits) -> tuple[Span, ...]:
    """Lists labels in chats with menus, which hide their choices; empty in other chats."""
    return (Span("\n".join(labels)),) if limits.menu else ()


def rows_of(
    choices: Sequence[CallbackButton],
    *controls: Sequence[CallbackButton],
    limits: Limits,
    is_aligned: bool = True,
    page: int = 0,
    turn_to: Callable[[int], str] | None = None,
) -> Rows:
    """Lays out `choices` in rows, and below them each group of `controls` in its own rows.

    A row has as many buttons as fit a phone without cutting labels, and more only if the chat has too few
    rows. `is_aligned` puts choices in columns. Choices that don't fit go to further pages: `turn_to` returns
    the token of the button to a page, and the page after the last is the first. Without `turn_to`, they are
    left out. In chats with menus, a menu takes rows of `limits.menu`.
    """
    max_rows = limits.buttons // limits.per_row
    groups = [choices, *controls]
    blocks = [_pack(group, limits) for group in groups]

    if is_aligned and not _is_menu(choices, limits):
        blocks[0] = _in_columns(choices, limits)

    while sum(map(len, blocks)) > max_rows:
        shorter = [len(rows) - 1 for rows in blocks]
        shrinkable = [
            place for place, group in enumerate(groups) if 0 < len(group) <= limits.per_row * shorter[place]
        ]
        if not shrinkable:
            break

        tallest = max(shrinkable, key=lambda place: shorter[place])
        keeps_columns = tallest == 0 and is_aligned
        fewer_rows = None if keeps_columns else _with_a_row_less(blocks[tallest], limits)
        width = math.ceil(len(groups[tallest]) / shorter[tallest])
        blocks[tallest] = fewer_rows or in_rows(groups[tallest], width)

    above, *below = blocks
    room = max_rows - sum(map(len, below))
    if len(above) <= room:
        return tuple(chain(above, *below))

    if turn_to is None:
        width = limits.menu if _is_menu(choices, limits) else limits.per_row
        above = in_rows(choices[: room * width], width)
        return tuple(chain(above, *below))

    page_size = limits.per_row * (room - 1)
    pages = math.ceil(len(choices) / page_size)
    page %= pages
    visible = choices[page * page_size : (page + 1) * page_size]
    onward = CallbackButton(turn_to((page + 1) % pages), f"▶ {page + 1}/{pages}")

    return tuple(chain(in_rows(visible, limits.per_row), [(onward,)], *below))


def in_rows(buttons: Sequence[CallbackButton], width: int) -> Rows:
    """Lays out buttons in rows of `width`."""
    return tuple([tuple(buttons[start : start + width]) for start in range(0, len(buttons), width)])


def _is_menu(buttons: Sequence[CallbackButton], limits: Limits) -> bool:
    return limits.menu > 0 and any(button.menu for button in buttons)


def _in_columns(buttons: Sequence[CallbackButton], limits: Limits) -> Rows:
    """Lays out buttons in columns that are wide enough for the longest label."""
    widest = max([label_width(button.label) for button in buttons], default=0)
    columns = min(limits.per_row, COMFORTABLE)
    while columns > 1 and widest > room_in(columns):
        columns -= 1
    return in_rows(buttons, columns)


def _pack(buttons: Sequence[CallbackButton], limits: Limits) -> Rows:
    """Lays out buttons in rows with as many as fit side by side; a menu in rows of `limits.menu`."""
    if _is_menu(buttons, limits):
        return in_rows(buttons, limits.menu)

    rows = list[list[CallbackButton]]()
    most = min(limits.per_row, COMFORTABLE)
    widest = 0.0

    for button in buttons:
        width = label_width(button.label)
        widest = max(widest, width)
        beside = len(rows[-1]) + 1 if rows else 0
        if 0 < beside <= most and widest <= room_in(beside):
            rows[-1].append(button)
        else:
            rows.append([button])
            widest = width

    return tuple(map(tuple, rows))


def _with_a_row_less(rows: Rows, limits: Limits) -> Rows | None:
    """Joins the two neighbouring rows whose labels are cut least; None if no two fit into one."""
    pairs = [(*above, *below) for above, below in pairwise(rows)]
    losses = {
        place: max(label_width(button.label) for button in row) - room_in(len(row))
        for place, row in enumerate(pairs)
        if len(row) <= limits.per_row
    }
    if not losses:
        return None

    place = min(losses, key=losses.__getitem__)
    return *rows[:place], pairs[place], *rows[place + 2 :]


@cache
def room_in(columns: int) -> float:
    """Returns the width of a label, in pixels, in a row of this many buttons."""
    return (_ROW - _GAP * (columns - 1)) / columns - _PADDING


@lru_cache(maxsize=4096)
def label_width(label: str) -> float:
    """Estimates the width of a label on a phone, in pixels.

    >>> label_width("36") < label_width("Throw-in") < label_width("Подкидной")
    True
    """
    return sum(map(_width_of, label))


@cache
def _width_of(character: str) -> float:
    if character in _NARROW:
        return 3.3
    if character in _SLIM:
        return 4.5
    if character in _BROAD:
        return 10.5
    if unicodedata.category(character)[0] == "M":
        return 0.0
    if character >= _FIRST_WIDE:
        return 15.0
    if character >= _FIRST_SIGN:
        return 10.0

    if character.isupper():
        return 8.5

    return 7.3 if character <= _LAST_LATIN else 7.9
