"""The beginner plays the lowest card that works and keeps its trumps."""

import pytest

from engine import PRESETS, Beginner, HousePlayer, Move, Opening, Rules, State
from tests.engine.rules.games import after

PODKIDNOY = PRESETS["podkidnoy-36"]


def choice(state: State, seat: int) -> str:
    player: HousePlayer = Beginner()
    return str(player.choose(state.view_for(seat), state.legal_moves(seat)))


def position(hands: list[str], *moves: str, rules: Rules = PODKIDNOY) -> State:
    return after(State.setup(rules, hands=hands, talon="", trump="H", attacker=0), *moves)


def test_it_attacks_with_its_lowest_plain_card() -> None:
    assert choice(position(["6H 9S 7D", "8D"]), 0) == "A 7D"


def test_it_attacks_with_a_trump_when_it_has_nothing_else() -> None:
    assert choice(position(["9H 7H", "8D"]), 0) == "A 7H"


def test_it_beats_with_the_lowest_card_that_works_and_keeps_trumps() -> None:
    assert choice(position(["8S 9D", "6H KS TS"], "0 A 8S"), 1) == "D 8S TS"
    assert choice(position(["8S 9D", "7H 6H 9C"], "0 A 8S"), 1) == "D 8S 6H"


def test_it_takes_only_when_it_must() -> None:
    assert choice(position(["8S 9D", "6C 7C"], "0 A 8S"), 1) == "T"


def test_it_transfers_rather_than_takes() -> None:
    assert choice(position(["8S 9D KD", "8C 7C"], "0 A 8S", rules=PRESETS["perevodnoy"]), 1) == "X 8C"


def test_it_throws_plain_cards_in_but_no_trumps() -> None:
    assert choice(position(["8S 9D KD", "9S 7C"], "0 A 8S", "1 D 8S 9S"), 0) == "A 9D"
    assert choice(position(["8S 9H KD", "9S 7C"], "0 A 8S", "1 D 8S 9S"), 0) == "P"


@pytest.mark.parametrize("name", PRESETS)
def test_it_plays_every_preset_to_the_end(name: str) -> None:
    rules = PRESETS[name]
    for players in range(rules.min_players, rules.max_players + 1):
        state = Opening(rules, players, name).deal()
        while state.outcome() is None:
            seat = min(state.awaited)
            state = state.apply(seat, Move.parse(choice(state, seat))).state
