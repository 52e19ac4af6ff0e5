"""`Position`: facts, and who may act (chapter 4): from public facts alone, as rule 12.1 says."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Generic, Self, TypeVar

from engine.rules.asides import bystanders
from engine.rules.facts import Facts
from engine.rules.moves import Move
from engine.rules.outcome import Seat
from engine.rules.seating import throw_order

Found = TypeVar("Found")

_PLACES = {name: place for place, name in enumerate(Facts._fields)}
_NOBODY: frozenset[Seat] = frozenset()


class _Once(Generic[Found]):
    """A property of a position that is found once: as positions do not change, nor do the answers.

    It is `functools.cached_property` without the lock that this takes in Python 3.11.
    """

    def __init__(self, find: Callable[[Any], Found]) -> None:
        self._find = find
        self._name = find.__name__
        self.__doc__ = find.__doc__

    def __get__(self, position: Any, _: type) -> Found:
        found = position.__dict__[self._name] = self._find(position)
        return found


once = _Once


class Position(Facts):
    """An immutable position of the game; `State` adds the methods that people use.

    A tuple, because games between programs make and drop hundreds of thousands of them. Beside its facts it
    has a dictionary for what has been found out about it (`once`), which is not handed on to later positions.
    """

    if not TYPE_CHECKING:  # pragma: no branch - mypy knows the inherited one, which takes twice as long

        def _replace(self, **changes: Any) -> Self:
            """Return the position with some of its facts changed."""
            facts = list(self)
            for name, value in changes.items():
                facts[_PLACES[name]] = value
            return tuple.__new__(type(self), facts)

    @once
    def unbeaten(self) -> int:
        """How many attack cards lie unbeaten."""
        return [pair.beat for pair in self.bout].count(None)

    @property
    def attack_limit(self) -> int | None:
        """The most attack cards that this bout may have; None: any number."""
        rules = self.rules
        if rules.first_attack_limit is None:
            return rules.attack_limit
        ended = self.beaten_off if rules.first_attack_limit_until == "first_discard" else self.bouts
        return rules.attack_limit if ended else rules.first_attack_limit

    @property
    def attack_cards_left(self) -> int | None:
        """How many more attack cards limit and defender's hand allow; None: any number."""
        limit = self.attack_limit
        room = None if limit is None else limit - len(self.bout)
        if self.rules.limit_by_defender_hand:
            answers = len(self.hands[self.defender]) - self.unbeaten
            room = answers if room is None else min(room, answers)
        return None if room is None else max(room, 0)

    @once
    def who_may_throw_in(self) -> tuple[Seat, ...]:
        """Who may still add, first claim first: those with cards who have not said "done"."""
        if not self.bout or not self._may_be_added_to or self.attack_cards_left == 0:
            return ()
        hands, declined = self.hands, self.declined
        return tuple([seat for seat in throw_order(self) if hands[seat] and seat not in declined])

    @property
    def _may_be_added_to(self) -> bool:
        """Whether rules and timing let anybody add a card."""
        rules, unbeaten = self.rules, self.unbeaten
        if rules.throw_in == "none":
            return False
        if self.taking:
            return rules.throw_in_after_take == "up_to_limit"
        if not unbeaten and not self.hands[self.defender]:
            return False
        if rules.throw_in_timing == "when_all_beaten":
            return unbeaten == 0
        return rules.throw_in_timing == "anytime" or unbeaten < len(self.bout)

    @property
    def is_bout_over(self) -> bool:
        """Whether nothing can come any more: all is beaten, or taken, and nobody may add."""
        return bool(self.bout) and (self.taking or self.unbeaten == 0) and not self.who_may_throw_in

    @once
    def awaited(self) -> frozenset[Seat]:
        """Whom the game waits for: not those who merely may lay away, exchange or add early."""
        if self.ended is not None:
            return _NOBODY
        if self.undecided:
            return self.undecided
        if not self.bout:
            return frozenset((self.attacker,))
        if self.unbeaten and not self.taking:
            return frozenset((self.defender,))
        adding = self.who_may_throw_in
        return frozenset(adding[:1] if self.rules.throw_in_order == "strict" else adding)

    @once
    def actors(self) -> frozenset[Seat]:
        """Who may act, by public facts alone; some of them may find that they hold nothing to act with.

        Those awaited, those who may add early, and the bystanders.
        """
        if self.ended is not None or self.undecided:
            return self.awaited
        acting = self.awaited.union(self.who_may_throw_in)
        return acting.union(bystanders(self)) if self.rules.knows_asides else acting

    @once
    def known_moves(self) -> dict[Seat, tuple[Move, ...]]:
        """Where legal.py keeps the moves of the seats that it was asked for."""
        return {}
