"""The rules in positions: a position's text, moves, and the text of the position they lead to."""

from pathlib import Path

import pytest

from engine import Move, State

TITLE, *CASES = (Path(__file__).parent / "positions.txt").read_text().split("\n# ")


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.partition("\n")[0])
def test_rule(case: str) -> None:
    _, _, case = case.strip().partition("\n")
    before, _, rest = case.partition("> ")
    moves, _, expected = rest.partition("\n")
    state = State.from_text(before)
    for words in moves.split(", "):
        seat, _, move = words.partition(" ")
        state = state.apply(int(seat), Move.parse(move)).state
        assert not state.problems(), state.problems()
    assert state.to_text() == expected + "\n"
