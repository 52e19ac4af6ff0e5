"""The evaluation ranks positions as players would."""

from engine import Rules, State
from engine.players.search import evaluation
from engine.players.search.simulation import CardBits
from tests.engine.players.search.test_simulation import game_of

TALON = "6S 7S 8S 9S TS JS QS KS AS TC JC 6H"


def risks(*hands: str, talon: str = TALON) -> list[float]:
    state = State.setup(Rules(), hands=hands, talon=talon, trump="H", attacker=0)
    game = game_of(state, CardBits(state.trump, "standard"))
    assert evaluation.can_evaluate(game)
    return [evaluation.risk(game, seat) for seat in range(len(hands))]


def test_there_is_one_fool() -> None:
    assert round(sum(risks("7H AD", "7D 8D", "9D TD")), 6) == 1
    assert round(sum(risks("7H AD", "7D 8D", talon="")), 6) == 1


def test_partners_share_the_risk() -> None:
    hands = ["7H AD", "7D 8D", "9D TD", "9H JD"]
    state = State.setup(Rules(teams="2x2"), hands=hands, talon=TALON, trump="H", attacker=0)
    game = game_of(state, CardBits(state.trump, "standard"))
    one, two, three, four = (evaluation.risk(game, seat) for seat in range(4))
    assert one == three
    assert two == four
    assert round(one + two, 6) == 1


def test_trumps_and_high_cards_make_it_less_likely() -> None:
    assert risks("7H 8H AD", "7D 8D KD")[0] < 0.5 < risks("7C 8C KC", "7H 8H AD")[0]
    assert risks("7D AD", "8D 9D", talon="")[0] < risks("6D 7D", "8D 9D", talon="")[0]


def test_without_a_talon_unbeatable_cards_count_more_than_few_cards() -> None:
    few, unbeatable = risks("7D 9S", "8D TS JC QD KC", talon="")
    assert unbeatable < few
