"""Who may act, and with what: the only source of buttons and of validation.

Who may act follows from public facts alone. What a seat may do follows from these and its own hand; the one
exception is `throw_in_order=strict`, where the rule itself lets a helper add as soon as those before him
cannot.
"""

from collections.abc import Iterator
from itertools import combinations
from typing import TYPE_CHECKING

from engine.rules.bout import ranks_of, unbeaten_cards
from engine.rules.cards import Card, CardSet, Rank, Suit
from engine.rules.moves import (
    Attack,
    Defend,
    Done,
    Exchange,
    LayAway,
    Move,
    Redeal,
    ShowTrump,
    Take,
    Transfer,
)
from engine.rules.outcome import Seat
from engine.rules.seating import next_seat, seats_in, throw_order

if TYPE_CHECKING:
    from engine.rules.settings import Rules
    from engine.rules.state import State


# --- public facts -----------------------------------------------------------------------------------------


def attack_limit(state: "State") -> int | None:
    """Gives the most attack cards that this bout may have; None: any number."""
    rules = state.rules
    if rules.first_attack_limit is None:
        return rules.attack_limit
    ended = state.beaten_off if rules.first_attack_limit_until == "first_discard" else state.bouts
    return rules.attack_limit if ended else rules.first_attack_limit


def room_for(state: "State") -> int | None:
    """Says how many more attack cards limit and defender's hand allow; None: any number."""
    limit = attack_limit(state)
    room = None if limit is None else limit - len(state.bout)
    if state.rules.limit_by_defender_hand:
        answers = len(state.hands[state.defender]) - state.unbeaten
        room = answers if room is None else min(room, answers)
    return None if room is None else max(room, 0)


def adders(state: "State") -> tuple[Seat, ...]:
    """Lists who may still add, first claim first: those with cards who have not said "done"."""
    if not state.bout or not _may_be_added_to(state) or room_for(state) == 0:
        return ()
    return tuple(seat for seat in throw_order(state) if state.hands[seat] and seat not in state.declined)


def _may_be_added_to(state: "State") -> bool:
    """Whether rules and timing let anybody add a card."""
    rules, unbeaten = state.rules, state.unbeaten
    if rules.throw_in == "none":
        return False
    if state.taking:
        return rules.throw_in_after_take == "up_to_limit"
    if not unbeaten and not state.hands[state.defender]:
        return False
    if rules.throw_in_timing == "when_all_beaten":
        return unbeaten == 0
    return rules.throw_in_timing == "anytime" or unbeaten < len(state.bout)


def is_bout_over(state: "State") -> bool:
    """Says whether nothing can come any more: all is beaten, or taken, and nobody may add."""
    return bool(state.bout) and (state.taking or state.unbeaten == 0) and not adders(state)


def awaited(state: "State") -> frozenset[Seat]:
    """Says whom the game waits for."""
    if state.ended is not None:
        return frozenset()
    if not state.bout:
        return frozenset((state.attacker,))
    if state.unbeaten and not state.taking:
        return frozenset((state.defender,))
    adding = adders(state)
    return frozenset(adding[:1] if state.rules.throw_in_order == "strict" else adding)


def actors(state: "State") -> frozenset[Seat]:
    """Says who may act: those awaited, and who may add early, lay away, exchange or ask for a new deal."""
    if state.ended is not None:
        return frozenset()
    acting = awaited(state).union(adders(state))
    if may_exchange_happen(state) or (state.fresh and state.rules.redeal_same_suit):
        return acting.union(seats_in(state))
    if state.rules.lay_away_four and not state.bout:
        return acting.union(
            seat for seat in seats_in(state) if len(state.hands[seat]) >= cards_to_lay_away(state)
        )
    return acting


def may_exchange_happen(state: "State") -> bool:
    """Says whether somebody may hold the trump six and swap it for the turn-up."""
    return (
        state.rules.trump_six_exchange and bool(state.talon) and state.talon[-1] is not exchange_card(state)
    )


def exchange_card(state: "State") -> Card:
    """Gives the card to exchange: the six of trumps, or the lowest trump of a deck without sixes."""
    lowest = 15 - state.rules.deck_size(state.players) // 4
    return Card(state.trump, Rank(max(Rank.SIX, lowest)))


def cards_to_lay_away(state: "State") -> int:
    """Says how many cards a hand needs so that four can go: five, or four if its owner may then leave."""
    return 5 if state.talon and not state.rules.leave_with_talon else 4


# --- the moves of one seat --------------------------------------------------------------------------------


def legal_moves(state: "State", seat: Seat) -> tuple[Move, ...]:
    """Lists a seat's moves: for each kind the low cards before the high ones, trumps last."""
    if seat not in actors(state):
        return ()
    return tuple(_moves(state, seat))


def _moves(state: "State", seat: Seat) -> Iterator[Move]:
    if not state.bout:
        if seat == state.attacker:
            yield from openings(state)
        yield from layaways(state, seat)
    elif seat == state.defender:
        if not state.taking and state.unbeaten:
            yield from _defences(state)
            yield from transfers(state)
            if may_take(state):
                yield Take()
    elif seat in adders(state):
        if not is_before_others(state, seat):
            yield from (Attack((card,)) for card in in_order(state, addable(state, seat)))
        yield Done()
    if may_exchange(state, seat):
        yield Exchange()
    if may_ask_for_redeal(state, seat):
        yield Redeal()


def in_order(state: "State", cards: CardSet) -> list[Card]:
    """Sorts cards by what they are worth: trumps last, low ranks first; equal cards once."""
    return sorted(cards.distinct(), key=lambda card: _worth(card, state.trump, state.rules))


