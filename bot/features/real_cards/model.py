"""Games with real cards: the fool and the players, and how an entry comes to count."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from adapters.port import RoomRef, ServerRef, User, UserRef
from bot.model.messages import FeatureSlot, Subject
from bot.model.table import FORGOTTEN

CARD_GAMES = "card_games"  # the kind of subjects that are games entered together

# Their messages.
ENTRY = "entry"  # shows them to the room
QUESTION = "question"  # asks a fool in private
ROOM_QUESTION = "room_question"  # asks a fool in the room, beside what they have pressed

DAY = 24 * 60 * 60.0

MIN_PLAYERS = 2
MAX_PLAYERS = 16

MAX_GAMES = 2000  # games that one file may hold
MAX_BYTES = 200_000  # size limit of such a file

MAX_ENTRIES_A_DAY = 5  # games, or files of them, that one person may enter
MAX_WAITING = 2500  # games of a server that wait to be confirmed

TOLD_SECONDS = 5.0  # after which a fool is asked: until then a mistake is taken back unnoticed
OBJECTION_SECONDS = 7 * DAY  # the time for the fool's objection, from their notice on
CONFIRMERS = 2  # players whose word counts where the fool gives no answer


@dataclass(frozen=True, slots=True)
class CardGame:
    """A game with real cards: when it was played (Unix seconds), the fool, and all players.

    `month_first_at` is when it was played if the file that holds it writes the month before the day, where
    that is not certain.
    """

    at: float
    fool: User
    players: tuple[User, ...]
    month_first_at: float | None = None

    @property
    def keys(self) -> Collection["GameKey"]:
        """The facts that two entries of the same game share, in each order of day and month."""
        times = {self.at} if self.month_first_at is None else {self.at, self.month_first_at}
        players = frozenset(player.ref for player in self.players)
        return {(at, self.fool.ref, players) for at in times}


GameKey = tuple[float, UserRef, frozenset[UserRef]]


@dataclass(frozen=True, slots=True)
class Origin:
    """Where games were entered together, and whether they came in a file."""

    server: ServerRef
    is_file: bool


@dataclass(frozen=True, slots=True)
class Entered:
    """Games that were entered together; times are Unix seconds."""

    id: int  # their number
    room: RoomRef  # which shows them
    locale: str  # the language of that room when they were entered
    by: User  # the person behind the entry
    at: float  # when they were entered
    counts: bool  # whether they are confirmed
    is_file: bool
    games: int  # how many there are
    first: float  # when the first one was played
    last: float  # when the last one was played
    fools: tuple[tuple[User, int], ...]  # how often each was the fool, the most frequent one first
    players: tuple[User, ...] = ()  # of a game that was entered alone, the fool first
    confirmed_by: frozenset[UserRef] = frozenset()
    notified_at: Mapping[UserRef, float] = field(default_factory=dict)  # when fools were notified
    is_fool_known: bool = False  # whether the fool of a game entered alone was at a table there before
    # When the first game whose date is uncertain was played if days come first, and if months do.
    first_uncertain: float = 0.0
    month_first: float | None = None
    taken_back_by: User | None = None

    @property
    def server(self) -> ServerRef:
        """The server whose games they are."""
        return self.room.server

    @property
    def is_for_room(self) -> bool:
        """Whether the room is to see them: those of a file are its admins' affair until they count."""
        is_valid = self.taken_back_by is None
        return is_valid and (self.counts or not self.is_file)

    @property
    def fool(self) -> User:
        """The most frequent fool."""
        return self.fools[0][0]

    @property
    def notice_at(self) -> float:
        """The earliest time at which its fools are notified."""
        return self.at + TOLD_SECONDS

    @property
    def asked_at(self) -> float:
        """When the silence of the fool began: with their notice, or with the entry while there was none."""
        return self.notified_at.get(self.fool.ref, self.at)

    @property
    def unnotified(self) -> Sequence[User]:
        """The fools without a notice, except the person who entered the games and anyone forgotten."""
        notified = {*self.notified_at, self.by.ref}
        fools = [fool for fool, _ in self.fools if fool.ref.platform != FORGOTTEN]
        return [fool for fool in fools if fool.ref not in notified]

    def fools_to_ask(self, now: float) -> Collection[UserRef]:
        """Returns the fools who are to know of the games: for as long as anybody can object to them."""
        can_be_asked = self.notice_at <= now < self.at + OBJECTION_SECONDS
        return {fool.ref for fool in self.unnotified} if self.is_for_room and can_be_asked else ()

    @property
    def needs_fool(self) -> bool:
        """Whether nobody but the fool can confirm it: too few others played, or the fool is a stranger."""
        others = {player.ref for player in self.players} - {self.by.ref, self.fool.ref}
        return not self.is_fool_known or len(others) < CONFIRMERS

    def is_confirmed(self, now: float) -> bool:
        """Returns whether a game entered alone is agreed to: by its fool or, after a day, by others."""
        if self.fool.ref in self.confirmed_by | {self.by.ref}:
            return True
        return not self.needs_fool and len(self.confirmed_by) >= CONFIRMERS and now >= self.asked_at + DAY

    def may_confirm(self, user: UserRef) -> bool:
        """Returns whether a person can confirm it: a player other than its author."""
        return user != self.by.ref and any(player.ref == user for player in self.players)

    def may_object(self, user: UserRef, now: float) -> bool:
        """Returns whether a person can still object to being named: for a week from their notice on."""
        people = {player.ref for player in self.players} | {fool.ref for fool, _ in self.fools}
        return user in people and now < self.notified_at.get(user, self.at) + OBJECTION_SECONDS


def entry_of(number: int) -> FeatureSlot:
    """Returns the slot that shows games to their room."""
    return FeatureSlot(Subject(CARD_GAMES, number), ENTRY)


def question_to(fool: UserRef, number: int) -> FeatureSlot:
    """Returns the slot that asks a fool in private."""
    return FeatureSlot(Subject(CARD_GAMES, number), QUESTION, fool)


def room_question_to(fool: UserRef, number: int) -> FeatureSlot:
    """Returns the slot that asks a fool in the room."""
    return FeatureSlot(Subject(CARD_GAMES, number), ROOM_QUESTION, fool)
