"""Cheating (chapter 16): moves against the rules, wrong cards on the table, and pointing at them."""

from collections.abc import Iterator
from typing import NamedTuple, Protocol

from engine.rules.cards import Card, CardSet, Pair, Suit, beats, cards_of
from engine.rules.events import AccusedWrongly, Caught, Cheat, Event, Seat
from engine.rules.moves import Accuse, Action, Attack, Defend, Move, Transfer
from engine.rules.position import Position, partners, seats_in
from engine.rules.settings import Rules

_NO_SEATS: frozenset[Seat] = frozenset()


class _Table(Protocol):
    """The facts that decide whether a card fits, which both a position and its public view have."""

    @property
    def rules(self) -> Rules: ...

    @property
    def trump(self) -> Suit: ...

    @property
    def bout(self) -> tuple[Pair, ...]: ...


def is_honest(table: _Table, action: Action) -> bool:
    """Returns whether a legal action would also be legal without `cheating`."""
    match action:
        case Defend(card, attack):
            return beats(card, attack, table.trump, table.rules.rank_order)
        case Attack((card, *_)) if table.bout:
            return any(card.rank is other.rank for other in cards_of(table.bout))
        case Transfer((card, *_)):
            return card.rank is table.bout[0].attack.rank

    return True


def is_fair(table: _Table, move: Move) -> bool:
    """Returns whether a legal move neither cheats nor accuses anybody."""
    return not isinstance(move, Accuse) and is_honest(table, move)


def may_cheat(state: Position, seat: Seat) -> bool:
    """Returns whether a seat may cheat now: only in a bout, and until it is caught there (rule 16.7)."""
    return state.rules.cheating and bool(state.bout) and seat not in state.caught


# --- the cards on the table ---


class Laid(NamedTuple):
    """A card on the table: who laid it, by which move, and whether that was against the rules."""

    by: Seat
    move: Move
    card: Card
    place: int  # index of its pair in the bout
    is_wrong: bool


def laid_cards(state: Position) -> Iterator[Laid]:
    """Yields the cards that may have been laid wrongly: all except the first one of the bout."""
    transfers = {handover.place for handover in state.handovers}
    for place, (attack, beat, by) in enumerate(state.bout):
        if place:
            move = Transfer((attack,)) if place in transfers else Attack((attack,))
            yield Laid(by, move, attack, place, place in state.wrong_attacks)

        if beat is not None:
            defence = Defend(beat, attack)
            yield Laid(state.defender, defence, beat, place, not is_honest(state, defence))


def wrong_cards(state: Position) -> frozenset[Card]:
    """Returns the cards on the table that were played against the rules."""
    if not state.rules.cheating:
        return frozenset()

    return frozenset([laid.card for laid in laid_cards(state) if laid.is_wrong])


def cards_to_accuse(state: Position, seat: Seat) -> CardSet:
    """Returns the cards at which a seat may point."""
    if not state.rules.cheating or not state.bout or seat in state.wrong_accusers:
        return CardSet()

    friends = partners(state, seat)
    return CardSet(laid.card for laid in laid_cards(state) if laid.by not in friends).distinct()


def accusers(state: Position) -> list[Seat]:
    """Lists the seats that may accuse a card of being wrong; uses public facts only."""
    return [seat for seat in seats_in(state) if cards_to_accuse(state, seat)]


def asked_to_look(state: Position) -> list[Seat]:
    """Lists the seats that may look before the bout ends, including those that said "done" (rule 16.9).

    The defender has looked at every card before beating it or taking, so only cards thrown in after a take
    are new to them (rule 16.10).
    """
    return [seat for seat in accusers(state) if seat != state.defender or state.thrown_on_take]


# --- an accusation ---


def accuse(state: Position, seat: Seat, move: Accuse) -> tuple[Position, Event]:
    """Carries out an accusation: a wrong card goes back to its owner.

    If the card was legal, the accuser may not accuse again in this bout. If equal cards lie there, the wrong
    one is meant (rule 16.4).
    """
    friends = partners(state, seat)
    meant = [laid for laid in laid_cards(state) if laid.card is move.card and laid.by not in friends]
    laid = next((laid for laid in meant if laid.is_wrong), meant[0])
    after = state.copy()

    if not laid.is_wrong:
        after.wrong_accusers |= {seat}
        return after, AccusedWrongly(seat, laid.by, laid.move)

    after.caught |= {laid.by}
    after.declined = _NO_SEATS
    match laid.move:
        case Defend():
            _take_back_beat(after, laid)
        case Transfer():
            _take_back_transfer(after, laid)
        case _:
            _take_back_attack(after, laid)

    after.emptied = tuple([other for other in after.emptied if not after.hands[other]])
    returned = tuple(
        [
            (owner, card)
            for owner, (before, now) in enumerate(zip(state.hands, after.hands, strict=True))
            for card in now.without(*before)
        ]
    )
    return after, Caught(seat, laid.by, laid.move, returned, after.bout, after.attacker, after.defender)


def _take_back_beat(after: Position, laid: Laid) -> None:
    pair = after.bout[laid.place]
    _give_back(after, laid.by, laid.card)
    after.bout = (*after.bout[: laid.place], pair._replace(beat=None), *after.bout[laid.place + 1 :])


def _take_back_attack(after: Position, laid: Laid) -> None:
    """Gives back a thrown-in card and the card that beat it; later cards move up (rule 16.5)."""
    pair = after.bout[laid.place]
    _give_back(after, laid.by, laid.card)
    if pair.beat is not None:
        _give_back(after, after.defender, pair.beat)

    after.bout = (*after.bout[: laid.place], *after.bout[laid.place + 1 :])
    later = [place for place in after.wrong_attacks if place != laid.place]
    after.wrong_attacks = tuple([place - (place > laid.place) for place in later])
    after.handovers = tuple(
        [each._replace(place=each.place - (each.place > laid.place)) for each in after.handovers]
    )


def _take_back_transfer(after: Position, laid: Laid) -> None:
    """Undoes a transfer and everything after it: gives back the cards and restores the roles (rule 16.6)."""
    handover = next(each for each in after.handovers if each.place == laid.place)
    for place, (attack, beat, by) in enumerate(after.bout):
        if place >= laid.place:
            _give_back(after, by, attack)
        if beat is not None:
            _give_back(after, after.defender, beat)

    after.bout = tuple([pair._replace(beat=None) for pair in after.bout[: laid.place]])
    after.attacker = handover.attacker
    after.defender = laid.by
    after.chairs = (handover.attacker, laid.by)
    after.moved = handover.moved
    after.shown_trumps = after.shown_trumps[: handover.shown_trumps]
    after.taking = False
    after.thrown_on_take = False
    after.wrong_attacks = tuple([place for place in after.wrong_attacks if place < laid.place])
    after.handovers = tuple([each for each in after.handovers if each.place < laid.place])


def _give_back(after: Position, seat: Seat, card: Card) -> None:
    after.set_hand(seat, after.hands[seat].plus(card))


# --- what nobody saw ---


def unseen_cheats(state: Position) -> tuple[Cheat, ...]:
    """Returns the cheats of the game that nobody has caught, including those on the table."""
    if not state.rules.cheating:
        return ()

    bout = state.bouts + 1
    return (*state.unseen, *[Cheat(bout, laid.by, laid.move) for laid in laid_cards(state) if laid.is_wrong])


def forget_bout(state: Position) -> None:
    """Resets the facts about cheating in a bout that has ended."""
    state.wrong_attacks = ()
    state.handovers = ()
    state.caught = _NO_SEATS
    state.wrong_accusers = _NO_SEATS
    state.thrown_on_take = False
