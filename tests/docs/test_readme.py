"""What the README tells people to type is what the bot understands."""

import pytest

from adapters.port import CommandSpec
from bot.handlers.commands import announced
from engine import PRESETS
from tests.docs.pages import page

README = page("README.md")


@pytest.mark.parametrize("command", announced(), ids=lambda command: command.name)
def test_every_command_is_explained(command: CommandSpec) -> None:
    assert f"`/{command.name}" in README


@pytest.mark.parametrize("preset", PRESETS)
def test_every_preset_is_named(preset: str) -> None:
    assert f"`{preset}`" in README
