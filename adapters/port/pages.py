"""What a chat of our own can show around its rooms, beside messages."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum, auto
from typing import Protocol

from adapters.port.boards import Board
from adapters.port.refs import ServerRef, UserRef
from adapters.port.rule_sets import RuleSetCard
from adapters.port.spans import Span


@dataclass(frozen=True, slots=True)
class PlayerTally:
    """How somebody fared; the fool `index` is 1 for an average player, less is better."""

    user: UserRef
    name: str
    games: int
    fools: int
    index: float


@dataclass(frozen=True, slots=True)
class GameSummary:
    """A game that is over: its table and number, when it ended (Unix seconds), and who sat there.

    `losers` are seats: one is the fool, and after a draw there are none, nor if it was stopped.
    """

    table_id: int
    game: int
    at: float
    names: tuple[str, ...]
    losers: tuple[int, ...]
    is_stopped: bool = False


@dataclass(frozen=True, slots=True)
class ReplayStep:
    """A position of a finished game, with all hands by seat.

    `mark` is what a review says of the move that was made next, for whoever asked for the review.
    """

    board: Board
    hands: tuple[tuple[str, ...], ...]
    mark: tuple[Span, ...] = ()


class ReviewState(StrEnum):
    """What has become of the review of somebody's moves in a game."""

    NONE = auto()  # they did not play it to its end
    OFFERED = auto()  # it can be asked for
    UNDERWAY = auto()
    DONE = auto()


@dataclass(frozen=True, slots=True)
class Replay:
    """A finished game step by step, and whether its record holds: sentences, each with whether it is true."""

    summary: GameSummary
    title: str
    steps: tuple[ReplayStep, ...]
    checks: tuple[tuple[bool, str], ...]
    review: ReviewState = ReviewState.NONE


class Pages(Protocol):
    """What the bot tells a chat of our own; `locale` is what its reader speaks, as in `de`."""

    async def rule_sets(self, server: ServerRef, locale: str) -> Sequence[RuleSetCard]:
        """Return the rules that one can open a table by, those that are played by default first."""
        ...

    async def best(self, server: ServerRef, period: str, locale: str) -> Sequence[PlayerTally]:
        """Rank those who played in a `period` (`week`, `month`, `year`, else ever), the best first."""
        ...

    async def fools(self, server: ServerRef, period: str, locale: str) -> Sequence[PlayerTally]:
        """Rank them, too, the most frequent fool first."""
        ...

    async def statistics(self, server: ServerRef, user: UserRef, locale: str) -> tuple[Span, ...]:
        """Tell how somebody plays; nothing of those who have finished no game."""
        ...

    async def games(self, server: ServerRef) -> Sequence[GameSummary]:
        """Return the games that were over last, the newest first."""
        ...

    async def replay(
        self,
        server: ServerRef,
        table_id: int,
        game: int,
        locale: str,
        reader: UserRef | None,
        *,
        wants_review: bool = False,
    ) -> Replay | None:
        """Return a finished game of this server, if there is one, with the `reader`'s own review of it.

        If they want it and it is not there (any more), it is underway from then on.
        """
        ...
