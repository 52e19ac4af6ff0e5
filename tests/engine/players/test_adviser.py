"""Advice is the same whenever a player asks again, and spends no more cards than necessary."""

import os
import subprocess
import sys
from dataclasses import replace
from itertools import count
from random import Random
from time import thread_time

import pytest

from engine import (
    PRESETS,
    Adviser,
    Decision,
    Memory,
    Move,
    Opening,
    Regret,
    Rules,
    Seat,
    State,
    dearest,
    seen_by,
    suspects,
    weighed,
)
from engine.players.adviser import MARGIN
from engine.players.search import rollouts
from tests.engine.oracle.endgame import discarded_in

ASK = """
from engine import Adviser, State
from tests.engine.players.test_adviser import advice, dealt
print(*[advice(dealt(str(seed)), dealt(str(seed)).attacker) for seed in range(3)])
"""


def dealt(seed: str) -> State:
    return Opening(Rules(), players=3, seed=seed).deal()


def advice(state: State, seat: Seat) -> str:
    memory = Memory.of(state.view_for(seat), seen_by((), seat))
    return str(Adviser().choose(state.view_for(seat), state.legal_moves(seat), memory))


def asked(hash_seed: str) -> str:
    """Returns the advice from its own process, in which sets have another order."""
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
    answer = subprocess.run(
        [sys.executable, "-c", ASK], env=environment, capture_output=True, text=True, check=True
    )
    return answer.stdout


def test_everybody_who_asks_again_gets_the_same_advice_in_every_process() -> None:
    assert asked("1") == asked("2")


def test_a_busy_machine_gives_the_same_advice(monkeypatch: pytest.MonkeyPatch) -> None:
    state = dealt("2")
    advised = advice(state, state.attacker)
    looks = count(thread_time(), 0.02)
    monkeypatch.setattr(rollouts, "thread_time", lambda: next(looks))
    assert advice(state, state.attacker) == advised


@pytest.mark.parametrize(
    ("hands", "seat", "expected"),
    [
        (["6S 9S KS", "6C 7C 8C TC"], 0, "A 6S"),  # whatever is led wins: the cheapest
        (["6S 7H KH", "6C 7C 8C TC"], 0, "A 6S"),  # the trumps stay
    ],
)
def test_of_moves_that_are_equally_good_the_cheapest_is_advised(
    hands: list[str], seat: Seat, expected: str
) -> None:
    state = State.setup(Rules(), hands=hands, talon="", trump="H", attacker=0)
    memory = Memory(discarded_in(state))
    advised = Adviser().choose(state.view_for(seat), state.legal_moves(seat), memory)
    assert str(advised) == expected


def test_where_nobody_can_look_ahead_a_sound_habit_is_advised() -> None:
    state = Opening(PRESETS["punktedurak"], players=3, seed="1").deal()
    (seat,) = state.actors
    assert advice(state, seat) in map(str, state.legal_moves(seat))


# --- a review finds the costliest move, by its seat's knowledge alone -------------------------------------


PODKIDNOY = PRESETS["podkidnoy-36"]
THROWN_AWAY = State.setup(PODKIDNOY, hands=["AS 6D", "7S 7D 8D"], talon="", trump="H", attacker=0)


def decided(state: State, played: str, memory: Memory | None = None) -> Decision:
    seat = state.attacker
    moves = state.legal_moves(seat)
    return Decision(1, state.view_for(seat), memory or Memory(discarded_in(state)), moves, Move.parse(played))


def look(decision: Decision) -> Regret:
    found = weighed(decision, Random(7), guesses=100, seconds=20)
    assert found is not None
    return found


def costing(cost: float, bout: int = 1) -> Regret:
    decision = replace(decided(THROWN_AWAY, "A 6D"), bout=bout)
    return Regret(decision, Move.parse("A AS"), 0.25 + cost, 0.25)


def test_a_move_that_throws_the_game_away_costs_everything() -> None:
    regret = look(decided(THROWN_AWAY, "A 6D"))
    assert (str(regret.best), regret.least, regret.risk) == ("A AS", 0.0, 1.0)
    assert regret.cost == 1.0


def test_the_best_move_costs_nothing_and_one_as_good_is_no_better() -> None:
    assert look(decided(THROWN_AWAY, "A AS")).cost == 0
    lost = State.setup(PODKIDNOY, hands=["6S 6D", "7S"], talon="", trump="H", attacker=0)
    for move in lost.legal_moves(0):
        regret = look(decided(lost, str(move)))
        assert regret.best == move or regret.least < regret.risk


def test_giving_the_trump_ace_away_early_is_a_regret() -> None:
    state = State.setup(
        PODKIDNOY, hands=["6S 9D JC AH", "8S 9C TD JD"], talon="7C 7D 8D 8C 6H", trump="H", attacker=0
    )
    regret = look(decided(state, "A AH", Memory()))
    assert regret.cost > MARGIN
    assert str(regret.best) != "A AH"


def test_where_an_expert_has_no_opinion_there_is_no_regret() -> None:
    state = Opening(replace(PODKIDNOY, decks=2), 3, "judged").deal()
    move = state.legal_moves(state.attacker)[0]
    assert weighed(decided(state, str(move), Memory()), Random(7), guesses=1, seconds=1) is None


def test_only_the_dearest_few_moves_get_a_second_look() -> None:
    costs = (0.1, 0.0, 0.4, 0.01, 0.3, 0.2)
    again = suspects([costing(cost, bout) for bout, cost in enumerate(costs, start=1)])
    assert [decision.bout for decision in again] == [3, 5, 6, 1]
    assert {tuple(map(str, decision.moves)) for decision in again} == {("A 6D", "A AS")}
    assert suspects([costing(0.0)]) == []


@pytest.mark.parametrize(
    ("costs", "bouts"),
    [((), ()), ((0.0, MARGIN / 2), ()), ((0.06, 0.3, 0.2), (2, 3)), ((0.04, 0.3), (2,))],
)
def test_at_most_two_are_told_and_none_that_cost_a_few_points_only(
    costs: tuple[float, ...], bouts: tuple[int, ...]
) -> None:
    found = dearest([costing(cost, bout)] * 2 for bout, cost in enumerate(costs, start=1))
    assert tuple(regret.decision.bout for regret in found) == bouts


def test_looks_have_to_agree_and_what_they_found_is_averaged() -> None:
    assert dearest([[costing(0.5), costing(0.01), costing(0.5)], []]) == ()
    (found,) = dearest([[costing(0.1), costing(0.2)]])
    assert found.risk == pytest.approx(0.4)
    assert found.least == 0.25
