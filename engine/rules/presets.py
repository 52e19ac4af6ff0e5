"""The named rule sets (rule 14.1)."""

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

from engine.rules.rules import Rules

_PODKIDNOY = Rules()

_DURNIUS = Rules(
    attack_limit=None,
    throw_in_timing="anytime",
    throw_in_after_take="none",
    epaulettes="announce",
)

_WIKIPEDIA_DE = Rules(
    redeal_same_suit=5,
    lay_away_four=True,
    opening_cards="equal_rank",
    first_attack_limit=5,
    throw_in="neighbours",
    throw_in_timing="anytime",
    throw_in_order="strict",
)

_CLASSIC = Rules(
    first_attacker_next_game="lowest_trump",
    throw_in_timing="after_first_beat",
    throw_in_order="free",
    throw_in_after_take="none",
)

_PURE = Rules(
    first_attacker_next_game="lowest_trump",
    attack_limit=None,
    throw_in_order="free",
    throw_in_after_take="none",
)

_PUNKTEDURAK = Rules(
    deck="by_players",
    max_players=8,
    rank_order="ten_high",
    turn_up="removed",
    first_attacker_first_game="left_of_dealer",
    first_attacker_next_game="left_of_dealer",
    dealer_next="rotate",
    opening_cards="equal_rank",
    attack_limit=None,
    limit_by_defender_hand=False,
    throw_in="none",
    throw_in_timing="anytime",
    throw_in_after_take="none",
    transfer=True,
    transfer_direction="right",
    transfer_cards="many",
    transfer_limit_by_hand=False,
    draw="one_each_table_round",
    leave_with_talon=True,
    game_end="places_filled",
    winner="first_out",
    scoring="punkte",
)

PRESETS: Mapping[str, Rules] = MappingProxyType(
    {
        "podkidnoy-36": _PODKIDNOY,
        "podkidnoy-24": replace(_PODKIDNOY, deck=24, max_players=4),
        "podkidnoy-52": replace(_PODKIDNOY, deck=52),
        "perevodnoy": replace(_PODKIDNOY, transfer=True),
        "wikipedia-de": _WIKIPEDIA_DE,
        "classic": _CLASSIC,
        "durnius": _DURNIUS,
        "durnius-passing": replace(_DURNIUS, transfer=True),
        "durnius-travel": replace(_DURNIUS, transfer=True, transfer_by_showing_trump=True),
        "pure": _PURE,
        "punktedurak": _PUNKTEDURAK,
    }
)
"""The presets by name, the best known first."""
