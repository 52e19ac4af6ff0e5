"""Who sits where: teams (chapter 10), who is still in, who is next.

A chair is a place in the ring of turns. It is played by the seat of the same number, or, when that player is
out and `team_order=stand_in`, by the one partner who is left of his team.
"""

from functools import cache, lru_cache

from engine.rules.events import Seat
from engine.rules.position import Position
from engine.rules.settings import Rules, Teams, ThrowIn

_TEAM_COUNT = {"2x2": 2, "2x3": 2, "3x2": 3}


def team_of(rules: Rules, seat: Seat) -> int:
    """Return the number of a seat's team; without teams everybody is a team of his own."""
    return seat if rules.teams == "off" else seat % _TEAM_COUNT[rules.teams]


def partners(state: Position, seat: Seat) -> tuple[Seat, ...]:
    """List the seats that play together with this one, which is one of them, out or not."""
    return _partners(seat, state.players, state.rules.teams)


@cache
def _partners(seat: Seat, players: int, teams: Teams) -> tuple[Seat, ...]:
    if teams == "off":
        return (seat,)
    count = _TEAM_COUNT[teams]
    return tuple(range(seat % count, players, count))


def seats_in(state: Position) -> tuple[Seat, ...]:
    """List the seats still in the game."""
    return clockwise(state, 0)


def clockwise(state: Position, start: Seat) -> tuple[Seat, ...]:
    """List the seats still in the game, beginning with `start` if it is."""
    ring, out = _ring(state.players, start), state.out
    return tuple([seat for seat in ring if seat not in out]) if out else ring


@cache
def _ring(players: int, start: Seat) -> tuple[Seat, ...]:
    """List all seats, beginning with `start`."""
    return (*range(start, players), *range(start))


def next_seat(state: Position, seat: Seat, step: int = 1) -> Seat:
    """Return the next seat still in the game to the left, or with -1 to the right."""
    following = (seat + step) % state.players
    while following in state.out:
        following = (following + step) % state.players
    return following


def throw_order(state: Position) -> tuple[Seat, ...]:
    """List who may attack: the attacker, then from the defender's left, without the defender's partners."""
    roles, rules = (state.attacker, state.defender), state.rules
    return _throw_order(roles, state.players, state.out, rules.throw_in, rules.teams)


@lru_cache(maxsize=1024)
def _throw_order(
    roles: tuple[Seat, Seat], players: int, out: tuple[Seat, ...], throw_in: ThrowIn, teams: Teams
) -> tuple[Seat, ...]:
    attacker, defender = roles
    if throw_in in ("none", "attacker"):
        return (attacker,)
    others = [seat for seat in _ring(players, (defender + 1) % players) if seat not in out]
    if throw_in == "neighbours":
        others = [seat for seat in others if seat != defender][:1]
    spared = (attacker, *_partners(defender, players, teams))
    return (attacker, *[seat for seat in others if seat not in spared])


def occupant(state: Position, chair: int) -> Seat | None:
    """Return who plays from a chair; None when nobody does."""
    if chair not in state.out:
        return chair
    if state.rules.team_order != "stand_in" or state.rules.teams == "off":
        return None
    left = [seat for seat in partners(state, chair) if seat not in state.out]
    return left[0] if len(left) == 1 else None


def next_chair(state: Position, chair: int, *, against: Seat | None = None) -> int:
    """Return the next played chair to the left, the next one of an opponent of `against` if that is given."""
    spared = () if against is None else partners(state, against)
    for following in _ring(state.players, (chair + 1) % state.players):
        seat = occupant(state, following)
        if seat is not None and seat not in spared:
            return following
    raise ValueError("nobody is left to play against")


def give_roles(state: Position, chair: int, *, moving_from: int | None = None) -> None:
    """Make the player of a chair the attacker, and the next opponent to his left the defender.

    The way of the attack from another chair counts as part of the round of the table.
    """
    attacker = occupant(state, chair)
    if attacker is None:
        chair = next_chair(state, chair)
        attacker = occupant(state, chair)
    assert attacker is not None  # next_chair gives played chairs only
    target = next_chair(state, chair, against=attacker)
    defender = occupant(state, target)
    assert defender is not None
    state.attacker, state.defender, state.chairs = attacker, defender, (chair, target)
    if moving_from is not None:
        state.moved += (chair - moving_from) % state.players
