"""The slash commands and the menu on a person, made from specs and registered with Discord."""

from collections.abc import Awaitable, Callable, Coroutine, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from inspect import Parameter, Signature
from typing import Any

import discord
import structlog
from discord import app_commands

from adapters import port
from adapters.discord import inbound

log = structlog.get_logger()

MAX_SUMMARY = 100
MAX_CHOICES = 25
MAX_CHOICE_LENGTH = 100  # characters of a choice's name, and of its value

# The type of the command by which Discord launches an Activity; Discord creates it, and it has to stay.
ENTRY_POINT = 4

# The parts of a command that are compared to find out whether it has changed.
COMPARED = (
    "type",
    "name_localizations",
    "description",
    "description_localizations",
    "options",
    "contexts",
    "integration_types",
)

# The values that an option of a command may have.
Value = str | discord.User | discord.Member | discord.Attachment | None

# The types of options with their own annotations; all others are text. A person is a user, not a member,
# so that the option also works in direct messages.
OPTIONS: Mapping[port.ArgumentKind, Any] = {
    port.ArgumentKind.PERSON: discord.User,
    port.ArgumentKind.FILE: discord.Attachment,
}

# Called for each command, with its reader.
Invoked = Callable[[inbound.AnyInteraction, Callable[[], port.Command]], None]

Suggester = Callable[[port.Typing], Awaitable[Sequence[port.Suggestion]]]  # called while an argument is typed


async def log_unknown_command(
    interaction: discord.Interaction[Any], error: app_commands.AppCommandError
) -> None:
    """Logs a command that could not be dispatched, such as one that no longer exists."""
    del interaction
    log.debug("unknown_command", error=type(error).__name__)


class SummaryTranslator(app_commands.Translator):
    """Gives Discord the translated summaries that the commands bring with them."""

    async def translate(
        self,
        string: app_commands.locale_str,
        locale: discord.Locale,
        context: app_commands.TranslationContextTypes,
    ) -> str | None:
        """Finds the summary in this language, with or without its country; None keeps the English one."""
        del context
        summaries: Mapping[str, str] = string.extras.get("summaries", {})
        summary = summaries.get(locale.value, summaries.get(locale.value.partition("-")[0]))
        return summary[:MAX_SUMMARY] if summary and summary != string.message else None


def slash_command(
    spec: port.CommandSpec, invoked: Invoked, suggester: Suggester
) -> app_commands.Command[Any, ..., None]:
    """Makes the slash command for a spec; in its words, chosen values come before typed text."""

    async def callback(interaction: inbound.AnyInteraction, **values: Value) -> None:
        words: list[str] = []
        people: list[inbound.Person] = []
        file: discord.Attachment | None = None

        for argument in sorted(spec.arguments, key=lambda part: part.kind is port.ArgumentKind.TEXT):
            match values.get(argument.name):
                case str(value):
                    typed_words = [value] if argument.kind is port.ArgumentKind.CHOICE else value.split()
                    words.extend(typed_words)
                case discord.Attachment() as value:
                    file = value
                case None:
                    pass
                case value:
                    people.append(value)

        invoked(interaction, partial(inbound.command_from, interaction, spec.name, words, people, file))

    options = [
        Parameter(
            part.name, Parameter.KEYWORD_ONLY, default=None, annotation=OPTIONS.get(part.kind, str) | None
        )
        for part in spec.arguments
    ]
    first = Parameter("interaction", Parameter.POSITIONAL_OR_KEYWORD, annotation=discord.Interaction)
    callback.__signature__ = Signature([first, *options])  # type: ignore[attr-defined] # the library reads it

    for argument in spec.arguments:
        name = argument.name
        app_commands.describe(**{name: _summary(argument)})(callback)
        if argument.kind is port.ArgumentKind.CHOICE and 0 < len(argument.choices) <= MAX_CHOICES:
            app_commands.choices(**{name: list(map(_choice, argument.choices))})(callback)
        elif argument.kind is port.ArgumentKind.SUGGESTED:
            app_commands.autocomplete(**{name: _completion(spec.name, name, suggester)})(callback)

    return app_commands.Command(name=spec.name, description=_summary(spec), callback=callback)


