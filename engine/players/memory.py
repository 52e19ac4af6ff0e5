"""A seat's memory of a game: the cards that are gone, and those that others are known to hold."""

from collections.abc import Iterable
from dataclasses import dataclass

from engine.rules.cards import Card, CardSet, cards_of, unbeaten_cards
from engine.rules.events import (
    Attacked,
    BeatenOff,
    Caught,
    Defended,
    Drew,
    Event,
    Exchanged,
    LaidAway,
    Redealt,
    Seat,
    TakeDeclared,
    TakenUp,
    Transferred,
    TrumpShown,
)
from engine.rules.views import SeatView

_NO_CARDS = CardSet()


@dataclass(frozen=True, slots=True)
class Memory:
    """What a player with a good memory knows about hidden cards.

    Attributes:
        gone: The cards on the discard heap.
        held: For each seat, the cards that were seen on their way into its hand and not played since.
        gave_up: For each seat, the cards that it took rather than beat since it last drew; the rest of its
            hand will hardly beat them.
        takes: For each seat, how many bouts it took with more cards in hand than are dealt, which it hardly
            had to, and how many it defended.
    """

    gone: CardSet = _NO_CARDS
    held: tuple[CardSet, ...] = ()
    gave_up: tuple[CardSet, ...] = ()
    takes: tuple[tuple[int, int], ...] = ()

    @staticmethod
    def of(view: SeatView, events: Iterable[Event]) -> "Memory":
        """Returns what a seat remembers of a game.

        Args:
            view: The seat's present view.
            events: The events since the deal, each as `event.seen_by(seat)`, in order.
        """
        public = view.public
        diary = _Diary(public.seats, public.rules.hand_size)
        for event in events:
            diary.note(event)

        for seat, card in public.seen_cards:
            if card not in diary.held[seat]:
                diary.gets(seat, card)

        gone = diary.gone if public.discarded is None else public.discarded
        takes = tuple(zip(diary.taken, diary.defended, strict=True))
        return Memory(gone, tuple(diary.held), tuple(diary.gave_up), takes)

    def held_by(self, seat: Seat) -> CardSet:
        """Returns the cards that a seat is known to hold."""
        return self.held[seat] if self.held else _NO_CARDS

    def given_up_by(self, seat: Seat) -> CardSet:
        """Returns the cards that a seat could not or would not beat since it last drew."""
        return self.gave_up[seat] if self.gave_up else _NO_CARDS

    def takes_of(self, seat: Seat) -> tuple[int, int]:
        """Returns how many bouts a seat took with many cards in hand, and how many it defended."""
        return self.takes[seat] if self.takes else (0, 0)

    def unseen(self, view: SeatView) -> CardSet:
        """Returns every card that, as far as is remembered, may be in another hand or in the talon."""
        public = view.public
        out_of_play = [public.turn_up] if public.turn_up and public.rules.turn_up == "removed" else []
        cards = CardSet(public.rules.cards(public.seats))
        for card in (*view.hand, *self.gone, *cards_of(public.bout), *out_of_play):
            if card in cards:
                cards = cards.without(card)

        return cards


NOTHING_SEEN = Memory()  # the memory of a player before any event


class _Diary:
    """Tracks where every seen card is, event by event."""

    def __init__(self, seats: int, hand_size: int) -> None:
        self._hand_size = hand_size
        self._sizes = [hand_size] * seats

        self.gone = _NO_CARDS
        self.held = [_NO_CARDS] * seats
        self.gave_up = [_NO_CARDS] * seats
        self.taken = [0] * seats
        self.defended = [0] * seats

        self._table: list[Card] = []
        self._unbeaten = _NO_CARDS

    def note(self, event: Event) -> None:
        """Follows the cards that an event names, and counts takes and defences."""
        match event:
            case Attacked(seat, cards) | Transferred(seat, cards, _):
                self._lays(seat, cards)
                self._unbeaten |= CardSet(cards)

            case Defended(seat, attack, card):
                self._lays(seat, (card,))
                self._unbeaten = self._unbeaten.without(attack)

            case TakeDeclared(seat):
                self.gave_up[seat] |= self._unbeaten
            case BeatenOff() | TakenUp():
                self._ends_bout(event)
            case TrumpShown(seat, card, _) if card not in self.held[seat]:
                self.gets(seat, card)

            case Drew(seat, count, _, turn_up):
                self._sizes[seat] += count
                self.gave_up[seat] = _NO_CARDS
                self.gets(seat, *([turn_up] if turn_up else []))
            case _:
                self._notes_rarity(event)

    def _ends_bout(self, event: BeatenOff | TakenUp) -> None:
        self.defended[event.defender] += 1
        if isinstance(event, TakenUp):
            self.taken[event.defender] += self._sizes[event.defender] > self._hand_size
            self._sizes[event.defender] += len(event.cards)
            self.gets(event.defender, *event.cards)
        else:
            self.gone |= CardSet(self._table)

        self._table.clear()
        self._unbeaten = _NO_CARDS

    def _notes_rarity(self, event: Event) -> None:
        match event:
            case LaidAway(seat, cards):
                self._loses(seat, cards)
                self.gone |= CardSet(cards)
            case Exchanged(seat, given, taken):
                self._loses(seat, (given,))
                self.gets(seat, taken)
                self._sizes[seat] += 1
            case Caught(returned=returned, bout=bout):
                for seat, card in returned:
                    self._sizes[seat] += 1
                    self.gets(seat, card)

                self._table = cards_of(bout)
                self._unbeaten = CardSet(unbeaten_cards(bout))
            case Redealt():
                self.gone = _NO_CARDS
                self.held = [_NO_CARDS] * len(self.held)

    def gets(self, seat: Seat, *cards: Card) -> None:
        """Records cards that were seen on their way into a hand."""
        self.held[seat] |= CardSet(cards)

    def _lays(self, seat: Seat, cards: tuple[Card, ...]) -> None:
        self._loses(seat, cards)
        self._table.extend(cards)

    def _loses(self, seat: Seat, cards: tuple[Card, ...]) -> None:
        self._sizes[seat] -= len(cards)
        for card in cards:
            if card in self.held[seat]:
                self.held[seat] = self.held[seat].without(card)
