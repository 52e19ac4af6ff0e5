"""Moves of a simulated game as ints: the bits of the cards, and those of a card that they beat."""

from collections.abc import Iterator, Sequence
from itertools import combinations

from engine.players.search.bitboards import SAME_RANK, CardBits, one_by_one
from engine.rules.moves import Attack, Defend, Done, Move, ShowTrump, Take, Transfer

PASS_OR_TAKE = 0
"""The move of a defender who takes, and of anybody else who is done."""
_ATTACK = 52  # a defence is the card, and the card it beats shifted by so many bits
_CARDS = (1 << _ATTACK) - 1


def beat(card: int, attack: int) -> int:
    """Return the move that beats an attack card; cards alone are the move that lays them."""
    return card | attack << _ATTACK


def show(trump: int) -> int:
    """Return the move that hands an attack on by showing a trump: as if it beat itself."""
    return beat(trump, trump)


def decoded(move: int) -> tuple[int, int]:
    """Return the cards of a move and the attack card that it beats, 0 if it beats none."""
    return move & _CARDS, move >> _ATTACK


def groups(cards: int, least: int, most: int) -> Iterator[int]:
    """Return every choice of cards of one rank, at least and at most so many at a time."""
    while cards:
        rank = cards & SAME_RANK[cards & -cards]
        cards ^= rank
        same = [*one_by_one(rank)]
        for size in range(least, min(len(same), most) + 1):
            yield from (sum(chosen) for chosen in combinations(same, size))


def by_code(moves: Sequence[Move], bits: CardBits) -> dict[int, Move]:
    """Return moves by their codes, in their order, without those that are not simulated."""
    found: dict[int, Move] = {}
    for move in moves:
        match move:
            case Attack(cards) | Transfer(cards):
                found[bits.mask(cards)] = move
            case Defend(card, attack):
                found[beat(bits.bit(card), bits.bit(attack))] = move
            case ShowTrump(card):
                found[show(bits.bit(card))] = move
            case Take() | Done():
                found[PASS_OR_TAKE] = move
    return found
