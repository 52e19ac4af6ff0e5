"""Why settings cannot be together, for the person who chose them."""

from collections.abc import Mapping

from bot.locale import Translator, gettext_noop
from bot.screens.settings import LABELS, label_of, value_in_words
from engine import Clash, ClashReason

MESSAGES: Mapping[ClashReason, str] = {
    ClashReason.NUMBER_TOO_SMALL: gettext_noop("“{setting}” must be at least {least}."),
    ClashReason.NUMBER_TOO_LARGE: gettext_noop("“{setting}” must be at most {most}."),
    ClashReason.PLAYERS_RANGE: gettext_noop("“{min_players}” cannot be more than “{max_players}”."),
    ClashReason.FIRST_LIMIT_ABOVE_LIMIT: gettext_noop(
        "“{first_attack_limit}” cannot be more than “{attack_limit}”."
    ),
    ClashReason.TEAMS_AND_TRANSFER: gettext_noop("Teams do not transfer: switch “{transfer}” off."),
    ClashReason.TEAMS_AND_PLACES: gettext_noop("Teams take no places: “{game_end}” is with one loser."),
    ClashReason.EXCHANGE_NEEDS_TALON_BOTTOM: gettext_noop(
        "A low trump is swapped for the trump under the deck: see “{turn_up}”."
    ),
    ClashReason.ROUND_DRAW_NEEDS_LEAVING: gettext_noop(
        "Drawing one card each time round the table needs “{leave_with_talon}”."
    ),
    ClashReason.NEEDS_EPAULETTES: gettext_noop("Points by epaulettes need “{epaulettes}”."),
    ClashReason.TEAM_SIZE: gettext_noop("“{teams}” takes exactly {seats} players."),
    ClashReason.TOO_FEW_PLAYERS: gettext_noop("At least {least} players are needed."),
    ClashReason.TOO_MANY_PLAYERS: gettext_noop("At most {most} players can play."),
    ClashReason.EPAULETTES_NEED_SIXES: gettext_noop("Epaulettes need a deck with sixes."),
    ClashReason.TOO_FEW_CARDS: gettext_noop("{players} players need {needed} cards, but there are {cards}."),
    ClashReason.EPAULETTES_AND_PLACES: gettext_noop(
        "One loser wears the epaulettes: “{game_end}” is with one loser."
    ),
    ClashReason.TEAMS_AND_WINNER: gettext_noop("Teams win together: “{winner}” is nobody."),
    ClashReason.TEAMS_AND_POINTS: gettext_noop("Teams take no places, so there are no points by places."),
}
"""The sentence for each reason."""


def clash_text(clash: Clash, translator: Translator, *, is_typed: bool = False) -> str:
    """Say why, in the words of the buttons; whoever typed settings is told their names, too."""

    def called(setting: str) -> str:
        label = label_of(setting, translator)
        return f"{label} ({setting})" if is_typed else label

    places: dict[str, object] = {setting: called(setting) for setting in LABELS}
    for name, value in clash.values:
        places[name] = called(str(value)) if name == "setting" else value
        if name == "teams":
            places[name] = value_in_words(name, value, translator)
    return translator.text(MESSAGES[clash.reason], **places)
