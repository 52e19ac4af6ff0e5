"""What the README tells people to type is what the bot understands."""

from pathlib import Path

import pytest

from adapters.port import CommandSpec
from bot.handlers.commands import announced
from bot.locale import Voice
from bot.screens.settings import LABELS, label_of
from engine import PRESETS, SETTINGS, value_text

README = (Path(__file__).parents[2] / "README.md").read_text()


@pytest.mark.parametrize("command", announced(), ids=lambda command: command.name)
def test_every_command_is_explained(command: CommandSpec) -> None:
    assert f"`/{command.name}" in README


@pytest.mark.parametrize("preset", PRESETS)
def test_every_preset_is_named(preset: str) -> None:
    assert f"`{preset}`" in README


@pytest.mark.parametrize("setting", SETTINGS)
def test_every_setting_of_the_rules_is_listed_with_its_values(setting: str) -> None:
    values = ", ".join(map(value_text, SETTINGS[setting]))
    assert f"| {label_of(setting, Voice('en'))} | `{setting}` | {values} |" in README


def test_every_label_of_the_lobby_is_in_the_readme() -> None:
    assert not [label for label in LABELS.values() if label not in README]
