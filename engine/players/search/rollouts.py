"""Rollouts: guess the hidden cards, and play each guess out by a simple policy."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from math import comb, inf, log, sqrt
from operator import or_
from random import Random
from time import thread_time

from engine.players.memory import Memory
from engine.players.search import evaluation
from engine.players.search.simulation import (
    BEATERS,
    PASS_OR_TAKE,
    SAME_RANK,
    TRUMPS,
    CardBits,
    ModelledRules,
    SimulatedGame,
    beat,
    by_code,
    card_bits_of,
    height,
    is_modelled,
    one_by_one,
    show,
)
from engine.rules.cards import Card, cards_of, unbeaten_cards
from engine.rules.moves import Move
from engine.rules.views import SeatView

DRAW = 0.1  # the loss in a draw; the fool's loss is 1, and everybody else's is 0

# Before a seat has played, the search assumes that it takes needlessly once in eight defences.
_TAKES = 1
_DEFENCES = 8

_MAX_MOVES = 400  # moves after which a game that goes round in circles counts as drawn
_SOUND = 0.8, 0.3  # the shares of sound moves in a playout: the searching seat's, and the others'

# The same between two. Against a merely habitual opponent, giving away the king of trumps would seem free.
_SOUND_OF_TWO = 0.9, 0.6

_ROUND = 16  # guesses between two checks whether to drop moves or to stop
_PLAYOUTS = 300  # playouts of all moves together, after which a tree begins
_TREE_MARGIN = 1.2  # `_MARGIN` before a tree begins: twice as much, so fewer moves are dropped early
_CURIOSITY = 0.5  # the weight of exploration in the tree
_WARY = 0.5  # the share of the opponent's moves in the tree that are the worst for the seat, and not habitual
_CLEAR = 4  # the tree is finished when its first move has this many times the visits of the second
_MARGIN = 0.6  # a move is dropped when its mean loss is behind by this, divided by the root of the guesses


def best_move(sampler: "WorldSampler", moves: Sequence[int], rng: Random, *, until: float, most: int) -> int:
    """Returns the move after which the searching seat is least likely to be the fool.

    Every move is played out on the same guesses, and dropped once it has fallen behind. With two players, the
    remaining moves then grow a tree in which the opponent's replies adapt. With more players, playouts simply
    continue, because opponents share no single aim.

    Args:
        sampler: Draws guesses at the hidden cards.
        moves: The moves to choose from, at least one; ties go to the first.
        rng: Makes the draws.
        until: When to stop, in seconds of `thread_time`.
        most: The most guesses for each move.
    """
    losses = dict.fromkeys(moves, 0.0)
    grows = sampler.is_between_two
    margin = _TREE_MARGIN if grows else _MARGIN

    for number in _tried(losses, sampler, rng, until, most):
        if number % _ROUND == 0:
            least = min(losses.values()) + margin * number**0.5
            for move in [move for move, loss in losses.items() if loss >= least]:
                del losses[move]

            if len(losses) == 1:
                break

            if grows and number * len(moves) >= _PLAYOUTS:
                root = _Branch({move: _Branch({}, number, loss) for move, loss in losses.items()})
                return _best_by_tree(root, sampler, rng, until, (most - number) * len(moves))

    return min(losses, key=lambda move: losses[move])


def risks(
    sampler: "WorldSampler", moves: Sequence[int], rng: Random, *, until: float, most: int
) -> dict[int, float]:
    """Returns the risk of becoming the fool after each of the moves; the arguments are as in `best_move`."""
    losses = dict.fromkeys(moves, 0.0)
    guesses = sum(1 for _ in _tried(losses, sampler, rng, until, most))
    return {move: loss / max(guesses, 1) for move, loss in losses.items()}


def _tried(
    losses: dict[int, float], sampler: "WorldSampler", rng: Random, until: float, most: int
) -> Iterator[int]:
    """Adds up the losses after each of the moves, guess by guess, and yields the number of guesses."""
    for number in range(1, most + 1):
        guess = sampler.sample(rng)
        for move in losses:
            game = guess.copy()
            game.play(move)
            losses[move] += _played_out(game, guess.mover, rng)

        yield number
        if thread_time() > until:
            return


def _played_out(game: SimulatedGame, seat: int, rng: Random) -> float:
    """Plays on by the playout policy; returns the seat's risk of becoming the fool.

    Stops at the first position that `evaluation` can judge. If there is no talon then, plays on to the end
    and returns the mean of both results.
    """
    _play_on(game, seat, rng, evaluation.can_evaluate)
    if game.over or game.is_safe(seat):
        return _result(game, seat)

    risk = evaluation.risk(game, seat) if evaluation.can_evaluate(game) else DRAW
    if game.talon:
        return risk

    _play_on(game, seat, rng, lambda _game: False)
    return (risk + _result(game, seat)) / 2


def _play_on(game: SimulatedGame, seat: int, rng: Random, is_enough: Callable[[SimulatedGame], bool]) -> None:
    """Plays by the playout policy until the seat is out, the game is over, or `is_enough` returns True."""
    for _ in range(_MAX_MOVES):
        if game.over or game.is_safe(seat) or is_enough(game):
            return
        game.play(_habit(game, seat, rng))


def _habit(game: SimulatedGame, seat: int, rng: Random) -> int:
    """Chooses by the playout policy: at random a sound move, or the lowest card."""
    own, other = _SOUND_OF_TWO if len(game.in_game) == 2 else _SOUND
    sound = own if game.mover == seat else other
    if rng.random() < sound:
        return choose_soundly(game)
    return choose_lowest(game)


def _result(game: SimulatedGame, seat: int) -> float:
    """Returns the seat's loss; a game that is not over has gone round in circles, and counts as a draw."""
    if game.losers:
        return float(seat in game.losers)
    return DRAW if game.over or not game.is_safe(seat) else 0.0


