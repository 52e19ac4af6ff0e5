"""How likely somebody is to become the fool, judged between two bouts by what everybody holds.

The numbers were fitted to many thousands of games; those between two were counted out to the end. A seat's
standing is a sum over its cards, and the chance to become the fool falls with it exponentially.
"""

from collections.abc import Sequence
from math import exp
from typing import NamedTuple

from engine.players.masks import BEATERS, TRUMPS, height, one_by_one
from engine.players.world import World

_MIDDLE = 8  # the height of a ten
_MOST = 40  # with more cards in the talon it is as with so many


class _Weights(NamedTuple):
    """What is good for a seat while the talon has `talon` cards."""

    talon: int
    plain: float
    plain_height: float
    trump: float
    trump_height: float
    attacks: float
    defends: float

    def between(self, other: "_Weights", talon: int) -> "_Weights":
        """The weights on the straight line from these to others."""
        share = (talon - self.talon) / (other.talon - self.talon)
        return _Weights(talon, *(a + (b - a) * share for a, b in zip(self[1:], other[1:], strict=True)))

    def of_cards(self) -> dict[int, float]:
        """What each card is worth."""
        return {
            bit: self.trump + self.trump_height * (height(bit) - _MIDDLE)
            if bit & TRUMPS
            else self.plain + self.plain_height * (height(bit) - _MIDDLE)
            for bit in BEATERS
        }


_TWO = (
    _Weights(1, -0.823, 0.107, 0.408, 0.128, -0.017, 0.017),
    _Weights(5, 0.032, 0.065, 0.717, 0.079, 0.167, -0.167),
    _Weights(10, -0.085, 0.024, 0.401, 0.052, 0.08, -0.08),
    _Weights(18, -0.039, 0.016, 0.233, 0.037, 0.046, -0.046),
    _Weights(_MOST, -0.092, 0.037, -0.059, -0.026, 0.078, -0.078),
)
_MORE = (
    _Weights(1, -0.208, 0.016, 0.267, -0.002, 0.359, -0.182),
    _Weights(5, -0.094, 0.009, 0.327, 0.004, -0.052, -0.138),
    _Weights(10, -0.017, 0.006, 0.297, 0.008, 0.179, -0.073),
    _Weights(18, -0.006, 0.003, 0.218, 0.01, 0.061, -0.015),
    _Weights(_MOST, 0.047, 0.001, 0.087, -0.011, 0.075, -0.022),
)

# Between two without a talon:
_CARD = -0.963
_PLAIN_HEIGHT = 0.113
_TRUMP = 1.908
_TRUMP_HEIGHT = 0.069
_UNBEATABLE = 0.294
_DOUBLY_BEATABLE = -0.283
_COSTS_A_TRUMP = 0.63  # no plain card beats it
_TO_ATTACK = 1.529


def _by_talon(lines: Sequence[_Weights]) -> tuple[tuple[dict[int, float], float, float], ...]:
    """The worths of all cards, and of both roles, for every size of the talon from 0."""
    found = []
    for talon in range(_MOST + 1):
        index = next(i for i in range(1, len(lines)) if talon <= lines[i].talon)
        weights = lines[index - 1].between(lines[index], max(talon, 1))
        found.append((weights.of_cards(), weights.attacks, weights.defends))
    return tuple(found)


_WITH_TALON = {False: _by_talon(_MORE), True: _by_talon(_TWO)}


def is_clear(world: World) -> bool:
    """Says whether a position can be judged: between bouts, with a talon or with only two players left."""
    return not world.table and (bool(world.talon) or len(world.left) == 2)  # noqa: PLR2004 - only two


def risk(world: World, seat: int) -> float:
    """Says how likely a seat, which is still in the game, is to become the fool."""
    if world.talon:
        return _risk_with_talon(world, seat)
    one, two = world.left
    other = two if one == seat else one
    ahead = _late_standing(world, seat, other) - _late_standing(world, other, seat)
    return 1 / (1 + exp(ahead))


def _risk_with_talon(world: World, seat: int) -> float:
    two_left = len(world.left) == 2  # noqa: PLR2004 - only two
    worths, attacks, defends = _WITH_TALON[two_left][min(len(world.talon), _MOST)]
    total = own = 0.0
    for other in world.left:
        standing = sum(worths[bit] for bit in one_by_one(world.hands[other]))
        if other == world.attacker:
            standing += attacks
        elif other == world.defender:
            standing += defends
        share = exp(-standing)
        total += share
        if other == seat:
            own = share
    return own / total


def _late_standing(world: World, seat: int, other: int) -> float:
    against = world.hands[other]
    standing = _TO_ATTACK if world.attacker == seat else 0.0
    for bit in one_by_one(world.hands[seat]):
        beaters = against & BEATERS[bit]
        if bit & TRUMPS:
            standing += _TRUMP + _TRUMP_HEIGHT * (height(bit) - _MIDDLE)
        else:
            standing += _PLAIN_HEIGHT * (height(bit) - _MIDDLE)
            standing += 0 if beaters & ~TRUMPS else _COSTS_A_TRUMP
        standing += _CARD
        standing += _UNBEATABLE if not beaters else _DOUBLY_BEATABLE if beaters & (beaters - 1) else 0
    return standing
