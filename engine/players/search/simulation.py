"""A lean model of the whole game in which every card has a place: what house players look ahead in.

It plays the same game as `engine.rules` for the rule sets that `customs.fits` names, but asks the
awaited only: nobody adds a card before he is waited for, and who holds nothing to add is not asked.
"""

from collections.abc import Sequence

from engine.players.search.bitboards import BEATERS, SAME_RANK, TRUMPS, one_by_one
from engine.players.search.bout_end import end_bout
from engine.players.search.modelled_rules import Customs
from engine.players.search.move_codes import GIVE_IN, beat, groups, parts, show


class World:
    """One way in which all the cards may lie; `play` changes it, so look ahead in a `copy`."""

    __slots__ = (
        "attacker",
        "attacks",
        "customs",
        "declined",
        "defender",
        "hands",
        "left",
        "limit",
        "losers",
        "moved",
        "mover",
        "over",
        "ranks",
        "round_start",
        "table",
        "taking",
        "talon",
        "travelled",
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
        self.travelled = 0
        """Trumps that have been shown in this bout, and so cannot hand it on again."""
        self.attacks = 0
        self.taking = False
        self.declined = 0
        self.mover = attacker
        self.limit = customs.first_limit
        self.moved = 0
        """By how many seats the attack has gone round since everybody was allowed to draw."""
        self.round_start = attacker
        self.over = False
        self.losers: frozenset[int] = frozenset()

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
        made.travelled = self.travelled
        made.attacks = self.attacks
        made.taking = self.taking
        made.declined = self.declined
        made.mover = self.mover
        made.over = self.over
        made.losers = self.losers
        made.limit = self.limit
        made.moved = self.moved
        made.round_start = self.round_start
        return made

    # --- what may be played -------------------------------------------------------------------------------

    def moves(self) -> list[int]:
        """Lists the moves of the seat whose turn it is, the least valuable cards first."""
        hand = self.hands[self.mover]
        if not self.table:
            openings = [*one_by_one(hand)]
            return [*openings, *groups(hand, 2, self._room())] if self.customs.opening_groups else openings
        if self.mover != self.defender:
            return [*one_by_one(hand & self.ranks), GIVE_IN]
        moves = [
            beat(card, attack)
            for attack in one_by_one(self.unbeaten)
            for card in one_by_one(hand & BEATERS[attack])
        ]
        transfers = self.transfers()
        if self.customs.transfer_groups:
            moves += groups(transfers, 1, self._transfer_room())
        else:
            moves += one_by_one(transfers)
        if shown := self.showable():
            moves.append(show(shown))
        return [*moves, GIVE_IN]

    def transfers(self) -> int:
        """Gives the cards with which the defender may hand the attack on."""
        if not self.customs.transfer or self.unbeaten != self.table or self._transfer_room() <= 0:
            return 0
        return self.hands[self.defender] & self.ranks & ~self.travelled

    def showable(self) -> int:
        """Gives the trump that the defender may show to hand the attack on, 0 if there is none."""
        if not self.customs.transfer_by_showing or self.unbeaten != self.table or self._transfer_room() < 0:
            return 0
        return self.hands[self.defender] & self.ranks & TRUMPS & ~self.travelled

    def _transfer_room(self) -> int:
        room = self.limit - self.attacks
        if not self.customs.transfer_by_hand:
            return room
        target = self.next_to(self.defender, self.customs.transfer_step)
        return min(room, self.hands[target].bit_count() - self.attacks)

    def most_like(self, card: int) -> int:
        """Gives a card that may be laid together with all others of its rank that may, but no more trumps."""
        customs = self.customs
        if not (customs.transfer_groups if self.table else customs.opening_groups):
            return card
        cards, room = card, (self._transfer_room() if self.table else self._room()) - 1
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
        if move == GIVE_IN:
            if seat == self.defender:
                self.taking = True
            else:
                self.declined |= 1 << seat
        else:
            card, attack = parts(move)
            self.declined = 0
            if card == attack:
                self.travelled |= card
                self._hand_on()
            else:
                self._lay(card, attack)
        self.find_mover()

    def _lay(self, card: int, attack: int) -> None:
        seat = self.mover
        self.hands[seat] ^= card
        self.table |= card
        self.ranks |= SAME_RANK[card & -card]
        if attack:
            self.unbeaten ^= attack
        else:
            if not self.attacks:
                self.move_on(self.attacker, self.defender, 1)
            self.unbeaten |= card
            self.attacks += card.bit_count()
            if seat == self.defender:
                self._hand_on()

    def _hand_on(self) -> None:
        """Makes the defender the attacker of the next one in the direction of transfers."""
        passer, step = self.defender, self.customs.transfer_step
        self.attacker, self.defender = passer, self.next_to(passer, step)
        self.move_on(passer, self.defender, step)

    def find_mover(self) -> None:
        """Gives the turn to the defender or to the first who may add a card; without any the bout ends."""
        if self.unbeaten and not self.taking:
            self.mover = self.defender
            return
        if self._may_be_added_to() and self._room() > 0:
            hands, ranks, declined = self.hands, self.ranks, self.declined
            for seat in self._throwers():
                if hands[seat] & ranks and not declined >> seat & 1:
                    self.mover = seat
                    return
        end_bout(self)

    def _may_be_added_to(self) -> bool:
        """Whether the rules let somebody add a card to those on the table."""
        customs = self.customs
        if customs.throw_in == "none" or (self.taking and not customs.after_take):
            return False
        return self.taking or bool(self.hands[self.defender])

    def _room(self) -> int:
        """How many cards the limits let be laid."""
        room = self.limit - self.attacks
        if not self.customs.by_hand:
            return room
        return min(room, self.hands[self.defender].bit_count() - self.unbeaten.bit_count())

    def _throwers(self) -> list[int]:
        """Who may attack, the attacker first, then from the defender's left."""
        left, attacker, throw_in = self.left, self.attacker, self.customs.throw_in
        if len(left) == 2 or throw_in == "attacker":  # noqa: PLR2004 - then there is nobody else
            return [attacker]
        others = self.clockwise(self.defender)[1:]
        if throw_in == "neighbours":
            others = others[:1]
        partners = self.customs.partners[self.defender]
        return [attacker, *(seat for seat in others if seat != attacker and seat not in partners)]

    def unseen_by(self, seat: int) -> int:
        """Gives every card in another hand or in the talon."""
        cards = sum(self.talon)
        for other in self.left:
            if other != seat:
                cards |= self.hands[other]
        return cards

    # --- who sits where -----------------------------------------------------------------------------------

    def is_safe(self, seat: int) -> bool:
        """Says whether a seat and its partners are out."""
        return self.customs.partners[seat].isdisjoint(self.left)

    def clockwise(self, start: int) -> list[int]:
        """Gives the seats still in the game, from `start` on."""
        return [seat for seat in self.left if seat >= start] + [seat for seat in self.left if seat < start]

    def next_to(self, seat: int, step: int = 1) -> int:
        """Gives the next seat to the left that is still in the game, or with -1 to the right."""
        for other in self.left[::step]:
            if other * step > seat * step:
                return other
        return self.left[::step][0]

    def next_opponent(self, seat: int) -> int:
        """Gives the next seat to the left that plays against this one."""
        partners = self.customs.partners[seat]
        other = self.next_to(seat)
        while other in partners:
            other = self.next_to(other)
        return other

    def move_on(self, seat: int, to: int, step: int) -> None:
        """Counts the seats by which the attack moves from one seat to another, to the right with -1."""
        self.moved += step * ((to - seat) * step % len(self.hands))
