"""Plays the golden scenarios through the public interface; scenarios/README.md describes their format."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Any

from engine import (
    PRESETS,
    Attack,
    Card,
    Defend,
    Done,
    Exchange,
    IllegalMoveError,
    LayAway,
    Move,
    Rank,
    Rules,
    ShowTrump,
    State,
    Take,
    Transfer,
)

Json = dict[str, Any]
_FILES = {
    file.stem: json.loads(file.read_text()) for file in (Path(__file__).parent / "scenarios").glob("*.json")
}
GOLDEN_PRESETS: Mapping[str, Json] = _FILES.pop("presets")
SCENARIOS: Sequence[Json] = sorted(chain.from_iterable(_FILES.values()), key=lambda scenario: scenario["id"])


def scenarios(kind: str) -> list[Json]:
    """Returns the scenarios of one kind."""
    return [scenario for scenario in SCENARIOS if scenario["kind"] == kind]


def rules_of(scenario: Json) -> Rules:
    """Returns the preset of a scenario with its changed settings."""
    return replace(PRESETS[scenario["preset"]], **scenario.get("settings", {}))


def position_of(scenario: Json) -> State:
    """Returns a scenario's first position."""
    return State.setup(
        rules_of(scenario),
        hands=[" ".join(hand) for hand in scenario["hands"]],
        talon=" ".join(scenario["talon"]),
        trump=scenario["trump"],
        attacker=scenario["attacker"],
        discard=" ".join(scenario["discard"]),
        out=scenario["out"],
        turn_up=scenario.get("turnedUp"),
    )


def move_of(step: Json) -> Move:
    """Returns the move of a step."""
    cards = tuple(map(Card.parse, step.get("cards", ())))
    match step["do"]:
        case "attack" | "throw":
            return Attack(cards)
        case "beat":
            return Defend(Card.parse(step["card"]), Card.parse(step["on"]))
        case "transfer":
            return Transfer(cards)
        case "show_trump":
            return ShowTrump(Card.parse(step["card"]))
        case "lay_away":
            return LayAway(cards[0].rank)
        case "take":
            return Take()
        case "done":
            return Done()
        case "exchange":
            return Exchange()

    raise ValueError(f"no such step: {step}")


def play(state: State, steps: list[Json]) -> State:
    """Plays the steps, checking refusals, expectations and the soundness of every position."""
    for step in steps:
        if "expect" in step:
            check(state, step["expect"])
        elif step["by"] == "all":
            state = _all_done(state)
        elif "error" in step:
            assert is_refused(state, step["by"], move_of(step)), step
        else:
            state = state.apply(step["by"], move_of(step)).state

        assert not state.problems(), state.problems()

    return state


def _all_done(state: State) -> State:
    bouts = state.bouts
    for seat in range(state.players):
        if state.bouts == bouts and Done() in state.legal_moves(seat):
            state = state.apply(seat, Done()).state
    return state


def is_refused(state: State, seat: int, move: Move) -> bool:
    """Returns whether the move is refused, by `apply` and by its absence from the legal moves."""
    try:
        state.apply(seat, move)
    except IllegalMoveError:
        return move not in state.legal_moves(seat)
    return False


def check(state: State, expected: Json) -> None:
    """Compares a position with the listed expectations."""
    for key, value in expected.items():
        _CHECKS[key](state, value)


def _hands(state: State, hands: list[list[str] | None]) -> None:
    for held, hand in zip(state.hands, hands, strict=True):
        assert hand is None or set(held) == set(map(Card.parse, hand))


def _legal(state: State, expected: Json) -> None:
    moves = state.legal_moves(expected["by"])
    if "beat" in expected:
        pairs = {(str(move.card), str(move.attack)) for move in moves if isinstance(move, Defend)}
        assert pairs == {tuple(pair) for pair in expected["beat"]}

    if "take" in expected:
        assert (Take() in moves) == expected["take"]

    if "transfer" in expected:
        single = {str(move.cards[0]) for move in moves if isinstance(move, Transfer) and len(move.cards) == 1}
        assert single == set(expected["transfer"])

    for name in ("attack", "throw"):
        if name in expected:
            cards = {
                str(move.cards[0]) for move in moves if isinstance(move, Attack) and len(move.cards) == 1
            }
            assert cards == set(expected[name])


def _result(state: State, expected: Json | None) -> None:
    outcome = state.outcome()
    if expected is None:
        assert outcome is None
        return

    assert outcome is not None
    assert outcome.is_draw == (expected["type"] == "draw")
    assert outcome.fool == expected.get("fool")


def _epaulettes(state: State, expected: Json) -> None:
    outcome = state.outcome()
    assert outcome is not None
    assert outcome.epaulettes == expected["count"]
    if "rank" in expected:
        assert outcome.epaulette_rank is Rank.parse(expected["rank"])
    if "on" in expected:
        assert outcome.losers == (expected["on"],)


def _same(actual: object, expected: object) -> None:
    assert actual == expected


_CHECKS: dict[str, Callable[[State, Any], None]] = {
    "attacker": lambda state, value: _same(state.attacker, value),
    "defender": lambda state, value: _same(state.defender, value),
    "attackCards": lambda state, value: _same({str(pair.attack) for pair in state.bout}, set(value)),
    "unbeaten": lambda state, value: _same(
        {str(pair.attack) for pair in state.bout if pair.beat is None}, set(value)
    ),
    "handSizes": lambda state, value: _same([len(hand) for hand in state.hands], value),
    "hands": _hands,
    "talonLeft": lambda state, value: _same(len(state.talon), value),
    "discardCount": lambda state, value: _same(len(state.discard), value),
    "out": lambda state, value: _same(list(state.out), value),
    "attackerOrder": lambda state, value: _same(list(state.throw_order), value),
    "legal": _legal,
    "result": _result,
    "epaulettes": _epaulettes,
}
