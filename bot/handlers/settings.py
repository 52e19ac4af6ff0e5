"""`/language`: what somebody is spoken to in."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from zoneinfo import available_timezones

from adapters.port import Command, Reply, Screen, Suggestion, Typing
from bot.handlers.lobby import Rights
from bot.locale import Translator
from bot.model.people import STYLES, TEASING, VIEWS
from bot.model.table import RuleSetError
from bot.people import People, Servers
from bot.screens import refusals
from bot.screens.help import (
    OWN_LANGUAGE,
    SERVER_SETTINGS,
    ServerState,
    changed_screen,
    language_screen,
    server_choice_screen,
    server_screen,
)
from bot.screens.settings import (
    bots_suggestions,
    preset_suggestions,
    server_suggestions,
    setting_suggestions,
)
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
            return Reply(personal=language_screen(translator))
        language = language_named(command.args[0], translator)
        await self._people.choose_language(command.user.ref, language)
        for table in await self._tables.tables_of(command.user.ref):
            self._table_events.changed(table.id)
        return Reply(toast=Translator(language).text("OK, English from now on."))


# --- What a server plays: `/settings` shows it, and its moderators change it ---


class ServerSettings:
    """Does what people type after `/settings`, or press under it."""

    def __init__(
        self, rule_book: RuleBook, servers: Servers, tables: TableService, people: People, rights: Rights
    ) -> None:
        self._rule_book = rule_book
        self._servers = servers
        self._tables = tables
        self._people = people
        self._rights = rights

    async def reply(self, command: Command, translator: Translator) -> Reply:
        """Show the settings to who asks; or change one for all, as in `default NAME` or `save NAME [rules]`.

        Raises:
            InvalidArgumentError: What was typed cannot be.
        """
        may_change = await self._rights.may_moderate(command.user.ref, command.room)
        if not command.args:
            return Reply(personal=await self._screen(command, translator, has_buttons=may_change))
        setting = one_of(tuple(SERVER_SETTINGS), command.args[0], translator)
        words = command.args[1:]
        if not words and setting == "save":
            raise InvalidArgumentError(translator.text("Say which: /settings {action} …", action=setting))
        if not may_change:
            return Reply(toast=translator.text(refusals.ONLY_MODERATORS))
        if not words:
            return Reply(personal=await self._values(setting, command, translator))
        value = await self._do(setting, words[0], words[1:], command, translator)
        own = self._rights.is_own_chat(command.user.ref, command.room)
        is_alone = self._rights.is_answered_alone(command)
        public = await self._people.translator_in(command.room.server, command.user)
        return Reply(
            public=None if own else changed_screen(setting, value, public),
            personal=await self._screen(command, translator, has_buttons=True) if is_alone else None,
        )

    async def _do(
        self, setting: str, name: str, words: tuple[str, ...], command: Command, translator: Translator
    ) -> str:
        """Change a setting; gives its new value."""
        server = command.room.server
        match setting:
            case "default":
                await self._rule_book.set_default(server, name.lower())
                return await self._rule_book.default(server)
            case "delete":
                await self._rule_book.forget(server, name.lower())
            case "language":
                locale = "" if name.lower() == OWN_LANGUAGE else language_named(name, translator)
                await self._servers.choose(server, locale=locale)
                return locale or OWN_LANGUAGE
            case "view":
                await self._servers.choose(server, view=one_of(VIEWS, name, translator))
            case "style":
                await self._servers.choose(server, style=one_of(STYLES, name, translator))
            case "teasing":
                await self._servers.choose(server, teasing=one_of(TEASING, name, translator))
            case "timezone":
                zone = _time_zone(name, translator)
                await self._servers.choose(server, time_zone=zone)
                return zone
            case "save":
                table = await self._tables.in_room(command.room)
                if words or table is None:
                    rules = (await self._rule_book.read(server, words)).rules
                else:
                    rules = table.rules
                await self._rule_book.save(server, name.lower(), rules)
        return name.lower()

    async def _values(self, setting: str, command: Command, translator: Translator) -> Screen:
        names = await self._rule_book.names(command.room.server)
        limits = self._rights.limits_of(command.user.ref)
        return server_choice_screen(setting, await self._state(command), names, limits, translator)

    async def _screen(self, command: Command, translator: Translator, *, has_buttons: bool) -> Screen:
        limits = self._rights.limits_of(command.user.ref) if has_buttons else None
        return server_screen(await self._state(command), translator, limits)

    async def _state(self, command: Command) -> ServerState:
        server, unplayable = command.room.server, await self._rule_book.unplayable(command.room.server)
        return ServerState(
            await self._servers.choices(server),
            await self._rule_book.default(server),
            (*await self._rule_book.variations(server), *unplayable),
            unplayable,
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
        suggestions = preset_suggestions(names, typing.text, translator)
        bots = bots_suggestions(typing.text, translator) if typing.command == "durak" else []
        return [*suggestions[:1], *bots, *suggestions[1:]]

    async def _settings(self, typing: Typing, translator: Translator) -> Sequence[Suggestion]:
        try:
            played = await self._rule_book.read(typing.room.server, typing.others)
        except RuleSetError:
            played = await self._rule_book.read(typing.room.server, ())
        return setting_suggestions(typing.text, played.rules, translator)

    async def _server_settings(self, typing: Typing, translator: Translator) -> Sequence[Suggestion]:
        server = typing.room.server
        variations = tuple(await self._rule_book.variations(server))
        names = await self._rule_book.names(server)
        return server_suggestions(names, variations, typing.text, translator)
