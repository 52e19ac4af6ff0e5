"""How people fare: values computed from finished games."""

from bot.model.standings.careers import Career, Duel, Fate, career_of
from bot.model.standings.games import FinishedGame, SeatResult
from bot.model.standings.rating import Rating, ratings_of
from bot.model.standings.standing import LEAST_GAMES, LEAST_PEOPLE, Standing
from bot.model.standings.summary import Rivalry, Summary

__all__ = [
    "LEAST_GAMES",
    "LEAST_PEOPLE",
    "Career",
    "Duel",
    "Fate",
    "FinishedGame",
    "Rating",
    "Rivalry",
    "SeatResult",
    "Standing",
    "Summary",
    "career_of",
    "ratings_of",
]
