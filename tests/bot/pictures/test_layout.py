"""Nothing on the table covers anything that has to be readable."""

from itertools import combinations
from math import atan2, pi

import pytest

from bot.pictures.canvas import Box
from bot.pictures.cards import PROPORTION
from bot.pictures.table import BEAT_SHIFT, WIDTH, layout_of, pair_places

TABLES = range(2, 17)


def overlap(first: Box, second: Box) -> bool:
    is_beside = first[2] <= second[0] or second[2] <= first[0]
    is_below = first[3] <= second[1] or second[3] <= first[1]
    return not is_beside and not is_below


@pytest.mark.parametrize("seats", TABLES)
def test_plates_and_piles_do_not_touch(seats: int) -> None:
    layout = layout_of(seats)
    boxes = [*(place.box for place in layout.places), layout.stock, layout.bout, layout.heap]
    assert len(layout.places) == seats
    assert not any(overlap(first, second) for first, second in combinations(boxes, 2))
    for left, top, right, bottom in boxes:
        assert 0 <= left < right <= WIDTH
        assert 0 <= top < bottom <= layout.height


@pytest.mark.parametrize("seats", TABLES)
def test_the_next_seat_is_the_next_one_clockwise(seats: int) -> None:
    layout = layout_of(seats)
    angles = []
    for place in layout.places:
        left, top, right, bottom = place.box
        angles.append(atan2((top + bottom - layout.height) / 2, (left + right - WIDTH) / 2))

    turns = [
        (after - before) % (2 * pi) for before, after in zip(angles, angles[1:] + angles[:1], strict=True)
    ]
    assert sum(turns) == pytest.approx(2 * pi)


@pytest.mark.parametrize("seats", [2, 6, 16])
@pytest.mark.parametrize("count", [*range(1, 14), 20, 36])
def test_any_number_of_attacks_fits_without_hiding_one_another(seats: int, count: int) -> None:
    box = layout_of(seats).bout
    width, corners = pair_places(count, box)
    pairs = [
        (x, y, x + width * (1 + BEAT_SHIFT[0]), y + width * PROPORTION * (1 + BEAT_SHIFT[1]))
        for x, y in corners
    ]
    assert len(pairs) == count
    assert not any(overlap(first, second) for first, second in combinations(pairs, 2))

    for left, top, right, bottom in pairs:
        assert box[0] <= left < right <= box[2]
        assert box[1] <= top < bottom <= box[3]


@pytest.mark.parametrize("seats", range(2, 9))
def test_twelve_attacks_are_still_large_enough_for_a_phone(seats: int) -> None:
    width, _ = pair_places(12, layout_of(seats).bout)
    index = width * 0.54 * 360 / WIDTH
    assert index >= 12
