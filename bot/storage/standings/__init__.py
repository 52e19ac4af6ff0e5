"""Who is durak most often: computed from the results on record, never from counters."""

from bot.storage.standings.careers import Career, Duel, Fate, career_of
from bot.storage.standings.games import FinishedGame, SeatResult
from bot.storage.standings.rating import Rating, ratings_of
from bot.storage.standings.standing import LEAST_GAMES, LEAST_PEOPLE, Standing
from bot.storage.standings.summary import Rivalry, Summary
from bot.storage.standings.tallies import Standings

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
    "Standings",
    "Summary",
    "career_of",
    "ratings_of",
]
