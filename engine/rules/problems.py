"""A position examines itself: every broken invariant has a flag."""

from enum import Flag, auto

from engine.rules.bout import cards_of
from engine.rules.cards import Card, CardSet, beats
from engine.rules.position import Position
from engine.rules.seating import partners, seats_in
from engine.rules.turns import is_bout_over


class Problem(Flag):
    """What is wrong with a position; `NONE` is falsy."""

    NONE = 0
    CARD_TWICE = auto()
    CARD_MISSING = auto()
    FOREIGN_CARD = auto()
    BAD_ROLES = auto()
    OUT_WITH_CARDS = auto()
    IN_WITHOUT_CARDS = auto()
    DOES_NOT_BEAT = auto()
    STRANGE_RANK = auto()
    TOO_MANY_ATTACKS = auto()
    TURN_UP_MISPLACED = auto()
    SEEN_CARD_NOT_HELD = auto()
    BOUT_NOT_SETTLED = auto()
    NOBODY_AWAITED = auto()


def find_problems(state: Position) -> Problem:
    """List every broken invariant of a position."""
    return _cards(state) | _seats(state) | _bout(state)


def _flag(problem: Problem, *, found: bool) -> Problem:
    return problem if found else Problem.NONE


def _cards(state: Position) -> Problem:
    """Check that every card of the game lies in exactly one place."""
    places: list[Card] = [*state.talon, *state.discard, *cards_of(state.bout)]
    for hand in state.hands:
        places += hand
    placed = CardSet(places)
    foreign = CardSet(state.rules.cards(state.players))
    lies_wrong = (
        state.rules.turn_up == "talon_bottom" and state.talon and state.turn_up is not state.talon[-1]
    )
    return (
        _flag(Problem.CARD_TWICE, found=not placed <= state.cards)
        | _flag(Problem.CARD_MISSING, found=not state.cards <= placed)
        | _flag(Problem.FOREIGN_CARD, found=not placed <= foreign)
        | _flag(Problem.TURN_UP_MISPLACED, found=bool(lies_wrong))
        | _flag(
            Problem.SEEN_CARD_NOT_HELD,
            found=any(card not in state.hands[seat] for seat, card in state.seen_cards),
        )
    )


def _seats(state: Position) -> Problem:
    inside = seats_in(state)
    attacker, defender = state.attacker, state.defender
    wrong = attacker not in inside or defender not in inside or attacker in partners(state, defender)
    empty = not state.bout and any(not state.hands[seat] for seat in inside)
    running = state.ended is None
    return (
        _flag(Problem.BAD_ROLES, found=running and wrong)
        | _flag(Problem.OUT_WITH_CARDS, found=any(state.hands[seat] for seat in state.out))
        | _flag(Problem.IN_WITHOUT_CARDS, found=running and empty)
        | _flag(Problem.NOBODY_AWAITED, found=running and not state.awaited)
        | _flag(Problem.BOUT_NOT_SETTLED, found=is_bout_over(state))
    )


def _bout(state: Position) -> Problem:
    rules, limit = state.rules, state.rules.attack_limit
    answered = [(pair.attack, pair.beat) for pair in state.bout if pair.beat is not None]
    beaten = all(beats(beat, attack, state.trump, rules.rank_order) for attack, beat in answered)
    ranks = {state.bout[0].attack.rank} if state.bout else set()
    ranks.update(beat.rank for _, beat in answered)
    over_hand = rules.limit_by_defender_hand and len(state.unbeaten) > len(state.hands[state.defender])
    if rules.transfer and not rules.transfer_limit_by_hand:
        over_hand = False
    return (
        _flag(Problem.DOES_NOT_BEAT, found=not beaten)
        | _flag(Problem.STRANGE_RANK, found=any(pair.attack.rank not in ranks for pair in state.bout))
        | _flag(Problem.TOO_MANY_ATTACKS, found=over_hand or (limit is not None and len(state.bout) > limit))
    )
