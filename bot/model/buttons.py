"""The text behind a button, its token: at most 64 bytes for the table and the action.

`m:7:12:D 9H JH` plays a move at table 7 that was offered at version 12: `m` is the prefix of `PlayMove`, and
its fields follow in order. Each class below is one kind of button.

Anyone can send any token from anywhere, so the inbox accepts a token only in a place where its button can be.
Buttons under a player's own hand or result (`works_outside_room`) may be outside the table's room; all others
are in that room. Buttons that replace the pressed message or post to the room count only if the chat reports
that the message has them (`counts_only_where_shown`).
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import MISSING, dataclass, field, fields
from enum import StrEnum, auto
from functools import cache
from types import UnionType
from typing import Any, ClassVar, get_args, get_type_hints

from adapters.port import CallbackButton, Screen
from bot.model.profile import HandOrder

MAX_BYTES = 64  # the longest token that every chat accepts
MAX_DIGITS = 18  # ids fit 64 bits; no id is longer


class InvalidTokenError(ValueError):
    """This text is not a token."""


class Button:
    """The meaning of a button: a frozen dataclass. A token is its prefix, followed by its fields in order.

    A field is a number, a text that is not blank, an enum or a flag. A colon precedes it, or its
    `metadata["sign"]`; a field with its default value is left out.
    """

    kinds: ClassVar[dict[str, type["Button"]]] = {}
    prefix: ClassVar[str]
    # Whether its secret answer is kept for a person who has not opened their private chat yet.
    may_wait_in_private: ClassVar[bool] = False

    @property
    def counts_only_where_shown(self) -> bool:
        """Whether the pressed message has to show it, because the answer replaces that message or is public.

        Presses of other buttons may arrive late, from a message that was edited meanwhile.
        """
        return True

    def __init_subclass__(cls, prefix: str = "") -> None:
        if prefix in cls.kinds:
            raise TypeError(f"{cls.__name__} has the prefix of {cls.kinds[prefix].__name__}")

        if prefix:
            cls.prefix = prefix
            cls.kinds[prefix] = cls

    def __str__(self) -> str:
        text = self.prefix
        for part in fields(self):  # type: ignore[arg-type] # every kind is a dataclass
            value = getattr(self, part.name)
            if value != part.default:
                text += part.metadata.get("sign", ":")
                text += ("off", "on")[value] if isinstance(value, bool) else str(value)

        return text if ":" in text else f"{text}:"


def decode(text: str) -> Button:
    """Parses a token.

    Raises:
        InvalidTokenError: The text is not a token.

    >>> decode("m:7:12:D 9H JH")
    PlayMove(table_id=7, version=12, move='D 9H JH')
    """
    kind: Any = Button.kinds.get(text.partition(":")[0])
    if kind is not None:
        pattern, readers = _grammar(kind)
        if match := pattern.fullmatch(text):
            values = {
                name: readers[name](value) for name, value in match.groupdict().items() if value is not None
            }
            button: Button = kind(**values)
            return button

    raise InvalidTokenError(text)


@cache
def _grammar(kind: Any) -> tuple[re.Pattern[str], Mapping[str, Callable[[str], object]]]:
    """Returns the pattern of a kind's tokens, and the reader of each field."""
    hints = get_type_hints(kind)
    pattern = kind.prefix
    readers = dict[str, Callable[[str], object]]()

    for part in fields(kind):
        hint: Any = hints[part.name]
        reader: Any = get_args(hint)[0] if isinstance(hint, UnionType) else hint
        if reader is bool:
            texts = "on|off"
            reader = "on".__eq__
        elif reader is int:
            texts = rf"\d{{1,{MAX_DIGITS}}}"
        else:
            texts = r".*\S.*" if reader is str else "|".join(reader)

        readers[part.name] = reader
        sign = part.metadata.get("sign", ":")
        is_needed = part.default is MISSING
        pattern += f"(?:{sign}(?P<{part.name}>{texts})){'' if is_needed else '?'}"

    whole = pattern if readers else f"{pattern}:"
    return re.compile(whole, re.ASCII | re.DOTALL), readers


