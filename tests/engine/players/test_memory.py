"""A good memory holds all public cards, and nothing that was hidden."""

from random import Random

import pytest

from engine import PRESETS, CardSet, Event, Move, Opening, Rules, Seat, State, seen_by
from engine.players import Memory


def remembered(state: State, seat: Seat, events: list[Event]) -> Memory:
    return Memory.of(state.view_for(seat), seen_by(events, seat))


def after(state: State, *moves: str) -> tuple[State, list[Event]]:
    events: list[Event] = []
    for move in moves:
        state, more = state.apply(int(move[0]), Move.parse(move[2:]))
        events += more
    return state, events


def test_taken_cards_are_held_until_they_are_played() -> None:
    start = State.setup(Rules(), hands=["8S 9D 9C", "6C 7C 8C"], talon="", trump="H", attacker=0)
    state, events = after(start, "0 A 8S", "1 T", "0 P")
    assert remembered(state, 0, events).held_by(1) == CardSet.parse("8S")
    state, events = after(start, "0 A 8S", "1 T", "0 P", "0 A 9C", "1 T", "0 A 9D")
    assert remembered(state, 0, events).held_by(1) == CardSet.parse("8S 9C 9D")


def test_beaten_cards_are_gone_and_not_held() -> None:
    start = State.setup(Rules(), hands=["8S 9D 9C", "6C TS 8C"], talon="", trump="H", attacker=0)
    state, events = after(start, "0 A 8S", "1 D 8S TS", "0 P")
    memory = remembered(state, 0, events)
    assert memory.gone == CardSet.parse("8S TS")
    assert memory.held_by(1) == CardSet()
    assert CardSet.parse("6C 8C") <= memory.unseen(state.view_for(0))


def test_the_drawn_turn_up_is_held() -> None:
    start = State.setup(Rules(hand_size=2), hands=["8S 9D", "6C TS"], talon="7S 7H", trump="H", attacker=0)
    state, events = after(start, "0 A 8S", "1 D 8S TS", "0 P")
    assert remembered(state, 0, events).held_by(1) == CardSet.parse("7H")


@pytest.mark.parametrize("name", PRESETS)
def test_what_is_remembered_is_true_in_every_game(name: str) -> None:
    rules = PRESETS[name]
    rng = Random(name)
    for players in (2, min(4, rules.max_players)):
        state = Opening(rules, players, name).deal()
        events = list[Event]()
        while state.outcome() is None:
            seat = rng.choice(sorted(state.awaited))
            state, more = state.apply(seat, rng.choice(state.legal_moves(seat)))
            events += more
            memory = remembered(state, seat, events)
            assert memory.gone == state.discard

            others = [(other, hand) for other, hand in enumerate(state.hands) if other != seat]
            assert all(memory.held_by(other) <= hand for other, hand in others)

            hidden = [card for _, hand in others for card in hand]
            assert memory.unseen(state.view_for(seat)) == CardSet([*hidden, *state.talon])


def test_who_takes_a_card_is_remembered_not_to_beat_it_until_he_draws() -> None:
    hands = ["8S 9D 9C", "6C 7C 8C"]
    start = State.setup(Rules(hand_size=3), hands=hands, talon="7S AS 7H", trump="H", attacker=0)
    state, events = after(start, "0 A 8S", "1 T", "0 P")
    assert remembered(state, 0, events).given_up_by(1) == CardSet.parse("8S")
    state, events = after(start, "0 A 8S", "1 T", "0 P", "0 A 7S", "1 D 7S 8S", "0 P", "1 A 6C", "0 T", "1 P")
    assert remembered(state, 0, events).given_up_by(1) == CardSet()
    assert remembered(state, 1, events).given_up_by(0) == CardSet.parse("6C")
