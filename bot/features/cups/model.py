"""A cup as a value: sign-up, rounds, points and honours, without any I/O.

Everybody plays two rounds, each at tables drawn by lot; the best four play a final. Each place has a holder.
If the holder leaves in round one, the next in line takes over the place with its points. Methods that change
a cup return a new one, or raise `CupRefusedError`.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum, StrEnum, auto
from typing import Self, TypeVar

from adapters.port import RoomRef, User, UserRef
from bot.model.series import FINAL, ROUNDS
from engine import Rules, Seat, seed_hash, shuffled

T = TypeVar("T")

CUP = "cup"  # the kind of the appointments of cups

MIN_PLACES = 4
MAX_PLACES = 16
MAX_IN_LINE = 16  # the most people waiting for a place

MIN_AT_TABLE = 2
MAX_AT_TABLE = 4
TABLE_SIZES = range(MIN_AT_TABLE, MAX_AT_TABLE + 1)

FIRST_POINTS = 3  # for the first player out of cards; each later one gets one point less
OUT_POINTS = 1  # the least for anyone but the fool
UNDECIDED_POINTS = 2  # the most for a player who still had cards when somebody else gave up

SEED_DIGITS = 32  # the length of the secret of one table's deal


class CupPhase(StrEnum):
    """The phase of a cup: sign-up, games, its end, or called off."""

    GATHERING = auto()
    PLAYING = auto()
    OVER = auto()
    OFF = auto()


class CupRefusal(Enum):
    """The reason why a change of a cup was refused."""

    IN_ALREADY = auto()
    NOT_IN = auto()
    FULL = auto()
    TOO_LATE = auto()
    TOO_FEW = auto()
    PLACE_TAKEN = auto()
    NOT_A_PERSON = auto()
    NOT_GATHERING = auto()
    IS_OVER = auto()


class CupRefusedError(Exception):
    """A change of a cup was refused, for `reason`."""

    def __init__(self, reason: CupRefusal) -> None:
        super().__init__(reason.name)
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Entrant:
    """A person who signed up.

    Attributes:
        user: The person.
        name: Their name.
        joined: A hash of the press by which they signed up, for the draw.
        place: Their place among the players; None until they have held one.
        has_left: Whether they have left the cup.
        is_called: Whether the announcement of the start mentions them.
    """

    user: UserRef
    name: str
    joined: str = ""
    place: int | None = None
    has_left: bool = False
    is_called: bool = False

    @property
    def holds_place(self) -> bool:
        """Whether this person still plays."""
        return self.place is not None and not self.has_left


@dataclass(frozen=True, slots=True)
class CupGame:
    """A game of a cup, at a separate table; `table_id` is 0 until the table is stored.

    `out_at` is the order in which the seats went out of cards, counted from 1; None for a seat that still
    holds cards. If `is_draw`, the last two went out together. A stopped game is over without `out_at`.
    """

    round: int
    players: tuple[UserRef, ...]
    table_id: int = 0
    is_over: bool = False
    out_at: tuple[int | None, ...] = ()
    fools: frozenset[Seat] = frozenset()
    is_draw: bool = False

    def points_of(self, seat: Seat) -> int:
        """Returns the points of a seat: 3 for the first one out, then 2, then 1; 0 for a fool.

        In a draw the last two get 1 each. A seat with cards in a game that somebody gave up gets the points
        of the next place, but 2 at most.
        """
        if not self.out_at or seat in self.fools:
            return 0

        out_at = self.out_at[seat]
        if out_at is not None:
            shares_last = self.is_draw and out_at >= len(self.players) - 1
            return OUT_POINTS if shares_last else _points_for(out_at)

        following = sum(place is not None for place in self.out_at) + 1
        return min(UNDECIDED_POINTS, _points_for(following))


def _points_for(out_at: int) -> int:
    return max(OUT_POINTS, FIRST_POINTS + 1 - out_at)


@dataclass(frozen=True, slots=True)
class Score:
    """A line of the standing: the last holder of a place, and the place's results in both rounds."""

    entrant: Entrant
    points: int
    fools: int
    firsts: int


