"""Positions between two without a talon, and their values, counted out by the rules themselves."""

from functools import lru_cache
from random import Random

from engine import Card, CardSet, Rules, Seat, State, Suit, full_deck
from tests.engine.rules.games import changed


def random_ending(rules: Rules, rng: Random, most: int) -> State:
    """Deals two hands of together at most this many cards, at the beginning of a bout."""
    cards = rng.sample(full_deck(36), rng.randint(2, most))
    split = rng.randint(1, len(cards) - 1)
    hands = [cards[:split], cards[split:]]
    return State.setup(rules, hands=hands, talon="", trump=rng.choice(list(Suit)), attacker=0)


def discarded_in(state: State) -> CardSet:
    """Returns all cards that are not in a hand or on the table."""
    seen = [card for hand in state.hands for card in hand]
    for pair in state.bout:
        seen += [card for card in (pair.attack, pair.beat) if isinstance(card, Card)]

    return CardSet(card for card in full_deck(36) if card not in seen)


@lru_cache(maxsize=200_000)
def value(state: State, seat: Seat) -> int:
    """Returns a seat's result under perfect play: 1 for a win, 0 for a draw, -1 for a loss as the fool."""
    outcome = state.outcome()
    if outcome is not None:
        if outcome.fool is None:
            return 0
        return -1 if outcome.fool == seat else 1

    (turn,) = state.awaited
    aim = 1 if turn == seat else -1
    best = -aim

    for move in state.legal_moves(turn):
        after = without_history(state.apply(turn, move).state)
        best = aim * max(aim * best, aim * value(after, seat))
        if best == aim:
            break

    return best


def without_history(state: State) -> State:
    """Returns the position without its history, so that equal positions are counted once."""
    bout = tuple(sorted(state.bout)) if not state.unbeaten else state.bout

    return changed(
        state,
        discard=CardSet(),
        seen_cards=(),
        emptied=(),
        bouts=0,
        beaten_off=0,
        bouts_without_discard=0,
        moved=0,
        cards=CardSet(),
        bout=bout,
    )
