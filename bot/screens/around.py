"""The settings for the time between games, each with its meaning and an example."""

from collections.abc import Sequence

from adapters.port import CallbackButton, Limits, Mark, Screen, SettingGroup, SettingList, Span
from bot.locale import Translator
from bot.model.buttons import CommandInPlace
from bot.screens.keyboard import button_to, in_settings_menu, listed, rows_of
from bot.screens.names import warning_text
from bot.screens.server import AROUND_NAME, HOME_CLOSED, ServerState, server_choice_screen, setting_line
from bot.screens.server_settings import ServerSetting
from bot.screens.text import Line, as_lines, as_paragraphs


def around_screen(
    state: ServerState, offered: Sequence[ServerSetting], limits: Limits, translator: Translator
) -> Screen:
    """Lists the settings about the time between games; `offered` are those that make sense in this chat."""
    title = (Span(translator.text(AROUND_NAME), Mark.BOLD),)
    home = translator.spans("Automatic posts go where you last switched them on.", mark=Mark.ITALIC)
    warning: Line = ()
    if state.choices.home_closed:
        warning = (Span(warning_text(translator.text(HOME_CLOSED), "", translator)),)

    lines = tuple(setting_line(setting, state, translator) for setting in offered)
    buttons = [CallbackButton(line.token, f"{line.name}: {line.value}") for line in lines]
    back = button_to(CommandInPlace("settings"), translator.text("Back"))
    heading = as_lines(title, home, warning)

    return Screen(
        as_paragraphs(heading, listed([button.label for button in buttons], limits)),
        rows=rows_of(in_settings_menu(buttons, translator), [back], limits=limits, is_aligned=False),
        facts=SettingList(heading, (SettingGroup("", lines),)),
    )


def around_choice_screen(
    setting: ServerSetting, state: ServerState, limits: Limits, translator: Translator
) -> Screen:
    """Explains a setting for the time between games, with an example, and offers its values."""
    assert setting.example is not None
    about = (Span(translator.text(setting.about)),)
    example = translator.spans("e.g. {example}", mark=Mark.ITALIC, example=setting.example(translator))
    return server_choice_screen(setting, state, (), limits, translator, about=as_lines(about, example))
