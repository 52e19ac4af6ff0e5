"""A rating from the whole order of going out, by the model of Plackett and Luce."""

from collections.abc import Iterable
from dataclasses import dataclass

from openskill.models import PlackettLuce, PlackettLuceRating

from adapters.port import UserRef
from bot.model.standings.games import FinishedGame, SeatResult
from bot.model.standings.standing import LEAST_PEOPLE


@dataclass(frozen=True, slots=True)
class Rating:
    """How strong somebody is thought to be, and how uncertain that is."""

    strength: float
    doubt: float

    @property
    def points(self) -> float:
        """What somebody can be trusted to be worth at least; a newcomer begins with 0."""
        return self.strength - 3 * self.doubt


def ratings_of(games: Iterable[FinishedGame]) -> dict[UserRef, Rating]:
    """Rate everybody by games in the order in which they were finished.

    People are compared with one another only: house players have no rating, and none is won from them.
    """
    model = PlackettLuce()
    known: dict[UserRef, PlackettLuceRating] = {}
    for game in games:
        people = game.people
        if len(people) < LEAST_PEOPLE:
            continue
        before = [[known.get(user) or model.rating()] for user, _ in people]
        after = model.rate(before, ranks=_ranks([seat for _, seat in people], len(game.seats), game.is_draw))
        known.update((user, rated) for (user, _), (rated,) in zip(people, after, strict=True))
    return {user: Rating(rated.mu, rated.sigma) for user, rated in known.items()}


def _ranks(seats: Iterable[SeatResult], players: int, is_draw: bool) -> list[float]:
    """Give a rank to each: who loses is last, and so are, together, the last two of a draw."""
    last = players - 1 if is_draw else players
    return [float(last if seat.is_loser or seat.place is None else min(seat.place, last)) for seat in seats]
