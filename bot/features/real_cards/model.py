"""Games with real cards, and the confirmation by which an entry counts."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from adapters.port import RoomRef, ServerRef, User, UserRef
from bot.model.messages import FeatureSlot, Subject
from bot.model.table import FORGOTTEN

CARD_GAMES = "card_games"  # the kind of the subjects of these messages

# The messages of games that were entered together.
ENTRY = "entry"  # shows the games to the room
QUESTION = "question"  # asks a fool in private
ROOM_QUESTION = "room_question"  # asks a fool in the room, with the answer to one of their presses

DAY = 24 * 60 * 60.0

MIN_PLAYERS = 2
MAX_PLAYERS = 16

MAX_GAMES = 2000  # the most games in a file
MAX_BYTES = 200_000  # the size of such a file

MAX_ENTRIES_A_DAY = 5  # the most entries, each a game or a file, by one person
MAX_WAITING = 2500  # the most unconfirmed games on a server

FOOL_DELAY_SECONDS = 5.0  # the pause before a fool is asked, so that a mistake can be taken back unnoticed
OBJECTION_SECONDS = 7 * DAY  # how long a fool can object after the notice
CONFIRMERS = 2  # the players who can confirm a game together if the fool does not answer


@dataclass(frozen=True, slots=True)
class CardGame:
    """A game with real cards: when it was played (Unix seconds), the fool, and all players.

    `month_first_at` is when it was played if its file writes the month before the day; None if that is
    certain.
    """

    at: float
    fool: User
    players: tuple[User, ...]
    month_first_at: float | None = None

    @property
    def keys(self) -> Collection["GameKey"]:
        """The facts by which two entries of the same game are recognized, for each possible time."""
        times = {self.at} if self.month_first_at is None else {self.at, self.month_first_at}
        players = frozenset(player.ref for player in self.players)
        return {(at, self.fool.ref, players) for at in times}


GameKey = tuple[float, UserRef, frozenset[UserRef]]


@dataclass(frozen=True, slots=True)
class Origin:
    """The server on which games were entered together, and whether they came in a file."""

    server: ServerRef
    is_file: bool


@dataclass(frozen=True, slots=True)
class Entered:
    """Games that were entered together; times are in Unix seconds."""

    id: int  # the number of the entry
    room: RoomRef  # the room that shows the games
    locale: str  # the language of the room when they were entered
    by: User  # the person who entered them
    at: float  # when they were entered
    counts: bool  # whether they are confirmed
    is_file: bool
    games: int  # the number of games
    first: float  # when the first one was played
    last: float  # when the last one was played
    fools: tuple[tuple[User, int], ...]  # how often each was the fool, the most frequent one first
    players: tuple[User, ...] = ()  # the players of a single game, the fool first
    confirmed_by: frozenset[UserRef] = frozenset()
    notified_at: Mapping[UserRef, float] = field(default_factory=dict)  # when fools were notified
    is_fool_known: bool = False  # whether the fool of a single game has played on this server before
    # When the first game with an uncertain date was played, if days come first and if months do.
    first_uncertain: float = 0.0
    month_first: float | None = None
    taken_back_by: User | None = None

    @property
    def server(self) -> ServerRef:
        """The server on which the games count."""
        return self.room.server

    @property
    def is_for_room(self) -> bool:
        """Whether the room may see the games; those of a file only once they count."""
        is_valid = self.taken_back_by is None
        return is_valid and (self.counts or not self.is_file)

    @property
    def fool(self) -> User:
        """The most frequent fool."""
        return self.fools[0][0]

    @property
    def notice_at(self) -> float:
        """The earliest time at which the fools are notified."""
        return self.at + FOOL_DELAY_SECONDS

    @property
    def asked_at(self) -> float:
        """The time since which the fool could have answered: their notice, or without one the entry."""
        return self.notified_at.get(self.fool.ref, self.at)

    @property
    def unnotified(self) -> Sequence[User]:
        """The fools who were not notified, except the person who entered the games and forgotten people."""
        notified = {*self.notified_at, self.by.ref}
        fools = [fool for fool, _ in self.fools if fool.ref.platform != FORGOTTEN]
        return [fool for fool in fools if fool.ref not in notified]

    def fools_to_ask(self, now: float) -> Collection[UserRef]:
        """Returns the fools to notify of the games; none if it is too early, or too late to object."""
        can_be_asked = self.notice_at <= now < self.at + OBJECTION_SECONDS
        return {fool.ref for fool in self.unnotified} if self.is_for_room and can_be_asked else ()

    @property
    def needs_fool(self) -> bool:
        """Whether only the fool can confirm the game: too few others played, or the fool is a stranger."""
        others = {player.ref for player in self.players} - {self.by.ref, self.fool.ref}
        return not self.is_fool_known or len(others) < CONFIRMERS

    def is_confirmed(self, now: float) -> bool:
        """Returns whether a single game is confirmed: by its fool, or after a day by other players."""
        if self.fool.ref in self.confirmed_by | {self.by.ref}:
            return True
        return not self.needs_fool and len(self.confirmed_by) >= CONFIRMERS and now >= self.asked_at + DAY

    def may_confirm(self, user: UserRef) -> bool:
        """Returns whether a person can confirm the game: any player except the one who entered it."""
        return user != self.by.ref and any(player.ref == user for player in self.players)

    def may_object(self, user: UserRef, now: float) -> bool:
        """Returns whether a person can still object to being named: for a week after their notice."""
        people = {player.ref for player in self.players} | {fool.ref for fool, _ in self.fools}
        return user in people and now < self.notified_at.get(user, self.at) + OBJECTION_SECONDS


def entry_of(number: int) -> FeatureSlot:
    """Returns the slot of the message that shows games to their room."""
    return FeatureSlot(Subject(CARD_GAMES, number), ENTRY)


def question_to(fool: UserRef, number: int) -> FeatureSlot:
    """Returns the slot of the question to a fool in private."""
    return FeatureSlot(Subject(CARD_GAMES, number), QUESTION, fool)


def room_question_to(fool: UserRef, number: int) -> FeatureSlot:
    """Returns the slot of the question to a fool in the room."""
    return FeatureSlot(Subject(CARD_GAMES, number), ROOM_QUESTION, fool)
