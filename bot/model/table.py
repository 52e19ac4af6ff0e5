"""A table as a value: its players, its opener, its rules and options, and the number of its game.

Each change returns a new `Table`, or raises `RefusedError`. The cards are in the engine; a table has only its
phase.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum, auto
from typing import Self

import engine
from adapters.port import RoomRef, User, UserRef
from bot.model.choices import TableOptions
from bot.model.messages import Subject
from bot.model.refusal import RefusedError, TableRefusal

NEVER = float("inf")  # the time of something that happens only if people make it happen


# --- Players: people, and house players with their names ---


# The platform of forgotten people: no chat has this name, so no message can reach them.
FORGOTTEN = "forgotten"

# The names of house players, in the order in which they sit down.
HOUSE_NAMES = ("Ada", "Boris", "Clara", "Dima", "Elena", "Fritz", "Greta", "Hanna")


@dataclass(frozen=True, slots=True)
class Player:
    """The player on a seat: a person, or a house player (`user` is None)."""

    name: str  # their name in the chat
    user: UserRef | None = None
    # A hash of the chat's id for the press that seated them; it goes into the shuffle.
    joined: str = ""
    has_left: bool = False  # they left the running game; a house player plays on for them
    # When the seat stops being kept for them (Unix seconds), if they were invited.
    kept_until: float = 0.0
    invited_by: UserRef | None = None  # the person keeping it for them
    # Whether the room's call to a gathering table mentions them; None until that is decided.
    is_called: bool | None = None

    @property
    def is_forgotten(self) -> bool:
        """Whether the person in this seat was forgotten; a house player plays on for them."""
        return self.user is not None and self.user.platform == FORGOTTEN


# --- The people around a table ---


class Phase(StrEnum):
    """The phase of a table: announced, gathering players, playing, between games, or put away."""

    ANNOUNCED = auto()
    LOBBY = auto()
    PLAYING = auto()
    OVER = auto()
    CLOSED = auto()


# The game number of an announced table, which keeps its messages apart from those of the first game.
ANNOUNCEMENT = 0

KEPT_MINUTES = 5  # how long a seat is kept for an invited person
MAX_INVITED = 3  # seats that one person can have kept at a table


@dataclass(frozen=True, slots=True)
class Table:
    """A table's people; the seat of a player is the position in `players`.

    `seed` is the secret of the coming or running deal. `before` are the players of the game before this one,
    `kept` the invited people, in order, while their seats are kept. `house_rules` are the rules of `preset`
    if that is a variation of this server. An announced table opens at `starts_at`; its `players` are those
    who accepted. `panel` is open for the room until `panel_until`. `agreed` are the people who want the
    running game stopped, `stopped` is the reason why it was. `has_called` is whether the last company was
    called to this lobby. If `is_damaged`, its record can't be read, and it can only be closed. `series` is
    the number of a series (0: none), of which `series_round` is played here: the table is in addition to the
    room's own, and its players were drawn. Times are Unix seconds.
    """

    id: int
    room: RoomRef
    opener: UserRef
    preset: str
    rules: engine.Rules
    seed: str = field(repr=False)
    opened_at: float
    players: tuple[Player, ...] = ()
    before: tuple[Player, ...] = ()
    kept: tuple[Player, ...] = ()
    phase: Phase = Phase.LOBBY
    game: int = 1  # counts the table's games
    options: TableOptions = field(default_factory=TableOptions)
    locale: str = "en"
    house_rules: engine.Rules | None = None
    panel: str | None = None
    panel_until: float = NEVER
    is_damaged: bool = False
    agreed: frozenset[UserRef] = frozenset()
    stopped: engine.Stop | None = None
    starts_at: float | None = None
    has_called: bool = False
    series: int = 0
    series_round: int = 0
    touched_at: float = field(default=0.0, compare=False)

    @property
    def subject(self) -> Subject:
        """The table, as the subject of messages."""
        return Subject.of_table(self.id)

    @property
    def standard(self) -> engine.Rules:
        """The rules of the preset, as they are before anybody changes a setting."""
        return engine.PRESETS[self.preset] if self.house_rules is None else self.house_rules

    @property
    def is_same_company(self) -> bool:
        """Whether the same people sit on the same seats as in the game before."""
        return [_identity(player) for player in self.before] == [_identity(player) for player in self.players]

    @property
    def is_full(self) -> bool:
        """Whether every seat is taken."""
        return len(self.players) >= self.rules.most_seats

    @property
    def can_start(self) -> bool:
        """Whether the opener may begin the game now."""
        return self.phase is Phase.LOBBY and bool(self.people()) and not self.rules.clashes(len(self.players))

    @property
    def is_rematch(self) -> bool:
        """Whether this is not the first game at the table."""
        return self.game > ANNOUNCEMENT + 1

    @property
    def is_against_bots(self) -> bool:
        """Whether the opener plays against house players, and no other person is expected."""
        return self.can_start and self.people() == (self.opener,) and not self.expected_players

    @property
    def starts_by_itself(self) -> bool:
        """Whether the game begins without anybody pressing Start, as all seats have just been taken.

        A rematch needs a press: the shuffle needs an event that is newer than the seal.
        """
        return self.can_start and self.is_full and not self.is_rematch and not self.options.is_paused

    @property
    def expected_players(self) -> tuple[Player, ...]:
        """The people of the game before or of the announcement, and those invited, while seats are free."""
        if self.phase is not Phase.LOBBY or self.is_full:
            return ()
        return self._not_seated({player.user: player for player in (*self.before, *self.kept)}.values())

    @property
    def unanswered(self) -> tuple[Player, ...]:
        """The invited people who have neither come nor declined."""
        return self._not_seated(self.kept)

    def _not_seated(self, players: Iterable[Player]) -> tuple[Player, ...]:
        """Returns the people among these who may still come."""
        return tuple(
            player
            for player in players
            if player.user is not None
            and not (player.has_left or player.is_forgotten)
            and self.seat_of(player.user) is None
        )

    @property
    def gathering(self) -> tuple[Player, ...]:
        """The people whom the room calls to a lobby or an announced table, while they may still come.

        These are the invited people and, once an announced table has opened, those who accepted.
        """
        if self.phase is Phase.ANNOUNCED:
            return self.unanswered
        if self.phase is not Phase.LOBBY or self.is_rematch:
            return tuple(player for player in self.expected_players if player.kept_until)
        return self.expected_players

    @property
    def uncalled(self) -> tuple[Player, ...]:
        """The called people for whom it isn't decided yet whether the room's call mentions them."""
        return tuple(player for player in self.gathering if player.is_called is None)

    @property
    def has_call(self) -> bool:
        """Whether the room calls people to this table, which it does once mentions are decided.

        The mentions of people who accepted an announcement are decided all at once, when the table opens.
        """
        coming = [player for player in self.gathering if not player.kept_until]
        if coming and all(player.is_called is None for player in coming):
            return False
        return any(player.is_called is not None for player in self.gathering)

    @property
    def named_guests(self) -> tuple[str, ...]:
        """The `@names` of invited people whom the bot doesn't know."""
        return tuple(player.name for player in self.kept if player.user is None)

    @property
    def free_seats(self) -> int:
        """The number of seats that are neither taken nor kept for an invited person."""
        return max(0, self.rules.most_seats - len(self.players) - len(self.unanswered))

    @property
    def is_kept_full(self) -> bool:
        """Whether somebody is seated, and all remaining seats (at least one) are kept for invited people."""
        return bool(self.people()) and not self.is_full and not self.free_seats

    def expects(self, user: UserRef) -> bool:
        """Returns whether a person is expected to sit down."""
        return any(player.user == user for player in self.expected_players)

    def seat_of(self, user: UserRef) -> int | None:
        """Returns the seat of a person; None if they have none."""
        for seat, player in enumerate(self.players):
            if player.user == user:
                return seat
        return None

    def seat_taken_by(self, user: UserRef) -> int:
        """Returns the seat of this person; refuses people without one."""
        seat = self.seat_of(user)
        if seat is None:
            raise RefusedError(TableRefusal.NOT_SEATED)
        return seat

    def involves(self, user: UserRef) -> bool:
        """Returns whether a person is or was at this table, opened it, or has a seat kept there."""
        people = (*self.players, *self.before, *self.kept)
        return user == self.opener or any(player.user == user for player in people)

    def people(self) -> tuple[UserRef, ...]:
        """Returns the seated people who can get messages."""
        return tuple(
            [player.user for player in self.players if player.user is not None and not player.is_forgotten]
        )

    def seats_to_ask(self, away: Collection[int]) -> list[int]:
        """Returns the seats of people who haven't agreed yet to stop the game, except those in `away`."""
        people = set(self.people()) - self.agreed
        return [
            seat for seat, player in enumerate(self.players) if player.user in people and seat not in away
        ]

    def join(self, user: User, joined: str = "") -> Self:
        """Seats a person on the next free seat; `joined` is kept in `Player`.

        The first to join a table that a group opened becomes its host.
        """
        self._must_gather()
        self._must_be_rooms_own()
        if not user.is_person:
            raise RefusedError(TableRefusal.NOT_A_PERSON)
        if self.seat_of(user.ref) is not None:
            raise RefusedError(TableRefusal.ALREADY_SEATED)

        self._refuse_if_kept(user.ref)
        seated = self._seat(Player(user.name, user.ref, joined)).close_panel()
        seated = replace(seated, kept=self._kept_without(user))
        return seated if self.people() else replace(seated, opener=user.ref)

    def leave(self, user: UserRef) -> Self:
        """Removes a person. The next person replaces an opener; a lobby without people is closed.

        Anyone who leaves, or declines a rematch or an invitation, is no longer expected.
        """
        self._must_gather()
        is_seated = self.seat_of(user) is not None
        if not self.expects(user) and all(player.user != user for player in self.unanswered):
            self.seat_taken_by(user)

        rest = tuple(player for player in self.players if player.user != user)
        before, kept = (
            tuple(replace(player, has_left=True) if player.user == user else player for player in players)
            for players in (self.before, self.kept)
        )
        left = replace(self, players=rest, before=before, kept=kept)
        people = left.people()

        if not is_seated:
            return left
        if not people:
            return left.close()

        return left if user != self.opener else replace(left, opener=people[0])

    def without(self, user: UserRef) -> Self:
        """Returns the table after a person has left its chat; before the deal, their seat becomes free."""
        gathers = self.phase in {Phase.LOBBY, Phase.ANNOUNCED} and not self.series
        is_invited = any(player.user == user for player in self.unanswered)
        is_involved = self.seat_of(user) is not None or self.expects(user) or is_invited
        return self.leave(user) if gathers and is_involved else self

    def change_seats(self, user: UserRef) -> Self:
        """Swaps the seats of a person and of the next player clockwise."""
        seat = self._must_gather_for(user)
        players = list(self.players)
        after = (seat + 1) % len(players)
        players[seat], players[after] = players[after], players[seat]
        return replace(self, players=tuple(players))

    def open_panel(self, user: UserRef, panel: str | None, until: float = NEVER) -> Self:
        """Opens a panel of settings for the opener until a time (Unix seconds), or closes it (None)."""
        self._must_gather_as_opener(user)
        return replace(self, panel=panel, panel_until=until)

    def close_panel(self) -> Self:
        """Closes the panel that is open for the room, if there is one."""
        return replace(self, panel=None, panel_until=NEVER)

    def play_by(
        self, user: UserRef, preset: str, rules: engine.Rules, house_rules: engine.Rules | None = None
    ) -> Self:
        """Sets the rules at the opener's request."""
        self._must_gather_as_opener(user)
        if len(self.players) > rules.most_seats:
            raise RefusedError(rules.clashes(len(self.players))[0])
        return replace(self, preset=preset, rules=rules, house_rules=house_rules)

    def play_with(self, user: UserRef, options: TableOptions) -> Self:
        """Sets the table's options at the opener's request."""
        self._must_gather_as_opener(user)
        return replace(self, options=options)

    def add_house(self, user: UserRef) -> Self:
        """Seats a house player at a player's request; only the host may give it a kept seat."""
        self._must_gather_for(user)
        if user != self.opener:
            self._refuse_if_kept()
        return self._seat(Player(house_name(self.players)))

    def remove_house(self, user: UserRef) -> Self:
        """Removes the latest house player, at a player's request."""
        self._must_gather_for(user)
        houses = [seat for seat, player in enumerate(self.players) if player.user is None]
        if not houses:
            raise RefusedError(TableRefusal.NO_HOUSE_PLAYER)
        return replace(self, players=self.players[: houses[-1]] + self.players[houses[-1] + 1 :])

    def invite(self, user: UserRef, people: Sequence[User], until: float) -> Self:
        """Keeps seats for people until a time (Unix seconds), at the request of a player or the host.

        Seated or invited people are skipped. The first of the others get the free seats, at most
        `MAX_INVITED` for one inviter.
        """
        self._must_gather()
        if user != self.opener:
            self.seat_taken_by(user)

        users = {user, *(player.user for player in (*self.players, *self.kept))}
        new = {
            person.ref: Player(person.name, person.ref, kept_until=until, invited_by=user)
            for person in people
            if person.is_person and person.ref not in users
        }
        by_them = sum(player.user is not None and player.invited_by == user for player in self.kept)
        most = max(0, min(self.free_seats, MAX_INVITED - by_them))

        return replace(self, kept=(*self.kept, *list(new.values())[:most]))

    def name_guests(self, user: UserRef, names: Sequence[str], until: float) -> Self:
        """Adds guests known only by an `@name` until a time, at the request of a player or the host.

        No seat is kept for them, as nobody could tell who may sit there.
        """
        self._must_gather()
        if user != self.opener:
            self.seat_taken_by(user)

        new = [name for name in dict.fromkeys(names) if name not in self.named_guests]
        by_them = sum(player.user is None and player.invited_by == user for player in self.kept)
        most = max(0, MAX_INVITED - by_them)
        guests = (Player(name, kept_until=until, invited_by=user) for name in new[:most])
        return replace(self, kept=(*self.kept, *guests))

    def note_called(self, called: Collection[UserRef], others: Collection[UserRef]) -> Self:
        """Records which people the room's call to this table mentions, and which it doesn't."""

        def noted(players: Iterable[Player]) -> tuple[Player, ...]:
            return tuple(
                replace(player, is_called=player.user in called)
                if player.is_called is None and player.user in {*called, *others}
                else player
                for player in players
            )

        return replace(self, before=noted(self.before), kept=noted(self.kept))

    def release(self, now: float) -> Self:
        """Releases kept seats when their time is over."""
        self._must_gather()
        return replace(self, kept=tuple(player for player in self.kept if player.kept_until > now))

    def call_company(self, user: UserRef) -> Self:
        """Notes that the players of the last game are called, once, at the opener's request."""
        self._must_gather_as_opener(user)
        if self.has_called:
            raise RefusedError(TableRefusal.CALLED_ALREADY)
        return replace(self, has_called=True)

    def start(self, user: UserRef) -> Self:
        """Begins the game: only the opener may, with enough players for the rules."""
        self._must_gather_as_opener(user)
        if self.phase is not Phase.LOBBY:
            raise RefusedError(TableRefusal.NOT_GATHERING)
        if not self.people():
            raise RefusedError(TableRefusal.NOBODY_HUMAN)
        if len(self.players) < self.rules.min_players:
            raise RefusedError(TableRefusal.ALONE)
        if clashes := self.rules.clashes(len(self.players)):
            raise RefusedError(clashes[0])

        return replace(self._pause(False), phase=Phase.PLAYING, kept=()).close_panel()

    def hold(self) -> Self:
        """Pauses a lobby that is about to start by itself, so that it waits for its host."""
        self._must_gather()
        return self._pause(self.starts_by_itself or self.options.is_paused)

    def pause(self, *, is_paused: bool) -> Self:
        """Pauses or resumes the running game."""
        self._must_play()
        return self._pause(is_paused).close_panel()

    def host(self, panel: str | None, until: float = NEVER) -> Self:
        """Opens the host's panel of the running game until a time (Unix seconds), or closes it (None)."""
        self._must_play()
        return replace(self, panel=panel, panel_until=until)

    def with_presence(self, user: UserRef, *, has_left: bool) -> Self:
        """Has a house player play on for a player who leaves the running game, or gives the seat back."""
        self._must_play()
        seat = self.seat_taken_by(user)
        players = list(self.players)
        players[seat] = replace(players[seat], has_left=has_left)
        return replace(self, players=tuple(players))

    def with_phase(self, phase: Phase) -> Self:
        """Returns the table in another phase, to match the state of its cards."""
        return replace(self, phase=phase)

    def at_game_before(self, rules: engine.Rules) -> Self:
        """Returns the table as it was in the game before, with the number, players and `rules` of that."""
        return replace(self, game=self.game - 1, rules=rules, players=self.before)

    def gather(self) -> Self:
        """Opens an announced table: its people are expected, and sit down by a press; the first one hosts."""
        if self.phase is not Phase.ANNOUNCED:
            raise RefusedError(TableRefusal.NOT_GATHERING)

        return replace(
            self._without_mentions(),
            phase=Phase.LOBBY,
            game=ANNOUNCEMENT + 1,
            before=self.players,
            players=(),
            starts_at=None,
        )

    def expect_people_of(self, announced: Self) -> Self:
        """Expects the people of an announced table; not for a rematch, which asks its own players."""
        self._must_gather()
        users = {player.user for player in (*self.before, *self.kept)}
        here = self._without_mentions()
        quiet = announced._without_mentions()
        coming = tuple(player for player in quiet.players if player.user not in users)
        invited = tuple(player for player in quiet.kept if player.user not in users)
        return replace(here, before=(*here.before, *coming), kept=(*here.kept, *invited))

    def _without_mentions(self) -> Self:
        """Returns the table without mentions of people whom another message has already mentioned."""
        kept = tuple(
            player if player.is_called is None else replace(player, is_called=False) for player in self.kept
        )
        return replace(self, kept=kept)

    def rematch(self, user: User, seed: str) -> Self:
        """Gathers again with the same rules; the asker opens, house players stay, and others are asked."""
        if self.phase is not Phase.OVER:
            raise RefusedError(TableRefusal.NOT_OVER)

        self._must_be_rooms_own()
        self.seat_taken_by(user.ref)
        return replace(
            self,
            phase=Phase.LOBBY,
            game=self.game + 1,
            opener=user.ref,
            seed=seed,
            before=self.players,
            agreed=frozenset(),
            has_called=False,
            options=replace(self.options, is_paused=False),
            players=tuple(
                replace(player, has_left=False) for player in self.players if player.user in {None, user.ref}
            ),
        ).close_panel()

    def call_off(self) -> Self:
        """Closes the table before the cards are dealt."""
        self._must_gather()
        return self.close()

    def close(self) -> Self:
        """Closes the table for good, even during a game, which then has no result."""
        return replace(self, phase=Phase.CLOSED, kept=())

    def _pause(self, is_paused: bool) -> Self:
        return replace(self, options=replace(self.options, is_paused=is_paused))

    def _kept_without(self, user: User) -> tuple[Player, ...]:
        """Returns the invited people without the `@name` of a person who has come."""
        handle = f"@{user.handle}".casefold()
        return tuple(
            player for player in self.kept if player.user is not None or player.name.casefold() != handle
        )

    def _must_gather(self) -> None:
        if self.phase not in {Phase.LOBBY, Phase.ANNOUNCED}:
            raise RefusedError(TableRefusal.NOT_GATHERING)

    def _must_be_rooms_own(self) -> None:
        if self.series:
            raise RefusedError(TableRefusal.OF_CUP)

    def _refuse_if_kept(self, user: UserRef | None = None) -> None:
        """Refuses the last seats to uninvited people while they are kept for others."""
        is_expected = user is not None and self.expects(user)
        if self.is_kept_full and not is_expected:
            raise RefusedError(TableRefusal.KEPT)

    def _must_gather_for(self, user: UserRef) -> int:
        self._must_gather()
        self._must_be_rooms_own()
        return self.seat_taken_by(user)

    def _must_gather_as_opener(self, user: UserRef) -> None:
        self._must_gather()
        if user != self.opener:
            raise RefusedError(TableRefusal.ONLY_OPENER)

    def _must_play(self) -> None:
        if self.phase is not Phase.PLAYING:
            raise RefusedError(TableRefusal.NOT_PLAYING)

    def _without_namesakes(self, newcomer: Player) -> list[Player]:
        """Returns the players, after renaming a house player with the name of a person who joins."""
        players = list(self.players)
        for seat, player in enumerate(players):
            is_namesake = player.user is None and _plain_name(player) == _plain_name(newcomer)
            if is_namesake and newcomer.user is not None:
                players[seat] = replace(player, name=house_name([*players, newcomer]))

        return players

    def _seat(self, player: Player) -> Self:
        """Seats a player last, or in the order of seats of the game before."""
        if self.is_full:
            raise RefusedError(TableRefusal.FULL)

        places = {_identity(player): place for place, player in enumerate(self.before)}
        place = places.get(_identity(player), len(places))
        seat = sum(places.get(_identity(other), len(places)) <= place for other in self.players)

        players = self._without_namesakes(player)
        players.insert(seat, player)
        return replace(self._pause(False), players=tuple(players))  # a pause waited for other people


