"""The places where a table shows itself, and who says what."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from enum import Enum, StrEnum, auto
from hashlib import blake2b
from typing import Protocol

from adapters.port import Audience, MessageRef, Screen, UserRef


class Kind(StrEnum):
    """What a message is for."""

    TABLE = auto()  # the lobby, then the table: public
    HAND = auto()  # one player's cards and moves: private
    CALL = auto()  # "we are waiting for …": public, gone after the move
    RESULT = auto()  # who is the fool: public
    REVIEW = auto()  # what one player's moves cost: private, for who has asked

    @property
    def notifies(self) -> bool:
        """Whether it has to be noticed, which an edited message is not: each text is a message of its own."""
        return self is Kind.CALL


@dataclass(frozen=True, slots=True)
class Surface:
    """One message of one game of a table; `user` is whose private message it is, None for public ones."""

    table: int
    game: int
    kind: Kind
    user: UserRef | None = None


UNKNOWN = ""
"""The digest of a message of which nobody knows what it shows."""


@dataclass(frozen=True, slots=True)
class Shown:
    """What shows a surface: the message, and the digest of its screen."""

    ref: MessageRef
    digest: str


@dataclass(frozen=True, slots=True)
class Posting:
    """A message that is being posted: its key, by which the chat knows it again, and its screen's digest."""

    key: str
    digest: str


def digest_of(screen: Screen) -> str:
    """A short text that is equal for equal screens."""
    png = b"" if screen.picture is None else screen.picture.png
    return blake2b(repr(screen).encode() + png, digest_size=16).hexdigest()


class Verdict(Enum):
    """What becomes of a message that has nothing new to show."""

    REMOVE = auto()  # it should not be there
    KEEP = auto()  # it stays as it is, for ever


class Stage(Protocol):
    """Says what should be seen."""

    async def places(self, table: int) -> Mapping[Surface, Audience]:
        """Everything the table may be seen on, and by whom."""
        ...

    async def asked_for(self, table: int) -> Collection[Surface]:
        """The surfaces that people wait to see changed, because they have just changed them."""
        ...

    async def screen(self, surface: Surface) -> Screen | Verdict:
        """What the surface should show now."""
        ...
