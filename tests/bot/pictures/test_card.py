"""Cards can be distinguished, even below another card and by colour-blind people."""

from itertools import combinations
from math import dist

import pytest
from PIL import Image

from bot.locale import LOCALES, Translator
from bot.pictures.canvas import SCALE
from bot.pictures.cards import PROPORTION, card_face
from bot.pictures.subjects import DARK, FOUR_COLOURS, LIGHT, Look, Style
from bot.pictures.table import BEAT_SHIFT
from engine import full_deck
from tests.bot.pictures.positions import DARK_LOOK

EYES = {
    "without red cones": ((0.152, 1.053, -0.205), (0.115, 0.786, 0.099), (-0.004, -0.048, 1.052)),
    "without green cones": ((0.367, 0.861, -0.228), (0.280, 0.673, 0.047), (-0.012, 0.043, 0.969)),
}  # such eyes' response to red, green and blue light
STYLES = pytest.mark.parametrize("style", [DARK, LIGHT], ids=["dark", "light"])
Light = tuple[float, ...]


def light_of(colour: str) -> Light:
    parts = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    return tuple(part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)


def brightness(colour: str) -> float:
    red, green, blue = light_of(colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(first: str, second: str) -> float:
    darker, brighter = sorted((brightness(first), brightness(second)))
    return (brighter + 0.05) / (darker + 0.05)


def perceived(light: Light) -> Light:
    """Returns the colour in CIELAB, where equal distances look alike."""
    red, green, blue = light
    x = (0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.9505
    y = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    z = (0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.089
    fx, fy, fz = (part ** (1 / 3) if part > 0.008856 else 7.787 * part + 16 / 116 for part in (x, y, z))
    return 116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)


def left_visible(face: Image.Image) -> bytes:
    """Returns the visible part of a card below its beating card."""
    seen = face.convert("RGB")
    corner = round(seen.width * BEAT_SHIFT[0]), round(seen.height * BEAT_SHIFT[1])
    seen.paste("#000000", (*corner, *seen.size))
    return seen.tobytes()


@pytest.mark.parametrize("locale", LOCALES)
def test_every_card_is_known_by_what_a_beating_card_leaves_visible(locale: str) -> None:
    deck = full_deck(52)
    look = Look(DARK, Translator(locale).ranks)
    assert len({left_visible(card_face(card, 60, look)) for card in deck}) == len(deck)


def test_a_card_has_the_size_that_was_asked_for() -> None:
    face = card_face(full_deck(52)[0], 80, DARK_LOOK)
    assert face.size == (80 * SCALE, round(80 * PROPORTION) * SCALE)


@pytest.mark.parametrize("eyes", EYES)
def test_no_two_suits_have_one_colour_for_eyes(eyes: str) -> None:
    def stimulus(row: Light, colour: str) -> float:
        light = sum(part * light for part, light in zip(row, light_of(colour), strict=True))
        return min(1.0, max(0.0, light))

    seen = [perceived(tuple(stimulus(row, colour) for row in EYES[eyes])) for colour in FOUR_COLOURS.values()]
    assert min(dist(first, second) for first, second in combinations(seen, 2)) > 25


@STYLES
def test_words_and_suits_stand_out_from_what_they_are_on(style: Style) -> None:
    pairs = [
        (style.ink, style.plate),
        (style.ink, style.backdrop),
        (style.faint, style.plate),
        (style.faint, style.backdrop),
        (style.awaited_ink, style.awaited),
        (style.felt_ink, style.felt),
        *((colour, style.face) for colour in style.suits.values()),
    ]
    assert min(contrast(ink, ground) for ink, ground in pairs) >= 4.4


@STYLES
def test_suits_are_read_on_cards_that_may_not_be_played_and_bars_on_their_ground(style: Style) -> None:
    pairs = [(colour, style.dimmed) for colour in style.suits.values()]
    pairs += [(bar, style.backdrop) for bar in (style.deep_gold, style.defend, style.take)]
    assert min(contrast(ink, ground) for ink, ground in pairs) >= 3


@STYLES
def test_marks_and_arrows_stand_out_from_what_they_are_on(style: Style) -> None:
    pairs = [(style.attack, style.felt), (style.take, style.felt)]
    pairs += [(style.mark_ink, mark) for mark in (style.attack, style.defend, style.take, style.faint)]
    assert min(contrast(ink, ground) for ink, ground in pairs) >= 3
