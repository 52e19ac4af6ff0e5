"""The contents of pages beside the chat: rules, rankings, results, replays and puzzles."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum, auto
from typing import Protocol

from adapters.port.boards import Board, BoardMove, PlayerCard, PuzzleBoard, RuleGuide
from adapters.port.refs import RoomRef, ServerRef, UserRef
from adapters.port.text import Span


class MovesForgottenError(Exception):
    """The moves of a game are no longer stored."""


@dataclass(frozen=True, slots=True)
class RuleSketch:
    """The facts of a small picture of rules."""

    lowest: str  # the rank of the lowest card
    size: int  # the number of cards in the deck
    transfers: bool = False  # whether an attack can be transferred


@dataclass(frozen=True, slots=True)
class RuleSetCard:
    """Rules that a table can be opened with."""

    name: str  # the argument of `/durak`
    title: str  # the name for people
    cards: str  # the numbers of cards and players, in a sentence
    about: str  # a sentence for newcomers; empty for a variation that differs only in its cards
    sketch: RuleSketch  # a picture of the rules
    is_usual: bool  # whether the card is shown at once, rather than folded away


@dataclass(frozen=True, slots=True)
class PlayerTally:
    """A player's tally; the fool `index` is 1 for an average player, and lower is better.

    `unplaced` is why the player has no place by index yet, as in "1 of 5 games"; empty with a place.
    """

    user: UserRef
    name: str
    games: int
    fools: int
    index: float
    unplaced: str = ""


@dataclass(frozen=True, slots=True)
class GameSummary:
    """A game that is over: its table and number, when it ended (Unix seconds), and its players.

    `losers` are seats. A single loser is the fool; there is none after a draw or in a stopped game.
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

    The step after a bout's last move still shows that bout: its cards on the table, its roles, and the hands
    before anybody picks up or draws. `mover` is the seat that made the move to this position.

    A step with a `mark` shows the position before the next move instead, and `mover` is the seat about to
    make it. `mark` is the review's verdict on that move, the `played` one, compared with a `better` one.
    """

    board: Board
    hands: tuple[tuple[str, ...], ...]
    mark: tuple[Span, ...] = ()
    played: BoardMove | None = None
    better: BoardMove | None = None
    mover: int | None = None


class ReviewState(StrEnum):
    """The state of the review of a player's moves in a game."""

    NONE = auto()  # the player did not play the game to its end
    OFFERED = auto()
    UNDERWAY = auto()
    DONE = auto()


@dataclass(frozen=True, slots=True)
class Replay:
    """A finished game step by step; `own` is the reader's seat, if they played.

    `checks` prove its record: each is a sentence, preceded by whether it is true.
    """

    summary: GameSummary
    title: str
    steps: tuple[ReplayStep, ...]
    checks: tuple[tuple[bool, str], ...]
    review: ReviewState = ReviewState.NONE
    own: int | None = None


class Pages(Protocol):
    """The bot's answers to the page; `locale` is the reader's language, such as `de`."""

    async def rule_sets(self, server: ServerRef, locale: str) -> Sequence[RuleSetCard]:
        """Returns the rules for new tables, the default ones first."""

    async def rules(self, room: RoomRef, locale: str) -> RuleGuide:
        """Explains the rules of the table in a room; without one, the room's default rules."""

    async def ranking(
        self, server: ServerRef, period: str, locale: str, *, fools_first: bool
    ) -> Sequence[PlayerTally]:
        """Ranks the players of a `period` (`week`, `month`, `year`; anything else: all time).

        The best come first, and people without a place last, unless `fools_first`.
        """

    async def statistics(self, server: ServerRef, user: UserRef, locale: str) -> PlayerCard | None:
        """Returns a player's statistics; None if they have not finished a game."""

    async def has_statistics(self, server: ServerRef, user: UserRef) -> bool:
        """Returns whether `/stats` has anything to show about a person; games against bots suffice."""

    async def games(self, server: ServerRef) -> Sequence[GameSummary]:
        """Returns the latest finished games, the newest first."""

    async def headline(
        self, server: ServerRef, table_id: int, game: int, locale: str, *, secret: str = ""
    ) -> str | None:
        """Returns a sentence about how a finished game of this server ended; None if there is no such game.

        With its `secret` the game may be of any server, as in `replay`.

        Raises:
            MovesForgottenError: The game is so old that only its result is kept.
        """

    async def end_picture(
        self, server: ServerRef, table_id: int, game: int, locale: str, *, secret: str = ""
    ) -> bytes | None:
        """Returns a PNG of the fool and the places in a finished game, found as in `headline`."""

    async def puzzle(self, number: int, locale: str, token: str = "") -> PuzzleBoard | None:
        """Returns a puzzle that was posted or given to somebody; None if there is none with this number.

        With the `token` of one of its moves, returns the puzzle with that answer, which counts for nobody.
        """

    async def puzzle_picture(self, server: ServerRef, number: int) -> bytes | None:
        """Returns a PNG of such a puzzle."""

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
        """Returns a finished game of this server, if there is one, with the `reader`'s own review.

        With its `secret`, which the bot gives to the chat where the game was played, the game may be of any
        server. `wants_review` starts the review if it does not exist (or was dropped).

        Raises:
            MovesForgottenError: The game is so old that only its result is kept.
        """
