"""The text behind a button: at most 64 bytes that say which table and what to do.

m:<table>:<version>:<move>   play a move; the move's own text, as in `m:7:12:D 9H JH`
l:<table>:<game>:<action>    lobby: join, leave, seats, house, unhouse, start, close
o:<table>:<game>[:<what>]    options: close them, open a panel or a setting, or set it, as in `o:7:1:deck=52`
h:<table>[:<page>]           show my hand
s:<table>:<order>            sort my hands by rank or by suit from now on
i:<table>                    ask for a hint
w:<table>:<on|off>           write to me in private, or no longer
t:<table>:<game>:<action>    host a running game: open, close, pause, resume, skip, stop, play_on,
                             replace-<seat>
q:<table>:<game>:<action>    leave a running game: ask, leave, resign, stay
g:<table>:<game>:<action>    after the game: rematch, mistakes, leaderboard
d:                           open a table here, where there is none yet
c:<period>                   explain how the leaderboard of a period is counted
k:<command>                  do what typing this does, as in `k:rules classic`
p:<command>                  the same; the answer takes the place of the pressed message

Anybody can send any token from anywhere: `ButtonHandler` counts it only where such a button can stand. Those
that are `is_private` stand under somebody's own hand, or under what became of it, which may be shown outside
of the table's room; all others stand in that room.
"""

from dataclasses import dataclass
from enum import StrEnum, auto
from typing import ClassVar

from adapters.port import CallbackButton, Screen
from bot.model.people import HandOrder


class LobbyAction(StrEnum):
    """What a lobby's buttons do."""

    JOIN = auto()
    LEAVE = auto()
    SEATS = auto()
    HOUSE = auto()
    UNHOUSE = auto()
    START = auto()
    CLOSE = auto()


class QuitAction(StrEnum):
    """What somebody does who wants to leave a running game."""

    ASK = auto()
    LEAVE = auto()
    RESIGN = auto()
    STAY = auto()


class HostAction(StrEnum):
    """What whoever takes care of a running game may do."""

    OPEN = auto()
    CLOSE = auto()
    PAUSE = auto()
    RESUME = auto()
    SKIP = auto()
    REPLACE = auto()
    STOP = auto()
    PLAY_ON = auto()


class EndAction(StrEnum):
    """What a finished game's buttons do."""

    REMATCH = auto()
    MISTAKES = auto()
    LEADERBOARD = auto()


@dataclass(frozen=True, slots=True)
class PlayMove:
    """Play the move with this text; it was offered at `version`."""

    is_private: ClassVar[bool] = True
    table_id: int
    version: int
    move: str

    def __str__(self) -> str:
        return f"m:{self.table_id}:{self.version}:{self.move}"


@dataclass(frozen=True, slots=True)
class ChangeLobby:
    """Do something in the lobby of a table's game."""

    is_private: ClassVar[bool] = False
    table_id: int
    game: int
    action: LobbyAction

    def __str__(self) -> str:
        return f"l:{self.table_id}:{self.game}:{self.action}"


@dataclass(frozen=True, slots=True)
class ChangeOption:
    """Open options in the lobby of a table's game, or set one.

    `what` is empty (close them), the name of a panel or of a setting (open it), or a setting with its value.
    """

    is_private: ClassVar[bool] = False
    table_id: int
    game: int
    what: str = ""

    def __str__(self) -> str:
        return f"o:{self.table_id}:{self.game}:{self.what}" if self.what else f"o:{self.table_id}:{self.game}"


@dataclass(frozen=True, slots=True)
class ShowHand:
    """Show the presser's own hand; pages count from 0."""

    is_private: ClassVar[bool] = True
    table_id: int
    page: int = 0

    def __str__(self) -> str:
        return f"h:{self.table_id}:{self.page}" if self.page else f"h:{self.table_id}"


@dataclass(frozen=True, slots=True)
class SortHand:
    """Show the presser's own hand, like all their hands from now on, in this order."""

    is_private: ClassVar[bool] = True
    table_id: int
    order: HandOrder

    def __str__(self) -> str:
        return f"s:{self.table_id}:{self.order}"


@dataclass(frozen=True, slots=True)
class AskHint:
    """Show the presser's own hand with what an expert would play."""

    is_private: ClassVar[bool] = True
    table_id: int

    def __str__(self) -> str:
        return f"i:{self.table_id}"


@dataclass(frozen=True, slots=True)
class WriteInPrivate:
    """Write to the presser in private from now on, or no longer."""

    is_private: ClassVar[bool] = True
    table_id: int
    wanted: bool

    def __str__(self) -> str:
        return f"w:{self.table_id}:{'on' if self.wanted else 'off'}"


@dataclass(frozen=True, slots=True)
class HostGame:
    """Take care of a table's running game; `seat` is whom a house player shall replace."""

    is_private: ClassVar[bool] = False
    table_id: int
    game: int
    action: HostAction
    seat: int | None = None

    def __str__(self) -> str:
        seat = "" if self.seat is None else f"-{self.seat}"
        return f"t:{self.table_id}:{self.game}:{self.action}{seat}"


