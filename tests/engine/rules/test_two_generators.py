"""The fast move generator and the slow one agree in every position of random games."""

from random import Random

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine import Opening
from tests.engine.rules.games import openings, random_game
from tests.engine.rules.naive import naive_moves


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(openings(), st.integers(0, 1_000_000).map(Random))
def test_both_generators_list_the_same_moves(opening: Opening, chance: Random) -> None:
    for state, _, _ in random_game(opening, chance):
        for seat in range(state.players):
            assert set(state.legal_moves(seat)) == naive_moves(state, seat), (seat, state.to_text())
