"""House players in games with cheating: which wrong cards they notice, and when an expert cheats.

They do not look up whether a card was legal. They judge it as a person would, by the cards that were on the
table when it was laid, and notice only a share of the wrong ones.
"""

from collections.abc import Iterable, Mapping, Sequence
from random import Random

from engine.rules.cards import Card, Pair, beats, cards_of, unbeaten_cards
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

# The share of wrong cards that each strength notices.
NOTICED: Mapping[str, float] = {"beginner": 0.2, "regular": 0.5, "expert": 0.9}

_CHEATERS = frozenset({"expert"})
_DARES = 0.5  # the chance in each bout that a cheater cheats instead of taking; it cheats once a game


def sly_move(
    view: SeatView, moves: Sequence[Move], choice: Move, events: Iterable[Event], *, strength: str, seed: str
) -> Move:
    """Returns the move of a house player: an accusation, a cheat, or its choice by the rules.

    Args:
        view: The game as its seat sees it.
        moves: All its legal moves.
        choice: The fair move that it has chosen.
        events: Everything that its seat has seen of this game.
        strength: How strong it is.
        seed: Decides its chances for each card and bout, so that checking twice gives the same result.
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
    """Returns the least conspicuous wrong defence: of the right suit if possible, then of a low rank.

    Returns Take if more than one card is unbeaten, or if the seat could beat the card by the rules.
    """
    public = view.public
    unbeaten = unbeaten_cards(public.bout)
    answers = [move for move in moves if isinstance(move, Defend)]
    order = public.rules.rank_order
    if len(unbeaten) != 1 or any(beats(each.card, each.attack, public.trump, order) for each in answers):
        return Take()

    def conspicuousness(move: Defend) -> tuple[bool, int]:
        return move.card.suit is not move.attack.suit, move.card.rank.strength(order)

    return min(answers, key=conspicuousness, default=Take())


class _Watcher:
    """Tracks the cards that are laid in a game: which are wrong, and who has cheated."""

    def __init__(self, view: SeatView) -> None:
        self.bouts = 0
        self.cheaters = set[Seat]()
        self.wrong_cards = list[Card]()  # of the current bout

        self._trump = view.public.trump
        self._order = view.public.rules.rank_order
        self._table = list[Card]()

    def watch(self, event: Event) -> None:
        """Judges a laid card by those already on the table, or follows the table's changes."""
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
                self._reset_table(bout)
            case BeatenOff() | TakenUp():
                self.bouts += 1
                self._reset_table(())
            case Redealt():
                self._reset_table(())

    def _lays(self, seat: Seat, cards: Sequence[Card], *, is_wrong: bool) -> None:
        self._table += cards
        if is_wrong:
            self.cheaters.add(seat)
            self.wrong_cards += cards

    def _reset_table(self, bout: Iterable[Pair]) -> None:
        """Resets the table to the cards of a bout, and forgets wrong cards that are not among them."""
        self._table = cards_of(bout)
        self.wrong_cards = [card for card in self.wrong_cards if card in self._table]
