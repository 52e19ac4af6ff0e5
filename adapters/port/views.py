"""Views: live tables of a chat that its people open on the bot's page.

The person's own chat vouches for them, so they act as themselves, unlike guests of the page. Nothing about a
view is stored. After a restart the page requests another proof.
"""

from collections.abc import AsyncGenerator, Callable, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from typing import Protocol

from adapters.port.boards import RuleGuide
from adapters.port.limits import Limits
from adapters.port.outcomes import Delivery
from adapters.port.pages import Replay
from adapters.port.refs import RoomRef, ServerRef, User
from adapters.port.screens import Document, Screen


@dataclass(frozen=True, slots=True)
class Visit:
    """A person whom their chat vouches for, and the table that they open.

    `is_seen_there`: the chat itself has just seen them in the room of this table.
    `place` is the room or the server in which the chat shows the page, if its proof names one. Tables of
    other rooms cannot be opened there, unless the place is the person's private chat.
    """

    user: User
    table_id: int
    door: str
    is_seen_there: bool = False
    place: RoomRef | ServerRef | None = None


@dataclass(frozen=True, slots=True)
class View:
    """The newest state of a table for one person.

    Attributes:
        table: The table's public message.
        hand: The person's hand, if they have one.
        result: The result of the game, once it is over.
        has_address: Whether the page shows finished games to everybody, at the address that `Views.address`
            returns.
    """

    table: Screen
    hand: Screen | None = None
    result: Screen | None = None
    has_address: bool = False


class ProofProblem(Enum):
    """The reason why a proof opens nothing."""

    UNREADABLE = auto()  # it is not a proof at all
    FORGED = auto()  # it is not signed by anybody who vouches for people
    OLD = auto()
    USED = auto()
    STRANGER = auto()  # the person is not known to be in the chat of this table
    NO_TABLE = auto()  # there is no such table
    BUSY = auto()  # the chat gets too many requests right now


class ProofRefusedError(Exception):
    """A proof was refused, for the reason `problem`."""

    def __init__(self, problem: ProofProblem) -> None:
        super().__init__(problem.name)
        self.problem = problem


class Door(Protocol):
    """A way from a chat to its live tables."""

    @property
    def name(self) -> str:
        """The name of the door in addresses, as in `/in/link`."""

    @property
    def framed_by(self) -> Sequence[str]:
        """The origins whose pages may show the entry page in a frame."""

    @property
    def origins(self) -> Sequence[str]:
        """The origins of the page behind this door, besides the page's own: those of a proxy."""

    async def visit(self, proof: str, destination: str, network: str) -> Visit:
        """Returns the visit that a proof opens.

        Does not use up the proof, except where the chat itself accepts it only once; call `use` for that.
        `destination` is the page's own name for the table; `network` is where the request comes from.

        Raises:
            ProofRefusedError: The proof opens nothing.
        """

    def use(self, proof: str, network: str) -> None:
        """Uses up a proof, after everything else was checked.

        Raises:
            ProofRefusedError: The proof was used up in the meantime.
        """

    def way(self, proof: str, destination: str) -> str:
        """Returns the address of another way in, after a refused proof; empty if there is none."""


class Views(Protocol):
    """The bot's tables, for the page that shows them to people from chats."""

    on_ended: list[Callable[[Callable[[Visit], bool]], object]]  # called with a predicate of ended visits

    async def check(self, visit: Visit) -> None:
        """Checks that a person may see a table.

        Raises:
            ProofRefusedError: The person may not see it.
        """

    def watch(self, visit: Visit, limits: Limits) -> AsyncGenerator[View]:
        """Yields the newest state after each change of the table, for as long as the person may see it."""

    async def language(self, visit: Visit) -> str:
        """Returns the language in which the bot speaks to a person."""

    async def room(self, visit: Visit) -> RoomRef:
        """Returns the room of the visited table."""

    def redraw(self, visit: Visit) -> None:
        """Redraws a person's open views, after one of their presses."""

    async def post(self, visit: Visit, screen: Screen, document: Document | None) -> Delivery:
        """Posts the public part of an answer to the table's room."""

    async def rules(self, visit: Visit, locale: str) -> RuleGuide:
        """Explains the rules of a table."""

    async def privacy(self, visit: Visit) -> Screen:
        """Returns the screen about the data that is kept on people, in the visitor's language."""

    def portrait(self, key: str) -> bytes | None:
        """Returns the picture, a small JPEG, to which a seat has this key; None if it is no longer shown."""

    async def address(self, visit: Visit, game: int) -> str:
        """Returns the public address of a finished game to its players, and an empty one to others."""

    async def replay(self, visit: Visit, game: int, locale: str, *, wants_review: bool) -> Replay | None:
        """Returns a finished game of the visited table, for a person who had a seat in it."""
