"""Who sits at a table: people, and house players with their names."""

from dataclasses import dataclass

from adapters.port import UserRef

FORGOTTEN = "forgotten"
"""The platform of people who asked to be forgotten: no chat has this name, so nobody is written to there."""

HOUSE_NAMES = ("Ada", "Boris", "Clara", "Dima", "Elena", "Fritz", "Greta", "Hanna")
"""What house players are called, in the order in which they sit down."""


@dataclass(frozen=True, slots=True)
class Player:
    """Who sits on a seat: a person, or a house player (`user` is None).

    Attributes:
        name: What they are called, as their chat says.
        user: Who they are.
        joined: A hash of the chat's id of the press by which they sat down, which goes into the shuffle.
        has_left: They left the running game; a house player plays on for them.
    """

    name: str
    user: UserRef | None = None
    joined: str = ""
    has_left: bool = False

    @property
    def is_house(self) -> bool:
        """Whether the bot plays this seat."""
        return self.user is None

    @property
    def is_forgotten(self) -> bool:
        """Whether the person who sat here asked to be forgotten; a house player plays on for them."""
        return self.user is not None and self.user.platform == FORGOTTEN
