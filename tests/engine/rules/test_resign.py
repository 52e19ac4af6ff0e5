"""Resigning (rule 9.11): the game ends, and whoever resigned is the fool."""

import pytest

from engine import (
    PRESETS,
    IllegalMoveError,
    Opening,
    Outcome,
    Problem,
    Reason,
    Record,
    Resign,
    Resigned,
    Rules,
    State,
    replay,
)


def dealt(rules: Rules, players: int) -> State:
    return Opening(rules, players, "5eed").deal()


@pytest.mark.parametrize("preset", PRESETS)
def test_whoever_resigns_is_the_fool_and_the_game_is_over(preset: str) -> None:
    state, events = dealt(PRESETS[preset], 3).resign(1)
    assert state.outcome() == Outcome(fool=1, losers=(1,), is_draw=False, order=(), points=(0, 0, 0))
    assert isinstance(events[0], Resigned)
    assert not state.problems() & ~Problem.NONE
    assert not any(state.legal_moves(seat) for seat in range(3))


def test_in_team_play_the_whole_team_loses() -> None:
    outcome = dealt(Rules(teams="2x2"), 4).resign(3).state.outcome()
    assert outcome is not None
    assert (outcome.fool, outcome.losers) == (None, (1, 3))


def test_whoever_went_out_before_keeps_his_place() -> None:
    state = State.setup(
        Rules(winner="first_out"), hands=["6S", "7S", ""], talon="", trump="H", attacker=0, discard="8S 9S"
    )
    outcome = state.resign(0).state.outcome()
    assert outcome is not None
    assert (outcome.order, outcome.winner, outcome.fool) == ((2,), 2, 0)


@pytest.mark.parametrize(
    ("seat", "reason"), [(2, Reason.OUT_OF_GAME), (3, Reason.NO_SUCH_SEAT), (-1, Reason.NO_SUCH_SEAT)]
)
def test_who_does_not_play_cannot_resign(seat: int, reason: Reason) -> None:
    state = State.setup(Rules(), hands=["6S", "7S", ""], talon="", trump="H", attacker=0)
    with pytest.raises(IllegalMoveError) as refused:
        state.resign(seat)
    assert refused.value.reason is reason


def test_nobody_resigns_twice() -> None:
    state = dealt(Rules(), 2).resign(0).state
    with pytest.raises(IllegalMoveError) as refused:
        state.resign(1)
    assert refused.value.reason is Reason.GAME_OVER


def test_resigning_is_no_move_among_which_one_chooses() -> None:
    state = dealt(Rules(), 2)
    assert all(str(move) != str(Resign()) for seat in range(2) for move in state.legal_moves(seat))


def test_a_record_tells_it() -> None:
    record = Record(Opening(Rules(), 2, "5eed")).plus(1, Resign())
    assert record.to_text().splitlines()[-2:] == ["1 resigns", "end 1"]
    assert Record.from_text(record.to_text()) == record
    assert replay(record.to_text()).outcome() == record.replay().outcome()
