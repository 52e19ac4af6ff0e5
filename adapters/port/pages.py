"""The contents of pages beside the chat: rules, rankings, results and replays."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum, auto
from typing import Protocol

from adapters.port.boards import Board, BoardMove, PlayerCard, RuleGuide
from adapters.port.refs import RoomRef, ServerRef, UserRef
from adapters.port.text import Span


class MovesForgottenError(Exception):
    """The moves of a game are no longer stored."""


@dataclass(frozen=True, slots=True)
class RuleSketch:
    """A small picture of rules: the lowest card's rank, and the size of the deck."""

    lowest: str
    size: int


@dataclass(frozen=True, slots=True)
class RuleSetCard:
    """Rules to open a table by."""

    name: str  # the argument of `/durak`
    title: str  # the name for people
    cards: str  # the numbers of cards and players, in a sentence
    about: str  # a sentence for newcomers; empty for a variation with other cards alone
    sketch: RuleSketch  # a picture of them
    is_usual: bool  # shown at once; the others are folded


@dataclass(frozen=True, slots=True)
class PlayerTally:
    """A player's tally; the fool `index` is 1 for an average player, less is better."""

    user: UserRef
    name: str
    games: int
    fools: int
    index: float


@dataclass(frozen=True, slots=True)
class GameSummary:
    """A game that is over: its table and number, when it ended (Unix seconds), and its players.

    `losers` are seats: one is the fool, and there are none after a draw or if the game was stopped.
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

    The last move of a bout still has the bout's cards on the table, its roles, and the hands without them.
    `mover` has made the move that led there; with a `mark`, makes the next one.
    `mark` is the review's verdict on the next move, if the reader asked for it: on the `played` one, against
    the `better` one.
    """

    board: Board
    hands: tuple[tuple[str, ...], ...]
    mark: tuple[Span, ...] = ()
    played: BoardMove | None = None
    better: BoardMove | None = None
    mover: int | None = None


class ReviewState(StrEnum):
    """The state of a review of a player's moves in a game."""

    NONE = auto()  # they did not play it to its end
    OFFERED = auto()  # it can be asked for
    UNDERWAY = auto()
    DONE = auto()


@dataclass(frozen=True, slots=True)
class Replay:
    """A finished game step by step, and whether its record holds: sentences, each with whether it is true.

    `own` is the reader's seat, if they played.
    """

    summary: GameSummary
    title: str
    steps: tuple[ReplayStep, ...]
    checks: tuple[tuple[bool, str], ...]
    review: ReviewState = ReviewState.NONE
    own: int | None = None


class Pages(Protocol):
    """The bot's answers to the page; `locale` is the reader's language, as in `de`."""

    async def rule_sets(self, server: ServerRef, locale: str) -> Sequence[RuleSetCard]:
        """Returns the rules for new tables, the default ones first."""

    async def rules(self, room: RoomRef, locale: str) -> RuleGuide:
        """Explains the rules of the table in a room, or those that are played there by default."""

    async def ranking(
        self, server: ServerRef, period: str, locale: str, *, fools_first: bool
    ) -> Sequence[PlayerTally]:
        """Ranks the players of a `period` (`week`, `month`, `year`, else ever), the best first."""

    async def statistics(self, server: ServerRef, user: UserRef, locale: str) -> PlayerCard | None:
        """Returns a player's statistics, unless they have finished no game."""

    async def games(self, server: ServerRef) -> Sequence[GameSummary]:
        """Returns the latest finished games, the newest first."""

    async def headline(
        self, server: ServerRef, table_id: int, game: int, locale: str, *, secret: str = ""
    ) -> str | None:
        """Returns how a finished game of this server ended, in a sentence; None if there is none.

        With its `secret` it may be of any server, as in `replay`.

        Raises:
            MovesForgottenError: The game is so old that only its result is kept.
        """

    async def end_picture(
        self, server: ServerRef, table_id: int, game: int, locale: str, *, secret: str = ""
    ) -> bytes | None:
        """Returns the same as a picture of the fool and the places, a PNG."""

    async def replay(
        self,
        server: ServerRef,
        table_id: int,
        game: int,
        locale: str,
        reader: UserRef | None,
        *,
        secret: str = "",
        wants_review: bool = False,
    ) -> Replay | None:
        """Returns a finished game of this server, if there is one, with the `reader`'s own review of it.

        With a `secret`, which the bot gives to the chat where a game was played, it may be of any server.
        If they want it and it is not there (any more), it is underway from then on.

        Raises:
            MovesForgottenError: The game is so old that only its result is kept.
        """
