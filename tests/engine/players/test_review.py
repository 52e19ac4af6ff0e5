"""A look back finds what cost most, by what its seat knew."""

from dataclasses import replace
from random import Random

import pytest

from engine import PRESETS, Decision, Memory, Move, Opening, Regret, State, dearest, suspects, weighed
from engine.players.adviser import MARGIN
from tests.engine.oracle.endgame import discarded_in

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
