"""The settings of a table that gathers: panels of buttons, and how its rules differ from their preset."""

from collections.abc import Mapping, Sequence

from adapters.port import CallbackButton, Limits, Tone
from bot.locale import Translator, gettext_noop
from bot.model.button_data import ChangeOption
from bot.model.table import Table
from bot.model.table_options import CHOICES
from bot.screens.paging import in_rows
from bot.screens.settings import label_of, value_in_words
from engine import SETTINGS, value_text

PANELS: Mapping[str, tuple[str, ...]] = {
    "common": (
        "preset",
        "deck",
        "throw_in",
        "transfer",
        "teams",
        "max_players",
        "clock",
        "auto_done",
        "strength",
        "hints",
    ),
    "deal": (
        "decks",
        "hand_size",
        "rank_order",
        "turn_up",
        "first_attacker_first_game",
        "first_attacker_next_game",
        "no_trump_fallback",
        "dealer_next",
        "redeal_same_suit",
        "redeal_needs_no_trump",
    ),
    "attack": (
        "opening_cards",
        "attack_limit",
        "first_attack_limit",
        "first_attack_limit_until",
        "limit_by_defender_hand",
        "throw_in_timing",
        "throw_in_order",
        "throw_in_after_take",
    ),
    "defence": (
        "voluntary_take",
        "transfer_direction",
        "transfer_cards",
        "transfer_limit_by_hand",
        "transfer_by_showing_trump",
        "transfer_in_first_bout",
        "lay_away_four",
        "trump_six_exchange",
    ),
    "end": (
        "draw",
        "leave_with_talon",
        "game_end",
        "simultaneous_empty",
        "winner",
        "scoring",
        "team_order",
        "epaulettes",
        "epaulette_non_trump",
        "discard_visible",
        "min_players",
    ),
}
"""Which settings stand together; every setting is on one panel."""

_PANEL_NAMES: Mapping[str, str] = {
    "common": gettext_noop("Table"),
    "deal": gettext_noop("Deal"),
    "attack": gettext_noop("Attack"),
    "defence": gettext_noop("Defence"),
    "end": gettext_noop("End"),
}

_VALUES: Mapping[str, tuple[object, ...]] = {
    "decks": (1, 2, 3),
    "hand_size": (4, 5, 6, 7, 8, 9, 10, 12),
    "min_players": (2, 3, 4, 5, 6),
    "max_players": (2, 3, 4, 5, 6, 7, 8),
    "redeal_same_suit": (0, 4, 5, 6),
    "attack_limit": (4, 5, 6, 7, 8, None),
    "first_attack_limit": (3, 4, 5, 6, None),
}
"""What is offered where the rules would take any number; other ones can be typed."""

FIRST_PANEL = "common"

MOST_DIFFERENCES = 6
"""So many fit into the line that tells them; /rules tells all."""


def differences_in_words(table: Table, translator: Translator) -> str:
    """Say how a table's rules differ from their preset; empty if they do not."""
    changed = table.rules.differences(table.standard)
    told = [
        f"{label_of(name, translator)}: {value_in_words(name, changed[name], translator)}" for name in changed
    ]
    more = [f"+{len(told) - MOST_DIFFERENCES}"] if len(told) > MOST_DIFFERENCES else []
    return " · ".join([*told[:MOST_DIFFERENCES], *more])


def option_rows(
    table: Table, names: Sequence[str], limits: Limits, translator: Translator
) -> tuple[tuple[CallbackButton, ...], ...]:
    """Lay out the buttons of the open panel, or of the open setting; `names` are the rule sets to choose."""
    opened = table.panel or FIRST_PANEL
    if opened in PANELS:
        choices = [_setting_button(table, setting, translator) for setting in PANELS[opened]]
        ways = list(ways_between(table, opened, translator))
        ways.append(option_button(table, "", translator.text("OK"), Tone.GOOD))
        return (*_spread(choices, 1, limits), tuple(ways))
    values = [
        option_button(
            table,
            f"{opened}={text}",
            value_in_words(opened, value, translator),
            Tone.PRIMARY if value == value_of(table, opened) else Tone.NEUTRAL,
        )
        for value, text in offered(opened, names)
    ]
    back = option_button(table, panel_of(opened), translator.text("Back"))
    return (*_spread(values, 3, limits), (back,))


def ways_between(table: Table, opened: str, translator: Translator) -> tuple[CallbackButton, ...]:
    """Return the buttons that lead from one panel to the others."""
    others = [panel for panel in PANELS if panel != opened]
    return tuple(
        option_button(table, panel, translator.text(_PANEL_NAMES[panel]), Tone.PRIMARY) for panel in others
    )


def value_of(table: Table, setting: str) -> object:
    """Return the value that a setting has at this table."""
    if setting == "preset":
        return table.preset
    value: object = getattr(table.options if setting in CHOICES else table.rules, setting)
    return value


def offered(setting: str, names: Sequence[str]) -> list[tuple[object, str]]:
    """Return the values on buttons, each with its text in the token."""
    if setting == "preset":
        return [(name, name) for name in names]
    values = CHOICES.get(setting) or _VALUES.get(setting) or SETTINGS[setting]
    return [(value, value_text(value)) for value in values]


def _setting_button(table: Table, setting: str, translator: Translator) -> CallbackButton:
    """Switch what is on or off, or open the values of a setting that has more."""
    value = value_of(table, setting)
    what = f"{setting}={value_text(not value)}" if isinstance(value, bool) else setting
    return option_button(
        table, what, f"{label_of(setting, translator)}: {value_in_words(setting, value, translator)}"
    )


def panel_of(setting: str) -> str:
    """Name the panel on which a setting stands."""
    return next(panel for panel, settings in PANELS.items() if setting in settings)


def option_button(table: Table, what: str, label: str, tone: Tone = Tone.NEUTRAL) -> CallbackButton:
    """Return the button that opens or sets something, as in `ChangeOption`."""
    return CallbackButton(str(ChangeOption(table.id, table.game, what)), label, tone)


def _spread(
    buttons: Sequence[CallbackButton], width: int, limits: Limits
) -> tuple[tuple[CallbackButton, ...], ...]:
    """Lay buttons out in rows of this width, or wider if the chat has too few rows; one row stays free.

    What finds no room at all can still be typed.
    """
    rows = limits.buttons // limits.per_row - 1
    shown = buttons[: rows * limits.per_row]
    return in_rows(shown, max(width, -(-len(shown) // rows)))
