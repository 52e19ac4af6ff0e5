"""Updates the bot's command menus and descriptions, except those that the owner wrote by hand."""

from collections.abc import Awaitable, Callable, Mapping, Sequence

from telegram import (
    Bot,
    BotCommand,
    BotCommandScope,
    BotCommandScopeAllChatAdministrators,
    BotCommandScopeAllGroupChats,
    BotCommandScopeAllPrivateChats,
    BotCommandScopeDefault,
)
from telegram.error import BadRequest

from adapters.port import CommandScope, CommandSpec, Translated

DEFAULT_LANGUAGE = ""  # for people whose language has no text
MAX_DESCRIPTION_LENGTH = 512
MAX_SHORT_DESCRIPTION_LENGTH = 120

# Telegram's scopes of command menus.
SCOPES: Mapping[CommandScope, BotCommandScope] = {
    CommandScope.PRIVATE: BotCommandScopeAllPrivateChats(),
    CommandScope.GROUP: BotCommandScopeAllGroupChats(),
    CommandScope.ADMIN: BotCommandScopeAllChatAdministrators(),
}


class BotProfile:
    """Keeps menus and descriptions up to date in every language.

    Telegram doesn't name the author of a text. If a text differs from all translations of the bot's, it was
    written by hand, in @BotFather or by another program, and is left as it is in every language. Menus change
    with each version of the bot. So a menu counts as the bot's own if it has only commands of the bot, and
    more than half of them.
    """

    def __init__(
        self,
        bot: Bot,
        commands: Sequence[CommandSpec],
        description: Translated | None,
        short_description: Translated | None,
    ) -> None:
        self._bot = bot
        self._commands = commands
        self._description = description
        self._short_description = short_description

    async def announce(self) -> None:
        """Sets menus and texts that are missing or out of date; tries each kind, even after a failure.

        Raises:
            Exception: The first failure, of any type, as servers may answer unexpectedly.
        """
        failures = list[Exception]()
        for part in (self._announce_menus, self._announce_description, self._announce_short):
            try:
                await part()
            except Exception as error:
                failures.append(error)

        if failures:
            raise failures[0]

    async def _announce_description(self) -> None:
        if self._description is not None:
            await _describe(self._description, self._read_description, self._write_description)

    async def _announce_short(self) -> None:
        if self._short_description is not None:
            await _describe(self._short_description, self._read_short, self._write_short)

    async def _announce_menus(self) -> None:
        """Sets the default menu, then those of private chats, groups and admins, which take precedence.

        If the owner wrote the default menu, the others are not set, as they would hide it.
        """
        if await self._announce_menu(None, BotCommandScopeDefault()):
            for scope, theirs in SCOPES.items():
                await self._announce_menu(scope, theirs)

    async def _announce_menu(self, scope: CommandScope | None, theirs: BotCommandScope) -> bool:
        """Updates one menu in every language; returns False if it was written by hand."""
        commands = [command for command in self._commands if scope is None or scope in command.scopes]
        languages = {language for command in commands for language in command.summaries}
        in_order = (DEFAULT_LANGUAGE, *sorted(languages))
        present = {
            language: await self._bot.get_my_commands(theirs, language_code=language or None)
            for language in in_order
        }
        if any(self._is_by_hand(menu, commands) for menu in present.values()):
            return False

        for language in in_order:
            menu = _menu_of(commands, language, are_hidden=True)
            if _is_same(menu, present[language]):
                continue

            try:
                await self._bot.set_my_commands(menu, theirs, language_code=language or None)
            except BadRequest:
                menu = _menu_of(commands, language, are_hidden=False)
                await self._bot.set_my_commands(menu, theirs, language_code=language or None)

        return True

    def _is_by_hand(self, menu: Sequence[BotCommand], commands: Sequence[CommandSpec]) -> bool:
        names = {command.command for command in menu}
        our_names = {command.name for command in self._commands}
        is_ours = names <= our_names and 2 * len(names) > len(commands)
        return bool(names) and not is_ours

    async def _read_description(self, language: str) -> str:
        return (await self._bot.get_my_description(language or None)).description

    async def _write_description(self, text: str, language: str) -> None:
        await self._bot.set_my_description(text[:MAX_DESCRIPTION_LENGTH], language or None)

    async def _read_short(self, language: str) -> str:
        return (await self._bot.get_my_short_description(language or None)).short_description

    async def _write_short(self, text: str, language: str) -> None:
        await self._bot.set_my_short_description(text[:MAX_SHORT_DESCRIPTION_LENGTH], language or None)


def _menu_of(commands: Sequence[CommandSpec], language: str, *, are_hidden: bool) -> list[BotCommand]:
    """Returns a menu in a language.

    `are_hidden`: in a group, only their senders see private commands (Bot API 10.2).
    """
    return [
        BotCommand(
            command.name,
            command.summaries.get(language, command.summary),
            api_kwargs={"is_ephemeral": True} if are_hidden and command.is_secret else None,
        )
        for command in commands
    ]


def _is_same(menu: Sequence[BotCommand], present: Sequence[BotCommand]) -> bool:
    """Compares menus, including which commands are hidden, which the library's equality ignores."""
    return [command.to_dict() for command in menu] == [command.to_dict() for command in present]


async def _describe(
    wanted: Translated,
    read: Callable[[str], Awaitable[str]],
    write: Callable[[str, str], Awaitable[None]],
) -> None:
    """Writes a text in every language, unless somebody else's text is found in any language."""
    texts = {DEFAULT_LANGUAGE: wanted.text, **wanted.translations}
    present = {language: await read(language) for language in texts}
    own = {"", *texts.values()}
    if any(text not in own for text in present.values()):
        return

    for language, text in texts.items():
        if present[language] != text:
            await write(text, language)
