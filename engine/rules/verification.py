"""Whether a record holds: the seal, the deal, every move, the end."""

from dataclasses import dataclass
from enum import Enum, auto

from engine.rules.deal import SHORT_SEAL_DIGITS, seed_hash
from engine.rules.outcome import Outcome
from engine.rules.record import Record, Stop


class SealCheck(Enum):
    """Whether the seed is the one that was promised.

    SHORT: the first half of its hash fits, which is all that records of earlier versions hold.
    """

    WHOLE = auto()
    SHORT = auto()
    MISSING = auto()
    BROKEN = auto()


@dataclass(frozen=True, slots=True)
class Verification:
    """What the check of a record found.

    Attributes:
        seal: Whether the seed is the sealed one.
        legal: How many actions are legal, counted from the first.
        problem: Why the game cannot have been dealt, or gone on, so; empty if it can.
        is_dealt: Whether these rules could be dealt at all.
        outcome: How the game ended; None if it did not.
        stopped: Who stopped it, if it was stopped before its end.
    """

    seal: SealCheck
    legal: int = 0
    problem: str = ""
    is_dealt: bool = True
    outcome: Outcome | None = None
    stopped: Stop | None = None

    @property
    def is_sealed(self) -> bool:
        """Whether the seed is the one that was promised, as far as the record says."""
        return self.seal in {SealCheck.WHOLE, SealCheck.SHORT}

    @property
    def is_played(self) -> bool:
        """Whether the game can have been played so, until it ended or was stopped."""
        return not self.problem and (self.outcome is None) is (self.stopped is not None)

    @property
    def holds(self) -> bool:
        """Whether nothing speaks against the record."""
        return self.is_sealed and self.is_played


def verify(record: Record) -> Verification:
    """Check the seal, deal again, and play again; what the record says of itself is not believed."""
    seal, legal = _seal(record), 0
    try:
        state = record.opening.deal()
    except ValueError as error:
        return Verification(seal, problem=str(error), is_dealt=False)
    try:
        for step in record.steps():
            state, legal = step.state, legal + 1
    except ValueError as error:
        return Verification(seal, legal, str(error))
    return Verification(seal, legal, outcome=state.outcome(), stopped=record.stopped)


def _seal(record: Record) -> SealCheck:
    if not record.seal:
        return SealCheck.MISSING
    digest = seed_hash(record.opening.seed)
    if record.seal == digest:
        return SealCheck.WHOLE
    return SealCheck.SHORT if record.seal == digest[:SHORT_SEAL_DIGITS] else SealCheck.BROKEN
