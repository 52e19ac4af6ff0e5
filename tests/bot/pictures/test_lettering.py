"""A name fits into its place, and no name breaks a picture."""

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.pictures import lettering
from bot.pictures.canvas import Canvas, fitted, text_width
from bot.pictures.lettering import OWN, ROBOT, cut, distinct_names, file_with, printable, runs_of, width_of
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
        ("Anna 🐊", "Anna"),
        ("🤖 Boris", f"{ROBOT} Boris"),
        ("🐊\u200d\ufe0f", ""),
        ("a\nb\u202ec\x00", "a bc"),
        ("\ud800", ""),
    ],
)
def test_what_the_typeface_lacks_is_made_plain_boxed_or_left_out(name: str, drawn: str) -> None:
    assert printable(name) == drawn


@pytest.mark.parametrize(
    "name", ["李小龍", "ひらがな", "한국어", "שלום עליכם", "محمد علي", "გიორგი", "Արամ", "ไทย"]
)
def test_a_name_in_another_script_is_drawn_as_itself_where_the_machine_has_a_font(name: str) -> None:
    if not all(map(file_with, name)):
        pytest.skip(f"this machine has no font for {name}: apt install fonts-noto-core fonts-noto-cjk")
    assert printable(name) == name
    (run,) = runs_of(name)
    assert run.file not in (None, OWN)


@pytest.fixture
def no_fonts(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Hides all fonts of the machine."""
    monkeypatch.setattr("bot.pictures.lettering.FOLDERS", ())
    forget_fonts()
    yield
    monkeypatch.undo()
    forget_fonts()


def forget_fonts() -> None:
    for var in vars(lettering).values():
        if hasattr(var, "cache_clear"):
            var.cache_clear()


@pytest.mark.usefixtures("no_fonts")
def test_without_a_font_a_seat_shows_its_number() -> None:
    names = ("李小龍", "Anna", "שלום", "محمد", "﷽", "🐊")
    shown = distinct_names(names, lambda _, name: cut(name, 20, 120))
    assert shown == ("#1", "Anna", "#3", "#4", "#5", "#6")


@pytest.mark.parametrize(
    ("names", "drawn"),
    [
        (("Anna", "Boris", "Anna"), ("Anna", "Boris", "Anna (2)")),
        (("Anna", "Аnna"), ("Anna", "Аnna (2)")),  # the second one begins with a Cyrillic letter
        (("Anna", "Anna (2)", "Anna"), ("Anna", "Anna (2)", "Anna (3)")),
        (("W" * 24, "W" * 25), ("WWWWW…", "WWWW… (2)")),
        (("", "🐊", "\ufe0f"), ("#1", "#2", "#3")),
        (("🐊", "#1"), ("#1", "#1 (2)")),
    ],
)
def test_different_people_never_look_alike(names: tuple[str, ...], drawn: tuple[str, ...]) -> None:
    assert distinct_names(names, lambda _, name: cut(name, 20, 120)) == drawn


def test_a_name_that_is_too_long_ends_in_an_ellipsis() -> None:
    shown = cut("W" * 64, SIZE, 400)
    assert shown.endswith("W…")
    assert width_of(shown, SIZE) <= 400


def test_an_endless_name_costs_no_more_than_a_long_one() -> None:
    assert printable("Anna" * 1_000_000) == printable("Anna" * 1000)


ANY_NAMES = st.lists(
    st.text(max_size=32) | st.sampled_from(["﷽", "﷽ Anna", "#1", "#2"]), min_size=2, max_size=6
)


@examples(200)
@given(ANY_NAMES)
def test_no_two_people_look_alike_whatever_they_are_called(names: list[str]) -> None:
    shown = distinct_names(names, lambda _, name: fitted(name, 20, 90))
    pictures = set[bytes]()
    for name in shown:
        canvas = Canvas(120, 40, "#000000")
        canvas.text((0, 20), name, 20, "#ffffff")
        pictures.add(canvas.image.tobytes())

    assert len(pictures) == len(names)


@examples(100)
@given(st.text(max_size=64))
def test_any_name_can_be_drawn_in_its_place(name: str) -> None:
    canvas = Canvas(200, 30, "#000000")
    shown = fitted(printable(name), 20, 150)
    canvas.text((0, 15), shown, 20, "#ffffff")
    assert text_width(shown, 20) <= 150
    lit = canvas.image.convert("L").getbbox()
    assert lit is None or lit[2] <= 160 * 3
