"""Refusals: the reasons why a request of a person is not carried out, and the error for them."""

from dataclasses import dataclass
from enum import Enum, auto

import engine


class TableRefusal(Enum):
    """Why a table does not change."""

    ALREADY_SEATED = auto()
    NOT_SEATED = auto()
    FULL = auto()
    NOT_GATHERING = auto()
    ONLY_OPENER = auto()
    ALONE = auto()  # too few players for the rules
    NOBODY_HUMAN = auto()
    NO_HOUSE_PLAYER = auto()
    NOT_PLAYING = auto()
    NOT_OVER = auto()
    ROOM_TAKEN = auto()
    NOT_A_PERSON = auto()
    CALLED_ALREADY = auto()
    KEPT = auto()  # the free seats are kept for invited people
    OF_CUP = auto()  # tables of a cup have no such choice
    NO_TABLE = auto()


class NameProblem(Enum):
    """Why rules cannot be found under a name, or saved under it."""

    NO_RULE_SET = auto()
    NO_VARIATION = auto()
    UNPLAYABLE = auto()
    TAKEN = auto()
    UNSUITABLE = auto()
    TOO_MANY = auto()
    REPLACED = auto()


@dataclass(frozen=True, slots=True)
class InvalidName:
    """A name of rules that means nothing or cannot be given, and the names that exist."""

    problem: NameProblem
    name: str
    existing: tuple[str, ...] = ()


# A reason that `bot/screens/refusals.py` has a sentence for, or an English sentence.
Why = TableRefusal | InvalidName | engine.InvalidSettingError | engine.Clash | str


class RefusedError(Exception):
    """A request of a person is refused, and nothing has changed.

    The code that answers the person translates `why` into their language. If `why` is a sentence, `values`
    fill its placeholders.
    """

    def __init__(self, why: Why, **values: object) -> None:
        super().__init__(str(why))
        self.why = why
        self.values = values
