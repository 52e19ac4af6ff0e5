"""Between two without a talon, the expert's end game agrees with brute force by the rules."""

from dataclasses import replace
from random import Random
from time import process_time

import pytest

from engine import PRESETS, Rules, State
from engine.players import Expert, Memory
from engine.players.search import endgame_solver
from engine.players.search.rollouts import SearchRoot
from tests.engine.oracle.endgame import discarded_in, random_ending, value, without_history
from tests.examples import share

PODKIDNOY = PRESETS["podkidnoy-36"]
RULE_SETS = {
    "podkidnoy-36": PODKIDNOY,
    "classic": PRESETS["classic"],
    "attack_limit=2": replace(PODKIDNOY, attack_limit=2),
    "defender_loses": replace(PODKIDNOY, simultaneous_empty="defender_loses"),
}
LONG = 60.0
LONG_END = State.setup(
    PODKIDNOY,
    hands=["6S 7D 8C 9H TS JD QC KH AS", "6D 7C 8H 9S TD JC QH KS AD"],
    talon="",
    trump="H",
    attacker=0,
)


def root_of(state: State) -> SearchRoot:
    root = SearchRoot.of(state.view_for(0), state.legal_moves(0), Memory(discarded_in(state)))
    assert root is not None
    return root


@pytest.mark.parametrize("name", RULE_SETS)
def test_the_value_of_an_ending_is_the_one_that_brute_force_finds(name: str) -> None:
    rng = Random(name)
    for _ in range(share(15)):
        state = random_ending(RULE_SETS[name], rng, most=7)
        found = max(endgame_solver.values(root_of(state), seconds=LONG).values())
        assert found == value(without_history(state), 0), state.to_text()


def choice_keeps_the_value(state: State, rules: Rules) -> None:
    """Plays the ending to its end and checks its value after every move of the expert."""
    expert = Expert(Random(0), limit=LONG)
    while state.outcome() is None:
        (seat,) = state.awaited
        best = value(without_history(state), seat)
        view = state.view_for(seat)
        moves = state.legal_moves(seat)
        move = expert.choose(view, moves, Memory(discarded_in(state)))
        state = state.apply(seat, move).state
        assert value(without_history(state), seat) == best, (rules, str(move), state.to_text())


def test_the_experts_move_never_worsens_the_value() -> None:
    rng = Random(8)
    for _ in range(share(20)):
        choice_keeps_the_value(random_ending(PODKIDNOY, rng, most=7), PODKIDNOY)


def test_counting_stops_when_its_time_is_over() -> None:
    began = process_time()
    assert not endgame_solver.values(root_of(LONG_END), seconds=0.05)
    assert process_time() - began < 1


def test_counting_stops_after_so_many_positions_however_long_it_takes() -> None:
    root = root_of(LONG_END)
    assert not endgame_solver.values(root, seconds=LONG, most=1_000)
    assert not endgame_solver.best_moves(root, seconds=LONG, most=1_000)


def test_what_was_found_of_an_end_is_kept_for_the_next_moves() -> None:
    hands = ["6S 7D 8C 9H TS JD", "6D 7C 8H 9S TD JC"]
    state = State.setup(PODKIDNOY, hands=hands, talon="", trump="H", attacker=0)
    root = root_of(state)
    tries = [bool(endgame_solver.best_moves(root, seconds=LONG, most=1_000)) for _ in range(10)]
    assert not tries[0]
    assert tries[-1]