@dataclass(frozen=True, slots=True)
class Cup:
    """A cup in a room; times are in Unix seconds.

    Attributes:
        id: The number of the cup; 0 until it is stored.
        room: Where the cup is announced.
        opener: The person who opened it.
        preset: The name of its rules: a preset, or a variation of the server.
        rules: The rules of its games.
        seed: The secret of the draw and of all deals, sealed when the sign-up opens.
        starts_at: When it begins by itself.
        house_rules: The rules of `preset` if it is a variation, else None.
        locale: The language of its messages.
        salt: Added to the seed at the start; no player can choose it. Empty until then.
        phase: Sign-up, games, its end, or called off.
        round: The number of the current round; 0 before the first.
        round_began_at: When the current round was drawn.
        has_called: Whether the people to ping at the start have been chosen.
        ended_at: When it ended; None until then.
        entrants: The people who signed up, in the order of the sign-up.
        games: All games of all rounds so far.
        winner: The winner, at the end, if there is one.
        fool: The fool, at the end, if there is one.
    """

    id: int
    room: RoomRef
    opener: UserRef
    preset: str
    rules: Rules
    seed: str = field(repr=False)
    starts_at: float
    house_rules: Rules | None = None
    locale: str = "en"
    salt: str = ""
    phase: CupPhase = CupPhase.GATHERING
    round: int = 0
    round_began_at: float = 0.0
    has_called: bool = False
    ended_at: float | None = None
    entrants: tuple[Entrant, ...] = ()
    games: tuple[CupGame, ...] = ()
    winner: UserRef | None = None
    fool: UserRef | None = None

    # --- facts --------------------------------------------------------------------------------------------

    @property
    def step(self) -> tuple[CupPhase, int]:
        """The progress of the cup: its phase and its round."""
        return self.phase, self.round

    @property
    def is_running(self) -> bool:
        """Whether people still sign up or play."""
        return self.phase in {CupPhase.GATHERING, CupPhase.PLAYING}

    @property
    def can_begin(self) -> bool:
        """Whether enough people have signed up for a cup that has not begun."""
        return self.phase is CupPhase.GATHERING and len(self.entrants) >= MIN_PLACES

    @property
    def takes_entrants(self) -> bool:
        """Whether people may still sign up, which is until the second round is drawn."""
        return self.phase is CupPhase.GATHERING or (self.phase is CupPhase.PLAYING and self.round < ROUNDS)

    @property
    def current_games(self) -> tuple[CupGame, ...]:
        """The games of the current round."""
        return tuple(game for game in self.games if game.round == self.round)

    @property
    def is_round_over(self) -> bool:
        """Whether all games of the current round are over."""
        return all(game.is_over for game in self.current_games)

    @property
    def line(self) -> tuple[Entrant, ...]:
        """The people waiting for a place, the next one first."""
        if self.phase is CupPhase.GATHERING:
            return self.entrants[MAX_PLACES:]
        return tuple(entrant for entrant in self.entrants if entrant.place is None and not entrant.has_left)

    @property
    def holders(self) -> tuple[Entrant, ...]:
        """The people who still play, ordered by place."""
        holders = [entrant for entrant in self.entrants if entrant.holds_place]
        return tuple(sorted(holders, key=lambda entrant: entrant.place or 0))

    @property
    def people_to_call(self) -> tuple[Entrant, ...]:
        """The people who are called when the cup begins, ordered by place."""
        people = [entrant for entrant in self.entrants if entrant.is_called]
        return tuple(sorted(people, key=lambda entrant: entrant.place or 0))

    @property
    def standing(self) -> tuple[Score, ...]:
        """The places, ranked by their points in both rounds.

        Ties are broken by fewer losses, then by more first places, then at random.
        """
        places = sorted({entrant.place for entrant in self.entrants if entrant.place is not None})
        lots = {place: lot for lot, place in enumerate(shuffled(places, self.seed, f"{self.salt}|lot"))}
        scores = [self._score(place) for place in places]

        def rank(score: Score) -> tuple[int, int, int, int]:
            return -score.points, score.fools, -score.firsts, lots[score.entrant.place or 0]

        return tuple(sorted(scores, key=rank))

    def entrant(self, user: UserRef) -> Entrant | None:
        """Returns a person's entry; None if they have not signed up."""
        return next((entrant for entrant in self.entrants if entrant.user == user), None)

    def _score(self, place: int) -> Score:
        """Adds up the games of all holders of a place; losses count only for the person who lost."""
        people = [entrant for entrant in self.entrants if entrant.place == place]
        newest = next((entrant for entrant in people if not entrant.has_left), people[-1])
        users = {entrant.user for entrant in people}
        points = fools = firsts = 0

        for game in self.games:
            if game.round > ROUNDS:
                continue

            for seat, user in enumerate(game.players):
                if user in users:
                    points += game.points_of(seat)
                    fools += seat in game.fools and user == newest.user
                    firsts += game.points_of(seat) == FIRST_POINTS

        return Score(newest, points, fools, firsts)

    # --- sign-up ------------------------------------------------------------------------------------------

    def join(self, user: User, joined: str = "") -> Self:
        """Signs a person up, at the end of the list; people who left get their place back if it is free."""
        self._must_run()
        if not user.is_person:
            raise CupRefusedError(CupRefusal.NOT_A_PERSON)
        if not self.takes_entrants:
            raise CupRefusedError(CupRefusal.TOO_LATE)

        own = self.entrant(user.ref)
        if own is not None:
            return self._return(own)
        if len(self.entrants) >= MAX_PLACES + MAX_IN_LINE:
            raise CupRefusedError(CupRefusal.FULL)

        return replace(self, entrants=(*self.entrants, Entrant(user.ref, user.name, joined)))

    def _return(self, own: Entrant) -> Self:
        """Returns their place to a person who left, unless somebody else holds it."""
        if not own.has_left:
            raise CupRefusedError(CupRefusal.IN_ALREADY)
        if any(entrant.place == own.place for entrant in self.holders):
            raise CupRefusedError(CupRefusal.PLACE_TAKEN)
        return self._with_entrant(replace(own, has_left=False))

    def leave(self, user: UserRef) -> Self:
        """Removes a person; their place keeps its points, and a running game continues like any other."""
        self._must_run()
        own = self.entrant(user)
        if own is None or own.has_left:
            raise CupRefusedError(CupRefusal.NOT_IN)
        if own.place is None:
            return replace(self, entrants=tuple(entrant for entrant in self.entrants if entrant != own))

        return self._with_entrant(replace(own, has_left=True))

    def call_off(self) -> Self:
        """Cancels a cup that has not begun."""
        if self.phase is not CupPhase.GATHERING:
            raise CupRefusedError(CupRefusal.NOT_GATHERING)
        return replace(self, phase=CupPhase.OFF)

    def _with_entrant(self, new: Entrant) -> Self:
        entrants = tuple(new if entrant.user == new.user else entrant for entrant in self.entrants)
        return replace(self, entrants=entrants)

    def _must_run(self) -> None:
        if not self.is_running:
            raise CupRefusedError(CupRefusal.IS_OVER)

    # --- rounds -------------------------------------------------------------------------------------------

    def begin(self, salt: str, now: float) -> "Cup":
        """Draws the first round among the first `MAX_PLACES` entrants; the others wait in line."""
        if self.phase is not CupPhase.GATHERING:
            raise CupRefusedError(CupRefusal.NOT_GATHERING)
        if not self.can_begin:
            raise CupRefusedError(CupRefusal.TOO_FEW)

        holders = [replace(entrant, place=place) for place, entrant in enumerate(self.entrants[:MAX_PLACES])]
        entrants = (*holders, *self.entrants[MAX_PLACES:])
        begun: Cup = replace(self, phase=CupPhase.PLAYING, salt=salt, entrants=entrants)

        return _with_next_round(begun, begun.holders, now)

    def note_called(self, users: Collection[UserRef]) -> Self:
        """Records the people who are called to the beginning."""
        entrants = tuple(replace(each, is_called=each.user in users) for each in self.entrants)
        return replace(self, entrants=entrants, has_called=True)

    def advance(self, gone: Collection[UserRef], now: float) -> "Cup":
        """Draws the next round, or ends the cup, once all games of the current round are over.

        `gone` are the people who were absent at the end of the round, and who lose their places. Before the
        second round, people in line take over free places. With fewer than two people left, the cup ends.
        """
        if self.phase is not CupPhase.PLAYING or not self.is_round_over:
            return self

        left = tuple(
            replace(entrant, has_left=True) if entrant.user in gone and entrant.holds_place else entrant
            for entrant in self.entrants
        )
        cup: Cup = replace(self, entrants=left)
        if cup.round == FINAL:
            return _end(cup, now)

        if cup.round < ROUNDS:
            cup = _fill_places(cup)

        players = cup.holders
        if cup.round == ROUNDS:
            best = [score.entrant for score in cup.standing if score.entrant.holds_place]
            players = tuple(best[:MAX_AT_TABLE])

        if len(players) < MIN_AT_TABLE:
            return _end(cup, now)

        return _with_next_round(cup, players, now)

    def seed_of(self, game: CupGame) -> str:
        """Returns the secret of a game's deal, derived from the sealed secret of the cup."""
        number = [other.players for other in self.games if other.round == game.round].index(game.players)
        return seed_hash(f"{self.seed}|{game.round}|{number}")[:SEED_DIGITS]


