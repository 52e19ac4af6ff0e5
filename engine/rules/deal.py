"""The beginning of a game: a deck order from a seed, the deal, the first attacker; positions made by hand.

The order of a deck can be recomputed from the seed. Let `block(i)` be the SHA-256 of the UTF-8
text `durak/1|<seed>|<salt>|<i>`, read as a big-endian number. Begin with the deck in order (spades, hearts,
diamonds, clubs, each from the lowest rank up, deck after deck). For k = n-1, n-2, ... 1 swap the cards k and
j, where j = block(i) mod (k+1) for the next i = 0, 1, 2, ... whose block is below the largest multiple of k+1
that fits in 2**256; so every order is equally likely.
"""

from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from typing import TypeVar

from engine.rules.cards import Card, CardSet, Rank, Suit, full_deck, parse_cards
from engine.rules.errors import InvalidRulesError
from engine.rules.events import Seat
from engine.rules.legal import find_who_acts
from engine.rules.position import Position, clockwise, give_roles
from engine.rules.settings import Rules

T = TypeVar("T")
Cards = str | Iterable[Card | str]  # cards in their order, as themselves or as texts
_BLOCK = 1 << 256

# The editions of the rules, as far as a game shows by which it was begun.
FIRST_EDITION = 1  # whoever has the right to a new deal may ask for one until the first attack
ASKING_EDITION = 2  # every player is asked about a new deal
EDITION = 3  # nobody has to decline what only the holders of some cards can do

SHORT_SEAL_DIGITS = 32  # as much of a seal as people compare: 128 bits


def edition_for(rules: Rules) -> int:
    """Returns the edition by which new games begin: the newest that changed anything for these rules."""
    return EDITION if rules.knows_asides else ASKING_EDITION


def seed_hash(seed: str) -> str:
    """Returns the SHA-256 of a seed as hexadecimal digits: its seal."""
    return sha256(seed.encode()).hexdigest()


def short_seal(seed: str) -> str:
    """Returns the beginning of a seed's seal, which is posted before players join."""
    return seed_hash(seed)[:SHORT_SEAL_DIGITS]


def deck_order(rules: Rules, players: int, seed: str, salt: str = "") -> tuple[Card, ...]:
    """Shuffles the deck of these rules; the module's text explains how to check it."""
    return shuffled(rules.cards(players), seed, salt)


def shuffled(items: Sequence[T], seed: str, salt: str = "") -> tuple[T, ...]:
    """Shuffles anything in the way of a deck: by the module's text, with these items as the cards."""
    order = list(items)
    blocks = _blocks(seed, salt)
    for last in range(len(order) - 1, 0, -1):
        ways = last + 1
        block = next(block for block in blocks if block < _BLOCK - _BLOCK % ways)
        order[last], order[block % ways] = order[block % ways], order[last]

    return tuple(order)


def _blocks(seed: str, salt: str) -> Iterator[int]:
    number = 0
    while True:
        yield int.from_bytes(sha256(f"durak/1|{seed}|{salt}|{number}".encode()).digest(), "big")
        number += 1


def deal(
    rules: Rules,
    seats: int,
    deck: Sequence[Card | str],
    *,
    dealer: Seat | None = None,
    starters: tuple[Seat, ...] = (),
    levels: tuple[int, ...] = (),
    edition: int = EDITION,
) -> Position:
    """Deals card by card, clockwise from the dealer's left; the next card is turned up, under the talon."""
    obstacles = rules.obstacles(seats)
    if obstacles:
        raise InvalidRulesError("; ".join(map(str, obstacles)))

    order = _read(deck)
    if CardSet(order) != CardSet(rules.cards(seats)):
        raise ValueError("the deck does not hold exactly the cards of these rules")

    dealer = seats - 1 if dealer is None else dealer
    state = _laid_out(rules, seats, order, dealer)
    state.starters = starters
    state.points = (0,) * seats
    state.levels = levels or (int(Rank.SIX),) * seats
    first = _first_attacker(state)
    if first is None:
        return _dealt_again(state, edition)

    asks = edition >= ASKING_EDITION
    if asks and 0 < rules.redeal_same_suit <= rules.hand_size:
        state.undecided = frozenset(range(seats))

    state.redeal_allowed = not asks
    state.no_idle_done = rules.knows_asides and edition >= EDITION
    state.round_start = first
    give_roles(state, first)
    find_who_acts(state)

    return state


