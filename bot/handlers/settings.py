"""`/language`: what somebody is spoken to in."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from zoneinfo import available_timezones

from adapters.port import Command, Reply, Screen, Suggestion, Typing
from bot.handlers.lobby import Rights
from bot.locale import LOCALES, Translator
from bot.model.people import STYLES, VIEWS
from bot.people import People, Servers
from bot.screens import refusals
from bot.screens.help import server_screen
from bot.screens.settings import preset_suggestions, server_suggestions, setting_suggestions
from bot.screens.words import InvalidArgumentError, echo, language_named, one_of
from bot.tables.rule_book import RuleBook
from bot.tables.service import TableEvents, TableService


class LanguageCommand:
    """Answers who wants to be spoken to in another language."""

    def __init__(self, people: People, tables: TableService, table_events: TableEvents) -> None:
        self._people = people
        self._tables = tables
        self._table_events = table_events

    async def reply(self, command: Command, translator: Translator) -> Reply:
        """List the languages, or speak this one from now on."""
        if not command.args:
            return Reply(toast=translator.text("I speak: {valid}", valid=", ".join(LOCALES)))
        language = language_named(command.args[0], translator)
        await self._people.choose_language(command.user.ref, language)
        for table in await self._tables.tables_of(command.user.ref):
            self._table_events.changed(table.id)
        return Reply(toast=Translator(language).text("OK, English from now on."))


# --- What a server plays: `/settings` shows it, and its moderators change it ---


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
            unplayable=await self._rule_book.unplayable(server),
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


# --- What people could be typing after a command: the rules played here, settings, and their values ---


Suggester = Callable[[Typing, Translator], Awaitable[Sequence[Suggestion]]]


class Suggestions:
    """Completes arguments in the language of who types them."""

    def __init__(self, rule_book: RuleBook, people: People) -> None:
        self._rule_book = rule_book
        self._people = people
        self.suggesters: Mapping[str, Suggester] = {
            "preset": self._presets,
            "options": self._settings,
            "change": self._server_settings,
        }
        """By the name of the argument."""

    async def suggest(self, typing: Typing) -> Sequence[Suggestion]:
        """Say what somebody could be typing, the likeliest first."""
        await self._people.meet(typing.user, typing.room.server)
        suggester = self.suggesters.get(typing.argument)
        translator = await self._people.translator_for(typing.user.ref)
        return () if suggester is None else await suggester(typing, translator)

    async def _presets(self, typing: Typing, translator: Translator) -> Sequence[Suggestion]:
        server = typing.room.server
        default = await self._rule_book.default(server)
        names = sorted(await self._rule_book.names(server), key=lambda name: name != default)
        return preset_suggestions(names, typing.text, translator)

    async def _settings(self, typing: Typing, translator: Translator) -> Sequence[Suggestion]:
        return setting_suggestions(typing.text, translator)

    async def _server_settings(self, typing: Typing, translator: Translator) -> Sequence[Suggestion]:
        server = typing.room.server
        variations = tuple(await self._rule_book.variations(server))
        names = await self._rule_book.names(server)
        return server_suggestions(names, variations, typing.text, translator)
