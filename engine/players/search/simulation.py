"""A lean model of the whole game, quick enough to be played on thousands of times for one move.

It plays the same game as `engine.rules` where `modelled_rules` says so, but asks the awaited only: nobody
adds a card before he is waited for, and who holds nothing to add is not asked.
"""

from engine.players.search.bitboards import BEATERS, SAME_RANK, TRUMPS, one_by_one
from engine.players.search.bout_end import end_bout
from engine.players.search.move_codes import PASS_OR_TAKE, beat, decoded, groups, show
from engine.players.search.simulated_position import SimulatedPosition


class SimulatedGame(SimulatedPosition):
    """A position that can be played on; `play` changes it, so look ahead in a `copy`."""

    __slots__ = ()

    def copy(self) -> "SimulatedGame":
        """Return a game that can be played on without changing this one."""
        made = SimulatedGame.__new__(SimulatedGame)
        made.rules = self.rules
        made.hands = self.hands[:]
        made.talon = self.talon[:]
        made.attacker = self.attacker
        made.defender = self.defender
        made.in_game = self.in_game
        made.table = self.table
        made.ranks = self.ranks
        made.unbeaten = self.unbeaten
        made.shown_trumps = self.shown_trumps
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
        """List the moves of the seat whose turn it is, the least valuable cards first."""
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
        if shown := self.showable():
            moves.append(show(shown))
        return [*moves, PASS_OR_TAKE]

    def transfers(self) -> int:
        """Return the cards with which the defender may hand the attack on."""
        if not self.rules.transfer or self.unbeaten != self.table or self._transfer_room() <= 0:
            return 0
        return self.hands[self.defender] & self.ranks & ~self.shown_trumps

    def showable(self) -> int:
        """Return the trump that the defender may show to hand the attack on, 0 if there is none."""
        if not self.rules.transfer_by_showing or self.unbeaten != self.table or self._transfer_room() < 0:
            return 0
        return self.hands[self.defender] & self.ranks & TRUMPS & ~self.shown_trumps

    def _transfer_room(self) -> int:
        room = self.limit - self.attacks
        if not self.rules.transfer_by_hand:
            return room
        target = self.next_to(self.defender, self.rules.transfer_step)
        return min(room, self.hands[target].bit_count() - self.attacks)

    def with_equal_ranks(self, card: int) -> int:
        """Return a card with the others of its rank that may be laid together with it, but no more trumps."""
        rules = self.rules
        if not (rules.transfer_groups if self.table else rules.opening_groups):
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
        """Play a move of the seat whose turn it is."""
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
        """Make the defender the attacker of the next one in the direction of transfers."""
        passer, step = self.defender, self.rules.transfer_step
        self.attacker, self.defender = passer, self.next_to(passer, step)
        self.move_on(passer, self.defender, step)

    def find_mover(self) -> None:
        """Give the turn to the defender or to the first who may add a card; without any the bout ends."""
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
        """Return whether the rules let somebody add a card to those on the table."""
        rules = self.rules
        if rules.throw_in == "none" or (self.taking and not rules.after_take):
            return False
        return self.taking or bool(self.hands[self.defender])

    def _room(self) -> int:
        """Return how many cards the limits let be laid."""
        room = self.limit - self.attacks
        if not self.rules.by_hand:
            return room
        return min(room, self.hands[self.defender].bit_count() - self.unbeaten.bit_count())

    def _throwers(self) -> list[int]:
        """Return who may attack, the attacker first, then from the defender's left."""
        in_game, attacker, throw_in = self.in_game, self.attacker, self.rules.throw_in
        if len(in_game) == 2 or throw_in == "attacker":  # then there is nobody else
            return [attacker]
        others = self.clockwise(self.defender)[1:]
        if throw_in == "neighbours":
            others = others[:1]
        partners = self.rules.partners[self.defender]
        return [attacker, *(seat for seat in others if seat != attacker and seat not in partners)]
