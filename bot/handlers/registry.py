"""Finds the commands, the buttons and the kinds of appointments in their modules."""

from collections.abc import Iterable
from types import ModuleType
from typing import TypeVar

from bot.handlers import (
    bets,
    calls,
    card_games,
    cup,
    durak,
    first_words,
    host,
    learn,
    lobby,
    play,
    privacy,
    puzzles,
    review,
    settings,
    shortcuts,
    statistics,
    typed_moves,
    views,
    week,
    worn,
)
from bot.handlers.event import AppointmentHandler, ButtonHandler, CommandHandler, Registry

H = TypeVar("H")

# Where the handlers of the core are.
CORE: tuple[ModuleType, ...] = (
    bets,
    calls,
    card_games,
    cup,
    durak,
    first_words,
    host,
    learn,
    lobby,
    play,
    privacy,
    puzzles,
    review,
    settings,
    shortcuts,
    statistics,
    typed_moves,
    views,
    week,
    worn,
)


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