# --- drawing ------------------------------------------------------------------------------------------------


def _fill_places(cup: Cup) -> Cup:
    """Assigns free places to the people in line."""
    places = {entrant.place for entrant in cup.holders}
    free = sorted({entrant.place for entrant in cup.entrants if entrant.place is not None} - places)
    newcomers = {
        entrant.user: replace(entrant, place=place) for place, entrant in zip(free, cup.line, strict=False)
    }
    return replace(cup, entrants=tuple(newcomers.get(entrant.user, entrant) for entrant in cup.entrants))


def _with_next_round(cup: Cup, players: Sequence[Entrant], now: float) -> Cup:
    """Draws the tables of the next round."""
    number = cup.round + 1
    order = shuffled(players, cup.seed, f"{cup.salt}|round {number}")
    games = [CupGame(number, tuple(entrant.user for entrant in table)) for table in tables_of(order)]
    return replace(cup, round=number, round_began_at=now, games=(*cup.games, *games))


def tables_of(people: Sequence[T]) -> list[Sequence[T]]:
    """Divides people among as few tables as possible, with sizes that differ by one at most.

    >>> [len(table) for table in tables_of(range(11))], [len(table) for table in tables_of(range(5))]
    ([4, 4, 3], [3, 2])
    """
    count = -(-len(people) // MAX_AT_TABLE)
    size, larger = divmod(len(people), count)
    tables = list[Sequence[T]]()
    start = 0

    for number in range(count):
        end = start + size + (number < larger)
        tables.append(people[start:end])
        start = end

    return tables


# --- honours ------------------------------------------------------------------------------------------------


def _end(cup: Cup, now: float) -> Cup:
    """Ends a cup, and sets its winner and its fool.

    The fool is the lowest-placed player who lost at least one game and did not win.
    """
    winner = _find_winner(cup)
    losers = [score.entrant.user for score in cup.standing if score.fools and score.entrant.user != winner]
    fool = losers[-1] if losers else None
    return replace(cup, phase=CupPhase.OVER, ended_at=now, winner=winner, fool=fool)


def _find_winner(cup: Cup) -> UserRef | None:
    """Returns the remaining finalist with the most points in the final; without a final, the best placed.

    Ties go to the better placed. None if everybody has left.
    """
    ranked = [score.entrant.user for score in cup.standing if score.entrant.holds_place]
    best = ranked[0] if ranked else None
    final = next((game for game in cup.games if game.round == FINAL and game.out_at), None)
    if final is None:
        return best

    points = {user: final.points_of(seat) for seat, user in enumerate(final.players) if user in ranked}
    return max(sorted(points, key=ranked.index), key=points.__getitem__, default=best)
