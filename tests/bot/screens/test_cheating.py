"""Cheating on screens: nobody cheats by mistake, and no screen reveals a wrong card before the end."""

from dataclasses import replace
from functools import partial

import pytest

from adapters.port import Screen
from bot.locale import Translator
from bot.model.buttons import OpenCheating, PlayMove, SlyAction, buttons_of
from bot.screens.board import board_of, hand_board
from bot.screens.cheating import MAX_UNSEEN, unseen_lines
from bot.screens.hand import Hand, hand_screen
from bot.screens.table import table_screen
from bot.screens.text import card_text, plain_text
from bot.screens.typed_moves import offer_lines, readings, typed_form
from engine import Accuse, Card, Cheat, Move, Outcome, Rules, State, seen_by
from tests.bot.messages import text_of
from tests.bot.screens.scenes import TINY, VERSION, scene_of

ENGLISH = Translator("en")
LIMITS = TINY
START = State.setup(
    Rules(cheating=True, transfer=True),
    hands=["KS 8D", "7S 9D TD", "AD 7C"],
    talon="QH",
    trump="H",
    attacker=0,
)


def after(*moves: str) -> State:
    state = START
    for each in moves:
        seat, _, move = each.partition(" ")
        state = state.apply(int(seat), Move.parse(move)).state

    return state


def hand_of(state: State, seat: int, cheating: OpenCheating | None = None) -> Hand:
    return Hand(
        scene_of(state),
        state.view_for(seat),
        VERSION,
        state.fair_moves(seat),
        sly_moves=state.sly_moves(seat),
        cheating=cheating,
    )


def hand(state: State, seat: int, cheating: OpenCheating | None = None) -> Screen:
    return hand_screen(hand_of(state, seat, cheating), LIMITS)


def labels(screen: Screen) -> list[str]:
    return [button.label for row in screen.rows for button in row]


def moves_on(screen: Screen) -> set[str]:
    return {token.move for token in buttons_of(screen) if isinstance(token, PlayMove)}


def test_a_page_gets_the_cheats_of_its_reader_alone_and_marks_no_card_on_the_table() -> None:
    state = after("0 A KS", "1 D KS 7S")
    for seat in range(3):
        board = hand_board(hand_of(state, seat))
        wrong = {move for move in state.sly_moves(seat) if not isinstance(move, Accuse)}
        assert {cheat.token.split(":", 3)[3] for cheat in board.cheats} == set(map(str, wrong))
        assert not {cheat.token for cheat in board.cheats} & {move.token for move in board.moves}


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_a_hand_shows_no_cheat_and_no_accusation_before_it_is_asked_for(seat: int) -> None:
    for state in (after("0 A KS"), after("0 A KS", "1 D KS 7S")):
        assert moves_on(hand(state, seat)) == set(map(str, state.fair_moves(seat)))


@pytest.mark.parametrize(
    ("right", "wrong"), [("1 D KS AS", "1 D KS 7S"), ("1 X KD", "1 X 7S"), ("2 A KC", "2 A TC")]
)
def test_others_see_a_wrong_card_exactly_as_a_right_one(right: str, wrong: str) -> None:
    rules = replace(START.rules, throw_in_timing="anytime")
    hands = ["KS 8D JD", "AS 7S KD 9D", "KC TC QD"]
    start = State.setup(rules, hands=hands, talon="QH", trump="H", attacker=0)
    start = start.apply(0, Move.parse("A KS")).state
    seat = int(right[0])
    cards = [Card.parse(move[-2:]) for move in (right, wrong)]

    def seen_by_others(move: str) -> str:
        step = start.apply(seat, Move.parse(move[2:]))
        scene = scene_of(step.state, seen_by(step.events, None))
        shown: list[object] = [table_screen(scene, LIMITS), board_of(scene)]
        for other in {0, 1, 2} - {seat}:
            held = replace(hand_of(step.state, other), scene=scene)
            shown += [hand_screen(held, LIMITS), hand_board(held)]

        return repr(shown)

    def renamed(text: str) -> str:
        for name in (str, repr, partial(card_text, translator=ENGLISH)):
            text = text.replace(name(cards[0]), name(cards[1]))
        return text

    assert seen_by_others(right) != seen_by_others(wrong)
    assert renamed(seen_by_others(right)) == renamed(seen_by_others(wrong))


