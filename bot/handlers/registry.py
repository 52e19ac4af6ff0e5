"""Finds the commands, the buttons and the kinds of appointments in their modules."""

from collections.abc import Iterable
from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType
from typing import TypeVar

from bot import handlers
from bot.handlers.event import AppointmentHandler, ButtonHandler, CommandHandler, Registry

H = TypeVar("H")


def core_modules() -> list[ModuleType]:
    """Returns every module of the handlers' package."""
    return [import_module(f"{handlers.__name__}.{module.name}") for module in iter_modules(handlers.__path__)]


def registry_of(modules: Iterable[ModuleType]) -> Registry:
    """Returns all handlers that these modules define."""
    found = [variable for module in modules for variable in vars(module).values()]
    commands = sorted(_only(CommandHandler, found), key=lambda handler: handler.rank)

    return Registry(
        commands={handler.spec.name: handler for handler in commands},
        buttons={handler.kind: handler for handler in _only(ButtonHandler, found)},
        appointments={handler.name: handler for handler in _only(AppointmentHandler, found)},
    )


def _only(kind: type[H], found: Iterable[object]) -> list[H]:
    return [handler for handler in found if isinstance(handler, kind)]
