"""The settings of a chat: /settings, the values of each, and warnings about them."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from adapters.port import (
    CallbackButton,
    Limits,
    Mark,
    PinTrouble,
    Screen,
    SettingGroup,
    SettingLine,
    SettingList,
    Span,
    Tone,
)
from bot.locale import LOCALES, Translator, gettext_noop
from bot.model.buttons import CommandInPlace
from bot.model.server_choices import OFF, ON, ServerChoices, quiet_hours
from bot.screens.keyboard import button_to, in_menu, in_settings_menu, listed, rows_of
from bot.screens.names import preset_name, warning_text
from bot.screens.questions import WORDINGS, asking_button
from bot.screens.server_settings import HEADINGS, OF_LOOKS, OF_TEXTS, ServerSetting, ServerSettings
from bot.screens.text import LANGUAGES, Line, as_lines, as_paragraphs, isolated

OWN_LANGUAGE = "own"  # the typed value for each player's own language

# The time zones on buttons, by language; others can be typed.
_ZONES: Mapping[str, tuple[str, ...]] = {
    "en": ("Europe/London", "America/New_York", "America/Chicago", "America/Los_Angeles", "Australia/Sydney"),
    "ru": ("Europe/Moscow", "Asia/Yekaterinburg", "Asia/Novosibirsk", "Asia/Almaty", "Asia/Tbilisi"),
    "uk": ("Europe/Kyiv", "Europe/Warsaw", "Europe/Prague"),
    "de": ("Europe/Berlin", "Europe/Vienna", "Europe/Zurich"),
    "lt": ("Europe/Vilnius", "Europe/London", "Europe/Oslo"),
}

HOME_CLOSED = gettext_noop("I can't write in that chat any more: let me, or switch it on again where I can.")

AROUND = "around"  # opens the settings for the time between games
AROUND_NAME = gettext_noop("🎭 Around the game")
_AROUND_ABOUT = gettext_noop("Extras between games: titles, bets, a daily puzzle, quiet hours.")


@dataclass(frozen=True, slots=True)
class ServerState:
    """The settings of a chat, its choices, its `default` rules, and its saved rule sets (`variations`)."""

    settings: ServerSettings
    choices: ServerChoices
    default: str
    variations: Sequence[str] = ()
    unplayable: Sequence[str] = ()

    def value_of(self, setting: ServerSetting) -> str:
        """Returns the value of a setting in its typed form."""
        choices = self.choices
        if setting.values:
            return choices.value_of(setting)

        return {
            "default": self.default,
            "language": choices.locale or OWN_LANGUAGE,
            "timezone": choices.local_time.zone.key,
        }.get(setting.name, "")


def server_screen(
    state: ServerState,
    translator: Translator,
    limits: Limits | None = None,
    *,
    has_around: bool = True,
    has_table: bool = False,
) -> Screen:
    """Renders the settings of a chat; `limits` are given if the reader is an admin, who gets buttons.

    `has_around`: offers the settings for the time between games. `has_table`: offers to save the rules of
    the table here.
    """

    def value(setting: ServerSetting) -> str:
        return choice_in_words(setting, state.value_of(setting), translator)

    def label_and_value(setting: ServerSetting) -> str:
        return f"{translator.text(setting.label)}: {value(setting)}"

    unplayable = gettext_noop("⚠️ {name} can't be played any more")
    variations = [
        translator.text(unplayable, name=isolated(name)) if name in state.unplayable else isolated(name)
        for name in state.variations
    ]
    title = translator.spans("This chat plays {name}.", mark=Mark.BOLD, name=value(state.settings["default"]))
    variations_line = (
        translator.spans("Saved here: {names}", names=" · ".join(variations)) if variations else ()
    )

    if limits is None:
        how = [
            label_and_value(setting) if setting.is_switch or setting.name == "language" else value(setting)
            for setting in state.settings
            if setting.heading in {OF_TEXTS, OF_LOOKS}
        ]
        rules = translator.spans("Other rules: type /durak and choose.", mark=Mark.ITALIC)
        return Screen(as_lines(title, (Span(" · ".join(how)),), variations_line, rules))

    keeping = ""
    below = list[CallbackButton]()
    if has_table and limits.questions:
        below.append(asking_button("settings save", translator, in_place=True))
    elif has_table:
        keeping = translator.text(
            "Do you like the rules of this table? Keep them: type /settings save and a name for them."
        )

    offered = [
        setting for setting in state.settings if setting.heading and (setting.name != "delete" or variations)
    ]
    groups = [
        SettingGroup(
            translator.text(heading),
            tuple(setting_line(each, state, translator) for each in offered if each.heading == heading),
        )
        for heading in HEADINGS
    ]
    values = [label_and_value(setting) for setting in offered if setting.name != "delete"]
    buttons = list[CallbackButton]()
    for setting in offered:
        label = translator.text(setting.label) if setting.name == "delete" else label_and_value(setting)
        buttons.append(button_to(CommandInPlace(f"settings {setting.name}"), label))

    if has_around:
        around = CommandInPlace(f"settings {AROUND}")
        name = translator.text(AROUND_NAME)
        buttons.append(button_to(around, name))
        about = translator.text(_AROUND_ABOUT)
        groups.append(SettingGroup("", (SettingLine(name, "", str(around), about),)))

    list_title = translator.spans("Settings for everybody here", mark=Mark.BOLD)
    keeping_line = (Span(keeping, Mark.ITALIC),) if keeping else ()

    return Screen(
        as_paragraphs(as_lines(title, variations_line, keeping_line), listed(values, limits)),
        rows=rows_of(in_settings_menu(buttons, translator), below, limits=limits, is_aligned=False),
        facts=SettingList(as_lines(list_title, variations_line), tuple(groups), keeping),
    )


def setting_line(setting: ServerSetting, state: ServerState, translator: Translator) -> SettingLine:
    """Returns a setting of a chat as a line of a list, which can toggle a switch without its own screen."""
    now = state.value_of(setting)
    is_switch = setting.is_switch and not setting.has_own_screen
    is_on = is_switch and now == ON
    other = OFF if is_on else ON
    switch = str(CommandInPlace(f"settings {setting.name} {other}")) if is_switch else ""

    return SettingLine(
        translator.text(setting.label),
        choice_in_words(setting, now, translator),
        str(CommandInPlace(f"settings {setting.name}")),
        translator.text(setting.about) if setting.about else "",
        switch=switch,
        is_on=is_on,
    )


def home_closed_screen(setting: ServerSetting, translator: Translator, chat: str) -> Screen:
    """Warns that the bot can't write in the chat where this setting posts."""
    title = (Span(translator.text(setting.label), Mark.BOLD),)
    return Screen(as_lines(title, (Span(warning_text(translator.text(HOME_CLOSED), chat, translator)),)))


