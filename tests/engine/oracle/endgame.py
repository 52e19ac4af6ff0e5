"""Positions between two without a talon, and their value counted out by the rules themselves."""

from functools import lru_cache
from random import Random

from engine import Card, CardSet, Rules, Seat, State, Suit, full_deck
from tests.engine.rules.games import changed


def random_ending(rules: Rules, rng: Random, most: int) -> State:
    """Deals two hands of together at most so many cards, at the beginning of a bout."""
    cards = rng.sample(full_deck(36), rng.randint(2, most))
    split = rng.randint(1, len(cards) - 1)
    hands = [cards[:split], cards[split:]]
    return State.setup(rules, hands=hands, talon="", trump=rng.choice(list(Suit)), attacker=0)


def discarded_in(state: State) -> CardSet:
    """All cards that are in neither hand nor on the table."""
    seen = [card for hand in state.hands for card in hand]
    seen += [card for pair in state.bout for card in (pair.attack, pair.beat) if isinstance(card, Card)]
    return CardSet(card for card in full_deck(36) if card not in seen)


@lru_cache(maxsize=200_000)
def value(state: State, seat: Seat) -> int:
    """Says how the game ends for a seat when no one errs: 1 if the other is the fool, -1 if it is, else 0."""
    outcome = state.outcome()
    if outcome is not None:
        return 0 if outcome.fool is None else -1 if outcome.fool == seat else 1

    (turn,) = state.awaited
    aim = 1 if turn == seat else -1
    best = -aim

    for move in state.legal_moves(turn):
        best = aim * max(aim * best, aim * value(without_history(state.apply(turn, move).state), seat))
        if best == aim:
            break

    return best


def without_history(state: State) -> State:
    """The same position without what only tells how it came about, so that it is counted once."""
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
        bout=tuple(sorted(state.bout)) if not state.unbeaten else state.bout,
    )
