"""How a game ends by the second engine: fool, draw, places, points, epaulettes."""

from engine import Card, Seat, State
from tests.engine.oracle.seating import Seating


class Scoring:
    """The value of a game's end."""

    def __init__(self, dealt: State) -> None:
        """Begins without a loser."""
        self.rules = dealt.rules
        self.players = len(dealt.hands)
        self.trump = dealt.trump
        self.levels = dealt.levels

        self.points = [0] * self.players
        self.losers: list[Seat] | None = None
        self.is_draw = False
        self.epaulettes = 0
        self.last_bout: list[tuple[Card, Card | None, Seat]] = []
        self.last_defender: Seat | None = None

    def remember(self, table: list[tuple[Card, Card | None, Seat]], defender: Seat) -> None:
        """Remembers the bout, which may be the last one."""
        self.last_bout = table
        self.last_defender = defender

    def place(self, place: int, seat: Seat, turn_up: Card | None, *, stock: bool) -> None:
        """Scores the turn-up's value, halved for each further place, doubled with a stock (rule 9.4)."""
        if self.rules.scoring != "punkte" or turn_up is None or place > min(3, self.players - 1):
            return

        value = {"A": 15, "K": 13, "Q": 12, "J": 11, "T": 10}.get(str(turn_up.rank)) or int(str(turn_up.rank))
        for _ in range(place - 1):
            value = value // 2

        self.points[seat] += value * 2 if stock else value

    def is_over(self, seating: Seating, defender: Seat, *, quiet: bool) -> bool:
        """Returns whether the game is over now, and records its losers."""
        left = seating.around(0)
        teams = sorted({seating.team(seat) for seat in left})
        if self.rules.game_end == "places_filled":
            if len(seating.out) >= min(3, self.players - 1):
                self.losers = left
        elif not left:
            self.losers = []
            if self.rules.simultaneous_empty == "defender_loses":
                self.losers = self._team(seating, seating.team(defender))
            self.is_draw = not self.losers
        elif len(teams) == 1:
            self.losers = self._team(seating, teams[0])

        if self.losers is None and quiet:
            self.losers = []
            self.is_draw = True

        if self.losers is None:
            self.last_bout = []
            self.last_defender = None
            return False

        self.epaulettes = self._epaulettes(self.losers)
        if self.rules.scoring == "epaulettes":
            self.points = [-self.epaulettes if seat in self.losers else 0 for seat in range(self.players)]

        return True

    def _team(self, seating: Seating, team: int) -> list[Seat]:
        return [seat for seat in range(self.players) if seating.team(seat) == team]

    def _epaulettes(self, losers: list[Seat]) -> int:
        """Returns the epaulettes: cards of the last attack card's rank, by its player (rules 9.6 and 9.7)."""
        if self.rules.epaulettes == "off" or not self.last_bout or self.last_defender not in losers:
            return 0

        card, _, thrower = self.last_bout[-1]
        if thrower == self.last_defender:
            return 0

        final = [laid for laid, _, by in self.last_bout if by == thrower and laid.rank == card.rank]
        plain = [laid for laid in final if laid.suit != self.trump]
        if self.rules.epaulettes == "score":
            assert self.last_defender is not None
            return 1 if plain and self.levels[self.last_defender] == card.rank else 0

        if str(card.rank) != "6":
            return 0

        counted = plain if self.rules.epaulette_non_trump else final
        return min(2, len(counted))

    def compare(self, state: State) -> None:
        """Checks that both engines agree on the result."""
        outcome = state.outcome()
        assert (self.losers is not None) == (outcome is not None)

        if outcome is None or self.losers is None:
            return

        assert (tuple(self.losers), self.is_draw) == (outcome.losers, outcome.is_draw)
        alone = len(self.losers) == 1 and self.rules.teams == "off"
        assert outcome.fool == (self.losers[0] if alone else None)
        assert outcome.winner == (state.out[0] if self.rules.winner == "first_out" and state.out else None)
        assert (tuple(self.points), self.epaulettes) == (outcome.points, outcome.epaulettes)
