"""What people may see (chapter 12): built field by field from what they may know, never by taking away."""

from dataclasses import dataclass

from engine.rules.cards import Card, CardSet, Pair, Suit
from engine.rules.events import Outcome, Seat
from engine.rules.legal import attack_cards_left
from engine.rules.position import Position, throw_order
from engine.rules.settings import Rules


@dataclass(frozen=True, slots=True)
class PublicView:
    """What everybody at the table may see, spectators included."""

    rules: Rules
    seats: int
    trump: Suit
    turn_up: Card | None
    """The face-up card while it lies at the talon or is out of the game, or the dealer's shown last card."""
    talon: int
    discard: int
    hand_counts: tuple[int, ...]
    out: tuple[Seat, ...]
    attacker: Seat
    defender: Seat
    bout: tuple[Pair, ...]
    actors: frozenset[Seat]
    awaited: frozenset[Seat]
    throw_order: tuple[Seat, ...]
    taking: bool
    declined: frozenset[Seat]
    undecided: frozenset[Seat]
    """Who has still to say whether to keep the cards dealt."""
    seen_cards: tuple[tuple[Seat, Card], ...]
    """Cards in hands that all have seen: shown trumps, drawn turn-up, dealer's shown last card."""
    shown_trumps: tuple[tuple[Seat, Card], ...]
    """The trumps that were shown in this bout to hand the attack on."""
    attack_cards_left: int | None
    round_start: Seat
    moved: int
    """By how many seats the attack has moved since the round of the table began at `round_start`."""
    dealer: Seat
    points: tuple[int, ...]
    levels: tuple[int, ...]
    outcome: Outcome | None
    discarded: CardSet | None
    """The cards of the discard heap where `discard_visible` is on, else None."""


@dataclass(frozen=True, slots=True)
class SeatView:
    """What one seat may see: the public facts and its own hand."""

    public: PublicView
    seat: Seat
    hand: CardSet


def public_view(state: Position) -> PublicView:
    """Return what all may see."""
    return PublicView(
        rules=state.rules,
        seats=state.players,
        trump=state.trump,
        turn_up=_face_up(state),
        talon=len(state.talon),
        discard=len(state.discard),
        hand_counts=tuple(map(len, state.hands)),
        out=state.out,
        attacker=state.attacker,
        defender=state.defender,
        bout=state.bout,
        actors=state.actors,
        awaited=state.awaited,
        throw_order=throw_order(state),
        taking=state.taking,
        declined=state.declined,
        undecided=state.undecided,
        seen_cards=state.seen_cards,
        shown_trumps=state.shown_trumps,
        attack_cards_left=attack_cards_left(state),
        round_start=state.round_start,
        moved=state.moved,
        dealer=state.dealer,
        points=state.points,
        levels=state.levels,
        outcome=state.ended,
        discarded=state.discard if state.rules.discard_visible else None,
    )


def seat_view(state: Position, seat: Seat) -> SeatView:
    """Return what one seat may see."""
    return SeatView(public=public_view(state), seat=seat, hand=state.hands[seat])


def _face_up(state: Position) -> Card | None:
    """Return the turn-up while it lies; in a deal that used up the deck, while the dealer holds it."""
    if state.talon or state.rules.turn_up == "removed":
        return state.turn_up
    is_dealt_out = state.rules.hand_size * state.players == len(state.cards)
    return state.turn_up if is_dealt_out and (state.dealer, state.turn_up) in state.seen_cards else None
