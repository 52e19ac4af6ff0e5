"""Every value of every setting makes a difference, and both engines agree on it."""

from random import Random

import pytest

from engine import Opening
from tests.engine.oracle.deal import check_deal
from tests.engine.oracle.engine import CompareWithOracle
from tests.engine.oracle.movegen import check_legal_moves
from tests.engine.rules.games import play
from tests.engine.rules.value_openings import makes_a_difference, openings, title_of, values
from tests.golden import REGENERATE

OPENINGS = openings()


def test_every_value_of_every_setting_has_its_opening() -> None:
    assert list(OPENINGS) == [title_of(*value) for value in values()], f"`{REGENERATE} openings` writes them"


@pytest.mark.parametrize(("title", "opening"), OPENINGS.items(), ids=OPENINGS)
def test_a_value_makes_a_difference_that_both_engines_know(title: str, opening: Opening) -> None:
    setting, _, _ = title.partition("=")
    assert makes_a_difference(opening, setting)
    check_deal(opening, opening.deal())
    play(opening, Random(0), CompareWithOracle(), check_legal_moves)
