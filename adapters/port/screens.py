"""What is shown: screens, and who sees them."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from enum import Enum, StrEnum, auto
from typing import Protocol

from adapters.port.refs import MessageRef, RoomRef, ServerRef, UserRef

# --- Text -------------------------------------------------------------------------------------------------


class Mark(Enum):
    """How a piece of text looks."""

    PLAIN = auto()
    BOLD = auto()
    ITALIC = auto()
    CODE = auto()
    STRIKE = auto()


@dataclass(frozen=True, slots=True)
class Span:
    """A piece of text; the adapter escapes it, so it may hold anything.

    `mention` notifies that person where the chat can (the text then stands for their name); `link` leads to a
    message where the chat has addresses for messages, and is plain text elsewhere. `when` is the moment (in
    Unix seconds) that the text names: a chat that can shows it in the reader's time zone, or, if it
    `counts_down`, how long it is until then.
    """

    text: str
    mark: Mark = Mark.PLAIN
    mention: UserRef | None = None
    link: MessageRef | None = None
    when: float | None = None
    counts_down: bool = False


# --- Boards, for chats that draw tables and hands themselves ----------------------------------------------


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
class LobbyView:
    """What a lobby says to one kind of reader.

    `tokens` are those of the message's buttons that are for them; `best` brings the game nearer.
    """

    says: tuple[Span, ...]
    tokens: tuple[str, ...] = ()
    best: str = ""


@dataclass(frozen=True, slots=True)
class LobbyBoard:
    """A table before the deal, as everybody sees it."""

    id: str  # that of the game to be dealt
    about: tuple[Span, ...]  # what will be played
    heading: str  # how many sit there
    players: tuple[LobbySeat, ...]  # who sits there, in the order of play
    most: int  # how many may sit there
    seal: tuple[Span, ...]  # the promise of the deal, to be kept
    for_host: LobbyView  # what the host is told and can do
    for_seated: LobbyView  # the same for the others at the table
    for_others: LobbyView  # the same for everybody else


@dataclass(frozen=True, slots=True)
class BoardPair:
    """An attack card, the card that beats it, and the seat that laid the attack card, if it is known."""

    attack: str
    beat: str | None
    by: int | None


@dataclass(frozen=True, slots=True)
class Board:
    """A table, as everybody sees it."""

    id: str  # equal for all boards and hands of one game
    step: int  # grows with whatever happens in the game
    title: str  # what the game is called
    seats: tuple[BoardSeat, ...]  # who sits there, in the order of play
    trump: str  # the letter of the trump suit
    turn_up: str | None  # the face-up card under the talon, while it lies there
    talon: int  # how many cards are left to be drawn
    discard: int  # how many cards lie on the discard heap
    discarded: tuple[str, ...]  # which ones, where everybody may look through it
    bout: tuple[BoardPair, ...]  # the cards on the table
    is_taking: bool  # the defender takes; cards may still be added
    status: tuple[Span, ...]  # whom everybody waits for
    told: tuple[Span, ...]  # what has just happened
    asked: tuple[Span, ...] = ()  # what everybody at the table is asked, if anything
    since: float | None = None  # when the newest move was made, while people are waited for (Unix seconds)
    until: float | None = None  # when the table moves for them, if it has a clock
    is_over: bool = False  # whether the game has ended
    losers: tuple[int, ...] = ()  # the seats that lost it: one is the fool


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
    """What one person holds and may do; only they may see it."""

    id: str  # that of the table's board
    step: int  # that of the board that shows the same moment
    seat: int  # where they sit
    cards: tuple[str, ...]  # their cards, in the order in which they like to hold them
    moves: tuple[BoardMove, ...]  # all that they may do
    is_awaited: bool  # whether the table waits for them
    says: tuple[Span, ...]  # what they do in this bout
    note: tuple[Span, ...] = ()  # what they alone are told besides: an advice, a question
    advice: str | None = None  # the token of the move that is advised
    idle: tuple[BoardIdle, ...] = ()  # their cards that no move uses
    one_tap: bool = False  # whether one tap on a card plays it, if it can mean one thing


# --- Pages of a chat of our own ---------------------------------------------------------------------------


class RuleTrait(StrEnum):
    """Something that rules have and the plainest have not."""

    TRANSFER = auto()  # attacks can be passed on
    SHOW = auto()  # by showing the trump as well
    TEAMS = auto()
    POINTS = auto()
    EPAULETTES = auto()
    NEIGHBOURS = auto()  # none but the defender's neighbours throw in
    ALONE = auto()  # at most the attacker throws in
    UNLIMITED = auto()  # no limit to an attack but the defender's cards
    REDEAL = auto()  # some hands give the right to a new deal
    EQUAL = auto()  # an attack may begin with several equal cards
    CLOSED = auto()  # nothing is thrown in once the defender takes


@dataclass(frozen=True, slots=True)
class RuleSketch:
    """What a small picture of rules shows: the lowest card's rank, the size of the deck, what is special."""

    lowest: str
    size: int
    traits: tuple[RuleTrait, ...]