def _worth(card: Card, trump: Suit, rules: "Rules") -> tuple[bool, int]:
    return card.suit is trump, card.rank.strength(rules.rank_order)


def openings(state: "State") -> Iterator[Move]:
    """Gives the attacks on an empty table: any card, or (by setting) several of one rank up to the limit."""
    hand = state.hands[state.attacker]
    yield from (Attack((card,)) for card in in_order(state, hand))
    if state.rules.opening_cards == "equal_rank":
        yield from (Attack(cards) for cards in _groups(state, hand, 2, room_for(state)))


def _groups(state: "State", cards: CardSet, least: int, most: int | None) -> Iterator[tuple[Card, ...]]:
    """Gives every choice of several cards of one rank, small choices first."""
    for rank in dict.fromkeys(card.rank for card in in_order(state, cards)):
        same = tuple(sorted(cards.of_rank(rank)))
        for size in range(least, min(len(same), most if most is not None else len(same)) + 1):
            yield from dict.fromkeys(combinations(same, size))


def _defences(state: "State") -> Iterator[Move]:
    hand, order = state.hands[state.defender], state.rules.rank_order
    for attack in dict.fromkeys(unbeaten_cards(state.bout)):
        for card in in_order(state, hand.that_beat(attack, state.trump, order)):
            yield Defend(card, attack)


def addable(state: "State", seat: Seat) -> CardSet:
    """Gives the cards of a hand whose rank lies on the table."""
    return state.hands[seat].of_rank(*ranks_of(state.bout))


def is_before_others(state: "State", seat: Seat) -> bool:
    """Says whether in strict order somebody before this seat has not said "done" and holds a card to add."""
    if state.rules.throw_in_order != "strict":
        return False
    before = adders(state)
    return any(addable(state, other) for other in before[: before.index(seat)])


def may_take(state: "State") -> bool:
    """Says whether the defender may take: always, or only when he can neither beat all nor transfer."""
    if state.rules.voluntary_take:
        return True
    can_transfer = next(transfers(state), None) is not None
    return not can_transfer and not can_beat_all(state)


def can_beat_all(state: "State") -> bool:
    """Says whether the defender's hand can beat all unbeaten cards, one card for each."""
    hand, order = state.hands[state.defender], state.rules.rank_order
    answers = [tuple(hand.that_beat(attack, state.trump, order)) for attack in unbeaten_cards(state.bout)]
    return _is_coverable(answers, hand)


def _is_coverable(answers: list[tuple[Card, ...]], hand: CardSet) -> bool:
    if not answers:
        return True
    return any(card in hand and _is_coverable(answers[1:], hand.without(card)) for card in answers[0])


# --- handing the attack on --------------------------------------------------------------------------------


def next_defender(state: "State") -> Seat:
    """Gives the player to whom the attack would be transferred."""
    return next_seat(state, state.defender, 1 if state.rules.transfer_direction == "left" else -1)


def is_transferable(state: "State") -> bool:
    """Says whether the attack may be handed on by the rules and what lies on the table."""
    if not state.rules.transfer or state.taking or not state.bout:
        return False
    if not state.rules.transfer_in_first_bout and not state.bouts:
        return False
    return state.unbeaten == len(state.bout)


def transfer_room(state: "State") -> int | None:
    """Says how many cards a transfer may add; below 0 the attack cannot even be handed on by showing."""
    limit = attack_limit(state)
    room = None if limit is None else limit - len(state.bout)
    if state.rules.transfer_limit_by_hand:
        answers = len(state.hands[next_defender(state)]) - len(state.bout)
        room = answers if room is None else min(room, answers)
    return room


def transferable(state: "State") -> CardSet:
    """Gives the defender's cards of the attack's rank, without the trumps already shown in this bout."""
    shown = [card for seat, card in state.travelled if seat == state.defender]
    hand = state.hands[state.defender]
    return hand.without(*(card for card in shown if card in hand)).of_rank(state.bout[0].attack.rank)


def transfers(state: "State") -> Iterator[Move]:
    """Gives the transfers by cards, then the one by showing a trump."""
    if not is_transferable(state):
        return
    cards, room = transferable(state), transfer_room(state)
    most = room if state.rules.transfer_cards == "many" else 1 if room is None else min(room, 1)
    yield from map(Transfer, _groups(state, cards, 1, most))
    trump = Card(state.trump, state.bout[0].attack.rank)
    if state.rules.transfer_by_showing_trump and trump in cards and (room is None or room >= 0):
        yield ShowTrump(trump)


# --- outside the attack -----------------------------------------------------------------------------------


def layaways(state: "State", seat: Seat) -> Iterator[Move]:
    """Gives the ranks of which a hand holds all four suits and may put them away."""
    hand = state.hands[seat]
    if not state.rules.lay_away_four or state.bout or len(hand) < cards_to_lay_away(state):
        return
    distinct = hand.distinct()
    for rank in Rank:
        if len(distinct.of_rank(rank)) == len(Suit):
            yield LayAway(rank)


def may_exchange(state: "State", seat: Seat) -> bool:
    """Says whether a seat holds the trump six, dealt or drawn, while the turn-up lies under the talon."""
    return may_exchange_happen(state) and not state.six_taken and exchange_card(state) in state.hands[seat]


def may_ask_for_redeal(state: "State", seat: Seat) -> bool:
    """Says whether a hand gives the right to a new deal: too many of one suit, and (by setting) no trump."""
    rules, hand = state.rules, state.hands[seat]
    if not rules.redeal_same_suit or not state.fresh:
        return False
    if rules.redeal_needs_no_trump and hand.of_suit(state.trump):
        return False
    return any(len(hand.of_suit(suit)) >= rules.redeal_same_suit for suit in Suit)
