"""The screens of one evening, in every language, as they were read and approved."""

import pytest

from bot.locale import LOCALES
from tests.bot.screens.evening import FOLDER, evening
from tests.golden import assert_approved


@pytest.mark.parametrize("locale", LOCALES)
def test_the_screens_read_as_they_were_approved(locale: str) -> None:
    assert_approved(evening(locale), FOLDER / f"{locale}.txt", "screens")
