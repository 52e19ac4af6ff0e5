"""Every command: its name, its arguments, where its answer goes, and what gives it."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace

from adapters.port import ArgumentKind, ArgumentSpec, Command, CommandSpec, Reply
from bot.handlers.play import Hints, ReviewCommand, TableCommands
from bot.handlers.privacy import PrivacyCommands
from bot.handlers.settings import LanguageCommand, ServerSettings
from bot.handlers.statistics import Period, StatisticsCommands
from bot.locale import LOCALES, Summaries, Translator, gettext_noop
from bot.model.table import RuleSetError
from bot.people import People
from bot.screens.help import help_screen
from bot.screens.settings import rule_set_problem_text
from bot.screens.standings import SheetForm
from bot.screens.words import InvalidArgumentError, echo
from bot.tables.service import TableService
from engine import nearest

Answerer = Callable[[Command, Translator], Awaitable[Reply]]
"""Answers a command in the language of whoever reads the answer."""


@dataclass(frozen=True, slots=True)
class CommandHandlers:
    """Who answers what people type."""

    table: TableCommands
    statistics: StatisticsCommands
    hints: Hints
    review: ReviewCommand
    server_settings: ServerSettings
    language: LanguageCommand
    privacy: PrivacyCommands


@dataclass(frozen=True, slots=True)
class RegisteredCommand:
    """A command.

    Attributes:
        spec: Its name, what it does, its arguments.
        answerer: Finds what answers it; if it is personal, in the language of who typed it.
    """

    spec: CommandSpec
    answerer: Callable[[CommandHandlers], Answerer]


async def _help(_: Command, translator: Translator) -> Reply:
    return Reply(personal=help_screen(translator))


_PRESET = ArgumentSpec("preset", gettext_noop("the rules to play by"), ArgumentKind.SUGGESTED)
_PERIOD = ArgumentSpec("period", gettext_noop("how far back"), ArgumentKind.CHOICE, tuple(Period))

COMMANDS = (
    RegisteredCommand(
        CommandSpec(
            "durak",
            gettext_noop("open a table here"),
            (
                _PRESET,
                ArgumentSpec(
                    "options", gettext_noop("single settings, such as transfer=on"), ArgumentKind.SUGGESTED
                ),
            ),
        ),
        lambda handlers: handlers.table.durak,
    ),
    RegisteredCommand(
        CommandSpec("hand", gettext_noop("show my cards"), is_personal=True),
        lambda handlers: handlers.table.hand,
    ),
    RegisteredCommand(
        CommandSpec("hint", gettext_noop("a hint for my move"), is_personal=True),
        lambda handlers: handlers.hints.reply,
    ),
    RegisteredCommand(
        CommandSpec(
            "leaderboard",
            gettext_noop("who plays best here"),
            (
                _PERIOD,
                ArgumentSpec(
                    "export", gettext_noop("a file, for admins"), ArgumentKind.CHOICE, tuple(SheetForm)
                ),
            ),
        ),
        lambda handlers: handlers.statistics.leaderboard,
    ),
    RegisteredCommand(
        CommandSpec("fool", gettext_noop("who is the fool most often here"), (_PERIOD,)),
        lambda handlers: handlers.statistics.fool,
    ),
    RegisteredCommand(
        CommandSpec(
            "stats",
            gettext_noop("a player's statistics"),
            (ArgumentSpec("player", gettext_noop("a player; you, if left out"), ArgumentKind.PERSON),),
            is_personal=True,
        ),
        lambda handlers: handlers.statistics.stats,
    ),
    RegisteredCommand(
        CommandSpec("rules", gettext_noop("what the rules are"), (_PRESET,)),
        lambda handlers: handlers.table.rules,
    ),
    RegisteredCommand(
        CommandSpec(
            "settings",
            gettext_noop("the settings of this chat"),
            (
                ArgumentSpec(
                    "change", gettext_noop("a setting and its value; save NAME"), ArgumentKind.SUGGESTED
                ),
            ),
            is_personal=True,
        ),
        lambda handlers: handlers.server_settings.reply,
    ),
    RegisteredCommand(
        CommandSpec(
            "language",
            gettext_noop("the language I use with you"),
            (ArgumentSpec("language", gettext_noop("which one"), ArgumentKind.CHOICE, LOCALES),),
            is_personal=True,
        ),
        lambda handlers: handlers.language.reply,
    ),
    RegisteredCommand(
        CommandSpec("review", gettext_noop("a review of my last game"), is_personal=True),
        lambda handlers: handlers.review.reply,
    ),
    RegisteredCommand(
        CommandSpec("verify", gettext_noop("check the deal of the last game")),
        lambda handlers: handlers.table.verify,
    ),
    RegisteredCommand(
        CommandSpec("mydata", gettext_noop("everything that is kept about me"), is_personal=True),
        lambda handlers: handlers.privacy.my_data,
    ),
    RegisteredCommand(
        CommandSpec(
            "forgetme",
            gettext_noop("forget me here"),
            (ArgumentSpec("sure", gettext_noop("yes, if you are sure")),),
            is_personal=True,
        ),
        lambda handlers: handlers.privacy.forget_me,
    ),
    RegisteredCommand(
        CommandSpec("stop", gettext_noop("close the table here, or agree to stop its game")),
        lambda handlers: handlers.table.stop,
    ),
    RegisteredCommand(CommandSpec("help", gettext_noop("how to play"), is_personal=True), lambda _: _help),
)
"""Every command, in the order of the menus."""

SPECS = tuple(entry.spec for entry in COMMANDS)
BY_NAME = {entry.spec.name: entry for entry in COMMANDS}


def announced() -> tuple[CommandSpec, ...]:
    """Return the commands as the menus of chats show them, in every language."""
    return tuple(
        replace(
            spec,
            summaries=Summaries(spec.summary),
            arguments=tuple(
                replace(argument, summaries=Summaries(argument.summary)) for argument in spec.arguments
            ),
        )
        for spec in SPECS
    )


class CommandDispatcher:
    """Hands what people type to whoever answers it."""

    def __init__(self, handlers: CommandHandlers, people: People, tables: TableService) -> None:
        self._handlers = handlers
        self._people = people
        self._tables = tables

    async def reply(self, command: Command) -> Reply:
        """Do what was typed, or say what could have been."""
        entry = BY_NAME.get(command.name)
        if entry is not None and entry.spec.is_personal:
            translator = await self._people.translator_for(command.user.ref)
        else:
            table = await self._tables.in_room(command.room)
            translator = await self._people.translator_in(
                command.room.server, command.user, "" if table is None else table.locale
            )
        if entry is None:
            known = " ".join(f"/{name}" for name in nearest(command.name, BY_NAME))
            unknown = translator.text(
                "There is no /{name}. Try: {known}", name=echo(command.name), known=known
            )
            return Reply(toast=unknown)
        try:
            return await entry.answerer(self._handlers)(command, translator)
        except InvalidArgumentError as bad:
            return Reply(toast=str(bad))
        except RuleSetError as bad:
            return Reply(toast=rule_set_problem_text(bad.problem, translator, is_typed=True))
