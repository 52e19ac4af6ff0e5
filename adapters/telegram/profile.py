"""The bot's profile: its menu of commands and its descriptions, where the owner has written none by hand."""

from collections.abc import Awaitable, Callable, Sequence

from telegram import Bot, BotCommand
from telegram.error import BadRequest

from adapters.port import CommandSpec, Translated

DEFAULT_LANGUAGE = ""  # of people whose language has a text of no own
MAX_DESCRIPTION_LENGTH = 512
MAX_SHORT_DESCRIPTION_LENGTH = 120


class Profile:
    """Keeps menu and descriptions up to date in every language.

    Telegram doesn't tell who wrote a text. A text that differs from each of the bot's was written by hand, in
    @BotFather or by another program: then the whole of it stays as it is, in every language. A menu changes
    with each version, so that it counts as the bot's own if the bot knows all its commands and it lists more
    than half of them.
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
        """Sets texts that are missing or out of date; one that is right already costs no write."""
        if not await self._is_menu_by_hand():
            try:
                await self._fill_menu(are_hidden=True)
            except BadRequest:
                await self._fill_menu(are_hidden=False)

        if self._description is not None:
            await _describe(self._description, self._read_description, self._write_description)

        if self._short_description is not None:
            await _describe(self._short_description, self._read_short, self._write_short)

    async def _is_menu_by_hand(self) -> bool:
        menu = {command.command for command in await self._bot.get_my_commands()}
        known = {command.name for command in self._commands}
        if not menu:
            return False
        return not menu <= known or 2 * len(menu) <= len(known)

    async def _fill_menu(self, *, are_hidden: bool) -> None:
        """Fills it in the default language, and in each that has summaries.

        `are_hidden`: in a group, private commands are seen by their senders alone (Bot API 10.2).
        """
        languages = {language for command in self._commands for language in command.summaries}
        for language in (DEFAULT_LANGUAGE, *sorted(languages)):
            menu = [
                BotCommand(
                    command.name,
                    command.summaries.get(language, command.summary),
                    api_kwargs={"is_ephemeral": True} if are_hidden and command.is_secret else None,
                )
                for command in self._commands
            ]
            await self._bot.set_my_commands(menu, language_code=language or None)

    async def _read_description(self, language: str) -> str:
        return (await self._bot.get_my_description(language or None)).description

    async def _write_description(self, text: str, language: str) -> None:
        await self._bot.set_my_description(text[:MAX_DESCRIPTION_LENGTH], language or None)

    async def _read_short(self, language: str) -> str:
        return (await self._bot.get_my_short_description(language or None)).short_description

    async def _write_short(self, text: str, language: str) -> None:
        await self._bot.set_my_short_description(text[:MAX_SHORT_DESCRIPTION_LENGTH], language or None)


async def _describe(
    wanted: Translated,
    read: Callable[[str], Awaitable[str]],
    write: Callable[[str, str], Awaitable[None]],
) -> None:
    """Writes a text in every language, unless somebody has written another one in any of them."""
    texts = {DEFAULT_LANGUAGE: wanted.text, **wanted.translations}
    present = {language: await read(language) for language in texts}
    own = {"", *texts.values()}
    if any(text not in own for text in present.values()):
        return

    for language, text in texts.items():
        if present[language] != text:
            await write(text, language)
