"""Moves as ints, in which worlds play: the bits of the cards, and those of a card that they beat."""

from collections.abc import Iterator, Sequence
from itertools import combinations

from engine.players.search.bitboards import SAME_RANK, Masks, one_by_one
from engine.rules.moves import Attack, Defend, Done, Move, ShowTrump, Take, Transfer

GIVE_IN = 0
"""The move of a defender who takes, and of anybody else who is done."""
_ATTACK = 52  # a defence is the card, and the card it beats shifted by so many bits
_CARDS = (1 << _ATTACK) - 1


def beat(card: int, attack: int) -> int:
    """Gives the move that beats an attack card; cards alone are the move that lays them."""
    return card | attack << _ATTACK


def show(trump: int) -> int:
    """Gives the move that hands an attack on by showing a trump: as if it beat itself."""
    return beat(trump, trump)


def parts(move: int) -> tuple[int, int]:
    """Gives the cards of a move and the attack card that it beats, 0 if it beats none."""
    return move & _CARDS, move >> _ATTACK


def groups(cards: int, least: int, most: int) -> Iterator[int]:
    """Gives every choice of cards of one rank, at least and at most so many at a time."""
    while cards:
        rank = cards & SAME_RANK[cards & -cards]
        cards ^= rank
        same = [*one_by_one(rank)]
        for size in range(least, min(len(same), most) + 1):
            yield from (sum(chosen) for chosen in combinations(same, size))


def in_bits(moves: Sequence[Move], masks: Masks) -> dict[int, Move]:
    """Gives moves by their shorthand, in their order, without those that worlds do not know."""
    found: dict[int, Move] = {}
    for move in moves:
        match move:
            case Attack(cards) | Transfer(cards):
                found[masks.mask(cards)] = move
            case Defend(card, attack):
                found[beat(masks.bit(card), masks.bit(attack))] = move
            case ShowTrump(card):
                found[show(masks.bit(card))] = move
            case Take() | Done():
                found[GIVE_IN] = move
    return found
