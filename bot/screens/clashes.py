"""Why settings cannot be together, for the person who chose them."""

from collections.abc import Mapping

from bot.locale import Translator, gettext_noop
from engine import Clash, ClashReason

MESSAGES: Mapping[ClashReason, str] = {
    ClashReason.NUMBER_TOO_SMALL: gettext_noop("{setting} must be at least {least}."),
    ClashReason.NUMBER_TOO_LARGE: gettext_noop("{setting} must be at most {most}."),
    ClashReason.PLAYERS_RANGE: gettext_noop("min_players must not be more than max_players."),
    ClashReason.FIRST_LIMIT_ABOVE_LIMIT: gettext_noop("first_attack_limit must not be above attack_limit."),
    ClashReason.TEAMS_AND_TRANSFER: gettext_noop("An attack cannot be transferred in team play."),
    ClashReason.TEAMS_AND_PLACES: gettext_noop(
        "Teams have no places: game_end must be last_with_cards in team play."
    ),
    ClashReason.EXCHANGE_NEEDS_TALON_BOTTOM: gettext_noop(
        "The trump six can be exchanged only for a turn-up that lies under the talon."
    ),
    ClashReason.ROUND_DRAW_NEEDS_LEAVING: gettext_noop(
        "Drawing once a round needs leave_with_talon, or somebody would have to play without cards."
    ),
    ClashReason.NEEDS_EPAULETTES: gettext_noop("Epaulettes can be counted only when they are on."),
    ClashReason.TEAM_SIZE: gettext_noop("Teams of {teams} need {seats} players."),
    ClashReason.TOO_FEW_PLAYERS: gettext_noop("At least {least} players are needed."),
    ClashReason.TOO_MANY_PLAYERS: gettext_noop("At most {most} players can play."),
    ClashReason.EPAULETTES_NEED_SIXES: gettext_noop("Epaulettes need a deck with sixes."),
    ClashReason.TOO_FEW_CARDS: gettext_noop("{players} players need {needed} cards, but there are {cards}."),
    ClashReason.EPAULETTES_AND_PLACES: gettext_noop(
        "Epaulettes are worn by one loser: game_end must be last_with_cards."
    ),
    ClashReason.TEAMS_AND_WINNER: gettext_noop(
        "Teams win and lose together: winner must be none in team play."
    ),
    ClashReason.TEAMS_AND_POINTS: gettext_noop(
        "Teams have no places to score: scoring must not be punkte in team play."
    ),
}
"""The sentence for each reason."""


def clash_text(clash: Clash, translator: Translator) -> str:
    """Say why; the names of the settings stay as they are typed."""
    return translator.text(MESSAGES[clash.reason], **dict(clash.values))
