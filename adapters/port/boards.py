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
    """The kind of a move, by what it does with its cards."""

    ATTACK = auto()  # lays cards on the table
    BEAT = auto()  # lays a card on an attack card
    TRANSFER = auto()  # lays cards on the table, against the next player
    SHOW = auto()  # transfers by showing a card, which stays in the hand
    TAKE = auto()
    DONE = auto()
    LAY_AWAY = auto()
    EXCHANGE = auto()
    KEEP = auto()
    REDEAL = auto()


@dataclass(frozen=True, slots=True)
class BoardSeat:
    """The public facts of a seat; `user` is None for a house player.

    `seen` are the cards of the hand that everybody knows; `team` is the sign of its team, if there are teams.
    `place` is 1 for the first player out of cards, 0 for a player without a place. `portrait` is the key of
    the picture that the person shows of themselves (`Views.portrait`); empty if there is none.
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
    portrait: str = ""


@dataclass(frozen=True, slots=True)
class LobbySeat:
    """The seat of a player or an expected person before the deal, with the fields of a `BoardSeat`."""

    name: str
    user: UserRef | None
    is_host: bool = False
    team: str = ""
    portrait: str = ""


@dataclass(frozen=True, slots=True)
class LobbyView:
    """The part of a lobby for one kind of reader.

    `tokens` are those of the message's buttons that these readers may press. Among them, `best` is the main
    one, `bots` add bots, `out` leave the seat or the table, and `closes` closes it for everybody.
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

    id: str  # of the game to be dealt
    about: tuple[Span, ...]  # the rules and the clock
    heading: str  # the number of players
    players: tuple[LobbySeat, ...]  # in the order of play
    most: int  # the largest number of players
    seal: tuple[Span, ...]  # the commitment to the deal, for players to keep
    for_host: LobbyView
    for_seated: LobbyView  # for the other players at the table
    for_others: LobbyView  # for onlookers
    expected: tuple[LobbySeat, ...] = ()  # the people that the lobby is waiting for


@dataclass(frozen=True, slots=True)
class BoardPair:
    """An attack card, the card that beats it if any, and the attacker's seat if it is known."""

    attack: str
    beat: str | None
    by: int | None


@dataclass(frozen=True, slots=True)
class GameResult:
    """The words about a finished game, without those for faces, places and cards, which the chat draws."""

    verdict: tuple[Span, ...]  # who lost or won, after an emoji
    caption: tuple[Span, ...]  # a second line, if nobody lost
    notes: tuple[tuple[Span, ...], ...]  # further lines: who resigned, points, what features add
    left: str  # names the cards that the fool still held; empty without any
    length: str  # the number of bouts, and the time


@dataclass(frozen=True, slots=True)
class OwnResult:
    """The words about a finished game for one of its players."""

    verdict: tuple[Span, ...]  # the player's own result, after an emoji
    caption: tuple[Span, ...]  # the result of the others
    notes: tuple[tuple[Span, ...], ...]  # further lines: points
    rating: str  # the change of the rating, as "+1.4"; empty if it isn't shown


@dataclass(frozen=True, slots=True)
class SeatWords:
    """A text in the words for the players on some seats."""

    seats: tuple[int, ...]
    words: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class Board:
    """The public facts of a running or finished game."""

    id: str  # equal for all boards and hands of one game
    step: int  # grows with every event of the game
    title: str  # the name of the rules
    seats: tuple[BoardSeat, ...]  # in the order of play
    trump: str  # the letter of the trump suit
    turn_up: str | None  # the face-up card under the talon, until it is drawn
    talon: int  # the number of cards left to draw
    discard: int  # the number of cards on the discard heap
    discarded: tuple[str, ...]  # the cards on the discard heap, if the rules make it public
    bout: tuple[BoardPair, ...]  # the cards on the table
    is_taking: bool  # the defender takes; cards may still be added
    status: tuple[Span, ...]  # the players that the table waits for
    latest: tuple[Span, ...]  # the latest events
    asked: tuple[Span, ...] = ()  # a question to everybody at the table, if there is one
    own_questions: tuple[SeatWords, ...] = ()  # the question for the players who ask it, and for those asked
    since: float | None = None  # when the newest move was made, while people are awaited (Unix seconds)
    until: float | None = None  # when the table moves for the players it waits for, if it has a clock
    is_over: bool = False  # whether the game has ended
    losers: tuple[int, ...] = ()  # the seats that lost the game; a single one is the fool
    fools_hand: tuple[str, ...] = ()  # the cards that the fool still held, no longer secret
    last_bout: tuple[BoardPair, ...] = ()  # the whole previous bout, while no card is on the table
    result: GameResult | None = None  # the words of the result, in the message that shows it


