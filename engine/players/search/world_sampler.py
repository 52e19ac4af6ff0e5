"""Guesses at the cards that a seat cannot see: each is a world in which everything the seat knows is true."""

from random import Random

from engine.players.memory import Memory
from engine.players.search.bitboards import BEATERS, CardBits, one_by_one
from engine.players.search.modelled_rules import ModelledRules
from engine.players.search.simulation import SimulatedGame
from engine.rules.bout import cards_of, unbeaten_cards
from engine.rules.cards import Card
from engine.rules.views import SeatView

_TRUST = 0.8  # how often somebody who takes could not have beaten the card


class WorldSampler:
    """Every way in which the cards may lie, for somebody who sees this view and has this memory."""

    def __init__(self, view: SeatView, memory: Memory, bits: CardBits) -> None:
        """Find out what is certain.

        Raises:
            ValueError: View and memory contradict each other.
        """
        self._bits = bits
        public = view.public
        held = [memory.held_by(seat) for seat in range(public.seats)]
        held[view.seat] = view.hand
        self._missing = [
            (seat, count - len(cards))
            for seat, (count, cards) in enumerate(zip(public.hand_counts, held, strict=True))
        ]
        lying = [public.turn_up] if public.talon and public.rules.turn_up == "talon_bottom" else []
        self._lying = [bits.bit(card) for card in lying if card is not None]
        self._drawn = public.talon - len(self._lying)
        placed: set[Card | None] = {card for cards in held for card in cards}
        placed.update(lying)
        self._pool = [bits.bit(card) for card in memory.unseen(view) if card not in placed]
        needed = [missing for _, missing in self._missing]
        if min(needed) < 0 or sum(needed) + self._drawn > len(self._pool):
            raise ValueError("view and memory contradict each other")
        self._unlikely = [_beaters(bits.mask(memory.given_up_by(seat))) for seat in range(public.seats)]
        self._game = self._laid_out(view, [bits.mask(cards) for cards in held])

    @property
    def is_certain(self) -> bool:
        """Whether there is one guess only."""
        missing = [count for _, count in self._missing if count]
        return not self._drawn and (not missing or missing == [len(self._pool)])

    def sample(self, rng: Random) -> SimulatedGame:
        """Return a guess: all are equally likely, but mostly who took a card is given nothing to beat it."""
        game = self._game.copy()
        cards = self._pool[:]
        rng.shuffle(cards)
        is_trusting = rng.random() < _TRUST
        for seat, missing in self._missing:
            unlikely = self._unlikely[seat] if is_trusting else 0
            if unlikely and missing:
                cards.sort(
                    key=unlikely.__and__, reverse=True
                )  # the likely ones come to the end, still shuffled
            for _ in range(missing):
                game.hands[seat] |= cards.pop()
            if unlikely and missing:
                rng.shuffle(cards)
        game.talon = [*self._lying, *cards[: self._drawn]]
        return game

    def _laid_out(self, view: SeatView, hands: list[int]) -> SimulatedGame:
        """Return the position as far as it is certain, with the turn at the seat that looks."""
        public, bits = view.public, self._bits
        game = SimulatedGame(
            ModelledRules(public.rules, public.seats), hands, (), public.attacker, public.defender
        )
        game.in_game = [seat for seat in range(public.seats) if seat not in public.out]
        table = bits.mask(cards_of(public.bout))
        game.lay_out(table, bits.mask(unbeaten_cards(public.bout)), len(public.bout))
        game.taking = public.taking
        game.shown_trumps = bits.mask(card for _, card in public.shown_trumps)
        if public.discard:
            game.limit = game.rules.limit
        game.declined = sum(1 << seat for seat in public.declined)
        game.round_start, game.moved = public.round_start, public.moved
        game.mover = view.seat
        return game


def _beaters(cards: int) -> int:
    """Return every card that beats one of these."""
    found = 0
    for bit in one_by_one(cards):
        found |= BEATERS[bit]
    return found
