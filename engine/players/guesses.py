"""Guesses at the cards that a seat cannot see, each of them possible."""

from random import Random

from engine.players.masks import Masks
from engine.players.memory import Memory
from engine.players.world import Customs, World
from engine.rules.bout import cards_of, unbeaten_cards
from engine.rules.cards import Card
from engine.rules.views import SeatView


class Guesses:
    """Every way in which the cards may lie, for somebody who sees this view and has this memory."""

    def __init__(self, view: SeatView, memory: Memory, masks: Masks) -> None:
        """Finds out what is certain.

        Raises:
            ValueError: View and memory contradict each other.
        """
        self._masks = masks
        public = view.public
        held = [memory.held_by(seat) for seat in range(public.seats)]
        held[view.seat] = view.hand
        self._missing = [
            (seat, count - len(cards))
            for seat, (count, cards) in enumerate(zip(public.hand_counts, held, strict=True))
        ]
        lying = [public.turn_up] if public.talon and public.rules.turn_up == "talon_bottom" else []
        self._lying = [masks.bit(card) for card in lying if card is not None]
        self._drawn = public.talon - len(self._lying)
        placed: set[Card | None] = {card for cards in held for card in cards}
        placed.update(lying)
        self._pool = [masks.bit(card) for card in memory.unseen(view) if card not in placed]
        needed = [missing for _, missing in self._missing]
        if min(needed) < 0 or sum(needed) + self._drawn > len(self._pool):
            raise ValueError("view and memory contradict each other")
        self._world = self._laid_out(view, [masks.mask(cards) for cards in held])

    @property
    def is_certain(self) -> bool:
        """Whether there is one guess only."""
        missing = [count for _, count in self._missing if count]
        return not self._drawn and (not missing or missing == [len(self._pool)])

    def draw(self, chance: Random) -> World:
        """Gives a guess, every one as likely as any other."""
        world = self._world.copy()
        cards = self._pool[:]
        chance.shuffle(cards)
        for seat, missing in self._missing:
            for _ in range(missing):
                world.hands[seat] |= cards.pop()
        world.talon = [*self._lying, *cards[: self._drawn]]
        return world

    def _laid_out(self, view: SeatView, hands: list[int]) -> World:
        """The position as far as it is certain, with the turn at the seat that looks."""
        public, masks = view.public, self._masks
        world = World(Customs(public.rules), hands, (), public.attacker, public.defender)
        world.left = [seat for seat in range(public.seats) if seat not in public.out]
        table = masks.mask(cards_of(public.bout))
        world.lay_out(table, masks.mask(unbeaten_cards(public.bout)), len(public.bout))
        world.taking = public.taking
        world.declined = sum(1 << seat for seat in public.declined)
        world.mover = view.seat
        return world
