"""What a row of the list of costs is: what is measured, what it was before, and what it should be."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass


class MissingRivalError(Exception):
    """What a row is to be compared with is not installed; the message says what it is."""


@dataclass(frozen=True)
class AtMost:
    """A figure that should be small."""

    limit: float
    unit: str = ""

    def __str__(self) -> str:
        return f"≤ {_with_unit(f'{self.limit:,g}', self.unit)}"

    def is_reached(self, value: float) -> bool:
        return value <= self.limit


@dataclass(frozen=True)
class AtLeast:
    """A figure that should be large."""

    limit: float
    unit: str = ""

    def __str__(self) -> str:
        return f"≥ {_with_unit(f'{self.limit:,g}', self.unit)}"

    def is_reached(self, value: float) -> bool:
        return value >= self.limit


@dataclass(frozen=True)
class Measured:
    """What one run of a row found.

    Attributes:
        values: One for each goal of the row, in its unit.
        beside: What else was measured in the same run, such as a rival's figure.
    """

    values: Sequence[float]
    beside: str = ""


@dataclass(frozen=True)
class Row:
    """One line of the table.

    Attributes:
        name: What it is called on the command line.
        title: What is measured, for people.
        before: What it was before anything was done about costs; measured once, on another day.
        goals: What each of its figures should be; none where it is for information alone.
        measure: Measures it; told whether a moment must do, which shows that it works but not what it costs.
        why_missed: Why a goal is not reached, and what would help; shown where one is not.
    """

    name: str
    title: str
    before: str
    goals: Sequence[AtMost | AtLeast]
    measure: Callable[[bool], Measured]
    why_missed: str = ""


def amount(value: float, unit: str) -> str:
    """Returns a figure with as many digits as mean something."""
    digits = 0 if abs(value) >= 100 or value == int(value) else 1 if abs(value) >= 10 else 2
    return _with_unit(f"{value:,.{digits}f}", unit)


def _with_unit(number: str, unit: str) -> str:
    return number + unit if unit in {"", "x"} else f"{number} {unit}"
