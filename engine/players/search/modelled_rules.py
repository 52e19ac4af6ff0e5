"""What a look ahead has to know of the rules, in the form in which it is quickest to ask."""

from engine.rules.rules import Rules
from engine.rules.scoring import scored_places
from engine.rules.seating import team_of

_NO_LIMIT = 99

_MODELLED = {
    "decks": 1,
    "voluntary_take": True,
    "transfer_in_first_bout": True,
    "first_attack_limit_until": "first_discard",
    "team_order": "skip",
}


def fits(rules: Rules) -> bool:
    """Says whether worlds play the game of these rules, but for exchanging, laying away and dealing again."""
    return all(getattr(rules, name) == value for name, value in _MODELLED.items())


class Customs:
    """The rules of a game as worlds play it; `fits` says whether they do."""

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
