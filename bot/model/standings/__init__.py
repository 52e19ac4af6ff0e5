"""How people fare: values computed from finished games."""

from bot.model.standings.careers import Career, Duel, Fate, career_of
from bot.model.standings.games import GameResult
from bot.model.standings.rating import DOUBTS, Rating, RatingPlace, rated
from bot.model.standings.standing import LEAST_GAMES, LEAST_PEOPLE, PRIOR, Standing
from bot.model.standings.summary import Rivalry, Summary

__all__ = [
    "DOUBTS",
    "LEAST_GAMES",
    "LEAST_PEOPLE",
    "PRIOR",
    "Career",
    "Duel",
    "Fate",
    "GameResult",
    "Rating",
    "RatingPlace",
    "Rivalry",
    "Standing",
    "Summary",
    "career_of",
    "rated",
]
