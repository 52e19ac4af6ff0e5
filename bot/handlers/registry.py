"""Collects the handlers of commands, buttons and appointments from their modules."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType
from typing import TypeVar

from adapters.port import ArgumentChoice, Reply
from bot import handlers
from bot.handlers.event import (
    AppointmentHandler,
    ButtonHandler,
    CommandEvent,
    CommandHandler,
    Registry,
    Services,
    WordHandler,
)
from bot.screens.server_settings import ServerSetting, ServerSettings

H = TypeVar("H")


def core_modules() -> list[ModuleType]:
    """Returns all modules of the package of handlers."""
    return [import_module(f"{handlers.__name__}.{module.name}") for module in iter_modules(handlers.__path__)]


def registry_of(modules: Iterable[ModuleType], settings: Iterable[ServerSetting]) -> Registry:
    """Returns the registry of all handlers in these modules, and of these server settings."""
    variables = [variable for module in modules for variable in vars(module).values()]
    commands = sorted(_only(CommandHandler, variables), key=lambda handler: handler.rank)
    words = _only(WordHandler, variables)

    return Registry(
        commands={handler.spec.name: _with_words(handler, words) for handler in commands},
        buttons={handler.kind: handler for handler in _only(ButtonHandler, variables)},
        appointments={handler.name: handler for handler in _only(AppointmentHandler, variables)},
        settings=ServerSettings(settings),
    )


def _with_words(handler: CommandHandler, words: Sequence[WordHandler]) -> CommandHandler:
    """Returns a command extended by those of these words that belong to it."""
    own = {each.word: each for each in words if each.command == handler.spec.name}
    if not own:
        return handler

    first, *others = handler.spec.arguments
    more = [argument for each in own.values() for argument in each.arguments]
    choices = (*first.choices, *(ArgumentChoice(each.word, each.label) for each in own.values()))
    spec = replace(handler.spec, arguments=(replace(first, choices=choices), *others, *more))

    async def answer(event: CommandEvent, services: Services) -> Reply:
        word = event.command.args[0].lower() if event.command.args else ""
        answering = own[word].answer if word in own else handler.answer
        return await answering(event, services)

    return replace(handler, spec=spec, answer=answer)


def _only(kind: type[H], variables: Iterable[object]) -> list[H]:
    return [handler for handler in variables if isinstance(handler, kind)]
