"""Slash commands made from the bot's own list of commands."""

import inspect
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Mapping, Sequence
from typing import Any

import discord
from discord import app_commands

from adapters.discord.inbound import AnyInteraction, Person
from adapters.port import ArgumentKind, ArgumentSpec, CommandSpec, Suggestion

MOST_SUMMARY = 100
MOST_CHOICES = 25
LONGEST_CHOICE = 100
"""Characters of a choice's name, and of what it stands for."""

Invoked = Callable[[AnyInteraction, str, tuple[str, ...], tuple[Person, ...]], Awaitable[None]]
"""Called for each command with its name, its words and the people named in it."""


Suggester = Callable[[AnyInteraction, str, str, str], Awaitable[Sequence[Suggestion]]]
"""Called while somebody types, with the command's name, the argument's, and its text so far."""


class SummaryTranslator(app_commands.Translator):
    """Gives Discord the translated summaries that the commands bring with them."""

    async def translate(
        self,
        string: app_commands.locale_str,
        locale: discord.Locale,
        context: app_commands.TranslationContextTypes,
    ) -> str | None:
        """Find the summary in this language, with or without its country; None keeps the English one."""
        del context
        summaries: Mapping[str, str] = string.extras.get("summaries", {})
        summary = summaries.get(locale.value, summaries.get(locale.value.partition("-")[0]))
        return summary[:MOST_SUMMARY] if summary and summary != string.message else None


def slash_command(
    spec: CommandSpec, invoked: Invoked, suggester: Suggester
) -> app_commands.Command[Any, ..., None]:
    """Make the slash command for a spec; its words are the chosen ones first, then the typed ones."""

    async def callback(interaction: AnyInteraction, **values: object) -> None:
        words: list[str] = []
        people: list[Person] = []
        for argument in sorted(spec.arguments, key=lambda argument: argument.kind is ArgumentKind.TEXT):
            value = values.get(argument.name)
            if isinstance(value, discord.User | discord.Member):
                people.append(value)
            elif isinstance(value, str):
                words.extend([value] if argument.kind is ArgumentKind.CHOICE else value.split())
        await invoked(interaction, spec.name, tuple(words), tuple(people))

    _declare(callback, spec.arguments)
    suggested = [each.name for each in spec.arguments if each.kind is ArgumentKind.SUGGESTED]
    completions = {name: _completion(spec.name, name, suggester) for name in suggested}
    app_commands.autocomplete(**completions)(callback)
    return app_commands.Command(name=spec.name, description=_summary(spec), callback=callback)


def _completion(
    command: str, argument: str, suggester: Suggester
) -> Callable[[AnyInteraction, str], Coroutine[Any, Any, list[app_commands.Choice[str]]]]:
    """Return what discord.py asks for the choices of an argument; those too long for Discord are left out."""

    async def complete(interaction: AnyInteraction, current: str) -> list[app_commands.Choice[str]]:
        suggestions = await suggester(interaction, command, argument, current)
        choices = [app_commands.Choice(name=each.label, value=each.text) for each in suggestions]
        fitting = [each for each in choices if max(len(each.name), len(each.value)) <= LONGEST_CHOICE]
        return fitting[:MOST_CHOICES]

    return complete


def _summary(spec: CommandSpec | ArgumentSpec) -> app_commands.locale_str:
    return app_commands.locale_str(spec.summary[:MOST_SUMMARY], summaries=spec.summaries)


def _declare(callback: Callable[..., Any], arguments: tuple[ArgumentSpec, ...]) -> None:
    """Give a callback the options discord.py reads from its signature."""
    first = inspect.Parameter(
        "interaction", inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation=discord.Interaction
    )
    options = [
        inspect.Parameter(
            argument.name,
            inspect.Parameter.POSITIONAL_OR_KEYWORD,
            default=None,
            # A user, not a member, so that the option works in direct messages too.
            annotation=(discord.User if argument.kind is ArgumentKind.PERSON else str) | None,
        )
        for argument in arguments
    ]
    vars(callback)["__signature__"] = inspect.Signature([first, *options])
    choices = {
        argument.name: [app_commands.Choice(name=choice, value=choice) for choice in argument.choices]
        for argument in arguments
        if argument.kind is ArgumentKind.CHOICE and 0 < len(argument.choices) <= MOST_CHOICES
    }
    app_commands.describe(**{argument.name: _summary(argument) for argument in arguments})(callback)
    app_commands.choices(**choices)(callback)


async def announce(tree: app_commands.CommandTree[Any], application: int) -> bool:
    """Register the commands if they are not what Discord already has; it takes only 200 new ones a day.

    Returns:
        Whether they were registered anew.
    """
    translator = tree.translator
    commands = tree.get_commands(type=discord.AppCommandType.chat_input)
    if translator is None:
        raise ValueError("a tree without its translator")
    wanted = [await command.get_translated_payload(tree, translator) for command in commands]
    route = discord.http.Route("GET", "/applications/{application_id}/commands", application_id=application)
    known = await tree.client.http.request(route, params={"with_localizations": "true"})
    if _by_name(wanted) == _by_name(known):
        return False
    await tree.sync()
    return True


def _by_name(commands: Iterable[Mapping[str, Any]]) -> dict[str, object]:
    return {command["name"]: _essence({key: command.get(key) for key in COMPARED}) for command in commands}


COMPARED = ("description", "description_localizations", "options", "contexts", "integration_types")


def _essence(value: object) -> object:
    """Leave out what Discord adds and what says nothing, so that equal commands compare equal."""
    if isinstance(value, Mapping):
        return {
            key: essence
            for key, part in value.items()
            if (essence := _essence(part)) not in (None, False, {}, [])
        }
    if isinstance(value, list):
        return [_essence(part) for part in value]
    return value
