"""The settings of a table that gathers as a form, with what the rules say of every choice."""

from collections.abc import Mapping, Sequence

from adapters.port import Form, FormChoice, FormField, RuleSetCard
from bot.locale import Translator, gettext_noop
from bot.model.table import Table
from bot.model.table_options import CHOICES
from bot.screens.options import (
    FIRST_PANEL,
    PANELS,
    differences_in_words,
    offered,
    option_button,
    panel_of,
    ways_between,
)
from bot.screens.options import value_of as value_at
from bot.screens.presets import preset_name
from bot.screens.rule_set_cards import rule_sentences
from bot.screens.settings import label_of, value_in_words

MOST_SENTENCES = 2
"""So many about one choice are read; /rules tells all."""

_ABOUT_CHOICES: Mapping[str, str] = {
    "clock": gettext_noop(
        "When the time is up, the table moves for a player; without one, a game may last days."
    ),
    "auto_done": gettext_noop("Done is said for those who can do nothing else."),
    "strength": gettext_noop("How well the bots of this table play."),
    "hints": gettext_noop("Players may ask what an expert would play in their place."),
}
"""What the choices of a table mean that are no rules of the game."""


def option_form(table: Table, rule_sets: Sequence[RuleSetCard], translator: Translator) -> Form:
    """Show the panel of settings that is open, or the one of the setting that is open."""
    opened = table.panel or FIRST_PANEL
    panel = opened if opened in PANELS else panel_of(opened)
    fields = [_field(table, setting, rule_sets, translator) for setting in PANELS[panel]]
    return Form(
        preset_name(table.preset, translator),
        differences_in_words(table, translator),
        tuple(fields),
        ways_between(table, panel, translator),
    )


def _field(table: Table, setting: str, rule_sets: Sequence[RuleSetCard], translator: Translator) -> FormField:
    values = offered(setting, [card.name for card in rule_sets])
    chosen = value_at(table, setting)
    if isinstance(chosen, bool):
        values.sort(key=lambda value: not value[0])
    sketches = {card.name: card.sketch for card in rule_sets} if setting == "preset" else {}
    labels = [value_in_words(setting, value, translator) for value, _ in values]
    told = _told(table, setting, [text for _, text in values], rule_sets, translator)
    choices = [
        FormChoice(option_button(table, f"{setting}={text}", label).token, label, about, sketches.get(text))
        for (_, text), label, about in zip(values, labels, told, strict=True)
    ]
    where = next((place for place, (value, _) in enumerate(values) if value == chosen), None)
    return FormField(label_of(setting, translator), tuple(choices), where, isinstance(chosen, bool))


def _told(
    table: Table, setting: str, texts: Sequence[str], rule_sets: Sequence[RuleSetCard], translator: Translator
) -> list[str]:
    """Say what each value of a setting means: what the rules of this table would say with no other one."""
    if setting == "preset":
        return [f"{card.cards} {card.special}".strip() for card in rule_sets]
    if setting in CHOICES:
        return [translator.text(_ABOUT_CHOICES[setting])] * len(texts)
    said = [
        list(rule_sentences(table.rules.with_options([f"{setting}={text}"]), translator)) for text in texts
    ]
    everywhere = set(said[0]).intersection(*said[1:])
    own = [[sentence for sentence in one if sentence not in everywhere] for one in said]
    return [" ".join(sentences[:MOST_SENTENCES]) for sentences in own]
