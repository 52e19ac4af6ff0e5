"""House players where cheating is on: what they notice of others, and when an expert cheats.

They know no more than anybody who watches the table: a card is wrong or right by the cards that lay there.
"""

from collections.abc import Iterable, Mapping, Sequence
from random import Random

from engine.rules.cards import Card, Pair, beats
from engine.rules.events import (
    Attacked,
    BeatenOff,
    Caught,
    Defended,
    Event,
    Redealt,
    Seat,
    TakenUp,
    Transferred,
)
from engine.rules.moves import Accuse, Defend, Move, Take
from engine.rules.views import SeatView

# How many of the wrong cards each strength notices.
NOTICED: Mapping[str, float] = {"beginner": 0.2, "regular": 0.5, "expert": 0.9}

_CHEATERS = frozenset({"expert"})
_DARES = 0.5  # in how many of the bouts that it would have to take a cheater cheats, until it has done so


def sly_move(
    view: SeatView, moves: Sequence[Move], choice: Move, events: Iterable[Event], *, strength: str, seed: str
) -> Move:
    """Returns what a house player does instead of its choice: it accuses somebody, cheats, or does neither.

    Args:
        view: The game as its seat sees it.
        moves: All its legal moves.
        choice: The move by the rules that it has chosen.
        events: Everything that its seat has seen of this game.
        strength: How strong it is.
        seed: Decides by chance, always the same for a card and a bout, so that a second look finds no more.
    """
    watcher = _Watcher(view)
    for event in events:
        watcher.watch(event)

    for card in watcher.wrong_cards:
        is_noticed = Random(f"{seed} {view.seat} {watcher.bouts} {card}").random() < NOTICED[strength]
        if is_noticed and Accuse(card) in moves:
            return Accuse(card)

    dares = Random(f"{seed} {view.seat} {watcher.bouts}").random() < _DARES
    if strength not in _CHEATERS or view.seat in watcher.cheaters or not dares:
        return choice

    return _least_conspicuous(view, moves) if choice == Take() else choice


def _least_conspicuous(view: SeatView, moves: Sequence[Move]) -> Move:
    """Returns the wrong card that saves a defender from taking: of the right suit if it can, a low one.

    It takes if that would not be enough, or if it could beat the card by the rules.
    """
    public = view.public
    unbeaten = [pair.attack for pair in public.bout if pair.beat is None]
    answers = [move for move in moves if isinstance(move, Defend)]
    order = public.rules.rank_order
    if len(unbeaten) != 1 or any(beats(each.card, each.attack, public.trump, order) for each in answers):
        return Take()

    def conspicuousness(move: Defend) -> tuple[bool, int]:
        return move.card.suit is not move.attack.suit, move.card.rank.strength(order)

    return min(answers, key=conspicuousness, default=Take())


class _Watcher:
    """Somebody who watches every card of a game as it is laid."""

    def __init__(self, view: SeatView) -> None:
        self.bouts = 0
        self.cheaters = set[Seat]()
        self.wrong_cards = list[Card]()  # of the running bout

        self._trump = view.public.trump
        self._order = view.public.rules.rank_order
        self._table = list[Card]()

    def watch(self, event: Event) -> None:
        """Judges a card by those that lie there."""
        match event:
            case Attacked(seat, cards):
                ranks = {card.rank for card in self._table}
                self._lays(seat, cards, is_wrong=bool(self._table) and cards[0].rank not in ranks)
            case Transferred(seat, cards):
                self._lays(seat, cards, is_wrong=cards[0].rank is not self._table[0].rank)
            case Defended(seat, attack, card):
                is_right = beats(card, attack, self._trump, self._order)
                self._lays(seat, (card,), is_wrong=not is_right)
            case Caught(bout=bout):
                self._sees_again(bout)
            case BeatenOff() | TakenUp():
                self.bouts += 1
                self._sees_again(())
            case Redealt():
                self._sees_again(())

    def _lays(self, seat: Seat, cards: Sequence[Card], *, is_wrong: bool) -> None:
        self._table += cards
        if is_wrong:
            self.cheaters.add(seat)
            self.wrong_cards += cards

    def _sees_again(self, bout: Iterable[Pair]) -> None:
        """Takes in what still lies on the table, beginning with the first card of the bout."""
        self._table = [card for pair in bout for card in (pair.attack, pair.beat) if card is not None]
        self.wrong_cards = [card for card in self.wrong_cards if card in self._table]
