"""What simulated games know of the rules: every setting is in one of the four lists below."""

from collections.abc import Mapping
from types import MappingProxyType

from engine.rules.rules import Rules
from engine.rules.scoring import scored_places
from engine.rules.seating import team_of

MODELLED = frozenset(
    {
        "deck",
        "rank_order",
        "hand_size",
        "turn_up",
        "opening_cards",
        "attack_limit",
        "first_attack_limit",
        "limit_by_defender_hand",
        "throw_in",
        "throw_in_after_take",
        "transfer",
        "transfer_direction",
        "transfer_cards",
        "transfer_limit_by_hand",
        "transfer_by_showing_trump",
        "draw",
        "leave_with_talon",
        "game_end",
        "simultaneous_empty",
        "teams",
    }
)
"""Settings that simulated games follow, whatever they are."""

MODELLED_AS: Mapping[str, object] = MappingProxyType(
    {
        "decks": 1,
        "voluntary_take": True,
        "transfer_in_first_bout": True,
        "first_attack_limit_until": "first_discard",
        "team_order": "skip",
    }
)
"""Settings that they follow with one value only; with any other nothing is simulated."""

SIMPLIFIED = frozenset(
    {
        "redeal_same_suit",
        "redeal_needs_no_trump",
        "lay_away_four",
        "trump_six_exchange",
        "throw_in_timing",
        "throw_in_order",
    }
)
"""Settings that they do without: moves that are rare, and who may add a card before being awaited."""

OUTSIDE_PLAY = frozenset(
    {
        "min_players",
        "max_players",
        "first_attacker_first_game",
        "first_attacker_next_game",
        "no_trump_fallback",
        "dealer_next",
        "winner",
        "scoring",
        "epaulettes",
        "epaulette_non_trump",
        "discard_visible",
    }
)
"""Settings of what comes before and after, and of what lies open: none changes which moves there are."""

_NO_LIMIT = 99


def is_modelled(rules: Rules) -> bool:
    """Return whether games by these rules can be simulated, though without what is `SIMPLIFIED`."""
    return all(getattr(rules, name) == value for name, value in MODELLED_AS.items())


class ModelledRules:
    """The rules in the form in which a simulated game asks for them; `is_modelled` says whether it can."""

    def __init__(self, rules: Rules, seats: int) -> None:
        self.hand_size = rules.hand_size
        self.limit = _NO_LIMIT if rules.attack_limit is None else rules.attack_limit
        self.first_limit = self.limit if rules.first_attack_limit is None else rules.first_attack_limit
        """The limit as long as nothing has been beaten off."""
        self.by_hand = rules.limit_by_defender_hand
        self.opening_groups = rules.opening_cards == "equal_rank"
        self.throw_in = rules.throw_in
        self.after_take = rules.throw_in_after_take != "none"
        self.transfer = rules.transfer
        self.transfer_by_hand = rules.transfer_limit_by_hand
        self.transfer_by_showing = rules.transfer_by_showing_trump
        self.transfer_groups = rules.transfer_cards == "many"
        self.transfer_step = 1 if rules.transfer_direction == "left" else -1
        self.draws_by_round = rules.draw == "one_each_table_round"
        self.leave_with_talon = rules.leave_with_talon
        self.defender_loses_all_empty = rules.simultaneous_empty == "defender_loses"
        self.places = scored_places(seats) if rules.game_end == "places_filled" else 0
        """How many have to be out for the game to end; 0 where it ends when only one side has cards."""
        teams = [team_of(rules, seat) for seat in range(seats)]
        self.partners = tuple(
            frozenset(seat for seat in range(seats) if teams[seat] == team) for team in teams
        )
        """For each seat the seats that lose together with it, itself among them."""
