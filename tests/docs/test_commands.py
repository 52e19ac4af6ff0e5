"""The bot understands every command in the documents, and the documents mention every command."""

import json
import re
from pathlib import Path

import pytest

from adapters.port import CommandSpec
from bot.app import REGISTRY
from engine import PRESETS, Rules
from tests.docs.pages import page

COMMANDS = page("docs/commands.md")
TYPED = re.compile(r"`/([a-z]+)")
ON_DISCORD = re.compile(r"`/([a-z]+) ([a-z][^`]*:[^`]*)`")
OPTION = re.compile(r"(?:^| )([a-z]\w*):(\S+)")
OF_BOTFATHER = {"newbot"}
PACKAGE = Path(__file__).parents[1] / "adapters" / "page" / "scripts" / "package.json"


@pytest.mark.parametrize("command", REGISTRY.announced(), ids=lambda command: command.name)
def test_every_command_is_explained(command: CommandSpec) -> None:
    assert f"`/{command.name}" in COMMANDS


@pytest.mark.parametrize("name", ["README.md", "docs/commands.md", "docs/privacy.md", "docs/terms.md"])
def test_every_command_of_a_page_exists(name: str) -> None:
    typed = set(TYPED.findall(page(name)))
    assert typed
    assert not typed - OF_BOTFATHER - {command.name for command in REGISTRY.announced()}


def test_every_option_written_for_discord_exists() -> None:
    options = {
        (command.name, argument.name): [choice.value for choice in argument.choices]
        for command in REGISTRY.announced()
        for argument in command.arguments
    }
    written = [
        (command, name, value)
        for command, words in ON_DISCORD.findall(COMMANDS)
        for name, value in OPTION.findall(words)
    ]

    assert written
    assert not [option for option in written if option[:2] not in options]
    chosen = [(value, choices) for *key, value in written if (choices := options[key[0], key[1]])]
    assert not [value for value, choices in chosen if value not in choices]


@pytest.mark.parametrize(("preset", "rules"), PRESETS.items(), ids=PRESETS)
def test_every_preset_is_listed_with_its_number_of_players(preset: str, rules: Rules) -> None:
    assert f"| `{preset}` | {rules.fewest_seats} to {rules.most_seats} |" in COMMANDS


def test_the_oldest_browsers_are_those_that_the_page_is_checked_for() -> None:
    listed = json.loads(PACKAGE.read_text("utf-8"))["browserslist"]
    oldest = dict(each.split(" >= ") for each in listed)
    for browser, named in (
        ("chrome", "Chrome, Edge or Android's WebView from version"),
        ("firefox", "Firefox from"),
        ("safari", "Safari from"),
        ("ios_saf", "Safari from"),
    ):
        assert f"{named} {oldest[browser]}" in COMMANDS
