"""docs/rules.md agrees with the engine: every setting, value, preset, move and refusal."""

import re

import pytest

from bot.locale import Translator
from bot.screens.rules import how_to_play
from bot.screens.settings import WORDINGS, label_of
from engine import PRESETS, SETTINGS, Move, Reason, Rules, value_text
from tests.docs.pages import page, table_rows

RULES = page("docs/rules.md")
NUMBERS = re.findall(r"^\*\*(\d+\.\d+)\*\* ", RULES, re.MULTILINE)
SETTING_ROWS = {
    row[0]: row[1:]
    for row in table_rows(
        RULES, "setting", "in the lobby", "values", "default", "what it means", "rule", "presets"
    )
}
PRESET_ROWS = {
    row[0]: row[1:]
    for row in table_rows(RULES, "preset", "what it is", "settings that differ from `podkidnoy-36`")
}


def text_of_rule(number: str) -> str:
    """Returns the text of a rule, from its number to the next one's."""
    return RULES.partition(f"\n**{number}** ")[2].partition("\n\n**")[0]


def presets_with(setting: str) -> str:
    """Returns the presets that set a setting to a value other than the default, by value."""
    presets: dict[str, list[str]] = {}
    for name, rules in PRESETS.items():
        if setting in rules.differences(Rules()):
            presets.setdefault(value_text(getattr(rules, setting)), []).append(name)
    return "; ".join(f"{value}: {', '.join(names)}" for value, names in presets.items())


def test_rules_stand_in_the_chapter_and_order_of_their_numbers() -> None:
    for chapter in RULES.split("\n## ")[1:]:
        number = chapter.partition(".")[0]
        rules = [rule.split(".") for rule in re.findall(r"^\*\*(\d+\.\d+)\*\* ", chapter, re.MULTILINE)]
        assert {of for of, _ in rules} == {number}
        assert [int(rule) for _, rule in rules] == sorted({int(rule) for _, rule in rules})


def test_the_first_chapter_begins_with_the_sentences_of_the_screen() -> None:
    said = how_to_play(Rules(), None, Translator("en"))
    listed = "\n".join(f"{number}. {sentence}" for number, sentence in enumerate(said, start=1))
    assert " ".join(as_typed(listed).split()) in " ".join(RULES.split())


def as_typed(text: str) -> str:
    """Returns a screen's text with the apostrophes of a keyboard, as documents have them."""
    return text.replace("’", "'")


def test_every_setting_stands_in_the_table() -> None:
    assert list(SETTING_ROWS) == list(SETTINGS)


@pytest.mark.parametrize("setting", SETTINGS)
def test_a_setting_has_its_label_values_default_and_presets(setting: str) -> None:
    label, values, default, meaning, _, presets = SETTING_ROWS[setting]
    assert label == as_typed(label_of(setting, Translator("en")))
    assert values == ", ".join(map(value_text, SETTINGS[setting]))
    assert default == value_text(getattr(Rules(), setting))
    assert meaning
    assert presets == presets_with(setting)


@pytest.mark.parametrize("setting", SETTINGS)
def test_the_rules_of_a_setting_explain_it_and_each_of_its_values(setting: str) -> None:
    text = "\n".join(map(text_of_rule, SETTING_ROWS[setting][4].split(", ")))
    assert f"`{setting}" in text
    words = [value for value in SETTINGS[setting] if isinstance(value, str) and value not in ("none", "off")]
    assert not [value for value in words if not re.search(rf"\b{value}\b", text)]


def test_every_preset_stands_in_the_table_with_what_it_changes() -> None:
    assert {name: row[1] for name, row in PRESET_ROWS.items()} == {
        name: " ".join(rules.to_text().split()[1:]) or "none" for name, rules in PRESETS.items()
    }


def test_every_label_of_the_lobby_is_explained() -> None:
    assert not [told.label for told in WORDINGS.values() if f"| {told.label} |" not in RULES]


def test_every_kind_of_move_is_written_there() -> None:
    moves = [row[0] for row in table_rows(RULES, "move", "what it does", "rule")]
    assert {type(Move.parse(text)).__name__ for text in moves} == {
        kind.__name__ for kind in Move.__subclasses__()
    }


def test_every_refusal_names_its_rule() -> None:
    assert [row[0] for row in table_rows(RULES, "reason", "rule")] == [reason.name for reason in Reason]
