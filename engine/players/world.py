"""A lean model of the whole game in which every card has a place: what house players look ahead in.

It plays the same game as `engine.rules` for the rule sets that `fits` names, but asks the awaited only:
nobody adds a card before he is waited for, and who holds nothing to add is not asked.
"""

from collections.abc import Sequence

from engine.players.masks import BEATERS, SAME_RANK, one_by_one
from engine.rules.settings import Rules

GIVE_IN = 0
"""The move of a defender who takes, and of anybody else who is done."""
_ATTACK = 52  # a defence is the card, and the card it beats shifted by so many bits
_CARD = (1 << _ATTACK) - 1
_NO_LIMIT = 99
NOBODY = -1

_MODELLED = {
    "decks": 1,
    "redeal_same_suit": 0,
    "lay_away_four": False,
    "trump_six_exchange": False,
    "opening_cards": "one",
    "first_attack_limit": None,
    "voluntary_take": True,
    "transfer_cards": "one",
    "transfer_direction": "left",
    "transfer_by_showing_trump": False,
    "transfer_in_first_bout": True,
    "draw": "refill",
    "leave_with_talon": False,
    "game_end": "last_with_cards",
    "teams": "off",
}


def fits(rules: Rules) -> bool:
    """Says whether worlds play the game of these rules."""
    return all(getattr(rules, name) == value for name, value in _MODELLED.items())


def beat(card: int, attack: int) -> int:
    """Gives the move that beats an attack card; `card` alone is the move that lays it."""
    return card | attack << _ATTACK


def parts(move: int) -> tuple[int, int]:
    """Gives the card of a move and the attack card that it beats, 0 if it beats none."""
    return move & _CARD, move >> _ATTACK


class Customs:
    """What a world has to know of the rules, in the form in which it is quickest to ask."""

    def __init__(self, rules: Rules) -> None:
        self.hand_size = rules.hand_size
        self.limit = _NO_LIMIT if rules.attack_limit is None else rules.attack_limit
        self.by_hand = rules.limit_by_defender_hand
        self.throw_in = rules.throw_in
        self.after_take = rules.throw_in_after_take != "none"
        self.transfer = rules.transfer
        self.transfer_by_hand = rules.transfer_limit_by_hand
        self.defender_loses_all_empty = rules.simultaneous_empty == "defender_loses"


