"""Every guess at the hidden cards is one that may be true."""

from random import Random

import pytest

from engine import PRESETS, Card, CardSet, Event, Opening, Rules, State
from engine.players import Memory
from engine.players.search.rollouts import WorldSampler
from engine.players.search.simulation import CardBits
from tests.engine.players.test_memory import after, remembered


@pytest.mark.parametrize("players", [2, 3, 6])
@pytest.mark.parametrize("name", ["podkidnoy-36", "punktedurak", "durnius-travel"])
def test_guesses_agree_with_everything_the_seat_knows(name: str, players: int) -> None:
    rng = Random(players)
    state, events = Opening(PRESETS[name], players, "guess").deal(), list[Event]()
    bits = CardBits(state.trump, state.rules.rank_order)
    while state.outcome() is None:
        seat = rng.choice(sorted(state.awaited))
        memory = remembered(state, seat, events)
        sampler = WorldSampler(state.view_for(seat), memory, bits)
        guess = sampler.sample(rng)
        assert guess.hands[seat] == bits.mask(state.hands[seat])
        assert [hand.bit_count() for hand in guess.hands] == [len(hand) for hand in state.hands]
        assert len(guess.talon) == len(state.talon)
        assert (guess.round_start, guess.moved) == (state.round_start, state.moved)
        assert bits.mask(card for _, card in state.shown_trumps) == guess.shown_trumps
        for other in range(players):
            assert not bits.mask(memory.held_by(other)) & ~guess.hands[other]
        hidden = sum(guess.hands) + sum(guess.talon)
        assert hidden == bits.mask([*state.talon, *(card for hand in state.hands for card in hand)])
        if sampler.is_certain:
            assert guess.hands == [bits.mask(hand) for hand in state.hands]
        state, more = state.apply(seat, rng.choice(state.legal_moves(seat)))
        events += more


def test_between_two_without_a_talon_there_is_one_guess() -> None:
    state = State.setup(Rules(), hands=["8S 9D", "6C TS"], talon="", trump="H", attacker=0)
    gone = CardSet(card for card in state.rules.cards(2) if not any(card in hand for hand in state.hands))
    bits = CardBits(state.trump, "standard")
    assert WorldSampler(state.view_for(0), Memory(gone), bits).is_certain
    assert not WorldSampler(state.view_for(0), Memory(), bits).is_certain


def test_who_took_a_card_is_mostly_given_nothing_that_beats_it() -> None:
    hands = ["8S 9D 9C", "6C 7C 8C"]
    start = State.setup(Rules(hand_size=3), hands=hands, talon="7S AS 7H", trump="H", attacker=0)
    state, events = after(start, "0 A 8S", "1 T", "0 P")
    bits = CardBits(state.trump, "standard")
    sampler = WorldSampler(state.view_for(0), remembered(state, 0, events), bits)
    eight = Card.parse("8S")
    beaters = bits.mask(CardSet(state.rules.cards(2)).that_beat(eight, state.trump, "standard"))
    drawn = [sampler.sample(Random(number)).hands[1] for number in range(200)]
    assert sum(bool(hand & beaters) for hand in drawn) < 60