@dataclass(frozen=True, slots=True)
class QuitGame:
    """Leave a table's running game, or think again."""

    is_private: ClassVar[bool] = True
    table_id: int
    game: int
    action: QuitAction

    def __str__(self) -> str:
        return f"q:{self.table_id}:{self.game}:{self.action}"


@dataclass(frozen=True, slots=True)
class AfterGame:
    """Go on after a table's game."""

    table_id: int
    game: int
    action: EndAction

    @property
    def is_private(self) -> bool:
        """Whether it stands under somebody's own result, too."""
        return self.action is EndAction.REMATCH

    def __str__(self) -> str:
        return f"g:{self.table_id}:{self.game}:{self.action}"


@dataclass(frozen=True, slots=True)
class OpenTable:
    """Open a table in the room, as `/durak` does."""

    is_private: ClassVar[bool] = False

    def __str__(self) -> str:
        return "d:"


@dataclass(frozen=True, slots=True)
class ExplainRanking:
    """Explain how the leaderboard of a period is counted."""

    is_private: ClassVar[bool] = False
    period: str

    def __str__(self) -> str:
        return f"c:{self.period}"


@dataclass(frozen=True, slots=True)
class TypedCommand:
    """Do what typing this does, without the slash; `in_place`: the answer takes the place of the message."""

    is_private: ClassVar[bool] = False
    text: str
    in_place: bool = False

    def __str__(self) -> str:
        return f"{'p' if self.in_place else 'k'}:{self.text}"

    @property
    def fits(self) -> bool:
        """Whether it finds room behind a button."""
        return len(str(self).encode()) <= MOST_BYTES


MOST_BYTES = 64
"""What every chat keeps of a button's text."""

OwnHand = ShowHand | SortHand | AskHint
Token = PlayMove | ChangeLobby | ChangeOption | OwnHand | WriteInPrivate | HostGame | QuitGame | AfterGame
OfRoom = OpenTable | ExplainRanking | TypedCommand
"""What concerns a room and no table."""


class InvalidTokenError(ValueError):
    """This text was never on a button of ours."""


def decode(text: str) -> Token | OfRoom:
    """Read a token.

    Raises:
        InvalidTokenError: The text is no token.

    >>> decode("m:7:12:D 9H JH")
    PlayMove(table_id=7, version=12, move='D 9H JH')
    """
    kind, _, rest = text.partition(":")
    try:
        match kind, rest.split(":", 2):
            case "m", [table_id, version, move] if move:
                return PlayMove(_number(table_id), _number(version), move)
            case "l", [table_id, game, action]:
                return ChangeLobby(_number(table_id), _number(game), LobbyAction(action))
            case "o", [table_id, game, *what] if what != [""]:
                return ChangeOption(_number(table_id), _number(game), *what)
            case "h" | "s" | "i" | "w", [table_id, *more]:
                return _own_hand(kind, _number(table_id), more)
            case "t", [table_id, game, action]:
                return _host_game(_number(table_id), _number(game), action)
            case "q", [table_id, game, action]:
                return QuitGame(_number(table_id), _number(game), QuitAction(action))
            case "d" | "c" | "k" | "p", words:
                return _of_room(kind, words)
            case "g", [table_id, game, action]:
                return AfterGame(_number(table_id), _number(game), EndAction(action))
            case _:
                pass
    except ValueError as error:
        raise InvalidTokenError(text) from error
    raise InvalidTokenError(text)


def table_of_hand(screen: Screen) -> int | None:
    """Return the table whose hand a screen shows, by its buttons; None if it shows no hand."""
    buttons = (button for row in screen.rows for button in row if isinstance(button, CallbackButton))
    tokens = (decode(button.token) for button in buttons)
    of_hand = (each for each in tokens if isinstance(each, OwnHand | PlayMove | QuitGame))
    return next((token.table_id for token in of_hand), None)


def _of_room(kind: str, words: list[str]) -> OfRoom:
    text = ":".join(words)
    if bool(text.strip()) != (kind != "d"):
        raise ValueError(words)
    match kind:
        case "d":
            return OpenTable()
        case "c":
            return ExplainRanking(text)
    return TypedCommand(text, in_place=kind == "p")


def _own_hand(kind: str, table_id: int, more: list[str]) -> OwnHand | WriteInPrivate:
    match kind, more:
        case "h", []:
            return ShowHand(table_id)
        case "h", [page]:
            return ShowHand(table_id, _number(page))
        case "s", [order]:
            return SortHand(table_id, HandOrder(order))
        case "i", []:
            return AskHint(table_id)
        case "w", ["on" | "off" as wanted]:
            return WriteInPrivate(table_id, wanted == "on")
    raise ValueError(more)


def _host_game(table_id: int, game: int, text: str) -> HostGame:
    action, sign, seat = text.partition("-")
    if bool(sign) != (action == HostAction.REPLACE):
        raise ValueError(text)
    return HostGame(table_id, game, HostAction(action), _number(seat) if sign else None)


MOST_DIGITS = 18
"""Ids fit 64 bits; a longer number is nobody's."""


def _number(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= MOST_DIGITS):
        raise ValueError(text)
    return int(text)
