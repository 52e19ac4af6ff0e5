"""Every command, every button and every kind of appointment, found in their modules."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from adapters.port import CommandSpec, Reply, Translated
from bot.handlers import (
    bets,
    calls,
    card_games,
    cup,
    durak,
    event,
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
from bot.locale import LOCALES, OF_SERVERS, Summaries, Translator, gettext_noop
from bot.model.buttons import Button
from bot.screens.help import DESCRIPTION, SHORT_DESCRIPTION, help_screen


@event.command("help", summary=gettext_noop("how to play"), secret=True)
async def _help(asked: event.CommandEvent, _: event.Services) -> Reply:
    is_private = asked.is_in_private_chat
    return Reply(ephemeral=help_screen(asked.translator, asked.chat.limits, is_private=is_private))


# Where handlers are, in the order of the menus.
MODULES = (
    durak,
    lobby,
    cup,
    calls,
    bets,
    play,
    typed_moves,
    views,
    learn,
    statistics,
    card_games,
    puzzles,
    settings,
    review,
    privacy,
    host,
    week,
    worn,
    shortcuts,
)

_FOUND: Sequence[Any] = [var for module in MODULES for var in vars(module).values()]

# Every command by its name, in the order of the menus.
COMMANDS: Mapping[str, event.CommandHandler] = {
    handler.spec.name: handler for handler in (*_FOUND, _help) if isinstance(handler, event.CommandHandler)
}

# The handler of each button.
BUTTONS: Mapping[type[Button], event.ButtonHandler] = {
    handler.kind: handler for handler in _FOUND if isinstance(handler, event.ButtonHandler)
}

# The handler of each kind of appointment.
APPOINTMENTS: Mapping[str, event.AppointmentHandler] = {
    handler.name: handler for handler in _FOUND if isinstance(handler, event.AppointmentHandler)
}

SPECS = tuple(handler.spec for handler in COMMANDS.values())


def announced(*, says_server: bool = False) -> tuple[CommandSpec, ...]:
    """Returns the commands as the menus of chats show them, in every language.

    `says_server`: a community is called a server, and not a chat.
    """
    return tuple(_translated_spec(spec, says_server=says_server) for spec in SPECS)


def _translated_spec(spec: CommandSpec, *, says_server: bool) -> CommandSpec:
    summary = OF_SERVERS.get(spec.summary, spec.summary) if says_server else spec.summary
    arguments = tuple(replace(argument, summaries=Summaries(argument.summary)) for argument in spec.arguments)

    on_person_in = Summaries(spec.on_person) if spec.on_person else {}
    return replace(
        spec,
        summary=Translator(LOCALES[0]).text(summary),
        summaries=Summaries(summary),
        on_person_in=on_person_in,
        arguments=arguments,
    )


def description() -> Translated:
    """Returns the description of the bot for people that haven't written to it."""
    return _translate(DESCRIPTION)


def short_description() -> Translated:
    """Returns a description in one line, for the bot's profile and links to it."""
    return _translate(SHORT_DESCRIPTION)


def _translate(message: str) -> Translated:
    return Translated(Translator(LOCALES[0]).text(message), Summaries(message))
