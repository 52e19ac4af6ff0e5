"""A name fits into its place, and no name breaks a picture."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.pictures.canvas import Canvas, fitted, text_width
from bot.pictures.lettering import BOX, ROBOT, cut, runs_of, told_apart, width_of, written
from tests.examples import examples

SIZE = 60


@pytest.mark.parametrize(
    ("name", "drawn"),
    [
        ("Žygimantas Ūsas", "Žygimantas Ūsas"),
        ("Олександра Ґудзь", "Олександра Ґудзь"),
        ("e\u0301", "é"),
        ("Ｆａｎｃｙ", "Fancy"),
        ("𝕬𝖓𝖓𝖆", "Anna"),
        ("Anna 🐊", "Anna 🐊"),
        ("👍🏽", "👍"),
        ("🤖 Boris", f"{ROBOT} Boris"),
        ("李小龍 X", "李小龍 X"),
        ("محمد علي", "محمد علي"),
        ("𐎠𐎡 X", f"{BOX * 2} X"),
        ("🐊\u200d\ufe0f", "🐊"),
        ("a\nb\u202ec\x00", "a bc"),
        ("\ud800", ""),
    ],
)
def test_what_the_typeface_lacks_is_made_plain_boxed_or_left_out(name: str, drawn: str) -> None:
    assert written(name) == drawn


@pytest.mark.parametrize(
    "name", ["李小龍", "ひらがな", "한국어", "שלום", "محمد", "გიორგი", "Արամ", "Ἀθῆναι", "ไทย", "🐊"]
)
def test_a_name_in_another_script_is_drawn_as_itself(name: str) -> None:
    assert written(name) == name
    (run,) = runs_of(name)
    assert run.file is not None


@pytest.mark.parametrize(
    ("name", "drawn"),
    [
        ("שלום (2)", "(2) םולש"),
        ("Anna שלום", "Anna םולש"),
        ("لا", "\ufe8e\ufedf"),  # alef at the end of its word, lam at the beginning
    ],
)
def test_letters_of_scripts_that_run_from_right_to_left_are_drawn_so(name: str, drawn: str) -> None:
    assert "".join(run.text for run in runs_of(name)) == drawn


@pytest.mark.parametrize(
    ("names", "drawn"),
    [
        (("Anna", "Boris", "Anna"), ("Anna", "Boris", "Anna (2)")),
        (("Anna", "Аnna"), ("Anna", "Аnna (2)")),  # the second one begins with a Cyrillic letter
        (("Anna", "Anna (2)", "Anna"), ("Anna", "Anna (2)", "Anna (3)")),
        (("W" * 24, "W" * 25), ("WWWWW…", "WWWW… (2)")),
        (("", "𐎠𐎡", "\ufe0f"), ("#1", "#2", "#3")),
        (("𐎠 Anna", "𐎡 Anna"), (f"{BOX} Anna", f"{BOX} Anna (2)")),
    ],
)
def test_different_people_never_look_alike(names: tuple[str, ...], drawn: tuple[str, ...]) -> None:
    assert told_apart(names, lambda _, name: cut(name, 20, 120)) == drawn


def test_a_name_that_is_too_long_ends_in_an_ellipsis() -> None:
    shown = cut("W" * 64, SIZE, 400)
    assert shown.endswith("W…")
    assert width_of(shown, SIZE) <= 400


def test_an_endless_name_costs_no_more_than_a_long_one() -> None:
    assert written("Anna" * 1_000_000) == written("Anna" * 1000)


@examples(100)
@given(st.text(max_size=64))
def test_any_name_can_be_drawn_in_its_place(name: str) -> None:
    canvas = Canvas(200, 30, "#000000")
    shown = fitted(written(name), 20, 150)
    canvas.text((0, 15), shown, 20, "#ffffff")
    assert text_width(shown, 20) <= 150
    lit = canvas.image.convert("L").getbbox()
    assert lit is None or lit[2] <= 160 * 3
