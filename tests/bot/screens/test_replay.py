"""A finished game is shown move by move, exactly as it was at the table."""

from dataclasses import replace
from itertools import chain, pairwise
from random import Random

import pytest

from adapters.port import Board, GameSummary, MoveKind, Replay, Role
from bot.locale import Translator
from bot.model.table import Phase
from bot.screens.review import replay_of
from bot.screens.text import cards_text
from engine import PRESETS, Decision, Defend, Memory, Opening, Record, Regret, Take, cards_of, is_honest
from tests.bot.screens.scenes import lobby_of
from tests.engine.rules.games import random_game

ENGLISH = Translator("en")
NAMES = ("Anna", "Boris", "Clara")
OPENING = Opening(PRESETS["perevodnoy"], 3, "5eed", shuffle=1)
SLY = replace(OPENING, rules=replace(OPENING.rules, cheating=True))
SUMMARY = GameSummary(7, 2, 0.0, NAMES, (2,))


def replayed(*regrets: Regret, opening: Opening = OPENING) -> Replay:
    """Returns the replay of a random game."""
    moves = [(seat, move) for _, seat, move in random_game(opening, Random(7))]
    table = replace(lobby_of(opening.rules, NAMES), phase=Phase.OVER)
    return replay_of(SUMMARY, table, Record(opening, tuple(moves)), regrets, ENGLISH)


def on_table(board: Board) -> list[str]:
    attacks = [pair.attack for pair in board.bout]
    beats = [pair.beat for pair in board.bout if pair.beat is not None]
    return [*attacks, *beats]


def roles(board: Board) -> list[Role]:
    return [seat.role for seat in board.seats]


@pytest.mark.parametrize("opening", [OPENING, SLY])
def test_at_every_step_each_card_is_in_one_place(opening: Opening) -> None:
    for step in replayed(opening=opening).steps:
        board = step.board
        open_cards = [*on_table(board), *chain.from_iterable(step.hands)]
        assert len(set(open_cards)) == len(open_cards)
        assert len(open_cards) + board.talon + board.discard == 36
        assert [len(hand) for hand in step.hands] == [seat.cards for seat in board.seats]


def test_the_step_that_ends_a_round_still_has_its_cards_its_attacker_and_its_defender() -> None:
    ends = [
        (before, step)
        for before, step in pairwise(replayed().steps)
        if before.board.bout and "takes" in str(step.board.latest)
    ]
    assert ends
    for before, step in ends:
        assert set(on_table(before.board)) <= set(on_table(step.board))
        assert roles(step.board) == roles(before.board)


def test_a_review_names_the_cards_of_both_moves_at_the_position_where_they_were_to_choose_from() -> None:
    state, seat, moves = next(
        (state, seat, state.legal_moves(seat))
        for state, seat, move in random_game(OPENING, Random(7))
        if isinstance(move, Take) and Defend in map(type, state.legal_moves(seat))
    )
    view = state.view_for(seat)
    better = next(move for move in moves if isinstance(move, Defend))
    decision = Decision(1, view, Memory.of(view, ()), moves, Take())

    (step,) = [step for step in replayed(Regret(decision, better, 0.75, 0.5)).steps if step.mark]

    assert step.played is not None
    assert step.better is not None
    assert step.played.kind is MoveKind.TAKE
    assert set(step.better.cards) <= set(step.hands[seat])
    assert step.better.attack in {pair.attack for pair in step.board.bout}


def test_each_move_of_a_review_has_its_own_risk_beside_it() -> None:
    state, seat, move = next(random_game(OPENING, Random(7)))
    better = next(each for each in state.legal_moves(seat) if each != move)
    view = state.view_for(seat)
    decision = Decision(1, view, Memory.of(view, ()), state.legal_moves(seat), move)

    (step,) = [step for step in replayed(Regret(decision, better, 0.75, 0.5)).steps if step.mark]

    played, advised = "".join(span.text for span in step.mark).split("\n")
    assert played.endswith("Fool risk: 75%")
    assert advised.endswith("Fool risk: 50%")
    assert step.mover == seat


def test_a_review_names_the_cards_on_the_table_that_were_against_the_rules() -> None:
    state, seat, move, moves = next(
        (state, seat, move, moves)
        for state, seat, move in random_game(SLY, Random(7))
        if state.wrong_cards and move in (moves := state.fair_moves(seat)) and len(moves) > 1
    )
    view = state.view_for(seat)
    better = next(each for each in moves if each != move)
    decision = Decision(1, view, Memory.of(view, ()), moves, move, state.wrong_cards)

    (step,) = [step for step in replayed(Regret(decision, better, 0.75, 0.5), opening=SLY).steps if step.mark]

    aside = "".join(span.text for span in step.mark).split("\n")[0]
    wrong = cards_text([card for card in cards_of(view.public.bout) if card in state.wrong_cards], ENGLISH)
    assert aside == f"🤫 By the way: {wrong} on the table broke the rules."


def test_each_step_has_the_player_that_made_its_move() -> None:
    movers = [seat for _, seat, _ in random_game(OPENING, Random(7))]
    assert [step.mover for step in replayed().steps] == [None, *movers]


def test_a_replay_marks_every_move_against_the_rules_and_no_other() -> None:
    game = list(random_game(SLY, Random(7)))
    steps = replayed(opening=SLY).steps
    for (state, _, move), step in zip(game, steps[1:], strict=True):
        latest = "".join(span.text for span in step.board.latest)
        assert latest.startswith("🤫") is not is_honest(state, move)
