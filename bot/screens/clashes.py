"""Why settings cannot be together, for the person who chose them."""

from bot.locale import Voice, sentence
from engine import Clash

MESSAGES = (
    sentence("{setting} must be at least {least}."),
    sentence("{setting} must be at most {most}."),
    sentence("min_players must not be more than max_players."),
    sentence("first_attack_limit must not be above attack_limit."),
    sentence("An attack cannot be transferred in team play."),
    sentence("Teams have no places: game_end must be last_with_cards in team play."),
    sentence("The trump six can be exchanged only for a turn-up that lies under the talon."),
    sentence("Drawing once a round needs leave_with_talon, or somebody would have to play without cards."),
    sentence("Epaulettes can be counted only when they are on."),
    sentence("Teams of {teams} need {seats} players."),
    sentence("At least {least} players are needed."),
    sentence("At most {most} players can play."),
    sentence("Epaulettes need a deck with sixes."),
    sentence("{players} players need {needed} cards, but there are {cards}."),
    sentence("Epaulettes are worn by one loser: game_end must be last_with_cards."),
    sentence("Teams win and lose together: winner must be none in team play."),
    sentence("Teams have no places to score: scoring must not be punkte in team play."),
)
"""Every message of a clash; the rules know them in English."""


def clash_text(clash: Clash, voice: Voice) -> str:
    """Say why; the names of the settings stay as they are typed."""
    return voice.say(clash.message, **dict(clash.values))
