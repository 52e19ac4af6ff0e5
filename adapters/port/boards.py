"""Tables, hands and some answers as data, for chats that draw them themselves."""

from dataclasses import dataclass
from enum import StrEnum, auto

from adapters.port.refs import UserRef
from adapters.port.text import Span


class Role(StrEnum):
    """The role of a seat in this bout."""

    NONE = auto()
    ATTACKER = auto()
    DEFENDER = auto()


class MoveKind(StrEnum):
    """The kind of a move, by its effect on its cards."""

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
    """The public facts of a seat; `user` is its person, None for a house player.

    `seen` are the public cards of this hand; `team` is the sign of its team, if there are any. `place` is 1
    for the first player out of cards, 0 for one without a place.
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
    place: int = 0


@dataclass(frozen=True, slots=True)
class LobbySeat:
    """A seat that is taken before the deal; `user` is None for a house player."""

    name: str
    user: UserRef | None
    is_host: bool = False
    team: str = ""


@dataclass(frozen=True, slots=True)
class LobbyView:
    """The part of a lobby for one kind of reader.

    `tokens` are those of the message's buttons that are for them; `best` brings the game nearer, `bots` add
    bots, `out` leads away from the table, and `closes` ends it for everybody.
    """

    says: tuple[Span, ...]
    tokens: tuple[str, ...] = ()
    best: str = ""
    bots: tuple[str, ...] = ()
    out: tuple[str, ...] = ()
    closes: str = ""


@dataclass(frozen=True, slots=True)
class LobbyBoard:
    """The public facts of a table before the deal."""

    id: str  # that of the game to be dealt
    about: tuple[Span, ...]  # the rules and the clock
    heading: str  # the number of players
    players: tuple[LobbySeat, ...]  # in the order of play
    most: int  # the largest number of players
    seal: tuple[Span, ...]  # the promise of the deal, to be kept
    for_host: LobbyView  # the host's part
    for_seated: LobbyView  # the part of the others at the table
    for_others: LobbyView  # the part of onlookers


@dataclass(frozen=True, slots=True)
class BoardPair:
    """An attack card, the card that beats it, and the seat that laid the attack card, if it is known."""

    attack: str
    beat: str | None
    by: int | None


@dataclass(frozen=True, slots=True)
class Board:
    """The public facts of a running or finished game."""

    id: str  # equal for all boards and hands of one game
    step: int  # grows with every event of the game
    title: str  # the name of the rules
    seats: tuple[BoardSeat, ...]  # in the order of play
    trump: str  # the letter of the trump suit
    turn_up: str | None  # the face-up card under the talon, while it lies there
    talon: int  # the number of cards left to draw
    discard: int  # the number of cards on the discard heap
    discarded: tuple[str, ...]  # its cards, where the rules lay it open
    bout: tuple[BoardPair, ...]  # the cards on the table
    is_taking: bool  # the defender takes; cards may still be added
    status: tuple[Span, ...]  # the players that the table waits for
    latest: tuple[Span, ...]  # the latest events
    asked: tuple[Span, ...] = ()  # a question to all at the table, if there is one
    since: float | None = None  # when the newest move was made, while people are waited for (Unix seconds)
    until: float | None = None  # when the table moves for them, if it has a clock
    is_over: bool = False  # whether the game has ended
    losers: tuple[int, ...] = ()  # the seats that lost it: one is the fool
    last_bout: tuple[BoardPair, ...] = ()  # the whole bout before, while no card is on the table


@dataclass(frozen=True, slots=True)
class BoardMove:
    """A move that a player may make now; `attack` is the card that would be beaten.

    `cards` are those of the hand that it needs; `token` comes back in the `Press`.
    """

    token: str
    kind: MoveKind
    cards: tuple[str, ...]
    attack: str | None
    label: str


@dataclass(frozen=True, slots=True)
class BoardIdle:
    """A card that cannot be played now; a press with the token is answered by the reason."""

    card: str
    token: str


@dataclass(frozen=True, slots=True)
class HandBoard:
    """A person's hand and moves; only they may see it."""

    id: str  # that of the table's board
    step: int  # that of the board that shows the same moment
    seat: int  # their seat
    cards: tuple[str, ...]  # in the order that they chose
    moves: tuple[BoardMove, ...]  # their legal moves
    is_awaited: bool  # whether the table waits for them
    says: tuple[Span, ...]  # their role in this bout
    note: tuple[Span, ...] = ()  # an advice or a question for them alone
    advice: str | None = None  # the token of the move that is advised
    idle: tuple[BoardIdle, ...] = ()  # their cards that no move uses
    one_tap: bool = False  # whether one tap on a card plays it, if it can mean one thing
    latest: tuple[Span, ...] = ()  # the newest move, in words to them


