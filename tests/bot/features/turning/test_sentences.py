"""The turn of the game: one sentence about a public move, where an expert is sure."""

from bot.features.turning.screens import MIN_TURNING_COST, turning_line
from engine import Decision, Memory, Move, Regret, Rules, Seat, State
from tests.bot.screens.scenes import scene_of

START = State.setup(Rules(), hands=["6S 6D 9C", "7S KS AH"], talon="8C 8D", trump="D", attacker=0)


def after(*moves: str) -> State:
    state = START
    for move in moves:
        seat, _, text = move.partition(" ")
        state = state.apply(int(seat), Move.parse(text)).state
    return state


def regret(state: State, seat: Seat, played: str, cost: float = MIN_TURNING_COST) -> Regret:
    moves = state.legal_moves(seat)
    decision = Decision(7, state.view_for(seat), Memory(), moves, Move.parse(played))
    return Regret(decision, moves[0], risk=0.2 + cost, least=0.2)


def turning_text(*regrets: Regret) -> str:
    scene = scene_of(START, names=("Anna", "Boris"))
    return "".join(span.text for span in turning_line(regrets, scene))


def test_a_dear_take_names_the_cards_that_lay_there() -> None:
    state = after("0 A 6S")
    assert turning_text(regret(state, 1, "T")) == "🔀 Round 7 decided it: Boris takes 6♠."


def test_attacks_throw_ins_and_beaten_cards_are_named() -> None:
    assert turning_text(regret(START, 0, "A 6D")) == "🔀 Round 7 decided it: Anna attacks with 6♦."
    assert (
        turning_text(regret(after("0 A 6S"), 1, "D 6S KS"))
        == "🔀 Round 7 decided it: Boris beats 6♠ with K♠."
    )
    thrown = after("0 A 6S", "1 D 6S KS")
    assert turning_text(regret(thrown, 0, "A 6D")) == "🔀 Round 7 decided it: Anna throws in 6♦."


def test_a_move_that_cost_little_decided_nothing() -> None:
    assert turning_text(regret(START, 0, "A 6D", MIN_TURNING_COST / 2)) == ""
    assert turning_text() == ""


def test_that_somebody_passed_is_not_told() -> None:
    passed = regret(after("0 A 6S", "1 D 6S KS"), 0, "P")
    assert turning_text(passed) == ""
    assert turning_text(passed, regret(START, 0, "A 6D")) == "🔀 Round 7 decided it: Anna attacks with 6♦."
