"""Checks for leaks: compares the cards that a person read with those they were allowed to see by then."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence

from engine import Card, State
from tests.e2e.chats import Read
from tests.e2e.record import Game, Line

SIGNS = {"♠": "S", "♥": "H", "♦": "D", "♣": "C"}
SHOWN = re.compile("(10|[2-9JQKA])([♠♥♦♣])")
TOKEN = re.compile(r"m:\d+:\d+:([^\"\\<&\n]*)")
IN_TOKEN = re.compile(r"\b[2-9TJQKA][SHDC]\b")
# A card in the facts of a board or a hand, as the page gets them.
ON_BOARD = re.compile(r'(?<=[:\[,])"([2-9TJQKA][SHDC])"')


def leaks(game: Game, seat: int | None, read: Sequence[Read]) -> list[str]:
    """Lists the secrets that a player on this seat (None: a spectator) read too early.

    The visible cards grow with each move: the own hand, played and shown cards, the turn-up. A message may
    name the cards that were visible when it arrived, and no others; the seed of the deal may be read once the
    game is over.
    """
    times = []
    known = list[frozenset[Card]]()
    cards: frozenset[Card] = frozenset()
    over_at = float("inf")

    for line, state in game.positions():
        outcome = state.outcome()
        cards |= _visible(state, seat) | _played(line)
        if outcome is not None and outcome.fool is not None:  # their last hand is in the result
            cards |= frozenset(state.hands[outcome.fool])

        times.append(line.at)
        known.append(cards)
        if outcome is not None:
            over_at = line.at

    found = []
    for piece in read:
        by_then = bisect_right(times, piece.at)
        allowed = known[by_then - 1] if by_then else frozenset()
        found += [f"{card} in {piece.text!r}" for card in _named(piece.text) if card not in allowed]
        if game.opening.seed in piece.text and piece.at < over_at:
            found.append(f"the seed in {piece.text!r}")

    return found


def _played(line: Line) -> frozenset[Card]:
    """Returns the cards that a move lays or shows."""
    is_move = line.seat is not None
    return frozenset(map(Card.parse, IN_TOKEN.findall(line.text))) if is_move else frozenset()


def _visible(state: State, seat: int | None) -> frozenset[Card]:
    view = state.public_view()
    shown = {card for _, card in view.seen_cards}
    turn_up = set() if view.turn_up is None else {view.turn_up}
    own = set() if seat is None else set(state.hands[seat])
    return frozenset(shown | turn_up | own)


def _named(text: str) -> Iterator[Card]:
    """Yields every card in a text: in words, in a button's token, on a board."""
    yield from map(Card.parse, ON_BOARD.findall(text))
    for rank, sign in SHOWN.findall(text):
        yield Card.parse(("T" if rank == "10" else rank) + SIGNS[sign])

    for token in TOKEN.findall(text):
        for name in IN_TOKEN.findall(token):
            yield Card.parse(name)
