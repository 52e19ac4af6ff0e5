"""A position from its parts, for puzzles and tests."""

from collections.abc import Iterable, Sequence

from engine.rules import seating, turns
from engine.rules.cards import Card, CardSet, Rank, Suit, parse_cards
from engine.rules.deck import full_deck
from engine.rules.outcome import Seat
from engine.rules.position import Position
from engine.rules.rules import Rules

Cards = str | Iterable[Card | str]


def setup(
    rules: Rules,
    hands: Sequence[Cards],
    talon: Cards,
    trump: Suit,
    attacker: Seat,
    *,
    discard: Cards = "",
    out: tuple[Seat, ...] = (),
    turn_up: Card | str | None = None,
    levels: tuple[int, ...] = (),
) -> Position:
    """Make a position before an attack; a seat that could only be out already is out."""
    held = tuple(CardSet(_cards(hand)) for hand in hands)
    stock, heap = _cards(talon), CardSet(_cards(discard))
    players = len(held)
    if not stock or rules.leave_with_talon:
        out = (*out, *(seat for seat in range(players) if not held[seat] and seat not in out))
    placed = CardSet([*stock, *heap, *(card for hand in held for card in hand)])
    state = Position(
        rules=rules,
        trump=trump,
        hands=held,
        talon=stock,
        discard=heap,
        attacker=attacker,
        defender=attacker,
        turn_up=_turned_up(rules, players, stock, placed, turn_up),
        out=out,
        dealer=(attacker - 1) % players,
        redeal_allowed=not heap and not out,
        bouts=1 if heap else 0,
        beaten_off=1 if heap else 0,
        round_start=attacker,
        points=(0,) * players,
        levels=levels or (int(Rank.SIX),) * players,
        cards=placed,
    )
    seating.give_roles(state, attacker)
    turns.find_who_acts(state)
    return state


def _cards(cards: Cards) -> tuple[Card, ...]:
    if isinstance(cards, str):
        return parse_cards(cards)
    return tuple(card if isinstance(card, Card) else Card.parse(card) for card in cards)


def _turned_up(
    rules: Rules, players: int, stock: tuple[Card, ...], placed: CardSet, given: Card | str | None
) -> Card | None:
    """Return the turn-up: the one given, the last of the talon, or the one card that was removed."""
    if given is not None:
        return Card.parse(given) if isinstance(given, str) else given
    if rules.turn_up == "talon_bottom":
        return stock[-1] if stock else None
    missing = [card for card in full_deck(rules.deck_size(players)) if card not in placed]
    return missing[0] if len(missing) == 1 else None
