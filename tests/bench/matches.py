"""Seeded matches: every deal is played once with the hero in each of the seats."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import sqrt
from time import process_time

from engine import Done, Event, HousePlayer, Opening, Outcome, Rules, Seat, seen_by
from engine.players import Memory

Maker = Callable[[str], HousePlayer]  # makes a player for one game; the text seeds its chance


@dataclass
class Tally:
    """One player's results: a share between 0 and 1 for each deal, and its CPU time by move."""

    fools: list[float] = field(default_factory=list)
    draws: list[float] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)

    @property
    def fool_rate(self) -> float:
        """The share of games that it lost as the fool."""
        return sum(self.fools) / len(self.fools)

    @property
    def draw_rate(self) -> float:
        """The share of games without a fool."""
        return sum(self.draws) / len(self.draws)

    @property
    def margin(self) -> float:
        """Half the width of the fool rate's 95 % confidence interval; deals, not games, are independent."""
        count = len(self.fools)
        mean = self.fool_rate
        spread = sum((share - mean) ** 2 for share in self.fools) / max(count - 1, 1)
        return 1.96 * sqrt(spread / count)

    def milliseconds(self, share: float) -> float:
        """Returns the time within which this share of the moves was chosen."""
        times = sorted(self.seconds)
        return 1000 * times[min(int(share * len(times)), len(times) - 1)]

    def __str__(self) -> str:
        return (
            f"fool {self.fool_rate:6.1%} ± {self.margin:5.1%}   draw {self.draw_rate:5.1%}   "
            f"{self.milliseconds(0.5):7.2f} ms median, {self.milliseconds(0.99):7.2f} ms p99, "
            f"{self.milliseconds(1):7.2f} ms at most"
        )


def against(rules: Rules, players: int, hero: Maker, rival: Maker, *, deals: int, seed: str) -> Tally:
    """Plays deals with the hero in every seat in turn and rivals in the others."""
    tally = Tally()
    for number in range(deals):
        name = f"{seed}-{number}"
        fools = draws = 0
        for seat in range(players):
            table = [hero(name) if other == seat else rival(f"{name}-{other}") for other in range(players)]
            outcome = play(Opening(rules, players, name), table, watched=seat, seconds=tally.seconds)
            fools += seat in outcome.losers
            draws += not outcome.losers

        tally.fools.append(fools / players)
        tally.draws.append(draws / players)

    return tally


def play(opening: Opening, table: Sequence[HousePlayer], *, watched: Seat, seconds: list[float]) -> Outcome:
    """Plays a game and records the watched seat's CPU time of each move that was a choice."""
    state = opening.deal()
    events = list[Event]()
    while (outcome := state.outcome()) is None:
        seat = next((seat for seat in state.throw_order if seat in state.awaited), state.defender)
        moves = state.legal_moves(seat)
        choice = moves[0]

        if moves != (Done(),):
            view = state.view_for(seat)
            seen = seen_by(events, seat)
            began = process_time()
            choice = table[seat].choose(view, moves, Memory.of(view, seen))
            if seat == watched and len(moves) > 1:
                seconds.append(process_time() - began)

        state, happened_now = state.apply(seat, choice)
        events.extend(happened_now)

    return outcome
