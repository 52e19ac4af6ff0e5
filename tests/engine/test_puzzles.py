"""Puzzles from games: nothing is hidden, and the winning move agrees with brute force."""

from collections.abc import Iterator
from functools import cache

import pytest

from engine import (
    PRESETS,
    SETTINGS,
    Event,
    InvalidTextError,
    Memory,
    Opening,
    Puzzle,
    Record,
    Seat,
    State,
    line_text,
    puzzle_of,
    puzzles_in,
    seen_by,
)
from engine.players import Regular
from engine.puzzles import SETTINGS_IN_ENDINGS

SEEDS = ("27ab", "24ab", "32ab")  # games in which there are puzzles


def played(seed: str, players: int = 2, rules: str = "podkidnoy-36") -> Record:
    """Plays a game of regular players to its end."""
    opening = Opening.from_text(f"players={players} dealer=0 seed={seed} rules: {rules}")
    # no clock decides a move
    record = Record(opening)
    state = opening.deal()
    bots = Regular(solved=0)
    seen: list[list[Event]] = [[] for _ in range(players)]

    while state.outcome() is None:
        seat = min(state.awaited)
        moves = state.legal_moves(seat)
        view = state.view_for(seat)
        move = bots.choose(view, moves, Memory.of(view, seen[seat])) if len(moves) > 1 else moves[0]
        record = record.plus(seat, move)
        step = state.apply(seat, move)

        for each, known in enumerate(seen):
            known.extend(seen_by(step.events, each))

        state = step.state

    return record


def found() -> Iterator[Puzzle]:
    for seed in SEEDS:
        yield from puzzles_in(played(seed))


def wins(state: State, seat: Seat) -> bool:
    """Returns whether a seat never loses, by trying every play."""

    @cache
    def won(state: State) -> bool:
        if (outcome := state.outcome()) is not None:
            return bool(outcome.losers) and seat not in outcome.losers

        mover = min(state.awaited)
        after = (won(state.apply(mover, move).state) for move in state.legal_moves(mover))
        return any(after) if mover == seat else all(after)

    return won(state)


def test_the_answer_is_the_one_move_that_wins() -> None:
    puzzles = [puzzle for puzzle in found() if sum(map(len, puzzle.state.hands)) <= 8]
    assert puzzles
    for puzzle in puzzles:
        legal = puzzle.state.legal_moves(puzzle.seat)
        winning = [move for move in legal if wins(puzzle.state.apply(puzzle.seat, move).state, puzzle.seat)]
        assert winning == [puzzle.answer]


def test_a_puzzle_offers_three_or_four_moves_and_its_line_wins() -> None:
    for puzzle in found():
        assert 3 <= len(puzzle.moves) <= 4
        assert puzzle.answer in puzzle.moves
        assert (len(puzzle.state.out), puzzle.state.talon) == (puzzle.state.players - 2, ())

        state = puzzle.state
        for seat, move in puzzle.line:
            state = state.apply(seat, move).state

        outcome = state.outcome()
        assert outcome is None or puzzle.seat not in outcome.losers


def test_a_puzzle_is_read_as_it_was_written() -> None:
    for puzzle in found():
        assert puzzle_of(puzzle.state.to_text(), line_text(puzzle)) == puzzle


@pytest.mark.parametrize("line", ["", "0 nonsense", "x T", "7 T", "0 A 2S"])
def test_a_line_that_cannot_be_played_is_no_puzzle(line: str) -> None:
    with pytest.raises(InvalidTextError):
        puzzle_of(next(found()).state.to_text(), line)


# Settings without meaning once two players are left and no card is drawn, or without effect
# between two, or without puzzles.
OF_THE_DEAL = {
    "deck",
    "min_players",
    "max_players",
    "hand_size",
    "turn_up",
    "redeal_same_suit",
    "redeal_needs_no_trump",
    "lay_away_four",
    "trump_six_exchange",
    "first_attacker_first_game",
    "first_attacker_next_game",
    "no_trump_fallback",
    "dealer_next",
    "first_attack_limit",
    "first_attack_limit_until",
    "draw",
    "leave_with_talon",
}
OF_MORE_PLAYERS = {"throw_in_order", "game_end", "winner", "scoring", "team_order"}
OF_MARKS = {"epaulettes", "epaulette_non_trump", "discard_visible"}
WITHOUT_PUZZLES = {"throw_in_timing"} | {name for name in SETTINGS if name.startswith("transfer")}


def test_every_setting_is_known_to_decide_an_ending_or_not() -> None:
    others = OF_THE_DEAL | OF_MORE_PLAYERS | OF_MARKS | WITHOUT_PUZZLES
    assert others | SETTINGS_IN_ENDINGS == set(SETTINGS)
    assert not others & SETTINGS_IN_ENDINGS


@pytest.mark.parametrize("preset", ["perevodnoy", "wikipedia-de", "durnius"])
def test_rules_that_the_solver_simplifies_have_no_puzzles(preset: str) -> None:
    assert not list(puzzles_in(played("27ab", rules=PRESETS[preset].to_text())))
