"""A series: games at several tables in addition to the room's own, in two rounds for all and a final."""

from typing import Protocol

from adapters.port import RoomRef, UserRef
from engine import Rules

ROUNDS = 2  # the rounds that everybody plays before the final
FINAL = ROUNDS + 1


class OpenedTables(Protocol):
    """What somebody opened in a room: one table, or a series of them."""

    @property
    def room(self) -> RoomRef:
        """Where it was opened."""

    @property
    def opener(self) -> UserRef:
        """The user who opened it."""

    @property
    def preset(self) -> str:
        """The name of the rules."""

    @property
    def rules(self) -> Rules:
        """The rules."""

    @property
    def house_rules(self) -> Rules | None:
        """The rules of `preset` if that is a variation of the server."""

    @property
    def seed(self) -> str:
        """The secret of the deals."""

    @property
    def locale(self) -> str:
        """The language."""
