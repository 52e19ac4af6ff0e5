"""The memory of a table's messages: state that is not stored and that a restart may lose."""

from dataclasses import dataclass, field, replace

from adapters.port import UserRef
from bot.model.buttons import OpenCheating
from bot.screens.result import GameEnd
from engine import Move, Seat
from engine.runtime import Game


@dataclass(frozen=True, slots=True)
class OpenHand:
    """The page of a hand that a player has opened.

    It stays open until their choice of moves is no longer that of `version`. The question whether they want
    to leave (page None) stays until it is answered or the game ends.

    Attributes:
        game: The number of the game.
        version: The version of their choice of moves.
        page: The page, counted from 0; None for the question.
        advice: The move that an expert advises, if they asked for a hint.
        notice: The reason why their last press did nothing.
        cheating: The open choice of moves against the rules, if any.
    """

    game: int
    version: int
    page: int | None = 0
    advice: Move | None = None
    notice: str = ""
    cheating: OpenCheating | None = None


NOT_YET = float("-inf")  # the `Turn.rang_at` of a player to whom nothing has announced the game


@dataclass(frozen=True, slots=True)
class Turn:
    """The last turn of a player in a game.

    Attributes:
        is_now: Whether it is their turn now.
        bout: The bout of that turn; None before the first one.
        rang_at: When they last learned of their turn: by a ring, a new hand, or the first turn of a game.
            In Unix seconds.
        is_called: Whether the table has called them in the room, after a while without a move.
        rings_in_room: Whether the call in the room mentions them at once, until their seat has moved.
    """

    is_now: bool
    bout: int | None
    rang_at: float
    is_called: bool
    rings_in_room: bool = False

    @property
    def is_of_unannounced_game(self) -> bool:
        """Whether the player was never notified of the game: their hand in the room was only edited."""
        return self.rang_at == NOT_YET


@dataclass(slots=True)
class TableMemory:
    """The memory of one table's messages.

    Attributes:
        end: The end of the last finished game.
        finished: The last finished game, for messages that do not show its end yet.
        pressed_at: When each player last pressed a button of the table, in Unix seconds.
        in_answer: The people whose hand is about to be shown in the room, as the answer to a press.
    """

    end: GameEnd | None = None
    finished: Game | None = None
    pressed_at: dict[UserRef, float] = field(default_factory=dict)
    in_answer: set[UserRef] = field(default_factory=set)
    _open_hands: dict[UserRef, OpenHand] = field(default_factory=dict)
    _turns: dict[Seat, Turn] = field(default_factory=dict)
    _turns_of: int = 0

    def open_hand(self, user: UserRef, game: int, version: int) -> OpenHand:
        """Returns the open page of a person's hand; the first page if their choice has changed since."""
        hand = self._open_hands.get(user)
        if hand is None or hand.game != game:
            return OpenHand(game, version)
        if hand.version == version:
            return hand

        page = None if hand.page is None else 0
        return OpenHand(game, version, page=page)

    def has_opened(self, user: UserRef, game: int, version: int) -> bool:
        """Returns whether a person's hand differs from its plain first page, by a hint or a question."""
        return self.open_hand(user, game, version) != OpenHand(game, version)

    def keep_open(self, user: UserRef, hand: OpenHand) -> None:
        """Keeps a page of a person's hand open."""
        self._open_hands[user] = hand

    def turns(self, game: int) -> dict[Seat, Turn]:
        """Returns the players' last turns in this game, by seat; those of another game are dropped."""
        if self._turns_of != game:
            self._turns = {}
            self._turns_of = game
        return self._turns

    def forget(self, user: UserRef) -> None:
        """Drops a person's open hand and presses, and the table of a finished game that they were in."""
        self._open_hands.pop(user, None)
        self.pressed_at.pop(user, None)

        end = self.end
        if end is not None and end.table is not None and end.table.involves(user):
            self.end = replace(end, table=None)
