"""The menu of commands."""

from collections.abc import Sequence

from telegram import Bot, BotCommand

from adapters.port import CommandSpec


async def announce(bot: Bot, commands: Sequence[CommandSpec], *, are_hidden: bool) -> None:
    """Fill the menu: in the default language, and in each that has summaries.

    `are_hidden`: in a group, personal commands are seen by their senders alone (Bot API 10.2).

    Raises:
        TelegramError: The server does not take the menu.
    """
    languages = {"", *(language for command in commands for language in command.summaries)}
    for language in sorted(languages):
        menu = [_entry(command, language, is_hidden=are_hidden) for command in commands]
        await bot.set_my_commands(menu, language_code=language or None)


def _entry(command: CommandSpec, language: str, *, is_hidden: bool) -> BotCommand:
    hidden = {"is_ephemeral": True} if is_hidden and command.is_personal else None
    return BotCommand(command.name, command.summaries.get(language, command.summary), api_kwargs=hidden)
