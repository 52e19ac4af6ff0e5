"""Discord suggests the options of a command by their names on the screen."""

import pytest

from tests.e2e.discord import Place
from tests.e2e.game import newest_public
from tests.e2e.process import BotProcess


@pytest.mark.parametrize("chat", ["discord"], indirect=True)
async def test_presets_and_settings_are_suggested_and_any_word_for_them_will_do(
    chat: Place, bot: BotProcess
) -> None:
    anna = await chat.newcomer("Anna")
    anna.person.account.locale = "ru"
    presets = await anna.person.completes("durak", "preset", "перев", in_=chat.channel)
    assert presets["Переводной"] == "perevodnoy"

    settings = await anna.person.completes("durak", "options", "transfer=on подкид", in_=chat.channel)
    assert settings["Перевод: да · Кто подкидывает: соседи"] == "transfer=on throw_in=neighbours"
    assert "schieben" not in presets.values()

    await anna.types("/durak schieben throw_in=all")
    await newest_public(anna, "Переводной")