# --- the buttons of a table ---------------------------------------------------------------------------------


class LobbyAction(StrEnum):
    """The actions of a lobby's buttons."""

    JOIN = auto()
    LEAVE = auto()
    SEATS = auto()
    HOUSE = auto()
    UNHOUSE = auto()
    START = auto()
    HOLD = auto()
    CLOSE = auto()
    MORE = auto()


class QuitAction(StrEnum):
    """The actions of a player about to leave a running game."""

    ASK = auto()
    LEAVE = auto()
    RESIGN = auto()
    STAY = auto()


class HostAction(StrEnum):
    """The actions on a running game: its host's, and for every player `STOP` and `PLAY_ON`."""

    OPEN = auto()
    CLOSE = auto()
    PAUSE = auto()
    RESUME = auto()
    SKIP = auto()
    REPLACE = auto()
    STOP = auto()
    PLAY_ON = auto()


class EndAction(StrEnum):
    """The actions of a finished game's buttons."""

    REMATCH = auto()
    MISTAKES = auto()
    LEADERBOARD = auto()
    FILM = auto()
    WITHDRAW = auto()  # the link to the game on the page


class SlyAction(StrEnum):
    """The actions of a player where cheating is on."""

    CHEAT = auto()
    ACCUSE = auto()


@dataclass(frozen=True)
class TableButton(Button):
    """A button of a table."""

    table_id: int
    is_lasting: ClassVar[bool] = False  # whether it is also valid in all later games of the table

    @property
    def counts_only_where_shown(self) -> bool:
        """False by default, as a table itself refuses late presses."""
        return False

    @property
    def works_outside_room(self) -> bool:
        """Whether it may appear outside of the table's room: under a player's own hand or result."""
        return False

    def counts_in(self, game: int) -> bool:
        """Returns whether it is valid while this game is the table's newest."""
        return self.is_lasting or getattr(self, "game", game) == game


@dataclass(frozen=True)
class HandButton(TableButton):
    """A button under the asker's own hand."""

    @property
    def works_outside_room(self) -> bool:
        """Always: the hand may be shown elsewhere."""
        return True


@dataclass(frozen=True)
class PlayMove(HandButton, prefix="m"):
    """Play the move with this text; it was offered at `version`."""

    version: int
    move: str


@dataclass(frozen=True)
class ShowHand(HandButton, prefix="h"):
    """Show the asker's own hand; pages count from 0."""

    page: int = 0


@dataclass(frozen=True)
class SortHand(HandButton, prefix="s"):
    """Sort the asker's hands in this order from now on."""

    order: HandOrder


@dataclass(frozen=True)
class AskHint(HandButton, prefix="i"):
    """Show the asker's own hand with an expert's advice."""


@dataclass(frozen=True)
class OpenCheating(HandButton, prefix="ch"):
    """Show the asker what they can do with cards against the rules, or with this card.

    Or show the cards at which they can point.
    """

    action: SlyAction
    card: str = ""


@dataclass(frozen=True)
class WatchTable(HandButton, prefix="v"):
    """Open the live table for the asker; in the table's room also for onlookers."""

    may_wait_in_private = True


@dataclass(frozen=True)
class WriteInPrivate(HandButton, prefix="w"):
    """Start writing to the asker in private, or stop it."""

    wanted: bool


@dataclass(frozen=True)
class QuitGame(HandButton, prefix="q"):
    """Leave a table's running game, or think again."""

    game: int
    action: QuitAction


@dataclass(frozen=True)
class ChangeLobby(TableButton, prefix="l"):
    """Do something in the lobby of a table's game."""

    game: int
    action: LobbyAction


@dataclass(frozen=True)
class ChangeOption(TableButton, prefix="o"):
    """Open options in the lobby of a table's game, or set one.

    `what` is empty (close them), the name of a panel or of a setting (open it), or a setting with its value.
    """

    game: int
    what: str = ""


