"""The puzzles that come with the program: judged by the engine, from easy to hard, and offered last."""

from collections import Counter

import pytest

from bot.features.puzzles.collection import collection, collection_text
from bot.features.puzzles.store import NOT_PLAYED_HERE, PuzzleStore
from engine import PRESETS, Puzzle, puzzle_at
from tests.bot.features.puzzles.collecting import EASY, FILE, GAMES, HARD, MEDIUM, OF_EACH, level
from tests.bot.features.puzzles.test_puzzles import puzzle
from tests.bot.running_bot import ANNA, CLARA, RunningBot

PUZZLES = collection()


def test_there_are_thirty_different_puzzles_from_easy_to_hard() -> None:
    levels = list(map(level, PUZZLES))

    assert levels == sorted(levels)
    assert Counter(levels) == dict.fromkeys((EASY, MEDIUM, HARD), OF_EACH * len(GAMES))
    assert len({each.state for each in PUZZLES}) == len(PUZZLES) == 30


def test_the_puzzles_are_from_games_of_several_rules_and_sizes() -> None:
    games = Counter((each.state.rules, each.state.players) for each in PUZZLES)
    assert games == {(PRESETS[name], players): OF_EACH * 3 for name, players in GAMES}


@pytest.mark.parametrize("each", PUZZLES)
def test_the_engine_judges_each_puzzle_as_it_is_written(each: Puzzle) -> None:
    assert not each.state.problems()
    assert puzzle_at(each.state, each.seat) == each

    state = each.state
    for seat, move in each.line:
        assert move in state.legal_moves(seat)
        state = state.apply(seat, move).state

    outcome = state.outcome()
    assert outcome is not None
    assert outcome.losers
    assert each.seat not in outcome.losers


def test_the_collection_is_read_as_it_was_written() -> None:
    assert collection_text(PUZZLES) == FILE.read_text("utf-8")


async def test_a_server_without_finished_games_has_puzzles(bot: RunningBot) -> None:
    await bot.chat.types(CLARA, "/puzzle")
    (message,) = bot.chat.sees_alone(CLARA)
    assert message.text.startswith("🧩 Puzzle\n")
    assert len(message.buttons) == len(PUZZLES[0].moves)


async def test_they_are_handed_out_in_their_order_after_those_that_were_played_here(bot: RunningBot) -> None:
    store = PuzzleStore(bot.database)
    await store.add(PUZZLES, NOT_PLAYED_HERE)
    await store.add([puzzle()], 1.0)

    given = []
    while (kept := await store.hand_out(ANNA.ref, today=1)) is not None:
        given.append(kept.puzzle)
        await store.answer(ANNA, kept.id, 0.0, is_right=True)

    assert given == [puzzle(), *PUZZLES]


async def test_who_answered_all_of_them_gets_none_twice(bot: RunningBot) -> None:
    store = PuzzleStore(bot.database)
    await bot.chat.types(CLARA, "/puzzle")
    while (kept := await store.hand_out(CLARA.ref, today=9)) is not None:
        await store.answer(CLARA, kept.id, 0.0, is_right=True)

    assert (await store.tally(CLARA.ref)).solved == len(PUZZLES)
    assert (await bot.chat.types(CLARA, "/puzzle")).toast is not None