def _laid_out(rules: Rules, seats: int, deck: tuple[Card, ...], dealer: Seat) -> Position:
    hand_cards = rules.hand_size * seats
    left = (dealer + 1) % seats
    hands = tuple(CardSet(deck[(seat - left) % seats : hand_cards : seats]) for seat in range(seats))
    talon = deck[hand_cards:]
    turn_up = talon[0] if talon else deck[-1]

    if rules.turn_up == "removed":
        talon = talon[1:]
    elif talon:
        talon = (*talon[1:], turn_up)

    cards = CardSet(deck).without(turn_up) if rules.turn_up == "removed" else CardSet(deck)
    seen_cards = ((dealer, turn_up),) if hand_cards == len(deck) else ()
    return Position(
        rules=rules,
        trump=turn_up.suit,
        hands=hands,
        talon=talon,
        discard=CardSet(),
        attacker=left,
        defender=left,
        turn_up=turn_up,
        seen_cards=seen_cards,
        dealer=dealer,
        cards=cards,
    )


def _first_attacker(state: Position) -> Seat | None:
    """Returns the holder of the lowest trump among the starters; None when a new deal is due."""
    rules = state.rules
    left = (state.dealer + 1) % state.players
    if not state.starters and rules.first_attacker_first_game == "left_of_dealer":
        return left

    order = [seat for seat in clockwise(state, left) if not state.starters or seat in state.starters]
    if len(order) == 1:
        return order[0]

    lowest = _holder_of_lowest(state, order, state.trump)
    if lowest is not None:
        return lowest
    if rules.no_trump_fallback == "left_of_dealer":
        return order[0]

    if rules.no_trump_fallback == "lowest_card":
        return _holder_of_lowest(state, order, None)

    return None


def _holder_of_lowest(state: Position, order: Sequence[Seat], suit: Suit | None) -> Seat | None:
    """Returns the first in `order` of the holders of the lowest card of a suit, or of all cards."""
    lows: list[tuple[int, Seat]] = []
    for seat in order:
        cards = state.hands[seat] if suit is None else state.hands[seat].of_suit(suit)
        if cards:
            lows.append((min(card.rank.strength(state.rules.rank_order) for card in cards), seat))

    if not lows:
        return None

    _, holder = min(lows, key=lambda strength_and_seat: strength_and_seat[0])
    return holder


def redeal(state: Position) -> Position:
    """Deals again by the same dealer, as a player has asked for."""
    if state.no_idle_done:
        return _dealt_again(state, EDITION)

    return _dealt_again(state, ASKING_EDITION if state.undecided else FIRST_EDITION)


def _dealt_again(state: Position, edition: int) -> Position:
    """Deals again; the order follows from the old deal, which no player knew whole."""
    hands = "/".join(map(str, state.hands))
    talon = " ".join(map(str, state.talon))
    cards = list(state.cards)
    if state.rules.turn_up == "removed" and state.turn_up is not None:
        cards.append(state.turn_up)

    deck = shuffled(sorted(cards), f"{hands}/{talon}", "redeal")

    return deal(
        state.rules,
        state.players,
        deck,
        dealer=state.dealer,
        starters=state.starters,
        levels=state.levels,
        edition=edition,
    )


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
    """Makes a position before an attack, for puzzles and tests; a seat that could only be out is out."""
    card_sets = tuple(CardSet(_read(hand)) for hand in hands)
    stock = _read(talon)
    heap = CardSet(_read(discard))
    players = len(card_sets)

    if not stock or rules.leave_with_talon:
        out = (*out, *(seat for seat in range(players) if not card_sets[seat] and seat not in out))

    cards = CardSet([*stock, *heap, *(card for hand in card_sets for card in hand)])
    bouts = 1 if heap else 0  # the discard counts as one that was beaten off
    state = Position(
        rules=rules,
        trump=trump,
        hands=card_sets,
        talon=stock,
        discard=heap,
        attacker=attacker,
        defender=attacker,
        turn_up=_turned_up(rules, players, stock, cards, turn_up),
        out=out,
        dealer=(attacker - 1) % players,
        redeal_allowed=not heap and not out,
        no_idle_done=rules.knows_asides,
        bouts=bouts,
        beaten_off=bouts,
        round_start=attacker,
        points=(0,) * players,
        levels=levels or (int(Rank.SIX),) * players,
        cards=cards,
    )
    give_roles(state, attacker)
    find_who_acts(state)

    return state


def _read(cards: Cards) -> tuple[Card, ...]:
    if isinstance(cards, str):
        return parse_cards(cards)
    return tuple(card if isinstance(card, Card) else Card.parse(card) for card in cards)


def _turned_up(
    rules: Rules, players: int, stock: tuple[Card, ...], cards: CardSet, choice: Card | str | None
) -> Card | None:
    """Returns the turn-up: the one given, the last of the talon, or the one card that was removed."""
    if choice is not None:
        return Card.parse(choice) if isinstance(choice, str) else choice

    if rules.turn_up == "talon_bottom":
        return stock[-1] if stock else None

    missing = [card for card in full_deck(rules.deck_size(players)) if card not in cards]
    return missing[0] if len(missing) == 1 else None
