"""Nothing visible depends on hidden cards (rule 12.1): dealing those again changes nothing."""

from random import Random

import pytest
from hypothesis import given

from engine import Opening
from tests.engine.rules.games import (
    PRESET_OPENINGS,
    Check,
    chances,
    name_of,
    now_and_then,
    openings,
    play,
    quick,
)
from tests.engine.rules.secrecy import (
    check_cheats_look_alike,
    check_events,
    check_passes,
    check_views,
    dealt_again,
)

__all__ = ["dealt_again"]  # the screens' tests deal again, too

CHECKS: list[Check] = [
    now_and_then(check_views),
    now_and_then(check_events),
    check_passes,
    now_and_then(check_cheats_look_alike),
]


@pytest.mark.parametrize("opening", PRESET_OPENINGS, ids=name_of)
def test_nothing_seen_depends_on_hidden_cards_in_every_preset(opening: Opening) -> None:
    play(opening, Random(0), *CHECKS)


@quick
@given(openings(), chances)
def test_views_moves_and_events_do_not_depend_on_hidden_cards(opening: Opening, rng: Random) -> None:
    play(opening, rng, *CHECKS)