@dataclass(frozen=True, slots=True)
class RuleSetCard:
    """Rules to open a table by."""

    name: str  # what is typed after `/durak`
    title: str  # what people call them
    cards: str  # how many cards and players they are for, in a sentence
    special: str  # what distinguishes them most, in a few sentences; empty for the plainest
    sketch: RuleSketch  # a picture of them


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

    `mark` is what a review says of the move that was made next, if the reader asked for it.
    """

    board: Board
    hands: tuple[tuple[str, ...], ...]
    mark: tuple[Span, ...] = ()


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


@dataclass(frozen=True, slots=True)
class RulesTold:
    """How one plays by some rules: their name, what everybody has to know, and what is special about them."""

    title: str
    sentences: tuple[str, ...]
    special: tuple[str, ...]


class Pages(Protocol):
    """What the bot tells a chat of our own; `locale` is what its reader speaks, as in `de`."""

    async def rule_sets(self, server: ServerRef, locale: str) -> Sequence[RuleSetCard]:
        """Return the rules that one can open a table by, those that are played by default first."""

    async def rules(self, room: RoomRef, locale: str) -> RulesTold:
        """Explain the rules of the table in a room, or those that are played there by default."""

    async def ranking(
        self, server: ServerRef, period: str, locale: str, *, fools_first: bool
    ) -> Sequence[PlayerTally]:
        """Rank those who played in a `period` (`week`, `month`, `year`, else ever), the best first."""

    async def statistics(self, server: ServerRef, user: UserRef, locale: str) -> tuple[Span, ...]:
        """Return a player's statistics; empty if they have finished no game."""

    async def games(self, server: ServerRef) -> Sequence[GameSummary]:
        """Return the games that were over last, the newest first."""

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
        """Return a finished game of this server, if there is one, with the `reader`'s own review of it.

        With a `secret`, which the bot gives to the chat where a game was played, it may be of any server.
        If they want it and it is not there (any more), it is underway from then on.
        """


# --- Screens ----------------------------------------------------------------------------------------------


class Tone(Enum):
    """What a button means, for chats that colour them."""

    NEUTRAL = auto()
    PRIMARY = auto()
    GOOD = auto()
    DANGER = auto()


@dataclass(frozen=True, slots=True)
class CallbackButton:
    """A button; `token` (at most 64 bytes of UTF-8) comes back in the `Press`.

    `icon` names a small picture, for chats that were given such and can show them; the label says the same.
    """

    token: str
    label: str
    tone: Tone = Tone.NEUTRAL
    enabled: bool = True
    icon: str = ""


@dataclass(frozen=True, slots=True)
class PrivateChatButton:
    """A button that opens the private chat with the bot and leads to a `PrivateChatOpened` from `room` there.

    A chat that needs no such step leaves it out.
    """

    label: str
    room: RoomRef


@dataclass(frozen=True, slots=True)
class AddToGroupButton:
    """A button that adds the bot to another group; a chat without such a step leaves it out.

    With `marks` it asks this server, where the bot is already, for the right that `Badges` need as well.
    """

    label: str
    marks: ServerRef | None = None


@dataclass(frozen=True, slots=True)
class LinkButton:
    """A button that opens an address; a chat that has its own way there leaves it out."""

    label: str
    url: str


Button = CallbackButton | PrivateChatButton | AddToGroupButton | LinkButton


@dataclass(frozen=True, slots=True)
class Picture:
    """A PNG and the same facts in words."""

    png: bytes = field(repr=False)
    alt: str


@dataclass(frozen=True, slots=True)
class Document:
    """A file to keep; `apology` is said in its place where the chat does not take it.

    One that `is_animation` is a GIF, which a chat plays in the message if it can.
    """

    name: str
    content: bytes = field(repr=False)
    apology: str = ""
    is_animation: bool = False

    def left_out_of(self, screen: "Screen") -> "Screen":
        """Return the screen with the apology in place of this document."""
        if not self.apology:
            return screen
        gap = (Span("\n\n"),) if screen.body else ()
        return replace(screen, body=(*screen.body, *gap, Span(self.apology)))


@dataclass(frozen=True, slots=True)
class GameRef:
    """A game that is over, as a chat with pages of games names it."""

    table_id: int
    game: int


@dataclass(frozen=True, slots=True)
class Screen:
    """One message: text, perhaps a picture, rows of buttons; equal states give equal screens.

    `reaction` is an emoji for chats in which one reacts to a message; it says nothing new, and may get lost.
    `board` is the table or the hand that the text tells of, where a chat draws these itself.
    `details` are the facts that a picture shows as well: a chat that shows the picture folds them away, or
    leaves them to its alternative text.
    `ended` is the game whose end the screen tells of, for chats in which one can look at it again.
    """

    body: tuple[Span, ...]
    rows: tuple[tuple[Button, ...], ...] = ()
    picture: Picture | None = None
    reaction: str = ""
    board: Board | LobbyBoard | HandBoard | None = None
    details: tuple[Span, ...] = ()
    ended: GameRef | None = field(default=None, repr=False)  # the text tells the same

    @property
    def text(self) -> tuple[Span, ...]:
        """Everything the screen says in words: what a chat shows that shows no picture."""
        between = (Span("\n\n"),) if self.details and self.body else ()
        return (*self.details, *between, *self.body)


@dataclass(frozen=True, slots=True)
class Everyone:
    """Everybody who can read the room."""

    room: RoomRef


@dataclass(frozen=True, slots=True)
class Only:
    """One person; `room` is where they play, for chats that can show one person a message there."""

    user: UserRef
    room: RoomRef


Audience = Everyone | Only


# --- Forms, for chats that show choices so ----------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class FormChoice:
    """A value of a field: `token` comes back in a `Press`, `told` says what choosing it means.

    Rules have a `sketch` besides.
    """

    token: str
    label: str
    told: str = ""
    sketch: RuleSketch | None = None


@dataclass(frozen=True, slots=True)
class FormField:
    """Something to choose; `chosen` is the place of the choice that holds now, None if it is none of them.

    A field `is_switch` if it is on or off, in this order.
    """

    label: str
    choices: tuple[FormChoice, ...]
    chosen: int | None
    is_switch: bool = False


@dataclass(frozen=True, slots=True)
class Form:
    """Fields that stand together; `others` are buttons that lead to further ones."""

    title: str
    told: str
    fields: tuple[FormField, ...]
    others: tuple[CallbackButton, ...]
