"""The engine and a second one, written independently, lead every game through the same positions."""

from random import Random

import pytest
from hypothesis import given

from engine import Opening
from tests.engine.oracle.deal import check_deal
from tests.engine.oracle.engine import CompareWithOracle
from tests.engine.oracle.movegen import check_legal_moves
from tests.engine.rules.games import PRESET_OPENINGS, chances, name_of, openings, play, quick


@pytest.mark.parametrize("opening", PRESET_OPENINGS, ids=name_of)
def test_both_engines_play_every_preset_alike(opening: Opening) -> None:
    play(opening, Random(0), CompareWithOracle())


@quick
@given(openings(), chances)
def test_both_engines_play_all_rules_alike(opening: Opening, rng: Random) -> None:
    play(opening, rng, CompareWithOracle())


@quick
@given(openings())
def test_the_engine_deals_as_people_do(opening: Opening) -> None:
    check_deal(opening, opening.deal())


@pytest.mark.parametrize("opening", PRESET_OPENINGS, ids=name_of)
def test_the_engine_deals_every_preset_as_people_do(opening: Opening) -> None:
    check_deal(opening, opening.deal())


# --- the fast move generator and the slow one agree in every position of random games --------------------


@pytest.mark.parametrize("opening", PRESET_OPENINGS, ids=name_of)
def test_both_generators_list_the_same_moves_in_every_preset(opening: Opening) -> None:
    play(opening, Random(0), check_legal_moves)


@quick
@given(openings(), chances)
def test_both_generators_list_the_same_moves(opening: Opening, rng: Random) -> None:
    play(opening, rng, check_legal_moves)
