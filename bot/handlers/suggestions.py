"""What people could be typing after a command: the rules played here, settings, and their values."""

from collections.abc import Awaitable, Callable, Mapping, Sequence

from adapters.port import Suggestion, Typing
from bot.locale import Translator
from bot.people import People
from bot.screens.suggestions import preset_suggestions, server_suggestions, setting_suggestions
from bot.tables.rule_book import RuleBook

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
