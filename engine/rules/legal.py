"""What a seat may do: the only source of buttons and of validation.

It follows from who may act (turns.py) and the seat's own hand. The one exception is
`throw_in_order=strict`: there the rule itself lets a helper add as soon as those before him cannot.
"""

from collections.abc import Iterator
from itertools import chain, product, repeat

from engine.rules.bout import cards_of, unbeaten_cards
from engine.rules.cards import Card, CardSet, Rank, Suit, beats
from engine.rules.events import Seat
from engine.rules.moves import (
    Attack,
    Done,
    Exchange,
    Keep,
    LayAway,
    Move,
    Redeal,
    ShowTrump,
    Take,
    Transfer,
    attack_with,
    defend_with,
)
from engine.rules.position import Position
from engine.rules.seating import next_seat, seats_in, throw_order


def bystanders(state: Position) -> tuple[Seat, ...]:
    """List who might exchange, lay away or ask for a new deal, and has not said "done" to that."""
    if may_exchange_happen(state) or (state.redeal_allowed and state.rules.redeal_same_suit):
        needed = 1
    elif state.rules.lay_away_four and not state.bout:
        needed = cards_to_lay_away(state)
    else:
        return ()
    return tuple(
        seat for seat in seats_in(state) if len(state.hands[seat]) >= needed and seat not in state.declined
    )


def may_exchange_happen(state: Position) -> bool:
    """Return whether somebody may hold the trump six and swap it for the turn-up."""
    return (
        state.rules.trump_six_exchange and bool(state.talon) and state.talon[-1] is not exchange_card(state)
    )


def exchange_card(state: Position) -> Card:
    """Return the card to exchange: the six of trumps, or the lowest trump of a deck without sixes."""
    lowest = 15 - state.rules.deck_size(state.players) // 4
    return Card(state.trump, Rank(max(Rank.SIX, lowest)))


def cards_to_lay_away(state: Position) -> int:
    """Return how many cards a hand needs so that four can go: five, or four if its owner may then leave."""
    return 5 if state.talon and not state.rules.leave_with_talon else 4


# --- Whom the game waits for and who may act (chapter 4): from public facts alone, as rule 12.1 says ---


_NOBODY: frozenset[Seat] = frozenset()


def find_who_acts(state: Position) -> None:
    """Find what follows from the facts of a position, when they have been changed."""
    find_who_may_throw_in(state)
    find_actors(state)


def find_who_may_throw_in(state: Position) -> None:
    """Find what is to be beaten, and who may still add to it: those with cards who have not said "done"."""
    state.unbeaten = unbeaten_cards(state.bout)
    if state.bout and _may_be_added_to(state) and attack_cards_left(state) != 0:
        hands, declined = state.hands, state.declined
        line = [seat for seat in throw_order(state) if hands[seat] and seat not in declined]
        state.who_may_throw_in = tuple(line)
    else:
        state.who_may_throw_in = ()


def find_actors(state: Position) -> None:
    """Find whom the game waits for, and who else may act: those who may add early, and the bystanders."""
    state.awaited = state.actors = _awaited(state)
    if state.ended is None and not state.undecided:
        if state.who_may_throw_in:
            state.actors |= frozenset(state.who_may_throw_in)
        if state.rules.knows_asides:
            state.actors |= frozenset(bystanders(state))
    state.known_moves = {}


def attack_limit(state: Position) -> int | None:
    """Return the most attack cards that this bout may have; None: any number."""
    rules = state.rules
    if rules.first_attack_limit is None:
        return rules.attack_limit
    ended = state.beaten_off if rules.first_attack_limit_until == "first_discard" else state.bouts
    return rules.attack_limit if ended else rules.first_attack_limit


def attack_cards_left(state: Position) -> int | None:
    """Return how many more attack cards limit and defender's hand allow; None: any number."""
    limit = attack_limit(state)
    room = None if limit is None else limit - len(state.bout)
    if state.rules.limit_by_defender_hand:
        answers = len(state.hands[state.defender]) - len(state.unbeaten)
        if room is None or answers < room:
            room = answers
    return None if room is None else max(room, 0)


def place_in_line(state: Position, seat: Seat) -> int:
    """Return how many may add a card before this seat if they want to at the same moment.

    Only with `throw_in_order=priority` does anybody come before another then: in strict order nobody may add
    at the same moment, and in free order the quicker one is first.
    """
    line = state.who_may_throw_in
    return line.index(seat) if state.rules.throw_in_order == "priority" and seat in line else 0


