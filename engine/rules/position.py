"""`Position`, which the functions of the rules read and change on a copy; and the order of the seats.

A chair is a place in the ring of turns. The seat of the same number plays from it; if that player is out and
`team_order=stand_in`, the last partner left in the team does (rule 10.4).
"""

from dataclasses import dataclass, field
from functools import cache, lru_cache
from typing import Any, NamedTuple

from engine.rules.cards import Card, CardSet, Pair, Suit
from engine.rules.events import Cheat, Outcome, Seat
from engine.rules.moves import Move
from engine.rules.settings import Rules, ThrowIn


class Handover(NamedTuple):
    """A transfer by cards in the current bout, and the facts before it that undo it (rule 16.6)."""

    place: int  # index in the bout of the first card that was added
    attacker: Seat
    moved: int
    shown_trumps: int


@dataclass
class Position:
    """All facts of a position of the game, and its actors.

    A move is played on a `copy`. The result becomes a `State`, which never changes.
    """

    rules: Rules
    trump: Suit
    hands: tuple[CardSet, ...]
    talon: tuple[Card, ...]  # the first card is drawn first
    discard: CardSet
    attacker: Seat
    defender: Seat
    turn_up: Card | None = None  # the card turned up at the deal, wherever it is now
    out: tuple[Seat, ...] = ()  # in order of going out
    bout: tuple[Pair, ...] = ()
    taking: bool = False  # the defender has said "take"; the others may still add cards
    declined: frozenset[Seat] = frozenset()  # the seats that have said "done" since the last card was laid
    emptied: tuple[Seat, ...] = ()  # seats whose hands became empty in this bout, in that order
    seen_cards: tuple[tuple[Seat, Card], ...] = ()  # cards in hands that all have seen
    shown_trumps: tuple[tuple[Seat, Card], ...] = ()  # trumps shown to transfer in this bout
    # The chairs that attacker and defender play from: their own, or those of partners they stand in for.
    chairs: tuple[int, int] = (-1, -1)
    dealer: Seat = 0
    # The holder of the lowest trump among these attacks first; empty: as in a first game.
    starters: tuple[Seat, ...] = ()
    # A new deal may be asked for until the first attack, as in games of the first edition.
    redeal_allowed: bool = False
    # The seats that still have to keep their cards or ask for a new deal; nobody attacks before that.
    undecided: frozenset[Seat] = frozenset()
    # Only seats that may add a card or look for a wrong one can say "done". Before the third edition so could
    # every seat that, judged by public facts, might lay away, exchange or ask for a new deal.
    no_idle_done: bool = False
    bouts: int = 0  # how many bouts have ended
    beaten_off: int = 0  # how many of them were beaten off
    bouts_without_discard: int = 0  # how many bouts in a row have ended without a discard
    round_start: Seat = 0  # the first attacker of this round of the table
    moved: int = 0  # by how many seats to the left the attack has moved in this round of the table
    six_taken: bool = False  # the trump that may be exchanged has been picked up from a bout
    # With cheating, for the current bout: the indices of attack cards laid against the rules, the transfers
    # by cards, the seats that were caught, and the seats that pointed at a right card.
    wrong_attacks: tuple[int, ...] = ()
    handovers: tuple[Handover, ...] = ()
    caught: frozenset[Seat] = frozenset()
    wrong_accusers: frozenset[Seat] = frozenset()
    thrown_on_take: bool = False  # cards were thrown in after the defender had said "take"
    unseen: tuple[Cheat, ...] = ()  # the cheats of earlier bouts that nobody caught
    points: tuple[int, ...] = ()
    # The rank of each seat's next epaulette; one above the ace once the ladder is climbed.
    levels: tuple[int, ...] = ()
    ended: Outcome | None = None
    cards: CardSet = field(default_factory=CardSet)  # all cards of the game, except a removed turn-up
    # The number of seats at the table, including those that are out.
    players: int = field(init=False, compare=False)

    # Everything below is derived by `legal.find_who_acts` after each change, or is a cache.

    # The attack cards that are not beaten, in the order in which they were laid.
    unbeaten: tuple[Card, ...] = field(default=(), init=False, compare=False)
    # The seats that may add a card to the bout, in the order of rule 4.9, including those that said "done".
    throw_in_line: tuple[Seat, ...] = field(default=(), init=False, compare=False)
    # The seats of `throw_in_line` that have not said "done".
    who_may_throw_in: tuple[Seat, ...] = field(default=(), init=False, compare=False)
    # The seats that may still look for a wrong card before the bout ends (rule 16.9).
    looking: tuple[Seat, ...] = field(default=(), init=False, compare=False)
    # The seats that the game waits for; not those that may only lay away, exchange or add early.
    awaited: frozenset[Seat] = field(default=frozenset(), init=False, compare=False)
    # The seats that may act, judged by public facts only; some may hold nothing to act with.
    actors: frozenset[Seat] = field(default=frozenset(), init=False, compare=False)
    # A cache of legal moves, by seat.
    known_moves: dict[Seat, tuple[Move, ...]] = field(default_factory=dict, init=False, compare=False)
    # A cache of the public view.
    known_view: Any = field(default=None, init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        """Counts the seats."""
        self.players = len(self.hands)

    def copy(self) -> "Position":
        """Returns a mutable copy."""
        copied = object.__new__(Position)
        copied.__dict__ = self.__dict__.copy()
        copied.known_view = None
        return copied

    def set_hand(self, seat: Seat, hand: CardSet) -> None:
        """Replaces a seat's hand."""
        hands = list(self.hands)
        hands[seat] = hand
        self.hands = tuple(hands)


# --- neighbours -------------------------------------------------------------------------------------------


def partners(state: Position, seat: Seat) -> tuple[Seat, ...]:
    """Lists the seats of this seat's team, including itself and those that are out."""
    rules = state.rules
    if rules.teams == "off":
        return (seat,)

    return rules.partners(seat, state.players)


def seats_in(state: Position) -> tuple[Seat, ...]:
    """Lists the seats still in the game."""
    return clockwise(state, 0)


def clockwise(state: Position, start: Seat) -> tuple[Seat, ...]:
    """Lists the seats still in the game, clockwise from `start`."""
    ring = _ring(state.players, start)
    out = state.out
    return tuple([seat for seat in ring if seat not in out]) if out else ring


@cache
def _ring(players: int, start: Seat) -> tuple[Seat, ...]:
    """Lists all seats, beginning with `start`."""
    return (*range(start, players), *range(start))


def next_seat(state: Position, seat: Seat, step: int = 1) -> Seat:
    """Returns the next seat to the left that is still in the game; to the right with step -1."""
    following = (seat + step) % state.players
    while following in state.out:
        following = (following + step) % state.players

    return following


def throw_order(state: Position) -> tuple[Seat, ...]:
    """Lists the seats that may attack in the order of rule 4.9: never the defender's partners."""
    spared = (state.attacker, *partners(state, state.defender))
    return _throw_order(state.defender, spared, state.players, state.out, state.rules.throw_in)


@lru_cache(maxsize=1024)
def _throw_order(
    defender: Seat, spared: tuple[Seat, ...], players: int, out: tuple[Seat, ...], throw_in: ThrowIn
) -> tuple[Seat, ...]:
    attacker = spared[0]
    if throw_in in ("none", "attacker"):
        return (attacker,)

    others = [seat for seat in _ring(players, (defender + 1) % players) if seat not in out]
    if throw_in == "neighbours":
        others = [seat for seat in others if seat != defender][:1]

    return (attacker, *[seat for seat in others if seat not in spared])


def occupant(state: Position, chair: int) -> Seat | None:
    """Returns the seat that plays from a chair; None if its player is out and has no stand-in."""
    if chair not in state.out:
        return chair

    if state.rules.team_order != "stand_in" or state.rules.teams == "off":
        return None

    left = [seat for seat in partners(state, chair) if seat not in state.out]
    return left[0] if len(left) == 1 else None


def next_chair(state: Position, chair: int, *, against: Seat | None = None) -> int:
    """Returns the next occupied chair to the left; with `against`, the next one of that seat's opponents."""
    spared = () if against is None else partners(state, against)
    for following in _ring(state.players, (chair + 1) % state.players):
        seat = occupant(state, following)
        if seat is not None and seat not in spared:
            return following

    raise ValueError("no opponent is left")


def give_roles(state: Position, chair: int, *, moving_from: int | None = None) -> None:
    """Makes the player of a chair the attacker, and the next opponent to the left the defender.

    If the chair is not occupied, the next one that is attacks. If the attack moves from the chair
    `moving_from`, the steps count towards the round of the table (rule 7.6).
    """
    attacker = occupant(state, chair)
    if attacker is None:
        chair = next_chair(state, chair)
        attacker = occupant(state, chair)

    assert attacker is not None  # `next_chair` returns only occupied chairs
    target = next_chair(state, chair, against=attacker)
    defender = occupant(state, target)
    assert defender is not None

    state.attacker = attacker
    state.defender = defender
    state.chairs = (chair, target)

    if moving_from is not None:
        state.moved += (chair - moving_from) % state.players
