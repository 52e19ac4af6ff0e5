"""Settings as a list have a line for every button of the text form."""

from adapters.port import CallbackButton, SettingList
from bot.app import REGISTRY
from bot.locale import Translator
from bot.model.buttons import CommandInPlace
from bot.model.server_choices import ServerChoices
from bot.screens.server import ServerState, server_screen
from tests.bot.chat import LIMITS


def test_every_setting_of_a_chat_that_has_a_button_has_a_line_in_the_list() -> None:
    state = ServerState(REGISTRY.settings, ServerChoices(), "podkidnoy-36", ("friday",))
    screen = server_screen(state, Translator("en"), LIMITS)
    assert isinstance(screen.facts, SettingList)

    lines = [line for group in screen.facts.groups for line in group.lines]
    buttons = [button for row in screen.rows for button in row if isinstance(button, CallbackButton)]
    assert {line.token for line in lines} == {button.token for button in buttons}
    assert [line.switch for line in lines if line.switch] == [str(CommandInPlace("settings teasing off"))]


def test_rules_are_offered_for_keeping_only_where_a_table_has_some() -> None:
    state = ServerState(REGISTRY.settings, ServerChoices(), "podkidnoy-36")
    alone = server_screen(state, Translator("en"), LIMITS)
    beside_a_table = server_screen(state, Translator("en"), LIMITS, has_table=True)
    assert isinstance(alone.facts, SettingList)
    assert isinstance(beside_a_table.facts, SettingList)

    assert not alone.facts.more
    assert "/settings save" in beside_a_table.facts.more
