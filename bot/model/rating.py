"""A rating from the whole order of going out, by the model of Plackett and Luce."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from openskill.models import PlackettLuce

from bot.model.standings import MIN_PEOPLE

MODEL = PlackettLuce()
DOUBTS = 3  # how many times the doubt is subtracted from the strength


@dataclass(frozen=True, slots=True)
class Rating:
    """A player's estimated strength, and its uncertainty."""

    strength: float = MODEL.mu
    doubt: float = MODEL.sigma

    @property
    def points(self) -> float:
        """A lower bound of the strength; a newcomer begins with 0."""
        return self.strength - DOUBTS * self.doubt


@dataclass(frozen=True, slots=True)
class RatingPlace:
    """A rating, its owner's place on the leaderboard, and how many are on it."""

    points: float
    place: int
    of: int


def new_ratings(
    before: Sequence[Rating], places: Iterable[int | None], *, seats: int, is_draw: bool
) -> list[Rating]:
    """Returns the ratings of people after a game at a table with `seats` seats.

    `places` are the people's places in the order of going out, from 1; None for losers and players still in.
    People are compared only with one another: house players have no rating, and affect none.
    """
    if len(before) < MIN_PEOPLE:
        return list(before)

    teams = [[MODEL.rating(rating.strength, rating.doubt)] for rating in before]
    last = seats - 1 if is_draw else seats  # the loser is last, and so are, together, the last two of a draw
    ranks = [float(last if place is None else min(place, last)) for place in places]
    return [Rating(after.mu, after.sigma) for (after,) in MODEL.rate(teams, ranks=ranks)]
