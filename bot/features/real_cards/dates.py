"""Reads dates as people write them, in figures or with the name of the month, in the bot's languages."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from enum import Enum, auto
from functools import cache

from babel.dates import get_month_names

FIRST_YEAR = 1950  # earlier years are taken for typing errors


class DayOrder(Enum):
    """The meaning of the first number in a date such as 04/03/2025."""

    DAY_FIRST = auto()
    MONTH_FIRST = auto()


_YEAR = r"(?P<year>\d{4}|\d\d)(?!\d)"
_DAY = r"(?P<day>\d{1,2})"
_MONTH = r"(?P<month>[^\W\d_]+)"

_YEAR_FIRST = re.compile(r"(?P<year>\d{4})[-./](?P<month>\d{1,2})[-./](?P<day>\d{1,2})(?!\d)", re.ASCII)
_YEAR_LAST = re.compile(rf"(?P<first>\d{{1,2}})(?P<sign>[-./])(?P<second>\d{{1,2}})[-./]{_YEAR}", re.ASCII)

# 12 Nov 2026, 12. November 2026 and 12-Nov-26; Nov 12, 2026; 2026 m. lapkričio 12 d.
_NAMED = [
    re.compile(rf"{_DAY}[.-]?\s*{_MONTH}\.?[,-]?\s*{_YEAR}"),
    re.compile(rf"{_MONTH}\.?\s*{_DAY}(?:st|nd|rd|th)?,?\s+{_YEAR}"),
    re.compile(rf"(?P<year>\d{{4}})\s*m?\.?\s*{_MONTH}\.?\s*{_DAY}(?!\d)"),
]


@dataclass(frozen=True, slots=True)
class DateReader:
    """Reads dates in one order of day and month, with the month names of some languages.

    Years of two digits are the latest possible up to `this_year`.
    """

    order: DayOrder
    this_year: int
    locales: Sequence[str]

    def read(self, text: str) -> date | None:
        """Returns the date at the beginning of a text; None without one, or before `FIRST_YEAR`.

        Anything may follow, such as a time. Months come first only in dates with slashes or dashes.
        """
        for year, month, day in self._parts(text):
            try:
                whole_day = date(self._full(year), month, day)
            except ValueError:
                continue

            if whole_day.year >= FIRST_YEAR:
                return whole_day

        return None

    def _parts(self, text: str) -> Iterator[tuple[str, int, int]]:
        """Yields the possible readings: the year as written, the month and the day."""
        if match := _YEAR_FIRST.match(text):
            yield match["year"], int(match["month"]), int(match["day"])

        if match := _YEAR_LAST.match(text):
            first = int(match["first"])
            second = int(match["second"])
            is_month_first = self.order is DayOrder.MONTH_FIRST and match["sign"] != "."
            month, day = (first, second) if is_month_first else (second, first)
            yield match["year"], month, day

        for pattern in _NAMED:
            match = pattern.match(text)
            month_named = _months(tuple(self.locales)).get(match["month"].casefold()) if match else None
            if match and month_named is not None:
                yield match["year"], month_named, int(match["day"])

    def _full(self, year: str) -> int:
        if len(year) > 2:
            return int(year)
        return self.this_year - (self.this_year - int(year)) % 100


@cache
def _months(locales: Sequence[str]) -> Mapping[str, int]:
    """Returns the numbers of the months by their full and abbreviated names."""
    months = dict[str, int]()
    for locale in locales:
        for width in ("wide", "abbreviated"):
            for context in ("format", "stand-alone"):
                for month, name in get_month_names(width, context, locale).items():
                    months[name.casefold().rstrip(".")] = month

    return months
