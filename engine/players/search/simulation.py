"""A lean model of the whole game, fast enough to play thousands of games for one move.

If the rules are `is_modelled`, it plays the same game as `engine.rules`, but only awaited seats act: no card
is added early, and seats that hold nothing to add are skipped.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from engine.rules.cards import Card, CardSet, Rank, RankOrder, Suit
from engine.rules.declarations import Search
from engine.rules.moves import Attack, Defend, Done, Move, ShowTrump, Take, Transfer
from engine.rules.play import scored_places
from engine.rules.settings import DECLARATIONS, Rules
from engine.rules.views import SeatView

# --- cards as bits ---------------------------------------------------------------------------------------

RANKS = 13
_PLAIN_SUITS = 3
FIRST_TRUMP = RANKS * _PLAIN_SUITS
CARDS = FIRST_TRUMP + RANKS
TRUMPS = ((1 << RANKS) - 1) << FIRST_TRUMP


def height(bit: int) -> int:
    """Returns the height of a card's rank, from 0 for the two to 12 for the ace."""
    return _HEIGHT[bit]


def one_by_one(mask: int) -> Iterator[int]:
    """Yields the cards of a mask, the least valuable first."""
    while mask:
        bit = mask & -mask
        yield bit
        mask ^= bit


def _height_of(index: int) -> int:
    return index // _PLAIN_SUITS if index < FIRST_TRUMP else index - FIRST_TRUMP


def _beaters_of(index: int) -> int:
    """Returns the higher cards of the same suit, and on a plain card all trumps."""
    if index >= FIRST_TRUMP:
        return TRUMPS & -(2 << index)
    higher = (1 << other for other in range(index + _PLAIN_SUITS, FIRST_TRUMP, _PLAIN_SUITS))
    return sum(higher) | TRUMPS


def _rank_mask(rank: int) -> int:
    return (0b111 << rank * _PLAIN_SUITS) | (1 << FIRST_TRUMP + rank)


_HEIGHT = {1 << index: _height_of(index) for index in range(CARDS)}
BEATERS = {1 << index: _beaters_of(index) for index in range(CARDS)}  # for each card the cards that beat it
# For each card the cards of its rank, including itself.
SAME_RANK = {1 << index: _rank_mask(_height_of(index)) for index in range(CARDS)}


class CardBits:
    """Converts cards into bits and back, for one trump suit and one order of ranks."""

    def __init__(self, trump: Suit, order: RankOrder) -> None:
        lowest = Rank.TWO.strength(order)
        plain = [suit for suit in Suit if suit is not trump]
        self._bits: dict[Card, int] = {}

        for rank in Rank:
            level = rank.strength(order) - lowest
            for index, suit in enumerate(plain):
                self._bits[Card(suit, rank)] = 1 << level * _PLAIN_SUITS + index
            self._bits[Card(trump, rank)] = 1 << FIRST_TRUMP + level

        self._cards = {bit: card for card, bit in self._bits.items()}

    def bit(self, card: Card) -> int:
        """Returns the bit of a card."""
        return self._bits[card]

    def card(self, bit: int) -> Card:
        """Returns the card of a bit."""
        return self._cards[bit]

    def mask(self, cards: Iterable[Card] | CardSet) -> int:
        """Returns the bits of cards; equal cards of several decks become one."""
        mask = 0
        for card in cards:
            mask |= self._bits[card]
        return mask


def card_bits_of(view: SeatView) -> CardBits:
    """Returns the conversion for the game that a seat sees."""
    return CardBits(view.public.trump, view.public.rules.rank_order)


# --- moves as ints: the bits of the cards, and those of a card that they beat ----------------------------

PASS_OR_TAKE = 0  # a defender's take, and any other seat's done
_ATTACK = 52  # bits by which a defence shifts the card that it beats
_CARDS = (1 << _ATTACK) - 1


def beat(card: int, attack: int) -> int:
    """Returns the move that beats an attack card; the move that lays cards is just their bits."""
    return card | attack << _ATTACK


def show(trump: int) -> int:
    """Returns the move that hands an attack on by showing a trump, coded as the trump beating itself."""
    return beat(trump, trump)


def decoded(move: int) -> tuple[int, int]:
    """Returns the cards of a move and the attack card that it beats, 0 if it beats none."""
    return move & _CARDS, move >> _ATTACK


def groups(cards: int, least: int, most: int) -> Iterator[int]:
    """Yields every choice of `least` to `most` cards of one rank."""
    while cards:
        rank = cards & SAME_RANK[cards & -cards]
        cards ^= rank
        same = [*one_by_one(rank)]
        for size in range(least, min(len(same), most) + 1):
            yield from (sum(group) for group in combinations(same, size))