class World:
    """One way in which all the cards may lie; `play` changes it, so look ahead in a `copy`."""

    __slots__ = (
        "attacker",
        "attacks",
        "customs",
        "declined",
        "defender",
        "fool",
        "hands",
        "left",
        "mover",
        "over",
        "ranks",
        "table",
        "taking",
        "talon",
        "unbeaten",
    )

    def __init__(
        self, customs: Customs, hands: Sequence[int], talon: Sequence[int], attacker: int, defender: int
    ) -> None:
        """Begins with an empty table; `talon` holds the card that is drawn first at its end."""
        self.customs = customs
        self.hands = list(hands)
        self.talon = list(talon)
        self.attacker = attacker
        self.defender = defender
        self.left = [seat for seat, hand in enumerate(hands) if hand or talon]
        """The seats still in the game, in order."""
        self.table = 0
        self.ranks = 0
        """Every card whose rank lies on the table."""
        self.unbeaten = 0
        self.attacks = 0
        self.taking = False
        self.declined = 0
        self.mover = attacker
        self.over = False
        self.fool = NOBODY

    def lay_out(self, table: int, unbeaten: int, attacks: int) -> None:
        """Lays the cards of a bout on the table, `attacks` of them by those who attack."""
        self.table, self.unbeaten, self.attacks = table, unbeaten, attacks
        self.ranks = 0
        for bit in one_by_one(table):
            self.ranks |= SAME_RANK[bit]

    def copy(self) -> "World":
        """Gives a world that can be played on without changing this one."""
        made = World.__new__(World)
        made.customs = self.customs
        made.hands = self.hands[:]
        made.talon = self.talon[:]
        made.attacker = self.attacker
        made.defender = self.defender
        made.left = self.left
        made.table = self.table
        made.ranks = self.ranks
        made.unbeaten = self.unbeaten
        made.attacks = self.attacks
        made.taking = self.taking
        made.declined = self.declined
        made.mover = self.mover
        made.over = self.over
        made.fool = self.fool
        return made

    # --- what may be played -------------------------------------------------------------------------------

    def moves(self) -> list[int]:
        """Lists the moves of the seat whose turn it is, the least valuable cards first."""
        hand = self.hands[self.mover]
        if not self.table:
            return list(one_by_one(hand))
        if self.mover != self.defender:
            return [*one_by_one(hand & self.ranks), GIVE_IN]
        moves = [
            beat(card, attack)
            for attack in one_by_one(self.unbeaten)
            for card in one_by_one(hand & BEATERS[attack])
        ]
        return [*moves, *one_by_one(self.transfers()), GIVE_IN]

    def transfers(self) -> int:
        """Gives the cards with which the defender may hand the attack on."""
        customs = self.customs
        if not customs.transfer or self.unbeaten != self.table or self.attacks >= customs.limit:
            return 0
        if customs.transfer_by_hand and self.hands[self._next_to(self.defender)].bit_count() <= self.attacks:
            return 0
        return self.hands[self.defender] & self.ranks

    # --- playing ------------------------------------------------------------------------------------------

    def play(self, move: int) -> None:
        """Plays a move of the seat whose turn it is."""
        seat = self.mover
        if move == GIVE_IN:
            if seat == self.defender:
                self.taking = True
            else:
                self.declined |= 1 << seat
        else:
            card, attack = move & _CARD, move >> _ATTACK
            self.hands[seat] ^= card
            self.table |= card
            self.ranks |= SAME_RANK[card]
            self.declined = 0
            if attack:
                self.unbeaten ^= attack
            else:
                self.unbeaten |= card
                self.attacks += 1
                if seat == self.defender:
                    self.attacker, self.defender = seat, self._next_to(seat)
        self.find_mover()

    def find_mover(self) -> None:
        """Gives the turn to the defender or to the first who may add a card; without any the bout ends."""
        if self.unbeaten and not self.taking:
            self.mover = self.defender
            return
        if self._room() > 0:
            hands, ranks, declined = self.hands, self.ranks, self.declined
            for seat in self._throwers():
                if hands[seat] & ranks and not declined >> seat & 1:
                    self.mover = seat
                    return
        self._end_bout()

    def _room(self) -> int:
        """How many cards may still be added, 0 if the rules let nobody add now."""
        customs = self.customs
        if customs.throw_in == "none" or (self.taking and not customs.after_take):
            return 0
        cards = self.hands[self.defender].bit_count()
        if not self.taking and not cards:
            return 0
        room = customs.limit - self.attacks
        return min(room, cards - self.unbeaten.bit_count()) if customs.by_hand else room

    def _throwers(self) -> list[int]:
        """Who may attack, the attacker first, then from the defender's left."""
        left, attacker, throw_in = self.left, self.attacker, self.customs.throw_in
        if len(left) == 2 or throw_in == "attacker":  # noqa: PLR2004 - then there is nobody else
            return [attacker]
        begin = left.index(self.defender) + 1
        others = [*left[begin:], *left[: begin - 1]]
        if throw_in == "neighbours":
            others = others[:1]
        return [attacker, *(seat for seat in others if seat != attacker)]

    def _next_to(self, seat: int) -> int:
        """The next seat to the left that is still in the game."""
        for other in self.left:
            if other > seat:
                return other
        return self.left[0]

    # --- the end of a bout --------------------------------------------------------------------------------

    def _end_bout(self) -> None:
        taken, loser = self.taking, self.defender
        if taken:
            self.hands[loser] |= self.table
        if self.talon:
            self._draw()
        self.table = self.ranks = self.unbeaten = self.attacks = self.declined = 0
        self.taking = False
        if not self.talon:
            self.left = [seat for seat in self.left if self.hands[seat]]
            if len(self.left) < 2:  # noqa: PLR2004 - one alone is the fool
                self._end_game(loser)
                return
        self.attacker = loser if not taken and self.hands[loser] else self._next_to(loser)
        self.defender = self._next_to(self.attacker)
        self.mover = self.attacker

    def _draw(self) -> None:
        """Refills the hands: attacker, others clockwise, defender last."""
        hands, talon, size = self.hands, self.talon, self.customs.hand_size
        begin = self.left.index(self.attacker)
        order = [*self.left[begin:], *self.left[:begin]]
        order.remove(self.defender)
        for seat in (*order, self.defender):
            for _ in range(size - hands[seat].bit_count()):
                if not talon:
                    return
                hands[seat] |= talon.pop()

    def _end_game(self, defender: int) -> None:
        self.over = True
        if self.left:
            self.fool = self.left[0]
        elif self.customs.defender_loses_all_empty:
            self.fool = defender
