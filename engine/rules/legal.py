"""The legal moves of a seat: the only source of buttons and of validation.

Which seats may act depends only on public facts (rule 12.1); their moves also depend on their own hand. The
exception is `throw_in_order=strict`: a helper may add as soon as nobody earlier in the order can.
"""

from collections.abc import Iterator
from functools import cache
from itertools import chain, product, repeat

from engine.rules.cards import Card, CardSet, Rank, Suit, beats, cards_of, unbeaten_cards
from engine.rules.cheating import accusers, asked_to_look, cards_to_accuse, is_fair, may_cheat
from engine.rules.events import Seat
from engine.rules.moves import (
    Accuse,
    Attack,
    Defend,
    Done,
    Exchange,
    Keep,
    LayAway,
    Move,
    Redeal,
    ShowTrump,
    Take,
    Transfer,
)
from engine.rules.position import Position, next_seat, seats_in, throw_order

# Moves are immutable, so the most common ones are made once and shared.
_TAKE = Take()
_DONE = Done()
_EXCHANGE = Exchange()
_KEEP = Keep()
_REDEAL = Redeal()
_attack_with = cache(lambda card: Attack((card,)))
_defend_with = cache(Defend)
_transfer_with = cache(lambda card: Transfer((card,)))


def legal_moves(state: Position, seat: Seat) -> tuple[Move, ...]:
    """Lists a seat's moves: within each kind low cards come first and trumps last.

    With cheating, the moves against the rules come after all others.
    """
    cache = state.known_moves
    if seat not in cache:
        cache[seat] = tuple(_moves(state, seat)) if seat in state.actors else ()
    return cache[seat]


def fair_moves(state: Position, seat: Seat) -> tuple[Move, ...]:
    """Lists a seat's moves that neither cheat nor accuse anybody."""
    moves = legal_moves(state, seat)
    return tuple([move for move in moves if is_fair(state, move)]) if state.rules.cheating else moves


def _moves(state: Position, seat: Seat) -> list[Move]:
    """Lists the moves of an actor; a bystander may have none."""
    rules = state.rules
    moves = _in_the_bout(state, seat)
    if rules.has_asides:
        moves += _asides(state, seat)

    if rules.cheating:
        moves += map(Accuse, cards_to_accuse(state, seat).by_worth(state.trump, rules.rank_order))
        if may_cheat(state, seat):
            moves += _cheats(state, seat)

    return moves


def _in_the_bout(state: Position, seat: Seat) -> list[Move]:
    """Lists the honest moves of attack and defence; only Keep while a new deal is undecided."""
    rules = state.rules
    hand = state.hands[seat]
    trump = state.trump
    moves: list[Move] = []

    if state.undecided:
        moves.append(_KEEP)
    elif not state.bout and seat == state.attacker:
        moves += map(_attack_with, hand.by_worth(trump, rules.rank_order))
        if rules.opening_cards == "equal_rank":
            moves += map(Attack, _groups(state, hand, 2, attack_cards_left(state)))
    elif state.unbeaten and not state.taking and seat == state.defender:
        for attack in dict.fromkeys(state.unbeaten):
            beating = hand.that_beat(attack, trump, rules.rank_order).by_worth(trump, rules.rank_order)
            moves += [_defend_with(card, attack) for card in beating]

        transfers = _transfers(state)
        moves += transfers
        if rules.voluntary_take or not (transfers or _can_beat_all(state)):
            moves.append(_TAKE)
    else:
        may_throw_in = seat in state.who_may_throw_in
        if may_throw_in and not _waits_for_others(state, seat):
            cards = hand.of_ranks_on(cards_of(state.bout))
            moves += map(_attack_with, cards.by_worth(trump, rules.rank_order))

        if may_throw_in or seat in state.looking or _may_idle(state, seat):
            moves.append(_DONE)

    return moves


def _cheats(state: Position, seat: Seat) -> Iterator[Move]:
    """Yields the moves against the rules: to beat, transfer or throw in with a card that doesn't fit."""
    rules = state.rules
    order = rules.rank_order
    hand = state.hands[seat]

    if state.unbeaten and not state.taking and seat == state.defender:
        for attack in dict.fromkeys(state.unbeaten):
            fitting = hand.that_beat(attack, state.trump, order)
            yield from [_defend_with(card, attack) for card in _others(state, hand, fitting)]

        room = _transfer_room(state)
        if room is None or room > 0:
            fitting = hand.of_rank(state.bout[0].attack.rank)
            yield from map(_transfer_with, _others(state, hand, fitting))
    elif seat in state.who_may_throw_in:
        fitting = hand.of_ranks_on(cards_of(state.bout))
        yield from map(_attack_with, _others(state, hand, fitting))


def _others(state: Position, hand: CardSet, fitting: CardSet) -> list[Card]:
    return [card for card in hand.by_worth(state.trump, state.rules.rank_order) if card not in fitting]


def _may_idle(state: Position, seat: Seat) -> bool:
    """Returns whether a seat may say "done" although it could not add a card (rule 8.7)."""
    return not state.no_idle_done and (not state.rules.cheating or seat in _bystanders(state))


