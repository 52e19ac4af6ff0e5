"""Who sits where: teams (chapter 10), who is still in, who is next.

A chair is a place in the ring of turns. It is played by the seat of the same number, or, when that player is
out and `team_order=stand_in`, by the one partner who is left of his team.
"""

from engine.rules.outcome import Seat
from engine.rules.position import Position
from engine.rules.rules import Rules

_TEAM_COUNT = {"2x2": 2, "2x3": 2, "3x2": 3}


def team_of(rules: Rules, seat: Seat) -> int:
    """Return the number of a seat's team; without teams everybody is a team of his own."""
    return seat if rules.teams == "off" else seat % _TEAM_COUNT[rules.teams]


def team_seats(state: Position, team: int) -> tuple[Seat, ...]:
    """List the seats of a team, out or not."""
    return tuple(seat for seat in range(state.players) if team_of(state.rules, seat) == team)


def are_partners(state: Position, one: Seat, other: Seat) -> bool:
    """Return whether two seats play together; a seat is its own partner."""
    return (
        one == other
        if state.rules.teams == "off"
        else team_of(state.rules, one) == team_of(state.rules, other)
    )


def seats_in(state: Position) -> tuple[Seat, ...]:
    """List the seats still in the game."""
    out = state.out
    return tuple([seat for seat in range(state.players) if seat not in out])


def clockwise(state: Position, start: Seat) -> tuple[Seat, ...]:
    """List the seats still in the game, beginning with `start` if it is."""
    out = state.out
    return tuple([seat for seat in (*range(start, state.players), *range(start)) if seat not in out])


def next_seat(state: Position, seat: Seat, step: int = 1) -> Seat:
    """Return the next seat still in the game to the left, or with -1 to the right."""
    following = (seat + step) % state.players
    while following in state.out:
        following = (following + step) % state.players
    return following


def throw_order(state: Position) -> tuple[Seat, ...]:
    """List who may attack: the attacker, then from the defender's left, without the defender's partners."""
    throw_in = state.rules.throw_in
    if throw_in in ("none", "attacker"):
        return (state.attacker,)
    others = clockwise(state, (state.defender + 1) % state.players)
    if throw_in == "neighbours":
        others = tuple(seat for seat in others if seat != state.defender)[:1]
    attacker, defender = state.attacker, state.defender
    helpers = [seat for seat in others if seat != attacker and not are_partners(state, seat, defender)]
    return (attacker, *helpers)


def occupant(state: Position, chair: int) -> Seat | None:
    """Return who plays from a chair; None when nobody does."""
    if chair not in state.out:
        return chair
    if state.rules.team_order != "stand_in" or state.rules.teams == "off":
        return None
    partners = [seat for seat in team_seats(state, team_of(state.rules, chair)) if seat not in state.out]
    return partners[0] if len(partners) == 1 else None


def next_chair(state: Position, chair: int, *, against: Seat | None = None) -> int:
    """Return the next played chair to the left, the next one of an opponent of `against` if that is given."""
    for distance in range(1, state.players + 1):
        following = (chair + distance) % state.players
        seat = occupant(state, following)
        if seat is not None and (against is None or not are_partners(state, seat, against)):
            return following
    raise ValueError("nobody is left to play against")


def with_roles(state: Position, chair: int, *, moving_from: int | None = None) -> Position:
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
    moved = state.moved if moving_from is None else state.moved + (chair - moving_from) % state.players
    return state._replace(attacker=attacker, defender=defender, chairs=(chair, target), moved=moved)
