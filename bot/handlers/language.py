"""`/language`: what somebody is spoken to in."""

from adapters.port import Command, Reply
from bot.locale import LOCALES, Translator
from bot.people import People
from bot.screens.arguments import language_named
from bot.tables.events import TableEvents
from bot.tables.service import TableService


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
