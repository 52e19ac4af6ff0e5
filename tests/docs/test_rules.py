"""docs/rules.md agrees with the engine: every setting, value, preset, move and refusal."""

import re

import pytest

from bot.locale import Translator
from bot.screens.rules import how_to_play
from bot.screens.settings import WORDINGS
from engine import DECLARATIONS, PRESETS, SETTINGS, Move, Reason, Rules
from engine.rules.declarations import Search
from tests.docs import setting_table
from tests.docs.pages import page, table_rows
from tests.golden import assert_approved

RULES = page("docs/rules.md")
NUMBERS = re.findall(r"^\*\*(\d+\.\d+)\*\* ", RULES, re.MULTILINE)
PRESET_ROWS = {
    row[0]: row[1:]
    for row in table_rows(RULES, "preset", "what it is", "settings that differ from `podkidnoy-36`")
}


def text_of_rule(number: str) -> str:
    """Returns the text of a rule, from its number to the next one's."""
    return RULES.partition(f"\n**{number}** ")[2].partition("\n\n**")[0]


def test_rules_stand_in_the_chapter_and_order_of_their_numbers() -> None:
    for chapter in RULES.split("\n## ")[1:]:
        number = chapter.partition(".")[0]
        rules = [rule.split(".") for rule in re.findall(r"^\*\*(\d+\.\d+)\*\* ", chapter, re.MULTILINE)]
        assert {of for of, _ in rules} == {number}
        assert [int(rule) for _, rule in rules] == sorted({int(rule) for _, rule in rules})


def test_a_link_to_a_rule_opens_its_chapter() -> None:
    links = re.findall(r"\[(\d+\.\d+)\]\(#([^)]+)\)", RULES)
    chapters = setting_table.chapters_of(RULES)

    assert len(links) > 100
    assert not [rule for rule, anchor in links if anchor != chapters[rule.partition(".")[0]]]
    assert not {rule for rule, _ in links} - set(NUMBERS)


def test_the_first_chapter_begins_with_the_sentences_of_the_screen() -> None:
    said = how_to_play(Rules(), None, Translator("en"))
    listed = "\n".join(f"{number}. {sentence}" for number, sentence in enumerate(said, start=1))
    assert " ".join(as_typed(listed).split()) in " ".join(RULES.split())


def as_typed(text: str) -> str:
    """Returns a screen's text with the apostrophes of a keyboard, as documents have them."""
    return text.replace("’", "'")


def test_the_table_of_settings_follows_from_the_rules_and_the_lobby() -> None:
    assert_approved(setting_table.regenerated(RULES), setting_table.FILE, "rules")


def test_every_setting_in_the_table_says_what_it_means() -> None:
    missing = [setting for setting, meaning in setting_table.meanings_in(RULES).items() if not meaning]
    assert not missing, "docs/rules.md, chapter 13: write what these settings mean"


@pytest.mark.parametrize("setting", SETTINGS)
def test_the_rules_of_a_setting_explain_it_and_each_of_its_values(setting: str) -> None:
    rules = DECLARATIONS[setting].rule
    text = "\n".join(map(text_of_rule, rules.split(", ")))
    assert f"`{setting}" in text, f"docs/rules.md: {setting} is missing from rule {rules}"
    words = [value for value in SETTINGS[setting] if isinstance(value, str) and value not in ("none", "off")]
    assert not [value for value in words if not re.search(rf"\b{value}\b", text)]


def test_every_setting_that_experts_do_not_know_is_listed() -> None:
    listed = RULES.partition("\nExperts don't know some rules.")[2].partition("\n\n")[0]
    unknown = {name for name, declared in DECLARATIONS.items() if declared.search is Search.NEEDS_DEFAULT}
    assert set(re.findall(r"`([a-z_]+)", listed)) == unknown, (
        'docs/rules.md, chapter 13: list them in the paragraph "Experts don\'t know some rules"'
    )


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
