"""Devices of people that draw values for a shuffle, and some that do not."""

from dataclasses import dataclass, field
from itertools import count

from adapters.port import RoomRef, UserRef
from engine import commitment_to


@dataclass
class PeoplesDevices:
    """Implements `Devices`.

    Attributes:
        unreachable: People whose devices do not answer at all.
        silent: People whose devices commit, and reveal nothing.
        lying: People whose devices reveal another value.
        broken: Whether the chat itself fails when it is asked.
        drawn: All values that were drawn, by commitment.
        terms: For what each commitment was asked to be revealed.
    """

    unreachable: set[UserRef] = field(default_factory=set)
    silent: set[UserRef] = field(default_factory=set)
    lying: set[UserRef] = field(default_factory=set)
    broken: bool = False
    drawn: dict[str, str] = field(default_factory=dict)
    terms: dict[str, list[str]] = field(default_factory=dict)
    _numbers: "count[int]" = field(default_factory=lambda: count(1))

    async def commit(self, user: UserRef, room: RoomRef) -> str:  # one device each
        if self.broken:
            raise RuntimeError
        if user in self.unreachable:
            return ""
        value = f"{next(self._numbers):064x}"
        self.drawn[commitment_to(value)] = value
        return commitment_to(value)

    async def reveal(self, user: UserRef, room: RoomRef, commitment: str, terms: str) -> str:
        self.terms.setdefault(commitment, []).append(terms)
        if user in self.silent:
            return ""
        return "0" * 64 if user in self.lying else self.drawn[commitment]
