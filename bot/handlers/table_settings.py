"""What the buttons of a lobby's options do."""

from dataclasses import replace
from typing import Any

from adapters.port import Reply, User
from bot.delivery.presenter import Presenter
from bot.locale import Translator
from bot.model.rule_set import RuleSet, RuleSetError
from bot.model.table import Table
from bot.model.table_options import CHOICES
from bot.screens import refusals
from bot.screens.arguments import InvalidArgumentError
from bot.screens.option_form import option_form
from bot.screens.options import PANELS, panel_of
from bot.screens.rule_set_cards import rule_set_cards
from bot.screens.rule_sets import rule_set_problem_text
from bot.screens.settings import LABELS
from bot.tables.rule_book import RuleBook, with_options
from bot.tables.service import TableService
from engine import value_text


class TableSettings:
    """Opens panels of settings, and sets them."""

    def __init__(self, tables: TableService, rule_book: RuleBook, presenter: Presenter) -> None:
        self._tables = tables
        self._rule_book = rule_book
        self._presenter = presenter

    async def change(
        self,
        table: Table,
        user: User,
        what: str,
        translator: Translator,
        *,
        is_private: bool,
        shows_forms: bool = False,
    ) -> Reply:
        """Open or set something, as in `ChangeOption`.

        `is_private`: what is open is for the opener alone, on a form if the chat `shows_forms`.

        Raises:
            TableRefusedError: The table does not gather, this person did not open it, or too many sit there.
        """
        setting, sign, _ = what.partition("=")
        if not (what in PANELS or setting in LABELS or not what):
            return Reply(toast=translator.text(refusals.UNREADABLE))
        panel = panel_of(setting) if sign else what or None
        try:
            if sign:
                table = await self._set(table, user, what, None if is_private else panel, translator)
            elif not is_private:
                await self._tables.change(table.id, lambda now: now.open_panel(user.ref, panel))
        except InvalidArgumentError as bad:
            return Reply(toast=str(bad))
        except RuleSetError as bad:
            return Reply(toast=rule_set_problem_text(bad.problem, translator))
        if not is_private:
            return Reply()
        opened = table.open_panel(user.ref, panel)
        if shows_forms:
            cards = rule_set_cards(await self._rule_book.rule_sets(table.room.server), translator)
            return Reply(form=option_form(opened, cards, translator))
        return Reply(private=await self._presenter.panel(opened, translator))

    async def _set(
        self, table: Table, user: User, what: str, panel: str | None, translator: Translator
    ) -> Table:
        """Set something, and leave this panel open for everybody."""
        setting, _, value = what.partition("=")
        chosen: RuleSet | None = None
        if setting == "preset":
            chosen = await self._rule_book.named(table.room.server, value)

        def changed(now: Table) -> Table:
            if chosen is not None:
                now = now.play_by(user.ref, chosen.name, chosen.rules, chosen.house_rules)
            elif setting in CHOICES:
                option: dict[str, Any] = {setting: _choice(setting, value, translator)}
                now = now.play_with(user.ref, replace(now.options, **option))
            else:
                rules = with_options(now.rules, [f"{setting}={value}"])
                now = now.play_by(user.ref, now.preset, rules, now.house_rules)
            return now.open_panel(user.ref, panel)

        return await self._tables.change(table.id, changed)


def _choice(setting: str, text: str, translator: Translator) -> object:
    """Read a choice as it stands on its button."""
    for choice in CHOICES[setting]:
        if value_text(choice) == text:
            return choice
    raise InvalidArgumentError(translator.text(refusals.UNREADABLE))