def _may_be_added_to(state: Position) -> bool:
    """Return whether rules and timing let anybody add a card."""
    rules, unbeaten = state.rules, len(state.unbeaten)
    if rules.throw_in == "none":
        return False
    if state.taking:
        return rules.throw_in_after_take == "up_to_limit"
    if not unbeaten and not state.hands[state.defender]:
        return False
    if rules.throw_in_timing == "when_all_beaten":
        return unbeaten == 0
    return rules.throw_in_timing == "anytime" or unbeaten < len(state.bout)


def is_bout_over(state: Position) -> bool:
    """Return whether nothing can come any more: all is beaten, or taken, and nobody may add."""
    return bool(state.bout) and (state.taking or not state.unbeaten) and not state.who_may_throw_in


def _awaited(state: Position) -> frozenset[Seat]:
    """Return whom the game waits for."""
    if state.ended is not None:
        return _NOBODY
    if state.undecided:
        return state.undecided
    if not state.bout:
        return frozenset((state.attacker,))
    if state.unbeaten and not state.taking:
        return frozenset((state.defender,))
    adding = state.who_may_throw_in
    return frozenset(adding[:1] if state.rules.throw_in_order == "strict" else adding)


# --- What a seat may do: the only source of buttons and of validation ---


_TAKE, _DONE, _EXCHANGE, _KEEP, _REDEAL = Take(), Done(), Exchange(), Keep(), Redeal()


def legal_moves(state: Position, seat: Seat) -> tuple[Move, ...]:
    """List a seat's moves: for each kind the low cards before the high ones, trumps last."""
    known = state.known_moves
    if seat not in known:
        known[seat] = tuple(_moves(state, seat)) if seat in state.actors else ()
    return known[seat]


def _moves(state: Position, seat: Seat) -> list[Move]:
    """List the moves of an actor; whoever need not do anything else can at least say "done"."""
    moves: list[Move] = []
    if state.undecided:
        moves.append(_KEEP)
    elif not state.bout and seat == state.attacker:
        moves += first_attacks(state)
    elif state.unbeaten and not state.taking and seat == state.defender:
        moves += _defences(state)
        moves += transfers(state)
        if may_take(state):
            moves.append(_TAKE)
    else:
        if seat in state.who_may_throw_in and not is_before_others(state, seat):
            moves += map(attack_with, in_order(state, cards_to_throw_in(state, seat)))
        moves.append(_DONE)
    if state.rules.knows_asides:
        moves += _asides(state, seat)
    return moves


def in_order(state: Position, cards: CardSet) -> list[Card]:
    """Sort cards by what they are worth: trumps last, low ranks first; equal cards once."""
    return cards.by_worth(state.trump, state.rules.rank_order)


def first_attacks(state: Position) -> list[Move]:
    """List the attacks on an empty table: any card, or (by setting) several of one rank up to the limit."""
    hand = state.hands[state.attacker]
    moves: list[Move] = [attack_with(card) for card in in_order(state, hand)]
    if state.rules.opening_cards == "equal_rank":
        moves += map(Attack, _groups(state, hand, 2, attack_cards_left(state)))
    return moves


def _groups(state: Position, cards: CardSet, least: int, most: int | None) -> Iterator[tuple[Card, ...]]:
    """Return every choice of several cards of one rank, small choices first.

    Equal cards are as good as one another: a choice is how many are taken of each.
    """
    for rank in dict.fromkeys(card.rank for card in in_order(state, cards)):
        same = cards.of_rank(rank)
        kinds, top = tuple(same.distinct()), len(same) if most is None else most
        choices = product(*[range(min(same.count(card), top), -1, -1) for card in kinds])
        for copies in sorted(choices, key=sum):
            if least <= sum(copies) <= top:
                yield tuple(chain.from_iterable(map(repeat, kinds, copies)))


def _defences(state: Position) -> list[Move]:
    hand, trump, order = state.hands[state.defender], state.trump, state.rules.rank_order
    return [
        defend_with(card, attack)
        for attack in dict.fromkeys(state.unbeaten)
        for card in hand.that_beat(attack, trump, order).by_worth(trump, order)
    ]


def cards_to_throw_in(state: Position, seat: Seat) -> CardSet:
    """Return the cards of a hand whose rank lies on the table."""
    return state.hands[seat].of_ranks_on(cards_of(state.bout))


def is_before_others(state: Position, seat: Seat) -> bool:
    """Return whether in strict order somebody before this seat may still add a card, and holds one."""
    if state.rules.throw_in_order != "strict":
        return False
    before = state.who_may_throw_in
    return any(cards_to_throw_in(state, other) for other in before[: before.index(seat)])


