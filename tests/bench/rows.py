"""A row of the table of costs: its measurement, its earlier figure, and its goals."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass


class MissingRivalError(Exception):
    """A rival of a row is not installed; the message names it."""


@dataclass(frozen=True)
class AtMost:
    """An upper limit for a figure."""

    limit: float
    unit: str = ""

    def __str__(self) -> str:
        return f"≤ {_with_unit(f'{self.limit:,g}', self.unit)}"

    def is_reached(self, value: float) -> bool:
        return value <= self.limit


@dataclass(frozen=True)
class AtLeast:
    """A lower limit for a figure."""

    limit: float
    unit: str = ""

    def __str__(self) -> str:
        return f"≥ {_with_unit(f'{self.limit:,g}', self.unit)}"

    def is_reached(self, value: float) -> bool:
        return value >= self.limit


@dataclass(frozen=True)
class Measured:
    """The result of one run of a row.

    Attributes:
        values: One for each goal of the row, in its unit.
        beside: Other figures of the same run, such as a rival's.
        table: A table of further figures, its head first.
    """

    values: Sequence[float]
    beside: str = ""
    table: Sequence[Sequence[str]] = ()


@dataclass(frozen=True)
class Row:
    """A measured cost: one line of the table for each of its figures.

    Attributes:
        name: Its name on the command line.
        title: Its title, for people.
        before: Its figure before any optimization (of limits: without a budget of calls); measured once.
        goals: The goal of each of its figures; none where it is for information alone.
        measure: Measures it; true asks for a run of a moment, whose figures mean nothing.
        why_missed: The reason for a missed goal and a way out; shown where one is missed.
        figures: The name of each figure, where there are several.
    """

    name: str
    title: str
    before: str
    goals: Sequence[AtMost | AtLeast]
    measure: Callable[[bool], Measured]
    why_missed: str = ""
    figures: Sequence[str] = ()


def amount(value: float, unit: str) -> str:
    """Returns a figure with its significant digits."""
    digits = 2
    if abs(value) >= 100 or value == int(value):
        digits = 0
    elif abs(value) >= 10:
        digits = 1

    return _with_unit(f"{value:,.{digits}f}", unit)


def _with_unit(number: str, unit: str) -> str:
    return number + unit if unit in {"", "x"} else f"{number} {unit}"