@dataclass(frozen=True, slots=True)
class PuzzleBoard:
    """A puzzle: the hands of both players, which are open, and the table between them."""

    trump: str  # the letter of the trump suit
    text: tuple[Span, ...]  # the task, or whether it is solved
    other: tuple[str, ...]  # the cards of the other player
    bout: tuple[BoardPair, ...]
    cards: tuple[str, ...]  # those of the solver
    moves: tuple[BoardMove, ...] = ()  # those to choose from; none once one is chosen
    played: BoardMove | None = None  # the chosen one
    better: BoardMove | None = None  # the winning move, if a wrong one was chosen
    rival: str = ""  # the name of the other player, if the text has one


# --- Answers that a chat may draw -------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Figure:
    """A number about a player, with its label, and the meaning of a number that needs one."""

    value: str
    label: str
    hint: str = ""


@dataclass(frozen=True, slots=True)
class GameSign:
    """The sign of a player's result in one game, and its meaning in a word or two."""

    sign: str
    meaning: str


@dataclass(frozen=True, slots=True)
class PlayerCard:
    """A player's statistics: the main figures, the newest games in order, and all else in sentences."""

    name: str
    figures: tuple[Figure, ...]
    text: tuple[Span, ...]
    form: tuple[GameSign, ...] = ()


class GuidePicture(StrEnum):
    """The picture of a way to go."""

    BOTS = auto()
    FRIENDS = auto()
    LESSONS = auto()
    RULES = auto()
    PUZZLE = auto()
    FOOLS = auto()
    STATISTICS = auto()
    SETTINGS = auto()


@dataclass(frozen=True, slots=True)
class GuideWay:
    """Something to do with the bot, as a card; `token` comes back in the `Press`."""

    picture: GuidePicture
    label: str
    token: str


@dataclass(frozen=True, slots=True)
class GuideLine:
    """A command to type."""

    command: str
    about: str


@dataclass(frozen=True, slots=True)
class Guide:
    """The help: the goal of the game, ways to go by a press, and commands to type."""

    text: tuple[Span, ...]
    ways: tuple[GuideWay, ...]
    typed: tuple[GuideLine, ...]


@dataclass(frozen=True, slots=True)
class RuleGuide:
    """How one plays by some rules: their name, the basics, and their special features under a heading.

    The first of the `sentences` is the goal.
    """

    title: str
    sentences: tuple[str, ...]
    special: tuple[str, ...]
    heading: str = ""
    text: tuple[Span, ...] = ()  # on other rules


@dataclass(frozen=True, slots=True)
class SettingLine:
    """A setting in a list; `token` opens its values, `switch` chooses the other one of two."""

    name: str
    value: str
    token: str
    about: str = ""
    switch: str = ""
    is_on: bool = False  # of a switch


@dataclass(frozen=True, slots=True)
class SettingGroup:
    """Settings that belong together."""

    heading: str
    lines: tuple[SettingLine, ...]


@dataclass(frozen=True, slots=True)
class SettingList:
    """Settings with their values: whose they are, and in `more` what no press can do about them."""

    text: tuple[Span, ...]
    groups: tuple[SettingGroup, ...]
    more: str = ""


ScreenFacts = PuzzleBoard | PlayerCard | Guide | RuleGuide | SettingList
