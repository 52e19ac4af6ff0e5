"""Every text that could be a move of a deck: exactly the legal ones are accepted."""

from functools import cache
from itertools import combinations

from engine import Card, IllegalMoveError, Move, Rank, State, parse_move


@cache
def every_move(deck: tuple[Card, ...]) -> tuple[Move, ...]:
    """Every move that can be written with these cards; several cards: all groups of one rank, and any two."""
    cards = list(dict.fromkeys(deck))
    groups: set[tuple[Card, ...]] = {(card, other) for card in cards for other in cards}
    for rank in Rank:
        same = [card for card in deck if card.rank is rank]
        groups.update(group for size in range(1, len(same) + 1) for group in combinations(same, size))
    texts = ["", "T", "P", "E", "R", *(f"L {rank}" for rank in Rank), *(f"V {card}" for card in cards)]
    texts += [f"{letter} {' '.join(map(str, group))}" for letter in "AX" for group in groups]
    texts += [f"D {attack} {card}" for attack in cards for card in cards]
    return tuple(dict.fromkeys(map(parse_move, filter(None, texts))))


def check_every_move(state: State, seat: int) -> None:
    """`apply` accepts a move exactly when `legal_moves` lists it, and a refusal changes nothing."""
    text, legal = state.to_text(), set(state.legal_moves(seat))
    written = every_move(state.rules.cards(state.players))
    assert legal <= set(written)
    for move in written:
        assert is_accepted(state, seat, move) == (move in legal), (seat, str(move))
    assert state.to_text() == text


def is_accepted(state: State, seat: int, move: Move) -> bool:
    """Whether `apply` plays the move."""
    try:
        state.apply(seat, move)
    except IllegalMoveError:
        return False
    return True
