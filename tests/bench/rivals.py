"""Rivals of the house players in the measurements."""

from collections.abc import Sequence
from math import log, sqrt
from random import Random

from engine import Attack, Card, Defend, Done, Move, Rank, SeatView, Take, Transfer
from engine.players import NOTHING_SEEN, Memory, Regular
from engine.players.search.rollouts import DRAW, SearchRoot, choose_lowest, choose_soundly
from engine.players.search.simulation import SimulatedGame

SMALL_TALON = 8
MAX_MOVES = 400  # moves after which a simulated game counts as drawn


class Greedy:
    """A player of the lowest card that is no trump, of a trump if nothing else works, and of forced takes."""

    def choose(self, view: SeatView, moves: Sequence[Move], _memory: Memory = NOTHING_SEEN, /) -> Move:
        """Throws in every plain card it can, but no trumps."""
        attacks = [move for move in moves if isinstance(move, Attack) and len(move.cards) == 1]
        defences = [move for move in moves if isinstance(move, Defend)]
        if attacks:
            lowest = min(attacks, key=lambda move: _cost(view, move.cards[0]))
            if not view.public.bout or lowest.cards[0].suit is not view.public.trump:
                return lowest

        if defences:
            return min(defences, key=lambda move: _cost(view, move.card))

        give_in = Done() if Done() in moves else Take()
        others = [move for move in moves if move != Take()]
        return give_in if give_in == Done() or not others else others[0]


def _cost(view: SeatView, card: Card) -> tuple[bool, int]:
    return card.suit is view.public.trump, card.rank.strength(view.public.rules.rank_order)


class Chance:
    """A player of any legal move."""

    def __init__(self, seed: object) -> None:
        self._random = Random(str(seed))

    def choose(self, _view: SeatView, moves: Sequence[Move], _memory: Memory = NOTHING_SEEN, /) -> Move:
        """Draws one of the moves."""
        return self._random.choice(moves)


class EarlyTaker:
    """A regular player, except that with a large talon it beats only plainly and below the ten."""

    def choose(self, view: SeatView, moves: Sequence[Move], memory: Memory = NOTHING_SEEN, /) -> Move:
        """Takes rather than beat with a dear card, and so collects trumps and high cards."""
        if view.public.talon <= SMALL_TALON or Take() not in moves:
            return Regular().choose(view, moves, memory)

        trump = view.public.trump
        cheap = [
            move
            for move in moves
            if isinstance(move, Defend) and move.card.suit is not trump and move.card.rank < Rank.TEN
        ]

        return min(cheap, key=lambda move: move.card.rank, default=Take())


class NeverTakes:
    """A regular attacker that beats or transfers whenever it can, at any price."""

    def choose(self, view: SeatView, moves: Sequence[Move], memory: Memory = NOTHING_SEEN, /) -> Move:
        """Beats with the cheapest card."""
        choice = Regular().choose(view, moves, memory)
        defences = [move for move in moves if isinstance(move, Defend)]
        others = [move for move in moves if isinstance(move, Transfer)]
        if choice != Take() or not (defences or others):
            return choice

        return min(defences, key=lambda move: _cost(view, move.card)) if defences else others[0]


class Searcher:
    """A player that guesses the hidden cards and searches some moves ahead in each guess, all cards open."""

    def __init__(self, seed: object, *, guesses: int = 20, depth: int = 4) -> None:
        self._random = Random(str(seed))
        self._guesses = guesses
        self._depth = depth

    def choose(self, view: SeatView, moves: Sequence[Move], memory: Memory = NOTHING_SEEN, /) -> Move:
        """Plays the move with the best mean."""
        root = SearchRoot.of(view, moves, memory)
        if len(moves) == 1 or root is None or not root.moves:
            return Regular().choose(view, moves, memory)

        losses = dict.fromkeys(root.moves, 0.0)
        for _ in range(self._guesses):
            guess = root.sampler.sample(self._random)
            for move in losses:
                losses[move] += self._after(guess, move, view.seat, self._depth, 1.0)

        return root.moves[min(losses, key=lambda move: losses[move])]

    def _after(self, game: SimulatedGame, move: int, seat: int, depth: int, most: float) -> float:
        after = game.copy()
        after.play(move)
        if after.over or not depth:
            return _played_out(after, seat, self._random, sound=1.0)

        is_own = after.mover == seat
        best = 1.0 if is_own else 0.0
        for following in after.moves():
            bound = best if is_own else 1.0
            loss = self._after(after, following, seat, depth - 1, bound)
            best = min(best, loss) if is_own else max(best, loss)
            if best == 0.0 if is_own else best >= most:
                break

        return best


class TreeSearch:
    """A player that guesses the hidden cards and adds up an upper-confidence tree for each guess."""

    def __init__(self, seed: object, *, guesses: int = 12, playouts: int = 90) -> None:
        self._random = Random(str(seed))
        self._guesses = guesses
        self._playouts = playouts

    def choose(self, view: SeatView, moves: Sequence[Move], memory: Memory = NOTHING_SEEN, /) -> Move:
        """Plays the move that the trees have visited most."""
        root = SearchRoot.of(view, moves, memory)
        if len(moves) == 1 or root is None or not root.moves:
            return Regular().choose(view, moves, memory)

        visits = dict.fromkeys(root.moves, 0)
        for _ in range(self._guesses):
            guess = root.sampler.sample(self._random)
            tree = _Node([*root.moves])
            for _ in range(self._playouts):
                self._grow(guess.copy(), tree, view.seat)

            for move, node in tree.children.items():
                visits[move] += node.visits

        return root.moves[max(visits, key=lambda move: visits[move])]

    def _grow(self, game: SimulatedGame, node: "_Node", seat: int) -> None:
        path = [node]
        while not game.over:
            move = node.chosen(game.mover == seat)
            is_new = move not in node.children
            game.play(move)

            if is_new:
                moves = [] if game.over else game.moves()
                node.children[move] = _Node(moves)

            node = node.children[move]
            path.append(node)
            if is_new:
                break

        loss = _played_out(game, seat, self._random, sound=0.5)
        for visited in path:
            visited.visits += 1
            visited.losses += loss


class _Node:
    """A position of a tree: its visits, and the searching seat's losses from there."""

    def __init__(self, moves: list[int]) -> None:
        self.untried = moves[::-1]
        self.children: dict[int, _Node] = {}
        self.visits = 0
        self.losses = 0.0

    def chosen(self, is_own: bool) -> int:
        """Returns an untried move, else the one with the best bound for the seat to move."""
        if self.untried:
            return self.untried.pop()

        sign = -1.0 if is_own else 1.0
        width = log(self.visits)
        return max(
            self.children,
            key=lambda move: (
                sign * self.children[move].losses / self.children[move].visits
                + 0.7 * sqrt(width / self.children[move].visits)
            ),
        )


def _played_out(game: SimulatedGame, seat: int, rng: Random, *, sound: float) -> float:
    """Plays a game to its end, so many of the moves soundly; returns the seat's loss."""
    for _ in range(MAX_MOVES):
        if game.over:
            return float(seat in game.losers) if game.losers else DRAW
        game.play((choose_soundly if rng.random() < sound else choose_lowest)(game))
    return DRAW
