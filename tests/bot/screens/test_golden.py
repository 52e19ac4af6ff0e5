"""The screens of one evening, in every language, as somebody has read and liked them."""

import pytest

from bot.locale import LOCALES
from tests.bot.screens.regenerate import FOLDER, written


@pytest.mark.parametrize("locale", LOCALES)
def test_the_screens_read_as_they_were_approved(locale: str) -> None:
    assert written(locale) == (FOLDER / f"{locale}.txt").read_text(encoding="utf-8")
