"""The screens of one evening, in every language, as they were approved."""

import pytest

from adapters.port import CallbackButton
from bot.locale import LOCALES, Translator
from bot.screens.keyboard import label_width, room_in
from tests.bot.screens.evening import FOLDER, evening, screens
from tests.golden import assert_approved


@pytest.mark.parametrize("locale", LOCALES)
def test_the_screens_read_as_they_were_approved(locale: str) -> None:
    assert_approved(evening(locale), FOLDER / f"{locale}.txt", "screens")


@pytest.mark.parametrize("locale", LOCALES)
def test_what_happens_around_the_game_fits_a_phone(locale: str) -> None:
    own = ("result", "week", "puzzle", "game", "file", "worn", "around", "ending")
    rows = [
        row for name, screen in screens(Translator(locale)) if name.startswith(own) for row in screen.rows
    ]
    labels = [
        (button.label, len(row)) for row in rows for button in row if isinstance(button, CallbackButton)
    ]
    assert [(label, width) for label, width in labels if label_width(label) > room_in(width)] == []
