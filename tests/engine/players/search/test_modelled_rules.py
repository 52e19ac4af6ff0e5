from collections import Counter

from engine import PRESETS, SETTINGS
from engine.players.search.simulation import MODELLED, MODELLED_AS, OUTSIDE_PLAY, SIMPLIFIED, is_modelled


def test_every_setting_is_known_to_the_simulation_in_one_way() -> None:
    """A new setting fails here until somebody decides what house players make of it."""
    known = Counter([*MODELLED, *MODELLED_AS, *SIMPLIFIED, *OUTSIDE_PLAY])
    assert known == Counter(list(SETTINGS))


def test_the_best_known_rules_are_simulated() -> None:
    assert is_modelled(PRESETS["podkidnoy-36"])
    assert is_modelled(PRESETS["perevodnoy"])
