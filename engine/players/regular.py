"""The house player of medium strength: it has sound habits, and remembers the cards that are gone."""

from collections.abc import Sequence

from engine.players.memory import NOTHING_SEEN, Memory
from engine.players.search import endgame_solver, rollouts
from engine.players.search.rollouts import SearchRoot
from engine.players.search.simulation import PASS_OR_TAKE, CardBits, card_bits_of, decoded
from engine.rules.cards import Card, CardSet, Rank, Suit, cards_of, unbeaten_cards
from engine.rules.moves import (
    Attack,
    Defend,
    Done,
    Exchange,
    Keep,
    LayAway,
    Move,
    Redeal,
    ShowTrump,
    Take,
    Transfer,
)
from engine.rules.views import SeatView

_KEPT = Rank.KING  # four cards of this rank or a higher one are not laid away while there is a talon
_SOLVED = 10  # the most cards in the game with which it solves the ending
_GLANCE = 0.1  # seconds of CPU time for solving an ending


class Regular:
    """Saves trumps, gets rid of pairs, throws in all it can, and takes if defending is too costly.

    Between two players it solves the last few cards.
    """

    def __init__(self, *, solved: int = _SOLVED) -> None:
        """Makes a player that solves endings of at most this many cards."""
        self._solved = solved

    def choose(self, view: SeatView, moves: Sequence[Move], memory: Memory = NOTHING_SEEN, /) -> Move:
        """Chooses by habit; exchanges, lays away or asks for a new deal if it helps, and solves endings."""
        windfall = next((move for move in moves if isinstance(move, Exchange | LayAway | Redeal)), None)
        if windfall is not None and _is_welcome(view, windfall):
            return windfall
        if Keep() in moves:
            return Keep()

        bits = card_bits_of(view)
        habit = _widened(view, moves, bits, _habit(view, moves, bits, memory))
        if view.public.talon + sum(view.public.hand_counts) > self._solved:
            return habit

        root = SearchRoot.of(view, (habit, *moves), memory)
        best = endgame_solver.best_moves(root, seconds=_GLANCE) if root else []
        return root.moves[best[0]] if root and best else habit


def _is_welcome(view: SeatView, move: Move) -> bool:
    """Returns whether a seat gains by laying four cards away, by a new deal or by the exchange."""
    match move:
        case LayAway(rank):
            return not view.public.talon or rank < _KEPT
        case Redeal():
            return not view.hand.of_suit(view.public.trump)

    return True


def _habit(view: SeatView, moves: Sequence[Move], bits: CardBits, memory: Memory) -> int:
    public = view.public
    hand = bits.mask(view.hand)
    # With `leave_with_talon` every card has to go from the beginning, as if there were no talon.
    talon = 0 if public.rules.leave_with_talon else public.talon

    if not public.bout:
        if talon:
            return rollouts.first_attack(hand)
        return rollouts.late_first_attack(hand, bits.mask(memory.unseen(view)))

    ranks = bits.mask(CardSet(public.rules.cards(public.seats)).of_ranks_on(cards_of(public.bout)))
    if view.seat != public.defender or public.taking:
        return rollouts.throw_in_card(hand, ranks, public.taking, talon)

    return rollouts.defence(
        hand,
        bits.mask(cards_of(public.bout)),
        ranks,
        bits.mask(unbeaten_cards(public.bout)),
        bits.mask(move.cards[0] for move in moves if isinstance(move, Transfer) and len(move.cards) == 1),
        talon=talon,
    )


def _widened(view: SeatView, moves: Sequence[Move], bits: CardBits, habit: int) -> Move:
    """Turns a habit into a legal move, with as many cards of its rank as the rules allow."""
    trump = view.public.trump
    bit, attack = decoded(habit)
    show = next((move for move in moves if isinstance(move, ShowTrump)), None)
    if show is not None and (habit == PASS_OR_TAKE or bits.card(bit).suit is trump):
        return show
    if habit == PASS_OR_TAKE:
        return next((move for move in moves if isinstance(move, Done | Take)), moves[0])

    card = bits.card(bit)
    if attack:
        answer: Move = Defend(card, bits.card(attack))
        return answer if answer in moves else moves[0]

    plays = [
        move for move in moves if isinstance(move, Attack | Transfer) and _is_cheap(move.cards, card, trump)
    ]
    if not plays:
        return Done() if Done() in moves else moves[0]

    return max(plays, key=lambda move: len(move.cards))


def _is_cheap(cards: tuple[Card, ...], target: Card, trump: Suit) -> bool:
    """Returns whether the cards include the `target` and cost no trump besides it."""
    return target in cards and all(card is target or card.suit is not trump for card in cards)
