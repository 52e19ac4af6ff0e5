"""The people around a table: who sits, who opened it, which rules and options, and which game it is.

`Table` is a value; each change gives a new one or raises `TableRefusedError`. The cards are the engine's
business: a lobby only knows whether they are being played.
"""

from collections.abc import Collection
from dataclasses import dataclass, field, replace
from enum import Enum, StrEnum, auto
from typing import Self

from adapters.port import RoomRef, User, UserRef
from bot.model.players import HOUSE_NAMES, Player
from bot.model.table_options import TableOptions
from engine import PRESETS, Clash, Rules, Stop


class Phase(StrEnum):
    """Where a table stands: gathering players, playing, between games, or put away."""

    LOBBY = auto()
    PLAYING = auto()
    OVER = auto()
    CLOSED = auto()


class TableRefusal(Enum):
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
    NOT_PLAYING = auto()
    NOT_OVER = auto()
    ROOM_TAKEN = auto()


class TableRefusedError(Exception):
    """The lobby stays as it is, for `reason`; `clashes` say more where rules do not fit."""

    def __init__(self, reason: TableRefusal, clashes: tuple[Clash, ...] = ()) -> None:
        super().__init__(reason.name)
        self.reason = reason
        self.clashes = clashes


@dataclass(frozen=True, slots=True)
class Table:
    """A table's people; the seat of a player is the position in `players`.

    `seed` is the secret of the coming or running deal. `game` counts the table's games from 1. `before` is
    who sat where in the game before this one, so that a changed table is known as one. `house_rules` are the
    rules of `preset` if that is a variation of this server. `panel` is which of the settings are open,
    `touched_at` the time of the newest change in Unix seconds. What is on disk about an `is_damaged` lobby
    cannot be read, rules least of all: it can only be put away. `agreed` is who of the people wants the
    running game stopped, `stopped` who stopped it.
    """

    id: int
    room: RoomRef
    opener: UserRef
    preset: str
    rules: Rules
    seed: str = field(repr=False)
    opened_at: float
    players: tuple[Player, ...] = ()
    before: tuple[Player, ...] = ()
    phase: Phase = Phase.LOBBY
    game: int = 1
    options: TableOptions = field(default_factory=TableOptions)
    locale: str = "en"
    house_rules: Rules | None = None
    panel: str | None = None
    is_damaged: bool = False
    agreed: frozenset[UserRef] = frozenset()
    stopped: Stop | None = None
    touched_at: float = field(default=0.0, compare=False)

    @property
    def standard(self) -> Rules:
        """The rules of the preset, as they are before anybody changes a setting."""
        return PRESETS[self.preset] if self.house_rules is None else self.house_rules

    @property
    def is_same_company(self) -> bool:
        """Whether the same people sit on the same seats as in the game before."""
        return [_identity(player) for player in self.before] == [_identity(player) for player in self.players]

    @property
    def is_full(self) -> bool:
        """Whether nobody else can sit down."""
        return len(self.players) >= self.rules.most_seats

    @property
    def can_start(self) -> bool:
        """Whether the opener may begin the game now."""
        return self.phase is Phase.LOBBY and bool(self.people()) and not self.rules.clashes(len(self.players))

    @property
    def starts_by_itself(self) -> bool:
        """Whether the game begins without anybody pressing Start, as all seats have just been taken.

        In a rematch somebody has to press: the shuffle needs an event that is newer than the seal.
        """
        return self.can_start and self.is_full and self.game == 1

    def seat_of(self, user: UserRef) -> int | None:
        """The seat this person sits on."""
        return next((seat for seat, player in enumerate(self.players) if player.user == user), None)

    def seat_taken_by(self, user: UserRef) -> int:
        """The seat this person sits on; refused to whoever sits on none."""
        seat = self.seat_of(user)
        if seat is None:
            raise TableRefusedError(TableRefusal.NOT_SEATED)
        return seat

    def knows(self, user: UserRef) -> bool:
        """Whether anything here tells of a person."""
        return user == self.opener or any(player.user == user for player in (*self.players, *self.before))

    def people(self) -> tuple[UserRef, ...]:
        """Everybody seated who is not a house player, and can be told something."""
        return tuple(
            player.user for player in self.players if player.user is not None and not player.is_forgotten
        )

    def seats_to_ask(self, away: Collection[int]) -> list[int]:
        """Return the seats whose people have not agreed yet to stop the game; who is away is not asked."""
        people = set(self.people()) - self.agreed
        return [seat for seat, each in enumerate(self.players) if each.user in people and seat not in away]

    def join(self, user: User, joined: str = "") -> Self:
        """Seat a person on the next free seat; `joined` is what `Player` keeps of their press.

        Where nobody sits yet, because a group opened the table, the first to join takes care of it.
        """
        self._must_gather()
        if self.seat_of(user.ref) is not None:
            raise TableRefusedError(TableRefusal.ALREADY_SEATED)
        seated = self._seat(Player(user.name, user.ref, joined))
        return seated if self.people() else replace(seated, opener=user.ref)

    def leave(self, user: UserRef) -> Self:
        """Take a person off; if it was the opener, the next person opens. An empty lobby is put away."""
        self._must_gather_for(user)
        rest = tuple(player for player in self.players if player.user != user)
        left = replace(self, players=rest)
        people = left.people()
        if not people:
            return left.close()
        return left if user != self.opener else replace(left, opener=people[0])

    def change_seats(self, user: UserRef) -> Self:
        """Let a person swap seats with the next player clockwise."""
        seat, players = self._must_gather_for(user), list(self.players)
        after = (seat + 1) % len(players)
        players[seat], players[after] = players[after], players[seat]
        return replace(self, players=tuple(players))

    def open_panel(self, user: UserRef, panel: str | None) -> Self:
        """Show some of the settings, or none (None), as the opener wishes."""
        self._must_gather_as_opener(user)
        return replace(self, panel=panel)

    def play_by(self, user: UserRef, preset: str, rules: Rules, house_rules: Rules | None = None) -> Self:
        """Choose the rules, as the opener wishes."""
        self._must_gather_as_opener(user)
        if len(self.players) > rules.most_seats:
            raise TableRefusedError(TableRefusal.RULES_DO_NOT_FIT, rules.clashes(len(self.players)))
        return replace(self, preset=preset, rules=rules, house_rules=house_rules)

    def play_with(self, user: UserRef, options: TableOptions) -> Self:
        """Choose the table's options, as the opener wishes."""
        self._must_gather_as_opener(user)
        return replace(self, options=options)

    def add_house(self, user: UserRef) -> Self:
        """Seat a house player, as somebody at the table wishes."""
        self._must_gather_for(user)
        taken = [player.name for player in self.players if player.is_house]
        free = (name for name in HOUSE_NAMES if name not in taken)
        return self._seat(Player(next(free, HOUSE_NAMES[len(taken) % len(HOUSE_NAMES)])))

    def remove_house(self, user: UserRef) -> Self:
        """Take the house player off who sat down last, as somebody at the table wishes."""
        self._must_gather_for(user)
        houses = [seat for seat, player in enumerate(self.players) if player.is_house]
        if not houses:
            raise TableRefusedError(TableRefusal.NO_HOUSE_PLAYER)
        return replace(self, players=self.players[: houses[-1]] + self.players[houses[-1] + 1 :])

    def start(self, user: UserRef) -> Self:
        """Begin the game: only the opener may, with enough players for the rules."""
        self._must_gather_as_opener(user)
        if not self.people():
            raise TableRefusedError(TableRefusal.NOBODY_HUMAN)
        if len(self.players) < self.rules.min_players:
            raise TableRefusedError(TableRefusal.ALONE)
        if clashes := self.rules.clashes(len(self.players)):
            raise TableRefusedError(TableRefusal.RULES_DO_NOT_FIT, clashes)
        return replace(self, phase=Phase.PLAYING, panel=None)

    def pause(self, *, is_paused: bool) -> Self:
        """Let time stand still in the running game, or go on."""
        self._must_play()
        return replace(self, options=replace(self.options, is_paused=is_paused), panel=None)

    def host(self, panel: str | None) -> Self:
        """Show what a host can do about the running game, or no longer."""
        self._must_play()
        return replace(self, panel=panel)

    def hand_over(self, user: UserRef) -> Self:
        """Let a house player play on for somebody who leaves the running game."""
        return self._with_presence(user, has_left=True)

    def take_back(self, user: UserRef) -> Self:
        """Give the seat back to somebody who had left the running game."""
        return self._with_presence(user, has_left=False)

    def entered(self, phase: Phase) -> Self:
        """Return the table in another phase, as its cards say."""
        return replace(self, phase=phase)

    def rematch(self, user: User, seed: str) -> Self:
        """Gather again with the same rules and those who stayed; whoever asks opens."""
        if self.phase is not Phase.OVER:
            raise TableRefusedError(TableRefusal.NOT_OVER)
        self.seat_taken_by(user.ref)
        return replace(
            self,
            phase=Phase.LOBBY,
            game=self.game + 1,
            opener=user.ref,
            seed=seed,
            before=self.players,
            agreed=frozenset(),
            options=replace(self.options, is_paused=False),
            panel=None,
            players=tuple(
                replace(player, has_left=False)
                for player in self.players
                if not player.has_left or player.user == user.ref
            ),
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
            raise TableRefusedError(TableRefusal.NOT_GATHERING)

    def _must_gather_for(self, user: UserRef) -> int:
        self._must_gather()
        return self.seat_taken_by(user)

    def _must_gather_as_opener(self, user: UserRef) -> None:
        self._must_gather()
        if user != self.opener:
            raise TableRefusedError(TableRefusal.ONLY_OPENER)

    def _must_play(self) -> None:
        if self.phase is not Phase.PLAYING:
            raise TableRefusedError(TableRefusal.NOT_PLAYING)

    def _with_presence(self, user: UserRef, *, has_left: bool) -> Self:
        self._must_play()
        self.seat_taken_by(user)
        return replace(
            self,
            players=tuple(
                replace(player, has_left=has_left) if player.user == user else player
                for player in self.players
            ),
        )

    def _seat(self, player: Player) -> Self:
        if self.is_full:
            raise TableRefusedError(TableRefusal.FULL)
        return replace(self, players=(*self.players, player))


def _identity(player: Player) -> UserRef | str:
    return player.user or player.name