def house_name(players: Sequence[Player]) -> str:
    """Returns the first house player's name that nobody at the table has; if all are taken, any."""
    names = {_plain_name(player) for player in players}
    houses = sum(player.user is None for player in players)
    free = (name for name in HOUSE_NAMES if name.casefold() not in names)
    return next(free, HOUSE_NAMES[houses % len(HOUSE_NAMES)])


def _plain_name(player: Player) -> str:
    return player.name.strip().casefold()


def _identity(player: Player) -> UserRef | str:
    return player.user or player.name


# --- Tables that need not be in memory ---


@dataclass(frozen=True, slots=True)
class IdleTable:
    """An idle table: the chats are up to date, and nothing happens for a while unless somebody presses."""

    table_id: int
    version: int  # the version of its cards
    # When its people or settings changed last, in Unix seconds. It is idle while this and `version` stay.
    touched_at: float
    due_at: float = NEVER  # when something happens without a press
    waits_since: float | None = None  # since when it waits for people; None: for nobody


@dataclass(frozen=True, slots=True)
class UnreadTable:
    """A table that a restart resumes, with what is known before it is read."""

    id: int
    room: RoomRef
    playing: Collection[UserRef]  # the people in its running game
    due_at: float  # when it has to be checked, in Unix seconds; 0 if it was not idle
    # Since when it waited for people when it was last idle, in Unix seconds; it may have changed since.
    waits_since: float | None = None
