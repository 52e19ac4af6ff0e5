"""The bot understands every command that the README gives."""

import json
from pathlib import Path

import pytest

from adapters.port import CommandSpec
from bot.handlers.commands import announced
from engine import PRESETS
from tests.docs.pages import page

README = page("README.md")
PACKAGE = Path(__file__).parents[1] / "adapters" / "page" / "scripts" / "package.json"


@pytest.mark.parametrize("command", announced(), ids=lambda command: command.name)
def test_every_command_is_explained(command: CommandSpec) -> None:
    assert f"`/{command.name}" in README


@pytest.mark.parametrize("preset", PRESETS)
def test_every_preset_is_named(preset: str) -> None:
    assert f"`{preset}`" in README


def test_the_oldest_browsers_are_those_that_the_page_is_checked_for() -> None:
    listed = json.loads(PACKAGE.read_text("utf-8"))["browserslist"]
    oldest = dict(each.split(" >= ") for each in listed)
    for browser, named in (
        ("chrome", "Chrome, Edge or Android's WebView from version"),
        ("firefox", "Firefox from"),
        ("safari", "Safari from"),
        ("ios_saf", "Safari from"),
    ):
        assert f"{named} {oldest[browser]}" in README
