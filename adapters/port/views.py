"""The live table of a chat, opened by a person of that chat in a page of the bot.

A view is no guest of the page: the person's own chat vouches for them, they act as themselves, and nothing
of a view is stored. After a restart the page asks for another proof.
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

    `is_seen_there`: The chat itself has just seen them in the room of this table.
    `place`: The room, or the whole server, in which the chat shows the page, where its proof names one. A
    table of another room is not open there, unless the place is their own private chat.
    """

    user: User
    table_id: int
    door: str
    is_seen_there: bool = False
    place: RoomRef | ServerRef | None = None


@dataclass(frozen=True, slots=True)
class View:
    """The newest state of a table for one person: its public message, their hand, its result."""

    table: Screen
    hand: Screen | None = None
    result: Screen | None = None


class ProofProblem(Enum):
    """The reason why a proof opens nothing."""

    UNREADABLE = auto()  # it is no proof at all
    FORGED = auto()  # none of those that vouch for people has signed it
    OLD = auto()
    USED = auto()
    STRANGER = auto()  # the person is not known to be in the chat of this table
    NO_TABLE = auto()  # there is no such table
    BUSY = auto()  # the chat is asked too often just now


class ProofRefusedError(Exception):
    """A proof opens nothing."""

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
        """Returns the visit that a proof opens; only `use` consumes it, unless the chat accepts each once.

        `destination` is the page's own word for the table, `network` is where the request comes from.

        Raises:
            ProofRefusedError: It opens nothing.
        """

    def use(self, proof: str, network: str) -> None:
        """Uses a proof up, once all else is checked.

        Raises:
            ProofRefusedError: It was used up meanwhile.
        """

    def way(self, proof: str, destination: str) -> str:
        """Returns the address of another way in, for a proof that opened nothing; empty: there is none."""


class Views(Protocol):
    """The bot's tables, for the page that shows them to people of chats."""

    on_ended: list[Callable[[Callable[[Visit], bool]], object]]  # called with a test for visits that end

    async def check(self, visit: Visit) -> None:
        """Checks that a person may see a table.

        Raises:
            ProofRefusedError: They may not see it.
        """

    def watch(self, visit: Visit, limits: Limits) -> AsyncGenerator[View]:
        """Yields the newest state after each change of the table, for as long as the person may see it."""

    async def language(self, visit: Visit) -> str:
        """Returns the language in which the bot speaks to a person."""

    async def room(self, visit: Visit) -> RoomRef:
        """Returns the room of a table."""

    def redraw(self, visit: Visit) -> None:
        """Draws the open views of a person once more, after a press of theirs."""

    async def post(self, visit: Visit, screen: Screen, document: Document | None) -> Delivery:
        """Posts the public part of an answer to the room of a table."""

    async def rules(self, visit: Visit, locale: str) -> RuleGuide:
        """Explains the rules of a table."""

    async def privacy(self, visit: Visit) -> Screen:
        """Returns the data kept about people, in the language of a person of a chat."""

    async def replay(self, visit: Visit, game: int, locale: str, *, wants_review: bool) -> Replay | None:
        """Returns a finished game of a table, to a person with a seat in it."""
