"""Every guess at the hidden cards is a possible one."""

from random import Random

import pytest

from engine import PRESETS, Card, CardSet, Event, Opening, Rules, State
from engine.players import Memory
from engine.players.search.rollouts import WorldSampler
from engine.players.search.simulation import CardBits
from tests.engine.players.test_memory import remembered


@pytest.mark.parametrize("players", [2, 3, 6])
@pytest.mark.parametrize("name", ["podkidnoy-36", "punktedurak", "durnius-travel"])
def test_guesses_agree_with_everything_the_seat_knows(name: str, players: int) -> None:
    rng = Random(players)
    state = Opening(PRESETS[name], players, "guess").deal()
    events = list[Event]()
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


def guesses_with_a_beater(taker: str, unknown: int, takes: tuple[int, int] = (0, 0)) -> int:
    """Returns in how many of 400 guesses a seat that took the eight holds a card that beats it."""
    state = State.setup(Rules(), hands=["9D 9C TD", taker], talon="7S AS 7H", trump="H", attacker=0)
    bits = CardBits(state.trump, "standard")
    eight = CardSet.parse("8S")
    held = CardSet([*state.hands[1]][unknown:])
    memory = Memory(held=(CardSet(), held), gave_up=(CardSet(), eight), takes=((0, 0), takes))

    sampler = WorldSampler(state.view_for(0), memory, bits)
    cards = CardSet(state.rules.cards(2))
    beaters = bits.mask(cards.that_beat(Card.parse("8S"), state.trump, "standard"))

    return sum(bool(sampler.sample(Random(number)).hands[1] & beaters) for number in range(400))


def test_who_took_a_card_is_mostly_given_nothing_that_beats_it() -> None:
    assert guesses_with_a_beater("6C 7C 8S", unknown=1) < 60


def test_a_hand_too_large_to_hold_no_such_card_may_hold_one() -> None:
    assert guesses_with_a_beater("6C 7C 8C TC JC QC KC 6D 8S", unknown=8) > 350


def test_who_takes_again_and_again_is_not_believed_to_be_forced() -> None:
    assert guesses_with_a_beater("6C 7C 8S", 1, takes=(8, 8)) > guesses_with_a_beater("6C 7C 8S", 1)
