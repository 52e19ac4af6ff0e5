"""Bets for honour on the fool of a running game, placed while the outcome is still open."""

from collections.abc import Sequence
from dataclasses import dataclass

from bot.model.standings import MIN_PEOPLE
from bot.model.table import Phase, Table
from engine import BeatenOff, Event, PublicView, Rules, Seat, TakenUp


@dataclass(frozen=True, slots=True)
class BetTally:
    """The number of a person's bets on games that were played to the end, and of the right ones."""

    right: int
    bets: int


@dataclass(frozen=True, slots=True)
class GameProphets:
    """The people with a right bet on a finished game, by name, and the number of all bets on it."""

    names: Sequence[str]
    bets: int


@dataclass(frozen=True, slots=True)
class WeekProphets(BetTally):
    """The people with the most right bets in a week, by name, and the tally that they share."""

    names: Sequence[str]


def accepts_bets(table: Table, view: PublicView, events: Sequence[Event]) -> bool:
    """Returns whether a running game accepts bets: until half of its talon is drawn.

    Without a talon, it accepts them until the end of the first bout. A game with too few people accepts none.
    """
    is_running = table.phase is Phase.PLAYING and view.outcome is None
    if not is_running or len(table.people()) < MIN_PEOPLE:
        return False

    full_talon = _full_talon(view.rules, view.seats)
    if full_talon:
        return 2 * view.talon > full_talon

    return not any(isinstance(event, BeatenOff | TakenUp) for event in events)


def seats_to_bet_on(rules: Rules, players: int, own_seat: Seat | None) -> list[Seat]:
    """Returns the seats that one can bet on: the first of each team, except the team of `own_seat`.

    Nobody can bet on their own loss, as they could lose on purpose.
    """
    own_team = None if own_seat is None else rules.team_of(own_seat)
    first_of = dict[int, Seat]()
    for seat in range(players):
        first_of.setdefault(rules.team_of(seat), seat)

    return [seat for team, seat in first_of.items() if team != own_team]


def _full_talon(rules: Rules, seats: int) -> int:
    is_removed = rules.turn_up == "removed"
    return len(rules.cards(seats)) - rules.hand_size * seats - is_removed
