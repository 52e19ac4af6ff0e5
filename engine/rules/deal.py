"""The beginning of a game: the shuffle by a seed, the deal, the first attacker; positions made by hand.

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
Cards = str | Iterable[Card | str]  # cards in order, as objects or as texts
_BLOCK = 1 << 256

# Editions of the rules: a stored game is replayed by the edition in which it began.
FIRST_EDITION = 1  # players with the right to a new deal may use it until the first attack (rule 2.13)
ASKING_EDITION = 2  # every player is asked about a new deal (rule 2.11)
ASIDES_EDITION = 3  # "done" is only for seats that may add a card or look for a wrong one (rule 8.6)
EDITION = ASIDES_EDITION  # the newest

SHORT_SEAL_DIGITS = 32  # hexadecimal digits, 128 bits: as much of a seal as people compare


def edition_for(rules: Rules) -> int:
    """Returns the edition of new games; the third applies only to rules with moves outside the attack."""
    return ASIDES_EDITION if rules.has_asides else ASKING_EDITION


def seed_hash(seed: str) -> str:
    """Returns the SHA-256 of a seed as hexadecimal digits: its seal."""
    return sha256(seed.encode()).hexdigest()


def short_seal(seed: str) -> str:
    """Returns the beginning of a seed's seal, which is posted before players join."""
    return seed_hash(seed)[:SHORT_SEAL_DIGITS]


def deck_order(rules: Rules, players: int, seed: str, salt: str = "") -> tuple[Card, ...]:
    """Shuffles the deck of these rules, by the method in the module's docstring."""
    return shuffled(rules.cards(players), seed, salt)


def shuffled(items: Sequence[T], seed: str, salt: str = "") -> tuple[T, ...]:
    """Shuffles any items like a deck, by the method in the module's docstring."""
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
    """Deals card by card, clockwise from the dealer's left, and turns a card up (rules 2.5 to 2.8).

    Raises:
        InvalidRulesError: The rules clash, or do not fit the number of seats.
        ValueError: The deck does not contain exactly the cards of these rules.
    """
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
    state.no_idle_done = rules.has_asides and edition >= ASIDES_EDITION
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
    """Returns who attacks first (rules 3.1 to 3.3); None if the cards have to be dealt again."""
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
    """Returns who holds the lowest card of a suit (None: of any suit); ties go to the first in `order`."""
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
    """Deals again with the same dealer, at a player's request (rule 2.12)."""
    if state.no_idle_done:
        return _dealt_again(state, ASIDES_EDITION)

    return _dealt_again(state, ASKING_EDITION if state.undecided else FIRST_EDITION)


def _dealt_again(state: Position, edition: int) -> Position:
    """Deals again; the new order is derived from the old deal, of which no player knew every card."""
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
    """Makes a position before an attack, for puzzles and tests; empty hands are out by rules 7.7 and 7.8."""
    card_sets = tuple(CardSet(_read(hand)) for hand in hands)
    stock = _read(talon)
    heap = CardSet(_read(discard))
    players = len(card_sets)

    if not stock or rules.leave_with_talon:
        out = (*out, *(seat for seat in range(players) if not card_sets[seat] and seat not in out))

    cards = CardSet([*stock, *heap, *(card for hand in card_sets for card in hand)])
    bouts = 1 if heap else 0  # a discard heap counts as one bout that was beaten off
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
        no_idle_done=rules.has_asides,
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
    """Returns the turn-up: the given card, the last of the talon, or the only card missing from the deck."""
    if choice is not None:
        return Card.parse(choice) if isinstance(choice, str) else choice

    if rules.turn_up == "talon_bottom":
        return stock[-1] if stock else None

    missing = [card for card in full_deck(rules.deck_size(players)) if card not in cards]
    return missing[0] if len(missing) == 1 else None
