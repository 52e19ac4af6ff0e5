"""Finished games, as the rows of their results tell them."""

from dataclasses import dataclass

from adapters.port import UserRef


@dataclass(frozen=True, slots=True)
class SeatResult:
    """How one seat fared; a house player has no user or name, who did not go out has no place."""

    user: UserRef | None
    name: str
    place: int | None
    is_loser: bool


@dataclass(frozen=True, slots=True)
class FinishedGame:
    """One game; `trump` is empty, and `bouts` and `seconds` are 0, where nobody noted them."""

    at: float
    is_draw: bool
    seats: tuple[SeatResult, ...]
    trump: str = ""
    bouts: int = 0
    seconds: float = 0.0

    def seat_of(self, user: UserRef) -> SeatResult | None:
        """Return the result of a person; None when they did not play."""
        return next((seat for seat in self.seats if seat.user == user), None)

    @property
    def people(self) -> tuple[tuple[UserRef, SeatResult], ...]:
        """The results of people, without house players."""
        return tuple((seat.user, seat) for seat in self.seats if seat.user is not None)
