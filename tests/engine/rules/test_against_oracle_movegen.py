"""The fast move generator and the slow one agree in every position of random games."""

from random import Random

import pytest
from hypothesis import given

from engine import Opening
from tests.engine.oracle.movegen import check_legal_moves
from tests.engine.rules.games import PRESET_OPENINGS, chances, name_of, openings, play, quick


@pytest.mark.parametrize("opening", PRESET_OPENINGS, ids=name_of)
def test_both_generators_list_the_same_moves_in_every_preset(opening: Opening) -> None:
    play(opening, Random(0), check_legal_moves)


@quick
@given(openings(), chances)
def test_both_generators_list_the_same_moves(opening: Opening, rng: Random) -> None:
    play(opening, rng, check_legal_moves)
