"""Estimates a seat's risk of becoming the fool, between two bouts, from all hands.

The numbers were fitted to many thousands of games; those between two were solved to the end. A seat's
standing is a sum over its cards, and the risk falls exponentially with it.
"""

from collections.abc import Sequence
from math import exp
from typing import NamedTuple

from engine.players.search.simulation import BEATERS, TRUMPS, SimulatedGame, height, one_by_one

_MIDDLE = 8  # the height of a ten
_SMALL = 10  # with a talon of this size or less, a playout is the better judge
_MAX_TALON = 40  # more cards in the talon make no difference


class _Weights(NamedTuple):
    """The worth of cards and roles to a seat while the talon has `talon` cards."""

    talon: int
    plain: float
    plain_height: float
    trump: float
    trump_height: float
    attacks: float
    defends: float

    def between(self, other: "_Weights", talon: int) -> "_Weights":
        """Interpolates the weights for a size of the talon between these and others."""
        share = (talon - self.talon) / (other.talon - self.talon)
        return _Weights(talon, *(a + (b - a) * share for a, b in zip(self[1:], other[1:], strict=True)))

    def of_cards(self) -> dict[int, float]:
        """Returns the worth of each card."""
        return {bit: self._of_card(bit) for bit in BEATERS}

    def _of_card(self, bit: int) -> float:
        above = height(bit) - _MIDDLE
        if bit & TRUMPS:
            return self.trump + self.trump_height * above
        return self.plain + self.plain_height * above


_TWO = (
    _Weights(10, -0.056, 0.037, 0.409, 0.068, 0.086, -0.086),
    _Weights(18, 0.001, 0.016, 0.278, 0.04, 0.047, -0.047),
    _Weights(_MAX_TALON, -0.005, 0.005, 0.1, 0.003, 0.02, -0.02),
)
_MORE = (
    _Weights(10, 0.027, 0.006, 0.315, 0.007, 0.177, -0.068),
    _Weights(18, -0.003, 0.003, 0.22, 0.01, 0.061, -0.015),
    _Weights(_MAX_TALON, 0.072, 0.001, 0.104, -0.011, 0.074, -0.02),
)

# Between two without a talon:
_CARD = -0.944
_PLAIN_HEIGHT = 0.124
_TRUMP = 1.839
_TRUMP_HEIGHT = 0.071
_UNBEATABLE = 0.309
_DOUBLY_BEATABLE = -0.315
_COSTS_A_TRUMP = 0.59  # no plain card beats it
_TO_ATTACK = 1.519


def _by_talon(lines: Sequence[_Weights]) -> tuple[tuple[dict[int, float], float, float], ...]:
    """Returns the worth of every card and of both roles, by size of the talon."""
    worths = []
    for talon in range(_MAX_TALON + 1):
        index = next(i for i in range(1, len(lines)) if talon <= lines[i].talon)
        weights = lines[index - 1].between(lines[index], max(talon, _SMALL))
        worths.append((weights.of_cards(), weights.attacks, weights.defends))

    return tuple(worths)


_WITH_TALON = {False: _by_talon(_MORE), True: _by_talon(_TWO)}


def can_evaluate(game: SimulatedGame) -> bool:
    """Returns whether it can judge a position: between bouts, with a big talon or between two without one."""
    if game.table or game.rules.leave_with_talon:
        return False
    return len(game.talon) > _SMALL if game.talon else len(game.in_game) == 2


def risk(game: SimulatedGame, seat: int) -> float:
    """Returns the risk that a seat or one of its partners becomes the fool."""
    partners = game.rules.partners[seat]
    if not game.talon:
        own, other = sorted(game.in_game, key=partners.__contains__, reverse=True)
        ahead = _late_standing(game, own, other) - _late_standing(game, other, own)
        return 1 / (1 + exp(ahead))

    worths, attacks, defends = _WITH_TALON[len(game.in_game) == 2][min(len(game.talon), _MAX_TALON)]
    total = own_share = 0.0
    for other in game.in_game:
        standing = sum(worths[bit] for bit in one_by_one(game.hands[other]))
        if other == game.attacker:
            standing += attacks
        elif other == game.defender:
            standing += defends

        share = exp(-standing)
        total += share
        if other in partners:
            own_share += share

    return own_share / total


def _late_standing(game: SimulatedGame, seat: int, other: int) -> float:
    against = game.hands[other]
    standing = _TO_ATTACK if game.attacker == seat else 0.0
    for bit in one_by_one(game.hands[seat]):
        beaters = against & BEATERS[bit]
        if bit & TRUMPS:
            standing += _TRUMP + _TRUMP_HEIGHT * (height(bit) - _MIDDLE)
        else:
            standing += _PLAIN_HEIGHT * (height(bit) - _MIDDLE)
            standing += 0 if beaters & ~TRUMPS else _COSTS_A_TRUMP

        standing += _CARD
        if not beaters:
            standing += _UNBEATABLE
        elif beaters & (beaters - 1):  # more than one card
            standing += _DOUBLY_BEATABLE

    return standing
