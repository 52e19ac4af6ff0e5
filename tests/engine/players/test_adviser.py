"""Advice is the same whenever somebody asks again, and no dearer than it has to be."""

import os
import subprocess
import sys
from itertools import count
from time import perf_counter

import pytest

from engine import PRESETS, Adviser, Memory, Opening, Rules, Seat, State, seen_by
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
    """What a process of its own answers, in which sets have another order."""
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
    answer = subprocess.run(
        [sys.executable, "-c", ASK], env=environment, capture_output=True, text=True, check=True
    )
    return answer.stdout


def test_everybody_who_asks_again_gets_the_same_advice_in_every_process() -> None:
    assert asked("1") == asked("2")


def test_a_busy_machine_gives_the_same_advice(monkeypatch: pytest.MonkeyPatch) -> None:
    state = dealt("2")
    advised, looks = advice(state, state.attacker), count(perf_counter(), 0.02)
    monkeypatch.setattr(rollouts, "perf_counter", lambda: next(looks))
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