def server_choice_screen(
    setting: ServerSetting,
    state: ServerState,
    names: Collection[str],
    limits: Limits,
    translator: Translator,
    *,
    about: Line = (),
) -> Screen:
    """Offers the values of a chat's setting; `names` are the playable rules, `about` explains the setting."""
    now = state.value_of(setting)
    values_here = {
        "default": names,
        "delete": state.variations,
        "language": (OWN_LANGUAGE, *LOCALES),
        "timezone": _zones_for(translator.locale, now),
    }
    buttons = list[CallbackButton]()
    for value in setting.values or values_here[setting.name]:
        token = CommandInPlace(f"settings {setting.name} {value}")
        tone = Tone.PRIMARY if value == now else Tone.NEUTRAL
        if token.fits:
            buttons.append(button_to(token, choice_in_words(setting, value, translator), tone))

    behind = f"settings {AROUND}" if setting.is_around_the_game else "settings"
    back = button_to(CommandInPlace(behind), translator.text("Back"))
    below = [back]
    instruction: Line = ()
    command = f"settings {setting.name}"
    if limits.questions and command in WORDINGS:
        below.insert(0, asking_button(command, translator, in_place=True))
    else:
        instruction = translator.spans("Or type: {command}", mark=Mark.ITALIC, command=f"/{command} …")

    title = (Span(translator.text(setting.label), Mark.BOLD),)

    values = in_menu(buttons, translator.text(setting.label))
    return Screen(as_lines(title, about, instruction), rows=rows_of(values, below, limits=limits))


def choice_in_words(setting: ServerSetting, value: str, translator: Translator) -> str:
    """Names a value of a chat's setting."""
    match setting.name:
        case "default":
            return preset_name(value, translator)
        case "language":
            return LANGUAGES.get(value) or translator.text("each player's own")
        case "quiet" if (hours := quiet_hours(value)) is not None:
            return "{:02}:00–{:02}:00".format(*hours)
        case _ if value in setting.values:
            return translator.text(setting.words[value])

    return isolated(value)


def _zones_for(locale: str, zone: str) -> tuple[str, ...]:
    """Returns the usual time zones of a language, one per other language, UTC and the current `zone`."""
    others = (zones[0] for zones in _ZONES.values())
    return tuple(dict.fromkeys((*_ZONES.get(locale, ()), *others, "UTC", zone)))


# A test fails if a reason is missing.
PINS_REFUSED: Mapping[PinTrouble, str] = {
    PinTrouble.NO_RIGHT: gettext_noop("I can't pin tables: I need the right “{right}”."),
    PinTrouble.FULL: gettext_noop("I can't pin tables: too many messages are pinned."),
    PinTrouble.REFUSED: gettext_noop("I can't pin tables: the chat refused it."),
}


def pins_refused_screen(trouble: PinTrouble, right: str, translator: Translator, chat: str) -> Screen:
    """Reports to the admin who switched pins on why they are off again."""
    again = translator.spans("Pins are off; /settings there turns them on.", mark=Mark.ITALIC)
    refusal = translator.text(PINS_REFUSED[trouble], right=translator.text(right))
    return Screen(as_lines((Span(warning_text(refusal, chat, translator)),), again))


def changed_screen(setting: ServerSetting, value: str, translator: Translator) -> Screen:
    """Announces a changed setting in one line."""
    body = f"⚙️ {translator.text(setting.label)}: {choice_in_words(setting, value, translator)}"
    return Screen((Span(body),))
