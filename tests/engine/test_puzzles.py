"""Puzzles from games: nothing is hidden, and the winning move agrees with brute force."""

from collections.abc import Iterator
from functools import cache

import pytest

from engine import (
    Event,
    InvalidTextError,
    Memory,
    Move,
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
from engine.rules.declarations import Ending
from engine.rules.settings import DECLARATIONS
from tests.engine.rules.value_openings import title_of, values

FEW_CARDS = 8  # with so many every play can be tried
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


def winning_moves(state: State, seat: Seat) -> list[Move]:
    return [move for move in state.legal_moves(seat) if wins(state.apply(seat, move).state, seat)]


def test_the_answer_is_the_one_move_that_wins() -> None:
    puzzles = [puzzle for puzzle in found() if sum(map(len, puzzle.state.hands)) <= FEW_CARDS]
    assert puzzles
    for puzzle in puzzles:
        assert winning_moves(puzzle.state, puzzle.seat) == [puzzle.answer]


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


@cache
def endings() -> tuple[tuple[State, Seat], ...]:
    """Returns positions from games in which two are left with few cards, and the seat to move."""
    positions = list[tuple[State, Seat]]()
    for seed in SEEDS:
        record = played(seed)
        state = record.opening.deal()
        for seat, action in record.actions:
            if not state.talon and sum(map(len, state.hands)) <= FEW_CARDS:
                positions.append((state, seat))

            state = state.act(seat, action).state

    return tuple(positions)


def by_option(state: State, option: str) -> State:
    """Returns the same position by other rules."""
    _, *facts = state.to_text().splitlines()
    rules = state.rules.with_options([option])
    return State.from_text("\n".join([f"rules {rules.to_text()}", *facts]))


def options(ending: Ending) -> list[str]:
    """Lists the unusual values of all settings that do this to an ending."""
    return [title_of(name, value) for name, value in values() if DECLARATIONS[name].ending is ending]


@pytest.mark.parametrize("option", options(Ending.UNAFFECTED))
def test_a_setting_that_leaves_endings_alone_changes_no_answer(option: str) -> None:
    for state, seat in endings():
        assert winning_moves(by_option(state, option), seat) == winning_moves(state, seat), (
            f"{option} decides an ending: declare it in engine/rules/settings.py\n{state.to_text()}"
        )


@pytest.mark.parametrize("rules", options(Ending.NEEDS_DEFAULT))
def test_rules_that_the_solver_simplifies_have_no_puzzles(rules: str) -> None:
    assert not list(puzzles_in(played("27ab", rules=rules)))