@dataclass(frozen=True, slots=True)
class BoardMove:
    """A move that a player may make now; `attack` is the card it beats.

    `cards` are the cards of the hand that the move needs; `token` comes back in the `Press`.
    """

    token: str
    kind: MoveKind
    cards: tuple[str, ...]
    attack: str | None
    label: str


@dataclass(frozen=True, slots=True)
class BoardIdle:
    """A card that cannot be played now; pressing its token explains why."""

    card: str
    token: str


@dataclass(frozen=True, slots=True)
class HandBoard:
    """A person's hand and moves; only they may see it."""

    id: str  # of the table's board
    step: int  # of the board at the same moment
    seat: int
    cards: tuple[str, ...]  # in the order that the player chose
    moves: tuple[BoardMove, ...]  # the legal moves
    is_awaited: bool  # whether the table waits for this player
    says: tuple[Span, ...]  # the player's role in this bout
    note: tuple[Span, ...] = ()  # advice or a question for this player alone
    advice: str | None = None  # the token of the advised move
    idle: tuple[BoardIdle, ...] = ()  # the cards that no move uses
    one_tap: bool = False  # whether one tap on a card plays it, if only one move uses it
    latest: tuple[Span, ...] = ()  # the newest move, worded for this player
    cheats: tuple[BoardMove, ...] = ()  # moves against the rules, which no tap may play


@dataclass(frozen=True, slots=True)
class PuzzleBoard:
    """A puzzle: the open hands of both players, and the table between them."""

    trump: str  # the letter of the trump suit
    text: tuple[Span, ...]  # the task, or whether it is solved
    other: tuple[str, ...]  # the cards of the other player
    bout: tuple[BoardPair, ...]
    cards: tuple[str, ...]  # the solver's hand
    moves: tuple[BoardMove, ...] = ()  # the moves to choose from; empty after the choice
    played: BoardMove | None = None  # the chosen move
    better: BoardMove | None = None  # the winning move, if a wrong one was chosen
    rival: str = ""  # the other player's name, in a lesson
    number: int = 0  # of the puzzle, for chats with pages of puzzles; 0 if it is a position of a lesson


# --- Answers that a chat may draw -------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Figure:
    """A number about a player and its label; `hint` explains a number that needs it."""

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
    """A player's statistics: the main figures, the newest games in order, and the rest as text."""

    name: str
    figures: tuple[Figure, ...]
    text: tuple[Span, ...]
    form: tuple[GameSign, ...] = ()


class GuidePicture(StrEnum):
    """The picture on a card of the help (`GuideWay`)."""

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
    """Something to do with the bot, shown as a card; `token` comes back in the `Press`."""

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
    """The help: the goal of the game, cards to press, and commands to type."""

    text: tuple[Span, ...]
    ways: tuple[GuideWay, ...]
    typed: tuple[GuideLine, ...]


@dataclass(frozen=True, slots=True)
class RuleGuide:
    """How to play by some rules, for the chats that lay out this text themselves."""

    title: str  # the name of the rules
    sentences: tuple[str, ...]  # how to play; the first one states the goal
    special: tuple[str, ...]  # what is special about these rules
    heading: str = ""  # above the special rules
    text: tuple[Span, ...] = ()  # the other rules that can be looked up


@dataclass(frozen=True, slots=True)
class SettingLine:
    """A setting in a list; `token` opens its values, `switch` is the token that flips an on/off setting."""

    name: str
    value: str
    token: str
    about: str = ""
    switch: str = ""
    is_on: bool = False  # for a switch


@dataclass(frozen=True, slots=True)
class SettingGroup:
    """Settings that belong together."""

    heading: str
    lines: tuple[SettingLine, ...]


@dataclass(frozen=True, slots=True)
class SettingList:
    """Settings with their values; `text` names their owner, `more` describes those without buttons."""

    text: tuple[Span, ...]
    groups: tuple[SettingGroup, ...]
    more: str = ""


ScreenFacts = PuzzleBoard | PlayerCard | Guide | RuleGuide | SettingList
