"""A second move generator: slow, written from docs/rules.md sentence by sentence, lists for masks.

It shares nothing with engine.rules but the values: cards, moves, the fields of a state. The two must agree.
"""

from itertools import combinations
from random import Random

from engine import (
    Accuse,
    Attack,
    Card,
    Defend,
    Done,
    Exchange,
    Keep,
    LayAway,
    Move,
    Rank,
    Redeal,
    Rules,
    Seat,
    ShowTrump,
    State,
    Suit,
    Take,
    Transfer,
)
from tests.engine.rules.games import Moment

_TEAMS = {"2x2": 2, "3x2": 3, "2x3": 2}


def check_legal_moves(moment: Moment, _: Random) -> None:
    """Checks that both generators list the same moves for every seat."""
    for seat in range(moment.before.players):
        found = set(moment.before.legal_moves(seat))
        expected = oracle_moves(moment.before, seat)
        assert found == expected, (seat, list(map(str, found - expected)), list(map(str, expected - found)))


def oracle_moves(state: State, seat: Seat) -> set[Move]:
    """Returns every move that docs/rules.md allows a seat."""
    if state.outcome() is not None or seat in state.out:
        return set()
    if state.undecided:
        return _answers_to_the_deal(state, seat) if seat in state.undecided else set()

    cheating = _accusations(state, seat) | _cheats(state, seat)
    extras = _free_moves(state, seat) | cheating
    if not state.bout and seat == state.attacker:
        return extras | _openings(state)

    open_cards = [pair.attack for pair in state.bout if pair.beat is None]
    if seat == state.defender and open_cards and not state.taking:
        return extras | _answers(state, open_cards)
    if seat != state.defender and state.bout and _may_be_asked(state, seat):
        return extras | _additions(state, seat) | {Done()}
    if _is_asked_to_look(state, seat):
        return extras | {Done()}
    if state.no_idle_done:
        return extras

    return extras | {Done()} if _may_stand_by(state, seat) else cheating


def _answers_to_the_deal(state: State, seat: Seat) -> set[Move]:
    """Returns the answers to a deal: keep it, or, if entitled, ask for a new one (rule 2.11)."""
    return {Keep(), Redeal()} if _is_entitled(state, seat) else {Keep()}


def _is_entitled(state: State, seat: Seat) -> bool:
    rules = state.rules
    hand = list(state.hands[seat])
    suits = [[card for card in hand if card.suit == suit] for suit in Suit]
    trumps = [card for card in hand if card.suit == state.trump]
    enough = 0 < rules.redeal_same_suit <= max(map(len, suits))
    return enough and not (trumps and rules.redeal_needs_no_trump)


def _additions(state: State, seat: Seat) -> set[Move]:
    order = _order(state)
    earlier = order[: order.index(seat)]
    if state.rules.throw_in_order == "strict" and any(
        other not in state.declined and _addable(state, other) for other in earlier
    ):
        return set()

    return {Attack((card,)) for card in _addable(state, seat)}


def _may_stand_by(state: State, seat: Seat) -> bool:
    """Returns whether a seat might exchange, lay away or redeal, by public facts alone (rule 8.7)."""
    rules = state.rules
    count = len(state.hands[seat])
    if seat in state.declined or not count:
        return False

    six = Card(state.trump, Rank(max(6, min(card.rank for card in rules.cards(state.players)))))
    if rules.trump_six_exchange and state.talon and state.talon[-1] != six:
        return True
    if rules.redeal_same_suit and state.redeal_allowed:
        return True

    may_leave = not state.talon or rules.leave_with_talon
    return rules.lay_away_four and not state.bout and count >= (4 if may_leave else 5)


# --- cheating (chapter 16) --------------------------------------------------------------------------------


def _accusations(state: State, seat: Seat) -> set[Move]:
    """Returns a move for each card of others, all but the first of the bout (rule 16.4)."""
    if not state.rules.cheating or seat in state.wrong_accusers:
        return set()

    cards = [(pair.attack, pair.by) for pair in state.bout[1:]]
    cards += [(pair.beat, state.defender) for pair in state.bout if pair.beat is not None]
    teams = _TEAMS.get(state.rules.teams, state.players)
    return {Accuse(card) for card, by in cards if (by - seat) % teams}


