"""What the players' own devices give to a shuffle: first the hash of a value, later the value.

Whoever gives a value has committed to it before any value was known, so nobody can fit theirs to the others'.
"""

import re
from dataclasses import dataclass
from hashlib import sha256

from engine.rules.errors import InvalidTextError

_HASH = re.compile("[0-9a-f]{64}")
_NOTHING, _HOUSE = "-", "house"


@dataclass(frozen=True, slots=True)
class Contribution:
    """What one seat gave: `commitment` is the SHA-256 of `value`, both 64 hexadecimal digits.

    Without a value the seat committed and did not reveal; without either it gave nothing. A house player
    is not asked.
    """

    commitment: str = ""
    value: str = ""
    is_house: bool = False

    @property
    def is_revealed(self) -> bool:
        """Whether the value is known."""
        return bool(self.value)

    @property
    def is_withheld(self) -> bool:
        """Whether the seat committed and did not reveal."""
        return bool(self.commitment) and not self.value

    @property
    def is_missing(self) -> bool:
        """Whether a person gave nothing at all."""
        return not self.commitment and not self.is_house

    @property
    def is_true(self) -> bool:
        """Whether the value, if there is one, is the one that was committed to."""
        return not self.value or commitment_to(self.value) == self.commitment

    def __str__(self) -> str:
        if self.value:
            return f"{self.commitment}:{self.value}"
        return self.commitment or (_HOUSE if self.is_house else _NOTHING)

    @staticmethod
    def from_text(text: str) -> "Contribution":
        """Read what `str` wrote; raise InvalidTextError."""
        if text in (_NOTHING, _HOUSE):
            return Contribution(is_house=text == _HOUSE)
        commitment, sign, value = text.partition(":")
        if not is_hash(commitment) or (sign and not is_hash(value)):
            raise InvalidTextError(
                f"{text!r} is no contribution: a hash of 64 digits, then : and the value if it was revealed"
            )
        return Contribution(commitment, value)


def commitment_to(value: str) -> str:
    """Return the SHA-256 of a value's digits, as it is given before the value."""
    return sha256(value.encode()).hexdigest()


def is_hash(text: str) -> bool:
    """Return whether a text has the form of a commitment, and of a value."""
    return _HASH.fullmatch(text) is not None
