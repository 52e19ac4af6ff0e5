"""Suggestions while typing have the same names as on the screens, and are understood when typed."""

import pytest

from bot.app import REGISTRY
from bot.locale import LOCALES, Translator
from bot.model.choices import CHOICES, TableOptions, read_choice
from bot.screens.suggestions import preset_suggestions, server_suggestions, setting_suggestions
from engine import PRESETS, SETTINGS, value_text

PLAIN = PRESETS["podkidnoy-36"]
RUSSIAN = Translator("ru")
ENGLISH = Translator("en")


@pytest.mark.parametrize("locale", LOCALES)
def test_every_preset_is_suggested_by_what_people_call_it(locale: str) -> None:
    suggestions = preset_suggestions(PRESETS, "", Translator(locale))
    assert [suggestion.text for suggestion in suggestions] == list(PRESETS)
    assert len({suggestion.label for suggestion in suggestions}) == len(PRESETS)


@pytest.mark.parametrize("typed", ["перев", "Переводной", "perev", "schieb"])
def test_a_preset_is_found_by_any_of_its_names(typed: str) -> None:
    assert preset_suggestions(PRESETS, typed, RUSSIAN)[0].text == "perevodnoy"


def test_what_nobody_calls_a_preset_suggests_none() -> None:
    assert not preset_suggestions(PRESETS, "whist", ENGLISH)


@pytest.mark.parametrize("locale", LOCALES)
def test_every_value_that_is_suggested_can_be_typed(locale: str) -> None:
    suggestions = setting_suggestions("", PLAIN, Translator(locale))
    for suggestion in suggestions:
        setting, _, value = suggestion.text.partition("=")
        if setting in CHOICES:
            assert read_choice(setting, value) in CHOICES[setting]
        else:
            PLAIN.with_options([suggestion.text])

    assert {suggestion.text.partition("=")[0] for suggestion in suggestions} == {*SETTINGS, *CHOICES}
    assert len({suggestion.label for suggestion in suggestions}) == len(suggestions)


@pytest.mark.parametrize("preset", ["podkidnoy-36", "perevodnoy"])
def test_nothing_is_suggested_that_changes_nothing(preset: str) -> None:
    rules = PRESETS[preset]
    suggested = {suggestion.text for suggestion in setting_suggestions("", rules, ENGLISH)}
    assert f"transfer={value_text(not rules.transfer)}" in suggested
    assert "clock=300" in suggested

    for setting in SETTINGS:
        assert f"{setting}={value_text(getattr(rules, setting))}" not in suggested

    for setting in CHOICES:
        assert f"{setting}={value_text(getattr(TableOptions(), setting))}" not in suggested


def test_the_first_suggestions_are_of_different_settings() -> None:
    first = setting_suggestions("", PLAIN, ENGLISH)[:25]
    assert len({each.text.partition("=")[0] for each in first}) == 25


@pytest.mark.parametrize(
    "typed", ["transfer=on throwing", "Transfers: on throwing", "Transfers: on · THROWING"]
)
def test_what_was_chosen_before_stays_whether_it_was_typed_or_picked(typed: str) -> None:
    suggestions = setting_suggestions(typed, PLAIN, ENGLISH)
    assert ("Transfers: on · Throwing in: the neighbours", "transfer=on throw_in=neighbours") in [
        (suggestion.label, suggestion.text) for suggestion in suggestions
    ]
    assert not [suggestion for suggestion in suggestions if suggestion.text.count("transfer=") != 1]


def test_what_is_complete_is_suggested_as_it_is() -> None:
    assert setting_suggestions("Transfers: on", PLAIN, ENGLISH)[0].text == "transfer=on"
    assert not setting_suggestions("nonsense", PLAIN, ENGLISH)


@pytest.mark.parametrize(
    ("typed", "wanted"),
    [
        ("perev", "default perevodnoy"),
        ("fri", "delete friday"),
        ("vilnius", "timezone Europe/Vilnius"),
        ("timezone viln", "timezone Europe/Vilnius"),
        ("language l", "language lt"),
        ("light", "style light"),
    ],
)
def test_a_server_s_settings_are_suggested_with_their_values(typed: str, wanted: str) -> None:
    assert wanted in [
        suggestion.text
        for suggestion in server_suggestions(REGISTRY.settings, tuple(PRESETS), ("friday",), typed, ENGLISH)
    ]


@pytest.mark.parametrize("locale", LOCALES)
def test_each_of_a_server_s_settings_is_suggested_by_its_name_first(locale: str) -> None:
    translator = Translator(locale)
    shown_at_once = 25
    suggestions = server_suggestions(REGISTRY.settings, tuple(PRESETS), (), "", translator)[:shown_at_once]
    names = [setting.name for setting in REGISTRY.settings if setting.name not in {"save", "delete"}]
    assert [suggestion.text for suggestion in suggestions][: len(names)] == names

    quiet = REGISTRY.settings["quiet"]
    label = translator.text(quiet.label)
    found = server_suggestions(REGISTRY.settings, (), (), label, translator)
    assert (found[0].label, found[0].text) == (label, "quiet")
    assert {suggestion.text for suggestion in found[1:]} == {f"quiet {value}" for value in quiet.values}


def test_what_a_keyboard_types_is_found() -> None:
    assert preset_suggestions(PRESETS, "Подкидной, 36 к", RUSSIAN)[0].text == "podkidnoy-36"