def _is_asked_to_look(state: State, seat: Seat) -> bool:
    """Returns whether the bout waits for a seat that could point at a card (rules 16.7 and 16.8)."""
    is_open = any(pair.beat is None for pair in state.bout) and not state.taking
    if not state.bout or is_open or seat in state.declined or not _accusations(state, seat):
        return False

    return seat != state.defender or state.thrown_on_take


def _cheats(state: State, seat: Seat) -> set[Move]:
    """Returns the moves with cards that do not fit, where the same with a fitting one were allowed."""
    if not state.rules.cheating or not state.bout or seat in state.caught:
        return set()

    hand = list(state.hands[seat])
    open_cards = [pair.attack for pair in state.bout if pair.beat is None]
    if seat != state.defender:
        wrong = [card for card in hand if card not in _addable(state, seat)]
        return {Attack((card,)) for card in wrong} if _may_be_asked(state, seat) else set()

    if state.taking or not open_cards:
        return set()

    moves: set[Move] = {
        Defend(card, attack) for attack in open_cards for card in hand if not _beats(state, card, attack)
    }
    rank = state.bout[0].attack.rank
    for card in hand:
        # Whether it may go as a card of the right rank might: in a hand that is nothing but that rank.
        twin = next(Card(suit, rank) for suit in Suit if suit != state.trump)
        if card.rank != rank and Transfer((twin,)) in _passes(state, [twin]):
            moves.add(Transfer((card,)))

    return moves


def _limit(state: State) -> float:
    rules = state.rules
    limit = rules.attack_limit if rules.attack_limit is not None else 10**6
    first = rules.first_attack_limit
    over = state.beaten_off > 0 if rules.first_attack_limit_until == "first_discard" else state.bouts > 0
    return limit if first is None or over else first


def _fits(state: State, more: int) -> bool:
    """Returns whether the limit and the defender's hand allow so many more cards (rules 4.6 to 4.8)."""
    unbeaten = len([pair for pair in state.bout if pair.beat is None])
    by_hand = unbeaten + more <= len(state.hands[state.defender])
    by_limit = len(state.bout) + more <= _limit(state)
    return by_limit and (by_hand or not state.rules.limit_by_defender_hand)


def _openings(state: State) -> set[Move]:
    cards = list(state.hands[state.attacker])
    most = 1 if state.rules.opening_cards == "one" else 4 * state.rules.decks
    sizes = [size for size in range(1, most + 1) if _fits(state, size)]
    moves = set[Move]()

    for rank in Rank:
        same = [card for card in cards if card.rank == rank]
        for size in sizes:
            moves |= {Attack(group) for group in combinations(same, size)}

    return moves


def _ring(state: State, start: Seat, step: int) -> list[Seat]:
    seating = [(start + step * distance) % state.players for distance in range(1, state.players + 1)]
    return [seat for seat in seating if seat not in state.out]


def _order(state: State) -> list[Seat]:
    """Returns the order of throwing in: the attacker, then from the defender's left (rule 4.9)."""
    rules = state.rules
    defender = state.defender
    others = [seat for seat in _ring(state, defender, 1) if seat != defender]

    if rules.throw_in == "neighbours":
        others = others[:1]

    if rules.throw_in in ("attacker", "none"):
        others = []

    if rules.teams != "off":
        others = [seat for seat in others if (seat - defender) % _TEAMS[rules.teams]]

    return [state.attacker, *(seat for seat in others if seat != state.attacker)]


def _addable(state: State, seat: Seat) -> list[Card]:
    ranks = {pair.attack.rank for pair in state.bout} | {pair.beat.rank for pair in state.bout if pair.beat}
    return [card for card in state.hands[seat] if card.rank in ranks]