def command_on_person(spec: port.CommandSpec, invoked: Invoked) -> app_commands.ContextMenu:
    """Makes the entry for a spec in the menu on a member of a server."""

    async def callback(interaction: inbound.AnyInteraction, person: discord.User | discord.Member) -> None:
        invoked(interaction, partial(inbound.command_from, interaction, spec.name, people=[person]))

    return app_commands.ContextMenu(
        name=app_commands.locale_str(spec.on_person, summaries=spec.on_person_in),
        callback=callback,
        allowed_contexts=app_commands.AppCommandContext(guild=True),
    )


def _completion(
    command: str, argument: str, suggester: Suggester
) -> Callable[[inbound.AnyInteraction, str], Coroutine[Any, Any, list[app_commands.Choice[str]]]]:
    """Returns the autocompletion of an argument; choices too long for Discord are left out."""

    async def complete(interaction: inbound.AnyInteraction, current: str) -> list[app_commands.Choice[str]]:
        suggestions = await suggester(inbound.typing_from(interaction, command, argument, current))
        choices = [
            app_commands.Choice(name=suggestion.label, value=suggestion.text) for suggestion in suggestions
        ]
        fitting = [
            choice for choice in choices if max(len(choice.name), len(choice.value)) <= MAX_CHOICE_LENGTH
        ]
        return fitting[:MAX_CHOICES]

    return complete


def _choice(choice: port.ArgumentChoice) -> app_commands.Choice[str]:
    name = app_commands.locale_str(choice.label[:MAX_CHOICE_LENGTH], summaries=choice.labels)
    return app_commands.Choice(name=name, value=choice.value)


def _summary(spec: port.CommandSpec | port.ArgumentSpec) -> app_commands.locale_str:
    return app_commands.locale_str(spec.summary[:MAX_SUMMARY], summaries=spec.summaries)


@dataclass(frozen=True, slots=True)
class Announced:
    """The commands that Discord has now.

    Attributes:
        is_new: Whether they have just been registered again.
        has_entry_point: Whether one of them launches an Activity.
        ids: The ids of the slash commands, by name.
    """

    is_new: bool
    has_entry_point: bool
    ids: Mapping[str, int]


async def announce(tree: app_commands.CommandTree[Any], application: int) -> Announced:
    """Registers the commands if Discord has others; Discord accepts only 200 new ones a day."""
    http = tree.client.http
    translator = tree.translator
    if translator is None:
        raise ValueError("a tree without its translator")

    payloads = [await command.get_translated_payload(tree, translator) for command in tree.get_commands()]
    route = discord.http.Route("GET", "/applications/{application_id}/commands", application_id=application)
    registered = await http.request(route, params={"with_localizations": "true"})

    of_discord = [command for command in registered if command.get("type") == ENTRY_POINT]
    ours = [command for command in registered if command not in of_discord]
    has_entry_point = bool(of_discord)
    if _by_name(payloads) == _by_name(ours):
        return Announced(False, has_entry_point, _ids(registered))

    unchanged = [
        {key: part for key, part in command.items() if key not in {"application_id", "version"}}
        for command in of_discord
    ]
    accepted = await http.bulk_upsert_global_commands(application, [*payloads, *unchanged])
    return Announced(True, has_entry_point, _ids(accepted))


def _ids(commands: Iterable[Mapping[str, Any]]) -> dict[str, int]:
    """Returns the ids of the slash commands; those in the menu on a person cannot be typed."""
    slash = discord.AppCommandType.chat_input.value
    return {command["name"]: int(command["id"]) for command in commands if command["type"] == slash}


def _by_name(commands: Iterable[Mapping[str, Any]]) -> dict[str, object]:
    return {command["name"]: _essence({key: command.get(key) for key in COMPARED}) for command in commands}


def _essence(value: object) -> object:
    """Leaves out Discord's additions and empty values, so that equal commands compare equal."""
    if isinstance(value, Mapping):
        return {
            key: essence
            for key, part in value.items()
            if (essence := _essence(part)) not in (None, False, "", {}, [])
        }

    if isinstance(value, list):
        return [_essence(part) for part in value]

    return value
