"""Who sits at a table, what lies on it and in a hand, for chats that draw these themselves.

A card is a rank of `23456789TJQKA` and a suit of `SHDC`, as in `9H`.
"""

from dataclasses import dataclass
from enum import StrEnum, auto

from adapters.port.refs import UserRef
from adapters.port.spans import Span


class Role(StrEnum):
    """What a seat does in this bout."""

    NONE = auto()
    ATTACKER = auto()
    DEFENDER = auto()


class MoveKind(StrEnum):
    """What a move does with its cards."""

    ATTACK = auto()  # lays them on the table
    BEAT = auto()  # lays one on an attack card
    TRANSFER = auto()  # lays them on the table, against the next player
    SHOW = auto()  # shows one for the same purpose; it stays in the hand
    TAKE = auto()
    DONE = auto()
    LAY_AWAY = auto()
    EXCHANGE = auto()
    KEEP = auto()
    REDEAL = auto()


@dataclass(frozen=True, slots=True)
class BoardSeat:
    """A seat as everybody sees it; `user` is who sits there, None for a house player.

    `seen` are cards in this hand that everybody knows; `team` is the sign of its team, if there are any.
    """

    name: str
    user: UserRef | None
    cards: int
    role: Role = Role.NONE
    is_awaited: bool = False
    is_out: bool = False
    is_away: bool = False
    team: str = ""
    seen: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class LobbySeat:
    """A seat that is taken before the deal; `user` is None for a house player."""

    name: str
    user: UserRef | None
    is_host: bool = False
    team: str = ""


@dataclass(frozen=True, slots=True)
class LobbyBoard:
    """A table before the deal, as everybody sees it.

    Attributes:
        id: That of the game to be dealt.
        about: What will be played.
        heading: How many sit there.
        players: Who sits there, in the order of play.
        most: How many may sit there.
        says: What the table waits for.
        seal: The promise of the deal, to be kept.
    """

    id: str
    about: tuple[Span, ...]
    heading: str
    players: tuple[LobbySeat, ...]
    most: int
    says: tuple[Span, ...]
    seal: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class BoardPair:
    """An attack card, the card that beats it, and the seat that laid the attack card, if it is known."""

    attack: str
    beat: str | None
    by: int | None


@dataclass(frozen=True, slots=True)
class Board:
    """A table, as everybody sees it.

    Attributes:
        id: Equal for all boards and hands of one game.
        step: Grows with whatever happens in the game.
        title: What the game is called.
        seats: Who sits there, in the order of play.
        trump: The letter of the trump suit.
        turn_up: The face-up card under the talon, while it lies there.
        talon: How many cards are left to be drawn.
        discard: How many cards lie on the discard heap.
        discarded: Which ones, where everybody may look through it.
        bout: The cards on the table.
        is_taking: The defender takes; cards may still be added.
        status: Whom everybody waits for.
        told: What has just happened.
        asked: What everybody at the table is asked, if anything.
        since: When the newest move was made, while people are waited for (Unix seconds).
        until: When the table moves for them, if it has a clock.
        is_over: Whether the game has ended.
        losers: The seats that lost it: one is the fool.
    """

    id: str
    step: int
    title: str
    seats: tuple[BoardSeat, ...]
    trump: str
    turn_up: str | None
    talon: int
    discard: int
    discarded: tuple[str, ...]
    bout: tuple[BoardPair, ...]
    is_taking: bool
    status: tuple[Span, ...]
    told: tuple[Span, ...]
    asked: tuple[Span, ...] = ()
    since: float | None = None
    until: float | None = None
    is_over: bool = False
    losers: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class BoardMove:
    """Something that somebody may do now; `attack` is the card that would be beaten.

    `cards` are those of the hand that it needs; `token` comes back in the `Press`.
    """

    token: str
    kind: MoveKind
    cards: tuple[str, ...]
    attack: str | None
    label: str


@dataclass(frozen=True, slots=True)
class HandBoard:
    """What one person holds and may do; nobody else may see it.

    Attributes:
        id: That of the table's board.
        seat: Where they sit.
        cards: Their cards, in the order in which they like to hold them.
        moves: All that they may do.
        is_awaited: Whether the table waits for them.
        says: What they do in this bout.
        note: What they alone are told besides: an advice, a question.
        advice: The token of the move that is advised.
    """

    id: str
    seat: int
    cards: tuple[str, ...]
    moves: tuple[BoardMove, ...]
    is_awaited: bool
    says: tuple[Span, ...]
    note: tuple[Span, ...] = ()
    advice: str | None = None
