"""The memory of a table's messages: state that no row holds and a restart may lose."""

from dataclasses import dataclass, field, replace

from adapters.port import UserRef
from bot.screens.result import GameEnd
from engine import Move, Seat
from engine.runtime import Game


@dataclass(frozen=True, slots=True)
class OpenHand:
    """The open page of a hand, as long as its player's choice is that of `version`.

    Only the question whether they want to leave (page None) stays for the whole game, until it is answered.
    `notice` says why their last press did nothing.
    """

    game: int
    version: int
    page: int | None = 0
    advice: Move | None = None
    notice: str = ""


NOT_YET = float("-inf")  # `Turn.rang_at` where nothing has announced the game


@dataclass(frozen=True, slots=True)
class Turn:
    """The last turn of a player in a game.

    Attributes:
        is_now: Whether it is their turn now.
        bout: The bout of that turn; None before the first one.
        rang_at: When they last learned of their turn: by a ring, a new hand, or the first turn of a game.
        is_called: Whether the table has called them in the room, after a while without a move.
        rings_in_room: Whether the room calls them at once, until a move is made for them.
    """

    is_now: bool
    bout: int | None
    rang_at: float
    is_called: bool
    rings_in_room: bool = False

    @property
    def is_of_unannounced_game(self) -> bool:
        """Whether nothing has told the player of the game: their hand in the room was only edited."""
        return self.rang_at == NOT_YET


@dataclass(slots=True)
class TableMemory:
    """The memory of one table's messages.

    Attributes:
        end: The end of the last game that is over.
        finished: That game, for messages that have not shown its end yet.
        pressed_at: When its players last pressed a button there, in Unix seconds: they are looking then.
        in_answer: The people whose hand the answer to a press is about to show in the room.
    """

    end: GameEnd | None = None
    finished: Game | None = None
    pressed_at: dict[UserRef, float] = field(default_factory=dict)
    in_answer: set[UserRef] = field(default_factory=set)
    _open_hands: dict[UserRef, OpenHand] = field(default_factory=dict)
    _turns: dict[Seat, Turn] = field(default_factory=dict)
    _turns_of: int = 0

    def open_hand(self, user: UserRef, game: int, version: int) -> OpenHand:
        """Returns the open page of a person's hand, or the first one if their choice is another by now."""
        hand = self._open_hands.get(user)
        if hand is None or hand.game != game:
            return OpenHand(game, version)
        if hand.version == version:
            return hand

        page = None if hand.page is None else 0
        return OpenHand(game, version, page=page)

    def has_opened(self, user: UserRef, game: int, version: int) -> bool:
        """Returns whether a person's hand shows more than its first page, such as a hint or a question."""
        return self.open_hand(user, game, version) != OpenHand(game, version)

    def keep_open(self, user: UserRef, hand: OpenHand) -> None:
        """Keeps a page of a person's hand open."""
        self._open_hands[user] = hand

    def turns(self, game: int) -> dict[Seat, Turn]:
        """Returns the last turns in a table's newest game, by seat."""
        if self._turns_of != game:
            self._turns = {}
            self._turns_of = game
        return self._turns

    def forget(self, user: UserRef) -> None:
        """Drops the open hand and the presses of a person, and the end of a game that names them."""
        self._open_hands.pop(user, None)
        self.pressed_at.pop(user, None)

        end = self.end
        if end is not None and end.table is not None and end.table.knows(user):
            self.end = replace(end, table=None)
