"""What a server plays: `/settings` shows it, and its moderators change it."""

from zoneinfo import available_timezones

from adapters.port import Command, Reply, Screen
from bot.handlers.rights import Rights
from bot.locale import Translator
from bot.model.server_choices import STYLES, VIEWS
from bot.screens import refusals
from bot.screens.arguments import InvalidArgumentError, echo, language_named, one_of
from bot.screens.server import server_screen
from bot.servers import Servers
from bot.tables.rule_book import RuleBook
from bot.tables.service import TableService

ACTIONS = ("default", "save", "delete", "language", "timezone", "view", "style")


class ServerSettings:
    """Does what people type after `/settings`."""

    def __init__(self, rule_book: RuleBook, servers: Servers, tables: TableService, rights: Rights) -> None:
        self._rule_book = rule_book
        self._servers = servers
        self._tables = tables
        self._rights = rights

    async def reply(self, command: Command, translator: Translator) -> Reply:
        """Show the settings to who asks; or change one for all, as in `default NAME` or `save NAME [rules]`.

        Raises:
            InvalidArgumentError: What was typed cannot be.
        """
        if not command.args:
            return Reply(personal=await self._screen(command, translator))
        action = one_of(ACTIONS, command.args[0], translator)
        words = command.args[1:]
        if not words:
            raise InvalidArgumentError(translator.text("Say which: /settings {action} …", action=action))
        if not await self._rights.may_moderate(command.user.ref, command.room):
            return Reply(toast=translator.text(refusals.ONLY_MODERATORS))
        await self._do(action, words[0], words[1:], command, translator)
        return Reply(public=await self._screen(command, translator))  # it concerns everybody

    async def _do(
        self, action: str, name: str, words: tuple[str, ...], command: Command, translator: Translator
    ) -> None:
        server = command.room.server
        match action:
            case "default":
                await self._rule_book.set_default(server, name.lower())
            case "delete":
                await self._rule_book.forget(server, name.lower())
            case "language":
                await self._servers.choose(server, locale=language_named(name, translator))
            case "view":
                await self._servers.choose(server, view=one_of(VIEWS, name, translator))
            case "style":
                await self._servers.choose(server, style=one_of(STYLES, name, translator))
            case "timezone":
                await self._servers.choose(server, time_zone=_time_zone(name, translator))
            case "save":
                table = await self._tables.in_room(command.room)
                if words or table is None:
                    rules = (await self._rule_book.read(server, words)).rules
                else:
                    rules = table.rules
                await self._rule_book.save(server, name.lower(), rules)

    async def _screen(self, command: Command, translator: Translator) -> Screen:
        server = command.room.server
        return server_screen(
            await self._servers.choices(server),
            await self._rule_book.default(server),
            await self._rule_book.variations(server),
            translator,
        )


def _time_zone(word: str, translator: Translator) -> str:
    zones = {zone.lower(): zone for zone in available_timezones()}
    if word.lower() not in zones:
        raise InvalidArgumentError(
            translator.text(
                "There is no time zone “{word}”; it is named like Europe/Vilnius.", word=echo(word)
            )
        )
    return zones[word.lower()]