def by_code(moves: Sequence[Move], bits: CardBits) -> dict[int, Move]:
    """Returns the simulated ones of these moves by their codes, in the given order."""
    codes: dict[int, Move] = {}
    for move in moves:
        match move:
            case Attack(cards=cards) | Transfer(cards=cards):
                codes[bits.mask(cards)] = move
            case Defend(card, attack):
                codes[beat(bits.bit(card), bits.bit(attack))] = move
            case ShowTrump(card):
                codes[show(bits.bit(card))] = move
            case Take() | Done():
                codes[PASS_OR_TAKE] = move

    return codes


# --- the rules as far as they are simulated --------------------------------------------------------------

_NEED_DEFAULT = {name for name, each in DECLARATIONS.items() if each.search is Search.NEEDS_DEFAULT}
_NO_LIMIT = 99


def is_modelled(rules: Rules) -> bool:
    """Returns whether games by these rules can be simulated, except for what the search leaves out."""
    return rules.has_defaults(_NEED_DEFAULT)


class ModelledRules:
    """The rules in the form in which a simulated game needs them, for rules that are `is_modelled`."""

    def __init__(self, rules: Rules, seats: int) -> None:
        self.original = rules
        """The rules as the game has them."""
        self.hand_size = rules.hand_size
        self.limit = _NO_LIMIT if rules.attack_limit is None else rules.attack_limit
        self.first_limit = self.limit if rules.first_attack_limit is None else rules.first_attack_limit
        """The limit as long as nothing has been beaten off."""
        self.by_hand = rules.limit_by_defender_hand

        self.opening_groups = rules.opening_cards == "equal_rank"
        self.throw_in = rules.throw_in
        self.after_take = rules.throw_in_after_take != "none"

        self.transfer = rules.transfer
        self.transfer_by_hand = rules.transfer_limit_by_hand
        self.transfer_by_showing = rules.transfer_by_showing_trump
        self.transfer_groups = rules.transfer_cards == "many"
        self.transfer_step = 1 if rules.transfer_direction == "left" else -1

        self.draws_by_round = rules.draw == "one_each_table_round"
        self.leave_with_talon = rules.leave_with_talon
        self.defender_loses_all_empty = rules.simultaneous_empty == "defender_loses"
        self.places = scored_places(seats) if rules.game_end == "places_filled" else 0
        """How many seats have to be out for the game to end; 0 if it ends when only one side has cards."""
        self.partners = tuple(frozenset(rules.partners(seat, seats)) for seat in range(seats))
        """For each seat, the seats that lose together with it, including itself."""


# --- the game --------------------------------------------------------------------------------------------


