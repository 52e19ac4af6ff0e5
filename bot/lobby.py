"""The people around a table: who sits, who opened it, which rules and options, and which game it is.

`Lobby` is a value; each change gives a new one or raises `LobbyRefused`. The cards are the engine's business:
a lobby only knows whether they are being played.
"""

from dataclasses import dataclass, field, replace
from enum import Enum, StrEnum, auto
from typing import Self

from adapters.port import RoomRef, User, UserRef
from engine import PRESETS, Rules, value_text

HOUSE_NAMES = ("Ada", "Boris", "Clara", "Dima", "Elena", "Fritz", "Greta", "Hanna")
"""What house players are called, in the order in which they sit down."""


class Phase(StrEnum):
    """Where a table stands: gathering players, playing, between games, or put away."""

    LOBBY = auto()
    PLAYING = auto()
    OVER = auto()
    CLOSED = auto()


class LobbyRefusal(Enum):
    """Why a lobby does not change."""

    ALREADY_SEATED = auto()
    NOT_SEATED = auto()
    FULL = auto()
    NOT_GATHERING = auto()
    ONLY_OPENER = auto()
    ALONE = auto()
    NOBODY_HUMAN = auto()
    NO_HOUSE_PLAYER = auto()
    RULES_DO_NOT_FIT = auto()
    NOT_OVER = auto()
    ROOM_TAKEN = auto()


class LobbyRefused(Exception):  # noqa: N818 - it names an outcome
    """The lobby stays as it is, for `reason`."""

    def __init__(self, reason: LobbyRefusal) -> None:
        super().__init__(reason.name)
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Sitter:
    """Who sits on a seat: a person, or a house player (`user` is None)."""

    name: str
    user: UserRef | None = None

    @property
    def is_house(self) -> bool:
        """Whether the bot plays this seat."""
        return self.user is None


@dataclass(frozen=True, slots=True)
class TableOptions:
    """Choices of a table that are no rules of the game.

    Attributes:
        auto_done: Say Done for a seat that can do nothing else, after a short pause.
        clock: Seconds after which the table moves for somebody absent; 0 lets a game last for days.
    """

    auto_done: bool = True
    clock: int = 120


@dataclass(frozen=True, slots=True)
class Lobby:
    """A table's people; the seat of a sitter is the position in `sitters`.

    `seed` is the secret of the coming or running deal. `game` counts the table's games from 1. `before` is
    who sat where in the game before this one, so that a changed table is known as one.
    """

    id: int
    room: RoomRef
    opener: UserRef
    preset: str
    rules: Rules
    seed: str = field(repr=False)
    opened_at: float
    sitters: tuple[Sitter, ...] = ()
    before: tuple[Sitter, ...] = ()
    phase: Phase = Phase.LOBBY
    game: int = 1
    options: TableOptions = TableOptions()
    locale: str = "en"

    def seat_of(self, user: UserRef) -> int | None:
        """The seat this person sits on."""
        return next((seat for seat, sitter in enumerate(self.sitters) if sitter.user == user), None)

    def changed_settings(self) -> str:
        """The settings that differ from the preset, as they were typed; empty if none."""
        different = self.rules.differences(PRESETS[self.preset])
        return " ".join(f"{name}={value_text(value)}" for name, value in different.items())

    def people(self) -> tuple[UserRef, ...]:
        """Everybody seated who is not a house player."""
        return tuple(sitter.user for sitter in self.sitters if sitter.user is not None)

    def join(self, user: User) -> Self:
        """Seat a person on the next free seat."""
        self._must_gather()
        if self.seat_of(user.ref) is not None:
            raise LobbyRefused(LobbyRefusal.ALREADY_SEATED)
        return self._seat(Sitter(user.name, user.ref))

    def leave(self, user: UserRef) -> Self:
        """Take a person off; if it was the opener, the next person opens. An empty lobby is put away."""
        self._must_gather_for(user)
        rest = tuple(sitter for sitter in self.sitters if sitter.user != user)
        left = replace(self, sitters=rest)
        people = left.people()
        if not people:
            return left.close()
        return left if user != self.opener else replace(left, opener=people[0])

    def add_house(self, user: UserRef) -> Self:
        """Seat a house player, as somebody at the table wishes."""
        self._must_gather_for(user)
        taken = [sitter.name for sitter in self.sitters if sitter.is_house]
        free = (name for name in HOUSE_NAMES if name not in taken)
        return self._seat(Sitter(next(free, HOUSE_NAMES[len(taken) % len(HOUSE_NAMES)])))

    def remove_house(self, user: UserRef) -> Self:
        """Take the house player off who sat down last, as somebody at the table wishes."""
        self._must_gather_for(user)
        houses = [seat for seat, sitter in enumerate(self.sitters) if sitter.is_house]
        if not houses:
            raise LobbyRefused(LobbyRefusal.NO_HOUSE_PLAYER)
        return replace(self, sitters=self.sitters[: houses[-1]] + self.sitters[houses[-1] + 1 :])

    def start(self, user: UserRef) -> Self:
        """Begin the game: only the opener may, with enough players for the rules."""
        self._must_gather()
        if user != self.opener:
            raise LobbyRefused(LobbyRefusal.ONLY_OPENER)
        if not self.people():
            raise LobbyRefused(LobbyRefusal.NOBODY_HUMAN)
        if len(self.sitters) < self.rules.min_players:
            raise LobbyRefused(LobbyRefusal.ALONE)
        if self.rules.clashes(len(self.sitters)):
            raise LobbyRefused(LobbyRefusal.RULES_DO_NOT_FIT)
        return replace(self, phase=Phase.PLAYING)

    def entered(self, phase: Phase) -> Self:
        """Give the table in another phase, as its cards say."""
        return replace(self, phase=phase)

    def rematch(self, user: User, seed: str) -> Self:
        """Gather again with the same people and rules; whoever asks opens."""
        if self.phase is not Phase.OVER:
            raise LobbyRefused(LobbyRefusal.NOT_OVER)
        if self.seat_of(user.ref) is None:
            raise LobbyRefused(LobbyRefusal.NOT_SEATED)
        return replace(
            self, phase=Phase.LOBBY, game=self.game + 1, opener=user.ref, seed=seed, before=self.sitters
        )

    def call_off(self) -> Self:
        """Put the table away before the cards are dealt."""
        self._must_gather()
        return self.close()

    def close(self) -> Self:
        """Put the table away for good, even in the middle of a game; such a game has no result."""
        return replace(self, phase=Phase.CLOSED)

    def _must_gather(self) -> None:
        if self.phase is not Phase.LOBBY:
            raise LobbyRefused(LobbyRefusal.NOT_GATHERING)

    def _must_gather_for(self, user: UserRef) -> None:
        self._must_gather()
        if self.seat_of(user) is None:
            raise LobbyRefused(LobbyRefusal.NOT_SEATED)

    def _seat(self, sitter: Sitter) -> Self:
        if len(self.sitters) >= self.rules.max_players:
            raise LobbyRefused(LobbyRefusal.FULL)
        return replace(self, sitters=(*self.sitters, sitter))
