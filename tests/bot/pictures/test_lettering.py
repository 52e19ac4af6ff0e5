"""A name fits into its place, and no name breaks a picture."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.pictures.canvas import Canvas
from bot.pictures.lettering import BOX, ROBOT, cut, width_of, written

SIZE = 60


@pytest.mark.parametrize(
    ("name", "drawn"),
    [
        ("Žygimantas Ūsas", "Žygimantas Ūsas"),
        ("Олександра Ґудзь", "Олександра Ґудзь"),
        ("e\u0301", "é"),
        ("Ｆａｎｃｙ", "Fancy"),
        ("𝕬𝖓𝖓𝖆", "Anna"),
        ("Anna 🐊", "Anna"),
        ("🤖 Boris", f"{ROBOT} Boris"),
        ("李小龍 X", f"{BOX * 3} X"),
        ("🐊\u200d\ufe0f", ""),
        ("a\nb\u202ec\x00", "a bc"),
        ("\ud800", ""),
    ],
)
def test_what_the_typeface_lacks_is_made_plain_boxed_or_left_out(name: str, drawn: str) -> None:
    assert written(name) == drawn


def test_a_name_that_is_too_long_ends_in_an_ellipsis() -> None:
    shown = cut("W" * 64, SIZE, 400)
    assert shown.endswith("W…")
    assert width_of(shown, SIZE) <= 400


def test_an_endless_name_costs_no_more_than_a_long_one() -> None:
    assert written("Anna" * 1_000_000) == written("Anna" * 1000)


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=64))
def test_any_name_can_be_drawn_in_its_place(name: str) -> None:
    canvas = Canvas(200, 30, "#000000")
    shown = canvas.fitted(written(name), 20, 150)
    canvas.text((0, 15), shown, 20, "#ffffff")
    assert canvas.text_width(shown, 20) <= 150
    lit = canvas.image.convert("L").getbbox()
    assert lit is None or lit[2] <= 160 * 3