def sly_moves(state: Position, seat: Seat) -> tuple[Move, ...]:
    """Lists a seat's moves that cheat or accuse somebody: all except the fair ones."""
    if not state.rules.cheating:
        return ()
    return tuple([move for move in legal_moves(state, seat) if not is_fair(state, move)])


# --- the actors, and the awaited seats (chapter 4) --------------------------------------------------------


def find_who_acts(state: Position) -> None:
    """Derives the actors and the awaited seats after a change of the position.

    Cards may be added by seats that hold some and have not said "done". The actors are the awaited seats, the
    seats that may add early, the bystanders, and with cheating the accusers.
    """
    rules = state.rules
    hands = state.hands
    declined = state.declined

    state.known_moves = {}
    state.unbeaten = unbeaten_cards(state.bout)
    state.throw_in_line = ()
    state.looking = ()
    if state.bout and _may_be_added_to(state) and attack_cards_left(state) != 0:
        state.throw_in_line = tuple([seat for seat in throw_order(state) if hands[seat]])

    adding = tuple([seat for seat in state.throw_in_line if seat not in declined])
    state.who_may_throw_in = adding
    if rules.cheating and state.bout and (state.taking or not state.unbeaten):
        state.looking = tuple([seat for seat in asked_to_look(state) if seat not in declined])

    if state.ended is not None:
        state.awaited = frozenset()
        state.actors = frozenset()
        return

    if state.undecided:
        state.awaited = state.undecided
        state.actors = state.undecided
        return

    if not state.bout:
        state.awaited = frozenset((state.attacker,))
    elif state.unbeaten and not state.taking:
        state.awaited = frozenset((state.defender,))
    elif rules.throw_in_order == "strict":
        state.awaited = frozenset(adding[:1])
    else:
        state.awaited = frozenset((*adding, *state.looking))

    bystanders = _bystanders(state) if rules.has_asides else ()
    state.actors = state.awaited.union(adding, bystanders)
    if rules.cheating:
        state.actors = state.actors.union(accusers(state))


def is_bout_over(state: Position) -> bool:
    """Returns whether the bout is over: all is beaten or taken, and no seat may add or look (rule 7.1)."""
    is_answered = bool(state.bout) and (state.taking or not state.unbeaten)
    return is_answered and not state.who_may_throw_in and not state.looking


def place_in_line(state: Position, seat: Seat) -> int:
    """Returns how many seats come before this one if they throw in at the same moment (rule 4.10).

    Only `throw_in_order=priority` ranks seats. In strict order no two seats may add at the same moment;
    in free order the quicker one is first.
    """
    line = state.who_may_throw_in
    if state.rules.throw_in_order != "priority" or seat not in line:
        return 0

    return line.index(seat)


def attack_cards_left(state: Position) -> int | None:
    """Returns how many more attack cards rules 4.6 to 4.8 allow; None: any number."""
    by_hand = state.rules.limit_by_defender_hand
    limit = len(state.hands[state.defender]) - len(state.unbeaten) if by_hand else None
    room = _room(state, limit)
    return None if room is None else max(room, 0)


def _room(state: Position, answers: int | None) -> int | None:
    """Returns how many attack cards the bout's limit leaves, but at most `answers`; None: any number."""
    rules = state.rules
    limit = rules.attack_limit
    if rules.first_attack_limit is not None:
        is_past_first = state.beaten_off if rules.first_attack_limit_until == "first_discard" else state.bouts
        limit = limit if is_past_first else rules.first_attack_limit

    if limit is None:
        return answers

    room = limit - len(state.bout)
    return room if answers is None else min(room, answers)


def _may_be_added_to(state: Position) -> bool:
    """Returns whether rules 4.3, 4.5, 4.12 and 4.13 allow throwing in now."""
    rules = state.rules
    if rules.throw_in == "none":
        return False

    if state.taking:
        return rules.throw_in_after_take == "up_to_limit"

    unbeaten = len(state.unbeaten)
    if not unbeaten and not state.hands[state.defender]:
        return False

    if rules.throw_in_timing == "when_all_beaten":
        return unbeaten == 0

    return rules.throw_in_timing == "anytime" or unbeaten < len(state.bout)


# --- attacking and beating --------------------------------------------------------------------------------


def _groups(state: Position, cards: CardSet, least: int, most: int | None) -> Iterator[tuple[Card, ...]]:
    """Yields every choice of `least` to `most` cards of one rank, small choices of each rank first.

    Equal cards are interchangeable, so a choice is a count of each distinct card.
    """
    for rank in dict.fromkeys(card.rank for card in cards.by_worth(state.trump, state.rules.rank_order)):
        same = cards.of_rank(rank)
        kinds = tuple(same.distinct())
        top = len(same) if most is None else most
        choices = product(*[range(min(same.count(card), top), -1, -1) for card in kinds])
        for copies in sorted(choices, key=sum):
            if least <= sum(copies) <= top:
                yield tuple(chain.from_iterable(map(repeat, kinds, copies)))


