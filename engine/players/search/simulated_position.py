"""A lean position in which every card has a place, and who sits where in it."""

from collections.abc import Sequence

from engine.players.search.bitboards import SAME_RANK, one_by_one
from engine.players.search.modelled_rules import ModelledRules


class SimulatedPosition:
    """One way in which all the cards may lie, as bitboards; changed in place."""

    __slots__ = (
        "attacker",
        "attacks",
        "declined",
        "defender",
        "hands",
        "in_game",
        "limit",
        "losers",
        "moved",
        "mover",
        "over",
        "ranks",
        "round_start",
        "rules",
        "shown_trumps",
        "table",
        "taking",
        "talon",
        "unbeaten",
    )

    def __init__(
        self, rules: ModelledRules, hands: Sequence[int], talon: Sequence[int], attacker: int, defender: int
    ) -> None:
        """Begin with an empty table; `talon` holds the card that is drawn first at its end."""
        self.rules = rules
        self.hands = list(hands)
        self.talon = list(talon)
        self.attacker = attacker
        self.defender = defender
        self.in_game = [seat for seat, hand in enumerate(hands) if hand or talon]
        """The seats still in the game, in order."""
        self.table = 0
        self.ranks = 0
        """Every card whose rank lies on the table."""
        self.unbeaten = 0
        self.shown_trumps = 0
        """Trumps that have been shown in this bout, and so cannot hand it on again."""
        self.attacks = 0
        self.taking = False
        self.declined = 0
        self.mover = attacker
        self.limit = rules.first_limit
        self.moved = 0
        """By how many seats the attack has gone round since everybody was allowed to draw."""
        self.round_start = attacker
        self.over = False
        self.losers: frozenset[int] = frozenset()

    def lay_out(self, table: int, unbeaten: int, attacks: int) -> None:
        """Lay the cards of a bout on the table, `attacks` of them by those who attack."""
        self.table, self.unbeaten, self.attacks = table, unbeaten, attacks
        self.ranks = 0
        for bit in one_by_one(table):
            self.ranks |= SAME_RANK[bit]

    def unseen_by(self, seat: int) -> int:
        """Return every card in another hand or in the talon."""
        cards = sum(self.talon)
        for other in self.in_game:
            if other != seat:
                cards |= self.hands[other]
        return cards

    def is_safe(self, seat: int) -> bool:
        """Return whether a seat and its partners are out."""
        return self.rules.partners[seat].isdisjoint(self.in_game)

    def clockwise(self, start: int) -> list[int]:
        """Return the seats still in the game, from `start` on."""
        return [seat for seat in self.in_game if seat >= start] + [
            seat for seat in self.in_game if seat < start
        ]

    def next_to(self, seat: int, step: int = 1) -> int:
        """Return the next seat to the left that is still in the game, or with -1 to the right."""
        for other in self.in_game[::step]:
            if other * step > seat * step:
                return other
        return self.in_game[::step][0]

    def next_opponent(self, seat: int) -> int:
        """Return the next seat to the left that plays against this one."""
        partners = self.rules.partners[seat]
        other = self.next_to(seat)
        while other in partners:
            other = self.next_to(other)
        return other

    def move_on(self, seat: int, to: int, step: int) -> None:
        """Count the seats by which the attack moves from one seat to another, to the right with -1."""
        self.moved += step * ((to - seat) * step % len(self.hands))
