"""How a sound player chooses at a glance, in bitboards: from his hand, the table, and what he has counted.

The house player of middle strength plays like this, and the strongest one lets everybody play like this when
it looks ahead. So the functions are quick before they are anything else. The numbers were found by playing.
"""

from engine.players.search.bitboards import BEATERS, SAME_RANK, TRUMPS, height, one_by_one
from engine.players.search.move_codes import PASS_OR_TAKE, beat, show
from engine.players.search.simulation import SimulatedGame

_MIDDLE = 8  # the height of a ten, about what the talon gives
_WORTH = {bit: height(bit) - (0 if bit & TRUMPS else _MIDDLE) for bit in BEATERS}
"""What it is worth to hold a card while there is a talon, an average card being worth nothing."""
_LATE_WORTH = {bit: height(bit) - (3 if bit & TRUMPS else _MIDDLE) for bit in BEATERS}
"""The same without a talon, when every card has to go."""

_PAIR = 3.6  # an opening gains so much with every further card of its rank that can follow it
_LATE_PAIR = 1.6
_UNBEATABLE = 8.3  # an opening that nobody can beat
_TEMPO = 3.0  # to attack next instead of being passed over
_BURDEN = 3.5  # to have one more card in the hand
_FEW = 5  # without a talon trumps are thrown in by somebody who holds so few cards


def choose(game: SimulatedGame) -> int:
    """Choose for the seat whose turn it is, which knows what others hold only when the talon is empty."""
    seat = game.mover
    hand = game.hands[seat]
    talon = 0 if game.rules.leave_with_talon else len(game.talon)
    if not game.table:
        return game.with_equal_ranks(
            first_attack(hand) if talon else late_first_attack(hand, game.unseen_by(seat))
        )
    if seat != game.defender:
        return throw_in_card(hand, game.ranks, game.taking, talon)
    if shown := game.showable():
        return show(shown)
    transfers = game.transfers()
    move = defence(hand, game.table, game.ranks, game.unbeaten, transfers, talon=talon)
    return game.with_equal_ranks(move) if move & transfers == move != PASS_OR_TAKE else move


def choose_lowest(game: SimulatedGame) -> int:
    """Choose as people do who do not think: the lowest card that works, and a take when none does."""
    hand = game.hands[game.mover]
    if not game.table:
        return hand & -hand
    if game.mover != game.defender:
        plain = hand & game.ranks & ~TRUMPS
        return plain & -plain
    for attack in one_by_one(game.unbeaten):
        able = hand & BEATERS[attack]
        if able:
            return beat(able & -able, attack)
    able = game.transfers()
    return able & -able


def first_attack(hand: int) -> int:
    """Choose the card to attack with while there is a talon: a low one, and one that others can follow."""
    plain = hand & ~TRUMPS
    if not plain:
        return hand & -hand
    best, least = 0, 99.0
    for bit in one_by_one(plain):
        worth = _WORTH[bit] - _PAIR * (plain & SAME_RANK[bit]).bit_count()
        if worth < least:
            best, least = bit, worth
    return best


def late_first_attack(hand: int, unseen: int) -> int:
    """Choose the card to attack with when no more are drawn: if possible one that `unseen` cannot beat."""
    best, least = 0, 99.0
    for bit in one_by_one(hand):
        worth = _LATE_WORTH[bit] - _LATE_PAIR * (hand & SAME_RANK[bit]).bit_count()
        if not unseen & BEATERS[bit]:
            worth -= _UNBEATABLE
        if worth < least:
            best, least = bit, worth
    return best


def throw_in_card(hand: int, ranks: int, taking: bool, talon: int) -> int:
    """Choose a card to throw in: any plain one, a trump only at the very end."""
    cards = hand & ranks
    plain = cards & ~TRUMPS
    if plain:
        return plain & -plain
    if talon or taking or hand.bit_count() > _FEW:
        return PASS_OR_TAKE
    return cards & -cards


def defence(hand: int, table: int, ranks: int, unbeaten: int, transfers: int, *, talon: int) -> int:
    """Choose between handing on, beating as cheaply as possible, and taking where beating is too dear."""
    plain = transfers & ~TRUMPS
    if plain:
        return plain & -plain
    trump = transfers & -transfers  # to hand on, dear as it is, rather than to take
    worths = _WORTH if talon else _LATE_WORTH
    rest, cost, first = hand, 0, PASS_OR_TAKE
    for attack in one_by_one(unbeaten):
        able = rest & BEATERS[attack]
        if not able:
            return trump
        familiar = able & ranks & ~TRUMPS  # a rank that lies there gives the others nothing new to add
        card = familiar & -familiar or able & -able
        rest ^= card
        cost += worths[card]
        first = first or beat(card, attack)
    if not talon:
        return first
    loot = sum(worths[bit] for bit in one_by_one(table)) - _BURDEN * table.bit_count()
    return trump if loot > _TEMPO - cost else first
