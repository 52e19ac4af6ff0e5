"""Settings as a form: the same choices as on the buttons, with the explanations of the rules."""

from dataclasses import replace

import pytest

from adapters.discord.render import LIMITS as DISCORD
from bot.locale import LOCALES, Translator
from bot.model.buttons import ChangeOption, decode
from bot.model.choices import CHOICES
from bot.screens.lobby import option_form
from bot.screens.rules import rule_set_cards
from bot.screens.settings import PANELS, listed_settings, value_of
from bot.screens.text import plain_text
from engine import PRESETS, Rules, value_text
from tests.bot.screens.scenes import lobby_of

ENGLISH = Translator("en")
TABLE = lobby_of(PRESETS["perevodnoy"], ("Anna",))


@pytest.mark.parametrize("panel", PANELS)
def test_a_form_has_every_setting_of_its_panel_with_the_value_that_holds(panel: str) -> None:
    table = replace(TABLE, panel=panel)
    form = option_form(table, rule_set_cards(PRESETS, ENGLISH), ENGLISH)
    assert len(form.others) == len(PANELS) - 1

    for setting, field in zip(PANELS[panel], form.fields, strict=True):
        tokens = [decode(choice.token) for choice in field.choices]
        whats = [token.what for token in tokens if isinstance(token, ChangeOption)]
        assert len(whats) == len(tokens)
        assert all(what.startswith(f"{setting}=") for what in whats)
        assert field.chosen is not None
        assert whats[field.chosen] == f"{setting}={value_text(value_of(table, setting))}"
        assert field.is_switch == isinstance(value_of(table, setting), bool)


@pytest.mark.parametrize("locale", LOCALES)
def test_a_choice_says_what_the_rules_would_say_with_no_other_one(locale: str) -> None:
    translator = Translator(locale)
    fields = option_form(TABLE, rule_set_cards(PRESETS, translator), translator).fields
    told = dict(
        zip(PANELS["common"], ([choice.about for choice in field.choices] for field in fields), strict=True)
    )
    assert told["transfer"][0]
    assert not told["transfer"][1]
    assert len(set(told["throw_in"])) == len(told["throw_in"])
    assert all(all(told[setting]) for setting in CHOICES)


def test_teams_are_told_without_the_cards() -> None:
    fields = option_form(TABLE, rule_set_cards(PRESETS, ENGLISH), ENGLISH).fields
    (teams,) = (field for setting, field in zip(PANELS["common"], fields, strict=True) if setting == "teams")
    off, *others = (choice.about for choice in teams.choices)
    assert off == "Everybody plays for themselves."
    assert all("partners sit apart" in told and "cards, " not in told for told in others)


def test_the_preset_is_chosen_beside_a_picture_of_each() -> None:
    preset, *others = option_form(TABLE, rule_set_cards(PRESETS, ENGLISH), ENGLISH).fields
    assert all(choice.sketch for choice in preset.choices)
    assert not any(choice.sketch for field in others for choice in field.choices)


@pytest.mark.parametrize(
    ("rules", "numbers", "chosen"),
    [
        (PRESETS["podkidnoy-24"], "234", "4"),
        (PRESETS["podkidnoy-52"], "2345678", "6"),
        (replace(PRESETS["podkidnoy-36"], deck=24), "234", "4"),
        (replace(PRESETS["podkidnoy-36"], teams="2x2"), "4", "4"),
    ],
)
def test_only_as_many_players_are_offered_and_chosen_as_can_sit_down(
    rules: Rules, numbers: str, chosen: str
) -> None:
    table = lobby_of(rules, ("Anna",))
    fields = option_form(table, rule_set_cards(PRESETS, ENGLISH), ENGLISH).fields
    most = dict(zip(PANELS["common"], fields, strict=True))["max_players"]
    labels = [choice.label for choice in most.choices]
    assert "".join(labels) == numbers
    assert most.chosen is not None
    assert labels[most.chosen] == chosen
    settings = listed_settings(table, DISCORD, ENGLISH)
    assert f"Most players: {chosen}" in plain_text(settings)


def test_no_two_fields_say_the_same() -> None:
    table = replace(TABLE, preset="perevodnoy")
    form = option_form(table, rule_set_cards(PRESETS, ENGLISH), ENGLISH)
    told = [field.choices[field.chosen].about for field in form.fields if field.chosen is not None]
    assert form.title == "Table settings"
    assert len(set(told)) == len(told)
