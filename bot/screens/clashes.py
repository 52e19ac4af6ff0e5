"""Why settings cannot be together, for the person who chose them."""

from collections.abc import Mapping

from bot.locale import Voice, sentence
from engine import Clash, ClashReason

MESSAGES: Mapping[ClashReason, str] = {
    ClashReason.NUMBER_TOO_SMALL: sentence("{setting} must be at least {least}."),
    ClashReason.NUMBER_TOO_LARGE: sentence("{setting} must be at most {most}."),
    ClashReason.PLAYERS_RANGE: sentence("min_players must not be more than max_players."),
    ClashReason.FIRST_LIMIT_ABOVE_LIMIT: sentence("first_attack_limit must not be above attack_limit."),
    ClashReason.TEAMS_AND_TRANSFER: sentence("An attack cannot be transferred in team play."),
    ClashReason.TEAMS_AND_PLACES: sentence(
        "Teams have no places: game_end must be last_with_cards in team play."
    ),
    ClashReason.EXCHANGE_NEEDS_TALON_BOTTOM: sentence(
        "The trump six can be exchanged only for a turn-up that lies under the talon."
    ),
    ClashReason.ROUND_DRAW_NEEDS_LEAVING: sentence(
        "Drawing once a round needs leave_with_talon, or somebody would have to play without cards."
    ),
    ClashReason.NEEDS_EPAULETTES: sentence("Epaulettes can be counted only when they are on."),
    ClashReason.TEAM_SIZE: sentence("Teams of {teams} need {seats} players."),
    ClashReason.TOO_FEW_PLAYERS: sentence("At least {least} players are needed."),
    ClashReason.TOO_MANY_PLAYERS: sentence("At most {most} players can play."),
    ClashReason.EPAULETTES_NEED_SIXES: sentence("Epaulettes need a deck with sixes."),
    ClashReason.TOO_FEW_CARDS: sentence("{players} players need {needed} cards, but there are {cards}."),
    ClashReason.EPAULETTES_AND_PLACES: sentence(
        "Epaulettes are worn by one loser: game_end must be last_with_cards."
    ),
    ClashReason.TEAMS_AND_WINNER: sentence("Teams win and lose together: winner must be none in team play."),
    ClashReason.TEAMS_AND_POINTS: sentence(
        "Teams have no places to score: scoring must not be punkte in team play."
    ),
}
"""The sentence for each reason."""


def clash_text(clash: Clash, voice: Voice) -> str:
    """Say why; the names of the settings stay as they are typed."""
    return voice.say(MESSAGES[clash.reason], **dict(clash.values))
