"""What a chat of our own shows around its rooms: the same facts that commands tell in messages."""

from collections.abc import Sequence

from adapters.port import RuleSetCard, ServerRef
from bot.locale import Translator
from bot.screens.rule_set_cards import rule_set_cards
from bot.tables.rule_book import RuleBook


class BotPages:
    """Implements `Pages`."""

    def __init__(self, rule_book: RuleBook) -> None:
        self._rule_book = rule_book

    async def rule_sets(self, server: ServerRef, locale: str) -> Sequence[RuleSetCard]:
        """Return the rules that one can open a table by, those that are played by default first."""
        return rule_set_cards(await self._rule_book.rule_sets(server), Translator(locale))