# --- the tree of a search between two --------------------------------------------------------------------


class _Branch:
    """A node of the tree: the moves that led to it identify it, and all guesses share it.

    `possible` counts the guesses in which its move could be chosen, `visits` those in which it was, and
    `losses` adds up the losses of the searching seat in these.
    """

    __slots__ = ("children", "losses", "possible", "visits")

    def __init__(
        self, children: "dict[int, _Branch] | None" = None, visits: int = 0, losses: float = 0.0
    ) -> None:
        self.children = {} if children is None else children
        self.possible = self.visits = visits
        self.losses = losses

    def choose(self, moves: Sequence[int], *, is_own: bool) -> int:
        """Returns a move that has not been tried, else the one with the best upper confidence bound.

        The searching seat looks for the least loss, the other for the greatest.
        """
        sign = -1.0 if is_own else 1.0
        best = moves[0]
        bound = -inf

        for move in moves:
            child = self.children.get(move)
            if child is None:
                return move

            child.possible += 1
            value = sign * child.losses / child.visits
            value += _CURIOSITY * sqrt(log(child.possible) / child.visits)
            if value > bound:
                best = move
                bound = value

        return best


def _best_by_tree(root: _Branch, sampler: "WorldSampler", rng: Random, until: float, most: int) -> int:
    """Returns the most visited move of a tree that grows by one node with every guess.

    The root begins with each move's losses in playouts. Otherwise a move with many replies to explore would
    at first look worse than a move with few, and would hardly be tried again.
    """
    moves = [*root.children]
    for number in range(1, most + 1):
        _grow(root, sampler.sample(rng), moves, rng)
        if number % _ROUND == 0:
            *_, second, first = sorted(child.visits for child in root.children.values())
            if thread_time() > until or first > _CLEAR * (second + _ROUND):
                break

    return max(moves, key=lambda move: root.children[move].visits)


def _grow(root: _Branch, game: SimulatedGame, moves: Sequence[int], rng: Random) -> None:
    """Walks down the tree with one guess, adds a node, plays on from there, and records the loss."""
    seat = game.mover
    branch = root
    path = [root]

    while not game.over and (branch is root or branch.visits):
        is_own = game.mover == seat
        if is_own or rng.random() < _WARY:
            move = branch.choose(moves, is_own=is_own)
        else:
            move = _habit(game, seat, rng)

        branch = branch.children.setdefault(move, _Branch())
        path.append(branch)
        game.play(move)
        moves = game.moves()

    loss = _played_out(game, seat, rng)
    for branch in path:
        branch.visits += 1
        branch.losses += loss


# --- the hidden cards ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class SearchRoot:
    """The start of a search: the moves by code, in order of preference, and guesses at the hidden cards."""

    moves: Mapping[int, Move]
    sampler: "WorldSampler"

    @staticmethod
    def of(view: SeatView, moves: Sequence[Move], memory: Memory) -> "SearchRoot | None":
        """Returns the root with the moves that can be simulated, possibly none of them.

        Returns None if the rules cannot be simulated, the seat is not awaited, or view and memory contradict
        each other.
        """
        if view.seat not in view.public.awaited or not is_modelled(view.public.rules):
            return None

        bits = card_bits_of(view)
        try:
            return SearchRoot(by_code(moves, bits), WorldSampler(view, memory, bits))
        except ValueError:
            return None


