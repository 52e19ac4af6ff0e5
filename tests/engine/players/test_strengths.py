"""Every house player plays by any rules, and in time."""

from dataclasses import replace
from random import Random
from time import process_time

import pytest

from engine import PRESETS, Event, Opening, Rules, State, full_deck, seen_by
from engine.players import NOTHING_SEEN, STRENGTHS, Expert, HousePlayer, Memory, Regular
from tests.engine.oracle.endgame import discarded_in
from tests.engine.rules.games import numbers_of_players
from tests.examples import some

TEAMS = replace(PRESETS["podkidnoy-36"], teams="2x2")
ODD = {
    **PRESETS,
    "teams": TEAMS,
    "two decks": Rules(decks=2, max_players=8),
    "exchange": Rules(trump_six_exchange=True),
    "no voluntary take": Rules(voluntary_take=False),
}


def quick(name: str, seed: str) -> HousePlayer:
    """Returns a player of this strength that makes one guess."""
    return Expert(Random(seed), limit=0.004, guesses=1) if name == "expert" else STRENGTHS[name](Random(seed))


@pytest.mark.parametrize("name", ODD)
@pytest.mark.parametrize("strength", STRENGTHS)
def test_every_move_is_legal_by_all_rules_and_at_all_tables(strength: str, name: str) -> None:
    rules = ODD[name]
    for players in some(numbers_of_players(rules)):
        seed = f"{name}-{players}".replace(" ", "-")
        state = Opening(rules, players, seed).deal()
        events = list[Event]()
        table = [quick(strength, f"{seed}-{seat}") for seat in range(players)]

        while state.outcome() is None:
            seat = min(state.awaited)
            view = state.view_for(seat)
            moves = state.fair_moves(seat)
            move = table[seat].choose(view, moves, Memory.of(view, seen_by(events, seat)))
            assert move in moves, (state.to_text(), str(move))
            state, more = state.apply(seat, move)
            events += more


@pytest.mark.parametrize("strength", STRENGTHS)
def test_nobody_needs_a_memory_to_play_by_the_rules(strength: str) -> None:
    state = Opening(PRESETS["perevodnoy"], 3, "forgotten").deal()
    player = quick(strength, "x")
    while state.outcome() is None:
        seat = min(state.awaited)
        state = state.apply(seat, player.choose(state.view_for(seat), state.legal_moves(seat))).state


def opening_position() -> State:
    return Opening(PRESETS["podkidnoy-36"], 2, "think").deal()


def test_the_same_chance_makes_the_same_choice() -> None:
    state = opening_position()
    seat = min(state.awaited)
    choices = {
        Expert(Random("a"), limit=60, guesses=20).choose(state.view_for(seat), state.legal_moves(seat))
        for _ in range(3)
    }
    assert len(choices) == 1


def test_a_memory_of_another_game_makes_nobody_stumble() -> None:
    state = opening_position()
    seat = min(state.awaited)
    view = state.view_for(seat)
    moves = state.legal_moves(seat)
    wrong = Memory(gone=view.hand, held=(state.hands[1 - seat] | view.hand,) * 2)
    for player in (Regular(), Expert(Random(1), guesses=5)):
        assert player.choose(view, moves, wrong) in moves


@pytest.mark.parametrize("talon", [True, False])
def test_an_expert_thinks_no_longer_than_it_may(talon: bool) -> None:
    state = opening_position() if talon else wide_ending()
    seat = min(state.awaited)
    expert = Expert(Random(1), limit=0.02, guesses=10**9)
    memory = NOTHING_SEEN if talon else Memory(discarded_in(state))

    began = process_time()
    expert.choose(state.view_for(seat), state.legal_moves(seat), memory)
    assert process_time() - began < 1


def wide_ending() -> State:
    """Returns a position of two without a talon, with too many cards to count the end out quickly."""
    cards = full_deck(36)
    return State.setup(Rules(), hands=[cards[::2], cards[1::2]], talon="", trump="H", attacker=0)