@dataclass(init=False, eq=False, repr=False, slots=True)
class SimulatedGame:
    """A game with all cards known, as bits; `play` changes it, so look ahead on a `copy`."""

    rules: ModelledRules
    hands: list[int]
    talon: list[int]  # the card that is drawn first is at its end
    attacker: int
    defender: int
    in_game: list[int]  # the seats still in the game, in order

    table: int
    ranks: int  # every card whose rank is on the table
    unbeaten: int
    shown_trumps: int  # trumps that have been shown in this bout, and so cannot hand it on again

    attacks: int
    taking: bool
    declined: int
    mover: int
    limit: int
    moved: int  # by how many seats the attack has moved since all were allowed to draw
    round_start: int
    over: bool
    losers: frozenset[int]

    @staticmethod
    def begun(
        rules: ModelledRules, hands: Sequence[int], talon: Sequence[int], attacker: int, defender: int
    ) -> "SimulatedGame":
        """Returns a game with an empty table; the last card of `talon` is drawn first."""
        game = SimulatedGame()
        game.rules = rules
        game.hands = list(hands)
        game.talon = list(talon)
        game.attacker = attacker
        game.defender = defender
        game.in_game = [seat for seat, hand in enumerate(hands) if hand or talon]

        game.table = 0
        game.ranks = 0
        game.unbeaten = 0
        game.shown_trumps = 0

        game.attacks = 0
        game.taking = False
        game.declined = 0
        game.mover = attacker
        game.limit = rules.first_limit
        game.moved = 0
        game.round_start = attacker
        game.over = False
        game.losers = frozenset()

        return game

    def copy(self) -> "SimulatedGame":
        """Returns a game that can be played on without changing this one."""
        game = SimulatedGame()
        game.rules = self.rules
        game.hands = self.hands[:]
        game.talon = self.talon[:]
        game.attacker = self.attacker
        game.defender = self.defender
        game.in_game = self.in_game
        game.table = self.table
        game.ranks = self.ranks
        game.unbeaten = self.unbeaten
        game.shown_trumps = self.shown_trumps
        game.attacks = self.attacks
        game.taking = self.taking
        game.declined = self.declined
        game.mover = self.mover
        game.over = self.over
        game.losers = self.losers
        game.limit = self.limit
        game.moved = self.moved
        game.round_start = self.round_start

        return game

    def lay_out(self, table: int, unbeaten: int, attacks: int) -> None:
        """Lays the cards of a bout on the table, `attacks` of them by the attackers."""
        self.table = table
        self.unbeaten = unbeaten
        self.attacks = attacks
        self.ranks = 0
        for bit in one_by_one(table):
            self.ranks |= SAME_RANK[bit]

    def unseen_by(self, seat: int) -> int:
        """Returns every card in another hand or in the talon."""
        cards = sum(self.talon)
        for other in self.in_game:
            if other != seat:
                cards |= self.hands[other]
        return cards

    def is_safe(self, seat: int) -> bool:
        """Returns whether a seat and its partners are out."""
        return self.rules.partners[seat].isdisjoint(self.in_game)

    # --- the legal moves ----------------------------------------------------------------------------------

    def moves(self) -> list[int]:
        """Lists the moves of the seat whose turn it is, the least valuable cards first."""
        hand = self.hands[self.mover]
        if not self.table:
            first_attacks = [*one_by_one(hand)]
            return (
                [*first_attacks, *groups(hand, 2, self._room())]
                if self.rules.opening_groups
                else first_attacks
            )

        if self.mover != self.defender:
            return [*one_by_one(hand & self.ranks), PASS_OR_TAKE]

        moves = [
            beat(card, attack)
            for attack in one_by_one(self.unbeaten)
            for card in one_by_one(hand & BEATERS[attack])
        ]
        transfers = self.transfers()

        if self.rules.transfer_groups:
            moves += groups(transfers, 1, self._transfer_room())
        else:
            moves += one_by_one(transfers)

        if trump := self.showable():
            moves.append(show(trump))

        return [*moves, PASS_OR_TAKE]

    def transfers(self) -> int:
        """Returns the cards with which the defender may hand the attack on."""
        if not self.rules.transfer or self.unbeaten != self.table or self._transfer_room() <= 0:
            return 0
        return self.hands[self.defender] & self.ranks & ~self.shown_trumps

    def showable(self) -> int:
        """Returns the trump that the defender may show to hand the attack on, 0 if there is none."""
        if not self.rules.transfer_by_showing or self.unbeaten != self.table or self._transfer_room() < 0:
            return 0
        return self.hands[self.defender] & self.ranks & TRUMPS & ~self.shown_trumps

    def _transfer_room(self) -> int:
        room = self.limit - self.attacks
        if not self.rules.transfer_by_hand:
            return room
        target = self._next_to(self.defender, self.rules.transfer_step)
        return min(room, self.hands[target].bit_count() - self.attacks)

    def with_equal_ranks(self, card: int) -> int:
        """Returns a card and as many others of its rank as may be laid with it, without further trumps."""
        rules = self.rules
        if not (rules.transfer_groups if self.table else rules.opening_groups):
            return card

        cards = card
        room = (self._transfer_room() if self.table else self._room()) - 1
        for other in one_by_one(self.hands[self.mover] & SAME_RANK[card] & ~TRUMPS & ~card):
            if not room:
                break
            cards |= other
            room -= 1

        return cards

    # --- playing ------------------------------------------------------------------------------------------

    def play(self, move: int) -> None:
        """Plays a move of the seat whose turn it is."""
        seat = self.mover
        if move == PASS_OR_TAKE:
            if seat == self.defender:
                self.taking = True
            else:
                self.declined |= 1 << seat
        else:
            card, attack = decoded(move)
            self.declined = 0
            if card == attack:
                self.shown_trumps |= card
                self._hand_on()
            else:
                self._lay(card, attack)

        self._find_mover()

    def _lay(self, card: int, attack: int) -> None:
        seat = self.mover
        self.hands[seat] ^= card
        self.table |= card
        self.ranks |= SAME_RANK[card & -card]

        if attack:
            self.unbeaten ^= attack
        else:
            if not self.attacks:
                self._move_on(self.attacker, self.defender, 1)

            self.unbeaten |= card
            self.attacks += card.bit_count()
            if seat == self.defender:
                self._hand_on()

    def _hand_on(self) -> None:
        """Makes the defender the attacker, and the next seat in the direction of transfers the defender."""
        passer = self.defender
        step = self.rules.transfer_step
        self.attacker = passer
        self.defender = self._next_to(passer, step)
        self._move_on(passer, self.defender, step)

    def _find_mover(self) -> None:
        """Gives the turn to the defender or the first seat that may add a card, or else ends the bout."""
        if self.unbeaten and not self.taking:
            self.mover = self.defender
            return

        rules = self.rules
        may_follow = rules.after_take if self.taking else self.hands[self.defender]
        if may_follow and rules.throw_in != "none" and self._room() > 0:
            hands = self.hands
            ranks = self.ranks
            declined = self.declined
            for seat in self._throwers():
                if hands[seat] & ranks and not declined >> seat & 1:
                    self.mover = seat
                    return

        self._end_bout()

    def _room(self) -> int:
        """Returns how many more attack cards the limits allow."""
        room = self.limit - self.attacks
        if not self.rules.by_hand:
            return room
        return min(room, self.hands[self.defender].bit_count() - self.unbeaten.bit_count())

    def _throwers(self) -> list[int]:
        """Returns the seats that may attack, the attacker first, then from the defender's left."""
        in_game = self.in_game
        attacker = self.attacker
        throw_in = self.rules.throw_in
        if len(in_game) == 2 or throw_in == "attacker":  # then there is no other
            return [attacker]

        others = self._clockwise(self.defender)[1:]
        if throw_in == "neighbours":
            others = others[:1]

        partners = self.rules.partners[self.defender]
        return [attacker, *(seat for seat in others if seat != attacker and seat not in partners)]

    # --- the end of a bout --------------------------------------------------------------------------------

    def _end_bout(self) -> None:
        """Moves the cards, draws, takes players out, and assigns the next roles or ends the game."""
        rules = self.rules
        is_taken = self.taking
        loser = self.defender

        if is_taken:
            self.hands[loser] |= self.table
        else:
            self.limit = rules.limit

        if rules.leave_with_talon:
            self._let_leave()

        if self.talon and not rules.draws_by_round:
            self._refill()

        self.table = self.ranks = self.unbeaten = self.shown_trumps = self.attacks = self.declined = 0
        self.taking = False
        if not self.talon:
            self._let_leave()

        if self._is_decided():
            self._end_game(loser)
            return

        self.attacker = loser if not is_taken and loser in self.in_game else self._next_to(loser)
        self.defender = self._next_opponent(self.attacker)
        self.mover = self.attacker
        self._move_on(loser, self.attacker, 1)

        if rules.draws_by_round and self.moved >= len(self.hands):
            for seat in self._clockwise(self.round_start):
                if self.hands[seat].bit_count() < rules.hand_size:
                    self._draw(seat, 1)

            self.moved = 0
            self.round_start = self.attacker

    def _let_leave(self) -> None:
        self.in_game = [seat for seat in self.in_game if self.hands[seat]]

    def _refill(self) -> None:
        """Refills the hands: attacker, others clockwise, defender last."""
        order = self._clockwise(self.attacker)
        if self.defender in order:
            order.remove(self.defender)
            order.append(self.defender)

        for seat in order:
            self._draw(seat, self.rules.hand_size - self.hands[seat].bit_count())

    def _draw(self, seat: int, count: int) -> None:
        for _ in range(min(count, len(self.talon))):
            self.hands[seat] |= self.talon.pop()

    def _is_decided(self) -> bool:
        places = self.rules.places
        in_game = self.in_game
        if places:
            return len(self.hands) - len(in_game) >= places
        return not in_game or self.rules.partners[in_game[0]].issuperset(in_game)

    def _end_game(self, defender: int) -> None:
        rules = self.rules
        self.over = True
        if rules.places:
            self.losers = frozenset(self.in_game)
        elif self.in_game:
            self.losers = rules.partners[self.in_game[0]]
        elif rules.defender_loses_all_empty:
            self.losers = rules.partners[defender]

    # --- neighbours --------------------------------------------------------------------------------------

    def _clockwise(self, start: int) -> list[int]:
        """Returns the seats still in the game, from `start` on."""
        return [seat for seat in self.in_game if seat >= start] + [
            seat for seat in self.in_game if seat < start
        ]

    def _next_to(self, seat: int, step: int = 1) -> int:
        """Returns the next seat to the left that is still in the game, or with -1 to the right."""
        for other in self.in_game[::step]:
            if other * step > seat * step:
                return other
        return self.in_game[::step][0]

    def _next_opponent(self, seat: int) -> int:
        """Returns the next seat to the left that plays against this one."""
        partners = self.rules.partners[seat]
        other = self._next_to(seat)
        while other in partners:
            other = self._next_to(other)
        return other

    def _move_on(self, seat: int, to: int, step: int) -> None:
        """Counts the seats by which the attack moves from one seat to another; to the right with step -1."""
        self.moved += step * ((to - seat) * step % len(self.hands))