class WorldSampler:
    """Draws guesses at the hidden cards that fit a seat's view and memory."""

    def __init__(self, view: SeatView, memory: Memory, bits: CardBits) -> None:
        """Separates the cards that are certain from those to guess.

        Raises:
            ValueError: View and memory contradict each other.
        """
        self._bits = bits
        public = view.public

        hands = [memory.held_by(seat) for seat in range(public.seats)]
        hands[view.seat] = view.hand
        self._missing = [
            (seat, count - len(cards))
            for seat, (count, cards) in enumerate(zip(public.hand_counts, hands, strict=True))
        ]

        lying = [public.turn_up] if public.talon and public.rules.turn_up == "talon_bottom" else []
        self._lying = [bits.bit(card) for card in lying if card is not None]
        self._drawn = public.talon - len(self._lying)

        certain: set[Card | None] = {card for cards in hands for card in cards}
        certain.update(lying)
        self._pool = [bits.bit(card) for card in memory.unseen(view) if card not in certain]

        gaps = [missing for _, missing in self._missing]
        if min(gaps) < 0 or sum(gaps) + self._drawn > len(self._pool):
            raise ValueError("view and memory contradict each other")

        # For each seat, every card that beats one of those it took.
        self._unlikely = [
            reduce(or_, (BEATERS[bits.bit(card)] for card in memory.given_up_by(seat)), 0)
            for seat in range(public.seats)
        ]
        self._takes = [
            0.0 if seat == view.seat else (_TAKES + takes) / (_DEFENCES + defences)
            for seat, (takes, defences) in enumerate(map(memory.takes_of, range(public.seats)))
        ]
        self._trust = [self._belief(seat, missing) for seat, missing in self._missing]
        self._game = self._laid_out(view, [bits.mask(cards) for cards in hands])

    @property
    def is_between_two(self) -> bool:
        """Whether only two seats are still in the game."""
        return len(self._game.in_game) == 2

    @property
    def is_certain(self) -> bool:
        """Whether only one guess is possible."""
        missing = [count for _, count in self._missing if count]
        return not self._drawn and (not missing or missing == [len(self._pool)])

    def sample(self, rng: Random) -> SimulatedGame:
        """Returns a random guess; a seat that took cards is less likely to hold cards that beat them."""
        game = self._game.copy()
        cards = self._pool[:]
        rng.shuffle(cards)

        for seat, missing in self._missing:
            unlikely = self._unlikely[seat] if rng.random() < self._trust[seat] else 0
            if unlikely and missing:
                cards.sort(key=unlikely.__and__, reverse=True)  # likely cards go to the end, still shuffled

            for _ in range(missing):
                game.hands[seat] |= cards.pop()

            if unlikely and missing:
                rng.shuffle(cards)

        game.talon = [*self._lying, *cards[: self._drawn]]
        return game

    def _belief(self, seat: int, missing: int) -> float:
        """Returns the share of guesses that deny a seat all cards that beat those it took.

        By Bayes: weighs the chance that its unknown cards contain none of these against how often the seat
        takes although it could beat.
        """
        unlikely = self._unlikely[seat]
        cards = len(self._pool)
        if not unlikely or not missing:
            return 0.0

        harmless = sum(not bit & unlikely for bit in self._pool)
        none = comb(harmless, missing) / comb(cards, missing)
        return none * (1 - self._takes[seat]) / (none + self._takes[seat] * (1 - none))

    def _laid_out(self, view: SeatView, hands: list[int]) -> SimulatedGame:
        """Returns the position with the certain cards; it is the searching seat's turn."""
        public = view.public
        bits = self._bits
        rules = ModelledRules(public.rules, public.seats)
        game = SimulatedGame.begun(rules, hands, (), public.attacker, public.defender)

        game.in_game = [seat for seat in range(public.seats) if seat not in public.out]
        table = bits.mask(cards_of(public.bout))
        game.lay_out(table, bits.mask(unbeaten_cards(public.bout)), len(public.bout))
        game.taking = public.taking
        game.shown_trumps = bits.mask(card for _, card in public.shown_trumps)

        if public.discard:
            game.limit = game.rules.limit

        game.round_start = public.round_start
        game.moved = public.moved
        game.mover = view.seat

        return game


# --- the playout policy ----------------------------------------------------------------------------------