@dataclass(frozen=True)
class HostGame(TableButton, prefix="t"):
    """Moderate a running game; `seat` is the seat that a house player takes over."""

    game: int
    action: HostAction
    seat: int | None = field(default=None, metadata={"sign": "-"})

    def __post_init__(self) -> None:
        if (self.seat is None) is (self.action is HostAction.REPLACE):
            raise InvalidTokenError(str(self))


@dataclass(frozen=True)
class AfterGame(TableButton, prefix="g"):
    """Continue after a table's game, for instance with a rematch."""

    game: int
    action: EndAction
    is_lasting = True

    @property
    def works_outside_room(self) -> bool:
        """Whether it may appear under a player's own result, as the button for a rematch may."""
        return self.action is EndAction.REMATCH

    @property
    def counts_only_where_shown(self) -> bool:
        """Whether the pressed message has to show it, because the answer is posted to the room."""
        return self.action in {EndAction.LEADERBOARD, EndAction.FILM}


@dataclass(frozen=True)
class CallMe(TableButton, prefix="b"):
    """Call the asker once when the next game gathers in the room."""

    game: int
    is_lasting = True


@dataclass(frozen=True)
class JoinCompany(TableButton, prefix="j"):
    """Let the players of a table's game invite the asker, who is one of them, to later games."""

    game: int
    is_lasting = True


@dataclass(frozen=True)
class CallCompany(TableButton, prefix="r"):
    """Call the players of the room's last game to the lobby of a table's game."""

    game: int


OwnHand = ShowHand | SortHand | AskHint | OpenCheating


def buttons_of(screen: Screen) -> Iterator[Button]:
    """Yields the meanings of the buttons of a screen."""
    for row in screen.rows:
        for button in row:
            if isinstance(button, CallbackButton):
                yield decode(button.token)


def table_of_hand(screen: Screen) -> int | None:
    """Returns the table whose hand a screen shows, by its buttons; None if it shows no hand."""
    of_hand = (token for token in buttons_of(screen) if isinstance(token, OwnHand | PlayMove | QuitGame))
    return next((token.table_id for token in of_hand), None)


# --- the buttons of a room; their handlers check that they count only where they can be ---


@dataclass(frozen=True)
class MuteCalls(Button, prefix="u"):
    """Stop calling the asker from the server of this table."""

    table: int


@dataclass(frozen=True)
class AnswerCall(Button, prefix="ac"):
    """Sit down at the gathering table to which a private message called the asker."""

    table: int
    game: int


@dataclass(frozen=True)
class MoveTable(Button, prefix="mt"):
    """Move a running game, whose own room is gone, to the room of this button."""

    table: int


@dataclass(frozen=True)
class CallOff(Button, prefix="n"):
    """Stop calling the presser to the room of this table, as they had requested."""

    table: int


@dataclass(frozen=True)
class OpenTable(Button, prefix="d"):
    """Open a table in the room, as `/durak` does."""

    @property
    def counts_only_where_shown(self) -> bool:
        """False, as a late press joins the table that is open by then."""
        return False


@dataclass(frozen=True)
class ExplainRanking(Button, prefix="c"):
    """Explain how the leaderboard of a period is counted."""

    period: str


@dataclass(frozen=True)
class GoUnmarked(Button, prefix="x"):
    """Wear no fool's mark from now on; only the asker gets an answer, and the message does not change."""


@dataclass(frozen=True)
class TypedCommand(Button, prefix="k"):
    """Run a typed command, without the slash."""

    text: str

    @property
    def fits(self) -> bool:
        """Whether its token fits behind a button."""
        return len(str(self).encode()) <= MAX_BYTES


class CommandInPlace(TypedCommand, prefix="p"):
    """Run a typed command; the answer takes the place of the pressed message."""


class CommandToComplete(TypedCommand, prefix="kc"):
    """Ask for the end of a command, and run it."""


class CommandToCompleteInPlace(TypedCommand, prefix="pc"):
    """Ask for the end of a command, and run it; the answer takes the place of the pressed message."""