def test_a_choice_that_is_open_asks_for_the_card_and_then_where_it_goes() -> None:
    state = after("0 A KS")
    shown = hand(state, 1)
    assert "🤫 Against the rules…" in labels(shown)
    assert "👀 Caught!" not in labels(shown)  # the first card is always right

    cards = hand(state, 1, OpenCheating(1, SlyAction.CHEAT))
    assert labels(cards)[:3] == ["7♠", "9♦", "10♦"]
    assert not moves_on(cards)

    places = hand(state, 1, OpenCheating(1, SlyAction.CHEAT, "7S"))
    assert moves_on(places) == {"D KS 7S", "X 7S"}
    assert labels(places)[:2] == ["K♠ ← 7♠", "↪ 7♠"]


def test_the_cards_of_others_can_be_pointed_at_whether_right_or_wrong() -> None:
    for move in ("D KS 7S", "D KS AS"):
        state = after("0 A KS")
        if move == "D KS AS":
            state = State.setup(
                START.rules, hands=["KS 8D", "AS 9D TD", "AD 7C"], talon="QH", trump="H", attacker=0
            )
            state = state.apply(0, Move.parse("A KS")).state

        state = state.apply(1, Move.parse(move)).state
        for seat in (0, 2):
            assert "👀 Caught!" in labels(hand(state, seat))
            opened = hand(state, seat, OpenCheating(1, SlyAction.ACCUSE))
            assert moves_on(opened) == {f"C {move[-2:]}"}
            assert labels(opened)[0].startswith("K♠ ← ")


def test_a_choice_that_is_gone_shows_the_hand_again() -> None:
    state = after("0 A KS")
    for gone in (
        OpenCheating(1, SlyAction.ACCUSE),
        OpenCheating(1, SlyAction.CHEAT, "AD"),  # of another hand
        OpenCheating(1, SlyAction.CHEAT, "forged"),
    ):
        assert labels(hand(state, 1, gone)) == labels(hand(state, 1))


def test_somebody_who_is_asked_only_to_look_reads_so() -> None:
    rules = replace(START.rules, throw_in="attacker")
    state = State.setup(rules, hands=["KS 8D", "7S 9D TD", "AD 7C"], talon="QH", trump="H", attacker=0)
    for seat, move in ((0, "A KS"), (1, "D KS 7S")):
        state = state.apply(seat, Move.parse(move)).state

    assert "👀 Was all that honest? Point at a card, or press Done." in text_of(hand(state, 2))


def test_a_typed_move_cheats_only_with_its_sign() -> None:
    state = after("0 A KS")
    view = state.view_for(1)
    moves = state.legal_moves(1)
    wrong = Move.parse("D KS 7S")

    assert readings("beat 7s ks", view, moves, ENGLISH) == []
    assert readings("!beat 7s ks", view, moves, ENGLISH) == [(wrong,)]
    assert readings("! transfer 7s", view, moves, ENGLISH) == [(Move.parse("X 7S"),)]
    assert readings("!take", view, moves, ENGLISH) == []
    for move in moves:
        assert readings(typed_form(move, view, moves, ENGLISH), view, moves, ENGLISH) == [(move,)]

    assert "!" not in plain_text(offer_lines("", moves, view, moves, ENGLISH))


def test_an_accusation_can_be_typed() -> None:
    state = after("0 A KS", "1 D KS 7S")
    view = state.view_for(2)
    moves = state.legal_moves(2)
    assert readings("caught 7s", view, moves, ENGLISH) == [(Move.parse("C 7S"),)]
    assert readings("7s", view, moves, ENGLISH) == []


def test_a_result_tells_what_nobody_saw() -> None:
    cheats = (
        Cheat(4, 1, Move.parse("D KS 7H")),
        Cheat(5, 0, Move.parse("A 9C")),
        Cheat(6, 1, Move.parse("X 9C")),
        *[Cheat(7, 0, Move.parse("A 9C"))] * MAX_UNSEEN,
    )
    outcome = Outcome(0, (0,), False, (1,), (0, 0), unseen=cheats)
    lines = [plain_text(line) for line in unseen_lines(outcome, ("Anna", "Boris"), ENGLISH)]
    assert lines[:3] == [
        "🤫 Nobody saw: Boris beat K♠ with 7♥ in round 4.",
        "🤫 Nobody saw: Anna threw in 9♣ in round 5.",
        "🤫 Nobody saw: Boris transferred with 9♣ in round 6.",
    ]
    assert lines[-1] == "🤫 And 3 more cards that nobody saw."
    assert len(lines) == MAX_UNSEEN + 1