_MIDDLE = 8  # the height of a ten, about the average that the talon gives
# The worth of holding a card while there is a talon; an average card is worth nothing.
_WORTH = {bit: height(bit) - (0 if bit & TRUMPS else _MIDDLE) for bit in BEATERS}
# The same without a talon, when every card has to go.
_LATE_WORTH = {bit: height(bit) - (3 if bit & TRUMPS else _MIDDLE) for bit in BEATERS}

_PAIR = 3.6  # what an opening gains by each further card of its rank in the hand
_LATE_PAIR = 1.6  # the same without a talon
_UNBEATABLE = 8.3  # what an opening gains if no card can beat it
_TEMPO = 3.0  # the worth of attacking next instead of being passed over
_BURDEN = 3.5  # the cost of one more card in the hand
_FEW = 5  # without a talon, a hand of at most this many cards throws in trumps


def choose_soundly(game: SimulatedGame) -> int:
    """Chooses a sound move for the seat to move; looks at other hands only if the talon is empty."""
    seat = game.mover
    hand = game.hands[seat]
    talon = 0 if game.rules.leave_with_talon else len(game.talon)

    if not game.table:
        opening = first_attack(hand) if talon else late_first_attack(hand, game.unseen_by(seat))
        return game.with_equal_ranks(opening)

    if seat != game.defender:
        return throw_in_card(hand, game.ranks, game.taking, talon)
    if trump := game.showable():
        return show(trump)

    transfers = game.transfers()
    move = defence(hand, game.table, game.ranks, game.unbeaten, transfers, talon=talon)
    return game.with_equal_ranks(move) if move & transfers == move != PASS_OR_TAKE else move


def choose_lowest(game: SimulatedGame) -> int:
    """Plays the lowest card that works, and never throws in a trump; takes or passes if there is none."""
    hand = game.hands[game.mover]
    if not game.table:
        return hand & -hand

    if game.mover != game.defender:
        plain = hand & game.ranks & ~TRUMPS
        return plain & -plain

    for attack in one_by_one(game.unbeaten):
        able = hand & BEATERS[attack]
        if able:
            return beat(able & -able, attack)

    able = game.transfers()
    return able & -able


def first_attack(hand: int) -> int:
    """Chooses the card to attack with while there is a talon: a low one, or one with others of its rank."""
    plain = hand & ~TRUMPS
    if not plain:
        return hand & -hand

    best = 0
    least = 99.0
    for bit in one_by_one(plain):
        worth = _WORTH[bit] - _PAIR * (plain & SAME_RANK[bit]).bit_count()
        if worth < least:
            best = bit
            least = worth

    return best


def late_first_attack(hand: int, unseen: int) -> int:
    """Chooses the card to attack with when no more are drawn: preferably one that `unseen` cannot beat."""
    best = 0
    least = 99.0
    for bit in one_by_one(hand):
        worth = _LATE_WORTH[bit] - _LATE_PAIR * (hand & SAME_RANK[bit]).bit_count()
        if not unseen & BEATERS[bit]:
            worth -= _UNBEATABLE

        if worth < least:
            best = bit
            least = worth

    return best


def throw_in_card(hand: int, ranks: int, taking: bool, talon: int) -> int:
    """Chooses a card to throw in: the lowest plain one, a trump only at the very end."""
    cards = hand & ranks
    plain = cards & ~TRUMPS
    if plain:
        return plain & -plain
    if talon or taking or hand.bit_count() > _FEW:
        return PASS_OR_TAKE

    return cards & -cards


def defence(hand: int, table: int, ranks: int, unbeaten: int, transfers: int, *, talon: int) -> int:
    """Chooses between handing on, beating as cheaply as possible, and taking if beating is too costly."""
    plain = transfers & ~TRUMPS
    if plain:
        return plain & -plain

    trump = transfers & -transfers  # handing on with a trump, costly as it is, is better than taking
    worths = _WORTH if talon else _LATE_WORTH
    rest = hand
    cost = 0
    first = PASS_OR_TAKE

    for attack in one_by_one(unbeaten):
        able = rest & BEATERS[attack]
        if not able:
            return trump

        familiar = able & ranks & ~TRUMPS  # a rank already on the table gives the others nothing new to add
        card = familiar & -familiar or able & -able
        rest ^= card
        cost += worths[card]
        first = first or beat(card, attack)

    if not talon:
        return first

    loot = sum(worths[bit] for bit in one_by_one(table)) - _BURDEN * table.bit_count()
    return trump if loot > _TEMPO - cost else first
