"""What players may see (chapter 12): views are built from allowed facts, never by removing hidden ones."""

from collections.abc import Mapping
from dataclasses import dataclass

from engine.rules.cards import Card, CardSet, Pair, Suit, unbeaten_cards
from engine.rules.cheating import asked_to_look
from engine.rules.events import Outcome, Seat
from engine.rules.legal import attack_cards_left
from engine.rules.position import Position, throw_order
from engine.rules.settings import Rules


@dataclass(frozen=True, slots=True)
class PublicView:
    """The public facts of a table, which spectators may also see."""

    rules: Rules
    seats: int
    trump: Suit
    # The face-up card while it is under the talon or out of the game, or the dealer's last card, which was
    # shown.
    turn_up: Card | None
    talon: int
    discard: int
    hand_counts: tuple[int, ...]
    out: tuple[Seat, ...]
    attacker: Seat
    defender: Seat
    bout: tuple[Pair, ...]
    awaited: frozenset[Seat]  # includes seats that said "done" in the current round of throwing in
    throw_order: tuple[Seat, ...]
    taking: bool
    undecided: frozenset[Seat]  # the seats that still have to keep their cards or ask for a new deal
    # Cards in hands that everybody has seen: shown trumps, the drawn turn-up, the dealer's last card.
    seen_cards: tuple[tuple[Seat, Card], ...]
    # The trumps that were shown in this bout to hand the attack on.
    shown_trumps: tuple[tuple[Seat, Card], ...]
    attack_cards_left: int | None
    round_start: Seat
    moved: int  # by how many seats the attack has moved since the round of the table began at `round_start`
    dealer: Seat
    points: tuple[int, ...]
    levels: tuple[int, ...]
    outcome: Outcome | None
    discarded: CardSet | None  # the cards of the discard heap if `discard_visible` is on, else None

    def __str__(self) -> str:
        return diagram(self, {})

    @property
    def is_throw_in_round(self) -> bool:
        """Whether all is beaten or taken, and the game waits only for cards to be added.

        With cheating, it then also waits for players who may point at a card.
        """
        return bool(self.bout and self.awaited) and (self.taking or not unbeaten_cards(self.bout))


@dataclass(frozen=True, slots=True)
class SeatView:
    """The view of one seat: the public facts and its own hand."""

    public: PublicView
    seat: Seat
    hand: CardSet

    def __str__(self) -> str:
        return diagram(self.public, {self.seat: self.hand})


def public_view(state: Position) -> PublicView:
    """Returns the public facts of a position."""
    discarded = state.discard if state.rules.discard_visible else None

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
        awaited=_awaited_seats(state),
        throw_order=throw_order(state),
        taking=state.taking,
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
        discarded=discarded,
    )


def _awaited_seats(state: Position) -> frozenset[Seat]:
    """Returns the awaited seats as all see them: a Done is hidden until its round is over (rule 12.4).

    In strict order the seats are asked one after another, which cannot be hidden.
    """
    is_throw_in_round = state.awaited and state.bout and (state.taking or not state.unbeaten)
    if not is_throw_in_round or state.rules.throw_in_order == "strict":
        return state.awaited

    looking = asked_to_look(state) if state.rules.cheating else ()
    return frozenset((*state.throw_in_line, *looking))


def _face_up(state: Position) -> Card | None:
    """Returns the turn-up while it is on the table or, if the deal used up the deck, in the dealer's hand."""
    if state.talon or state.rules.turn_up == "removed":
        return state.turn_up
    is_dealt_out = state.rules.hand_size * state.players == len(state.cards)
    return state.turn_up if is_dealt_out and (state.dealer, state.turn_up) in state.seen_cards else None


# --- views as text ----------------------------------------------------------------------------------------


def diagram(view: PublicView, hands: Mapping[Seat, CardSet]) -> str:
    """Writes the public facts and these hands, with a line for each seat; `>` marks the awaited ones."""
    turn_up = f", {view.turn_up} face up" if view.turn_up else ""
    lines = [f"trump {view.trump}, {view.talon} in the talon{turn_up}, {view.discard} discarded"]
    for seat, count in enumerate(view.hand_counts):
        sign = ">" if seat in view.awaited else " "
        cards = str(hands[seat]) if seat in hands else f"{count} card{'' if count == 1 else 's'}"
        lines.append(f"{sign} {seat} {_role(view, seat):9}{'' if seat in view.out else cards}".rstrip())

    if view.bout:
        pairs = [f"{pair.attack}/{pair.beat}" if pair.beat else str(pair.attack) for pair in view.bout]
        lines.append(f"table: {' '.join(pairs)}")

    if view.outcome is not None:
        losers = " and ".join(map(str, view.outcome.losers))
        result = "the game is a draw" if view.outcome.is_draw else f"seat {losers} has lost"
        lines.append(result)

    return "\n".join(lines)


def _role(view: PublicView, seat: Seat) -> str:
    if seat in view.out:
        return "is out"
    if view.outcome is not None:
        return ""
    if seat == view.defender:
        return "takes" if view.taking else "defends"

    return "attacks" if seat == view.attacker else ""