def _waits_for_others(state: Position, seat: Seat) -> bool:
    """Returns whether, in strict order, a seat before this one may still add a card that it holds."""
    if state.rules.throw_in_order != "strict":
        return False

    line = state.who_may_throw_in
    table = cards_of(state.bout)
    return any(state.hands[before].of_ranks_on(table) for before in line[: line.index(seat)])


def _can_beat_all(state: Position) -> bool:
    """Returns whether the defender's hand can beat all unbeaten cards, one card for each."""
    cards = tuple(state.hands[state.defender])
    order = state.rules.rank_order
    answers = [
        [place for place, card in enumerate(cards) if beats(card, attack, state.trump, order)]
        for attack in state.unbeaten
    ]
    attack_of: dict[int, int] = {}  # the attack that each card of the hand is assigned to, by indices

    def finds_answer(attack: int, tried: set[int]) -> bool:
        """Assigns an answer to an attack; an answer in use is freed if its own attack finds another."""
        for card in answers[attack]:
            if card not in tried:
                tried.add(card)
                if card not in attack_of or finds_answer(attack_of[card], tried):
                    attack_of[card] = attack
                    return True

        return False

    return all(finds_answer(attack, set()) for attack in range(len(answers)))


# --- handing the attack on --------------------------------------------------------------------------------


def next_defender(state: Position) -> Seat:
    """Returns the player to whom the attack would be transferred."""
    step = 1 if state.rules.transfer_direction == "left" else -1
    return next_seat(state, state.defender, step)


def _transfer_room(state: Position) -> int | None:
    """Returns how many cards a transfer may add; None: any; 0: only a shown one; below 0: no transfer."""
    rules = state.rules
    if not rules.transfer or len(state.unbeaten) < len(state.bout):
        return -1
    if not rules.transfer_in_first_bout and not state.bouts:
        return -1

    answers = len(state.hands[next_defender(state)]) - len(state.bout)
    limit = answers if rules.transfer_limit_by_hand else None
    return _room(state, limit)


def _transfers(state: Position) -> list[Move]:
    """Lists the transfers by cards, then the one by showing a trump; none once a card is beaten."""
    rules = state.rules
    hand = state.hands[state.defender]
    rank = state.bout[0].attack.rank
    room = _transfer_room(state)
    if room is not None and room < 0:
        return []

    trumps = [card for seat, card in state.shown_trumps if seat == state.defender and card in hand]
    cards = hand.without(*trumps).of_rank(rank)

    most = room
    if rules.transfer_cards == "one":
        most = 1 if room is None else min(room, 1)

    moves: list[Move] = [Transfer(group) for group in _groups(state, cards, 1, most)]
    trump = Card(state.trump, rank)
    if rules.transfer_by_showing_trump and trump in cards:
        moves.append(ShowTrump(trump))

    return moves


# --- outside the attack -----------------------------------------------------------------------------------


def exchange_card(state: Position) -> Card:
    """Returns the card to exchange: the six of trumps, or the lowest trump without sixes (rule 8.4)."""
    lowest = 15 - state.rules.deck_size(state.players) // 4
    return Card(state.trump, Rank(max(Rank.SIX, lowest)))


def _bystanders(state: Position) -> list[Seat]:
    """Lists the seats that might exchange, lay away or ask for a new deal, judged by public facts only."""
    if _is_exchange_possible(state) or (state.redeal_allowed and state.rules.redeal_same_suit):
        fewest = 1
    elif state.rules.lay_away_four and not state.bout:
        fewest = _cards_to_lay_away(state)
    else:
        return []

    hands = state.hands
    declined = frozenset[Seat]() if state.no_idle_done else state.declined
    return [seat for seat in seats_in(state) if len(hands[seat]) >= fewest and seat not in declined]


def _asides(state: Position, seat: Seat) -> Iterator[Move]:
    """Yields the moves outside the attack: laying away, exchanging, a new deal."""
    rules = state.rules
    hand = state.hands[seat]
    if not state.undecided:
        if rules.lay_away_four and not state.bout and len(hand) >= _cards_to_lay_away(state):
            distinct = hand.distinct()
            yield from (LayAway(rank) for rank in Rank if len(distinct.of_rank(rank)) == len(Suit))

        if _is_exchange_possible(state) and not state.six_taken and exchange_card(state) in hand:
            yield _EXCHANGE

    # Many cards of a suit and, by setting, no trump give the right to a new deal (rule 2.10).
    if rules.redeal_same_suit and (state.redeal_allowed or seat in state.undecided):
        longest = max(len(hand.of_suit(suit)) for suit in Suit)
        has_trump = rules.redeal_needs_no_trump and hand.of_suit(state.trump)
        if longest >= rules.redeal_same_suit and not has_trump:
            yield _REDEAL


def _is_exchange_possible(state: Position) -> bool:
    """Returns whether a seat that holds the trump six could exchange it for the turn-up now."""
    talon = state.talon
    return state.rules.trump_six_exchange and bool(talon) and talon[-1] is not exchange_card(state)


def _cards_to_lay_away(state: Position) -> int:
    """Returns the cards needed to lay away four: five, or four if the owner is then out (rule 8.2)."""
    return 5 if state.talon and not state.rules.leave_with_talon else 4