def _may_be_asked(state: State, seat: Seat) -> bool:
    rules = state.rules
    if rules.throw_in == "none" or seat not in _order(state) or seat in state.declined:
        return False
    if not state.hands[seat] or not _fits(state, 1):
        return False

    beaten = [pair for pair in state.bout if pair.beat is not None]
    if state.taking:
        return rules.throw_in_after_take == "up_to_limit"
    if len(beaten) == len(state.bout) and not state.hands[state.defender]:
        return False  # rule 4.13
    if rules.throw_in_timing == "when_all_beaten":
        return len(beaten) == len(state.bout)

    return rules.throw_in_timing == "anytime" or bool(beaten)


def _beats(state: State, card: Card, attack: Card) -> bool:
    return oracle_beats(state.rules, state.trump, card, attack)


def oracle_beats(rules: Rules, trump: Suit, card: Card, attack: Card) -> bool:
    """Returns whether a card beats another one (rule 5.1)."""
    order = "23456789JQKTA" if rules.rank_order == "ten_high" else "23456789TJQKA"
    if card.suit == attack.suit:
        return order.index(str(card.rank)) > order.index(str(attack.rank))
    return card.suit == trump


def _answers(state: State, open_cards: list[Card]) -> set[Move]:
    hand = list(state.hands[state.defender])
    moves: set[Move] = {
        Defend(card, attack) for attack in open_cards for card in hand if _beats(state, card, attack)
    }
    passes = _passes(state, hand)
    if state.rules.voluntary_take or (not passes and not _can_beat_all(state, hand, open_cards)):
        moves.add(Take())

    return moves | passes


def _can_beat_all(state: State, hand: list[Card], open_cards: list[Card]) -> bool:
    if not open_cards:
        return True

    for index, card in enumerate(hand):
        rest = hand[:index] + hand[index + 1 :]
        if _beats(state, card, open_cards[0]) and _can_beat_all(state, rest, open_cards[1:]):
            return True

    return False


def _passes(state: State, hand: list[Card]) -> set[Move]:
    """Returns the transfers of rules 6.1 to 6.10."""
    rules = state.rules
    if not rules.transfer or any(pair.beat for pair in state.bout):
        return set()
    if state.bouts == 0 and not rules.transfer_in_first_bout:
        return set()

    step = 1 if rules.transfer_direction == "left" else -1
    target = _ring(state, state.defender, step)[0]
    room = len(state.hands[target]) if rules.transfer_limit_by_hand else 10**6
    rank = state.bout[0].attack.rank
    same = [card for card in hand if card.rank == rank]

    for seat, card in state.shown_trumps:
        if seat == state.defender and card in same:
            same.remove(card)

    most = len(same) if rules.transfer_cards == "many" else 1
    lying = len(state.bout)
    longest = min(room, _limit(state))

    moves = set[Move]()
    for size in range(1, most + 1):
        if lying + size <= longest:
            moves |= {Transfer(group) for group in combinations(same, size)}

    trump = Card(state.trump, rank)
    if rules.transfer_by_showing_trump and trump in same and lying <= longest:
        moves.add(ShowTrump(trump))

    return moves


def _free_moves(state: State, seat: Seat) -> set[Move]:
    """Returns exchanges, redeals and layings away."""
    rules = state.rules
    hand = list(state.hands[seat])
    moves: set[Move] = set()
    ranks = sorted({card.rank for card in state.cards})
    lowest = Rank.SIX if Rank.SIX in ranks else ranks[0]
    six = Card(state.trump, lowest)
    has_six = six in hand and not state.six_taken
    if rules.trump_six_exchange and state.talon and has_six and state.talon[-1] != six:
        moves.add(Exchange())

    if state.redeal_allowed and _is_entitled(state, seat):
        moves.add(Redeal())

    keeps_cards = len(hand) > 4
    may_leave = not state.talon or rules.leave_with_talon
    if rules.lay_away_four and not state.bout and (keeps_cards or may_leave):
        for rank in Rank:
            if {card.suit for card in hand if card.rank == rank} == set(Suit):
                moves.add(LayAway(rank))

    return moves