def may_take(state: Position) -> bool:
    """Return whether the defender may take: always, or only when he can neither beat all nor transfer."""
    if state.rules.voluntary_take:
        return True
    can_transfer = next(transfers(state), None) is not None
    return not can_transfer and not can_beat_all(state)


def can_beat_all(state: Position) -> bool:
    """Return whether the defender's hand can beat all unbeaten cards, one card for each."""
    cards, order = tuple(state.hands[state.defender]), state.rules.rank_order
    answers = [
        [place for place, card in enumerate(cards) if beats(card, attack, state.trump, order)]
        for attack in state.unbeaten
    ]
    given: dict[int, int] = {}
    return all(_finds_answer(attack, answers, given, set()) for attack in range(len(answers)))


def _finds_answer(attack: int, answers: list[list[int]], given: dict[int, int], asked: set[int]) -> bool:
    """Give an attack card an answer that is free, or can be freed: the attack it was for finds another one.

    `given` says for which attack each of the hand's cards is meant, `asked` which have been tried this time.
    """
    for card in answers[attack]:
        if card not in asked:
            asked.add(card)
            if card not in given or _finds_answer(given[card], answers, given, asked):
                given[card] = attack
                return True
    return False


# --- handing the attack on --------------------------------------------------------------------------------


def next_defender(state: Position) -> Seat:
    """Return the player to whom the attack would be transferred."""
    return next_seat(state, state.defender, 1 if state.rules.transfer_direction == "left" else -1)


def is_transferable(state: Position) -> bool:
    """Return whether the attack may be handed on by the rules and what lies on the table."""
    if not state.rules.transfer or state.taking or not state.bout:
        return False
    if not state.rules.transfer_in_first_bout and not state.bouts:
        return False
    return len(state.unbeaten) == len(state.bout)


def transfer_cards_left(state: Position) -> int | None:
    """Return how many cards a transfer may add; below 0 the attack cannot even be handed on by showing."""
    limit = attack_limit(state)
    room = None if limit is None else limit - len(state.bout)
    if state.rules.transfer_limit_by_hand:
        answers = len(state.hands[next_defender(state)]) - len(state.bout)
        room = answers if room is None else min(room, answers)
    return room


def transferable(state: Position) -> CardSet:
    """Return the defender's cards of the attack's rank, without the trumps already shown in this bout."""
    shown = [card for seat, card in state.shown_trumps if seat == state.defender]
    hand = state.hands[state.defender]
    return hand.without(*(card for card in shown if card in hand)).of_rank(state.bout[0].attack.rank)


def transfers(state: Position) -> Iterator[Move]:
    """Return the transfers by cards, then the one by showing a trump."""
    if not is_transferable(state):
        return
    cards, room = transferable(state), transfer_cards_left(state)
    most = room if state.rules.transfer_cards == "many" else 1 if room is None else min(room, 1)
    yield from map(Transfer, _groups(state, cards, 1, most))
    trump = Card(state.trump, state.bout[0].attack.rank)
    if state.rules.transfer_by_showing_trump and trump in cards and (room is None or room >= 0):
        yield ShowTrump(trump)


# --- outside the attack -----------------------------------------------------------------------------------


def _asides(state: Position, seat: Seat) -> Iterator[Move]:
    if not state.undecided:
        yield from layaways(state, seat)
        if may_exchange(state, seat):
            yield _EXCHANGE
    if may_ask_for_redeal(state, seat):
        yield _REDEAL


def layaways(state: Position, seat: Seat) -> Iterator[Move]:
    """Return the ranks of which a hand holds all four suits and may put them away."""
    hand = state.hands[seat]
    if not state.rules.lay_away_four or state.bout or len(hand) < cards_to_lay_away(state):
        return
    distinct = hand.distinct()
    for rank in Rank:
        if len(distinct.of_rank(rank)) == len(Suit):
            yield LayAway(rank)


def may_exchange(state: Position, seat: Seat) -> bool:
    """Return whether a seat holds the trump six, dealt or drawn, and can swap it for the turn-up now."""
    return may_exchange_happen(state) and not state.six_taken and exchange_card(state) in state.hands[seat]


def may_ask_for_redeal(state: Position, seat: Seat) -> bool:
    """Return whether a hand gives the right to a new deal: many of a suit, and (by setting) no trump."""
    rules, hand = state.rules, state.hands[seat]
    if not rules.redeal_same_suit or not (state.redeal_allowed or seat in state.undecided):
        return False
    if rules.redeal_needs_no_trump and hand.of_suit(state.trump):
        return False
    return any(len(hand.of_suit(suit)) >= rules.redeal_same_suit for suit in Suit)
