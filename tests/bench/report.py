"""The table of costs in docs/benchmarks.md."""

import os
import platform
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from time import process_time

from tests.bench.rows import Measured, MissingRivalError, Row, amount

FILE = Path(__file__).parents[2] / "docs/benchmarks.md"
BEGIN = "<!-- costs: begin -->"
END = "<!-- costs: end -->"

HEAD = "| what | goal | now | before | beside |\n|---|---|---|---|---|"
NOTES = "What is beside them, and why a goal is missed:"
LONGEST = 70  # characters of other figures that find room in the table

_ROW = re.compile(r"\| (?P<title>[^|]+) \|.*\|")
_NOTE = re.compile(r"- \*\*(?P<title>.+?)\.\*\* .*")


@dataclass(frozen=True)
class Entry:
    """A row of the table, and a note below it, which may be empty."""

    row: str
    note: str = ""


def entry(row: Row, found: Measured | MissingRivalError | None) -> Entry:
    """Returns the entry of a row in the table; None if it was never measured."""
    goal = "; ".join(str(goal) for goal in row.goals)
    now, beside, notes = "not measured yet", "", list[str]()

    if isinstance(found, MissingRivalError):
        now = f"{found} is not installed"
    elif found is not None:
        now = _figures(row, found) or found.beside
        beside = found.beside if row.goals else ""
        if row.goals and not _is_reached(row, found):
            goal = f"{goal}: missed"
            notes = [row.why_missed]

    if len(beside) > LONGEST:
        notes.insert(0, f"{beside[0].upper()}{beside[1:]}.")
        beside = "see below"

    note = f"- **{row.title}.** {' '.join(notes)}" if any(notes) else ""
    return Entry(f"| {row.title} | {goal} | {now} | {row.before} | {beside} |", note)


def _is_reached(row: Row, found: Measured) -> bool:
    return all(goal.is_reached(value) for value, goal in zip(found.values, row.goals, strict=True))


def _figures(row: Row, found: Measured) -> str:
    return "; ".join(amount(value, goal.unit) for value, goal in zip(found.values, row.goals, strict=True))


def machine() -> str:
    """Returns a sentence about the machine of the measurement."""
    cores = len(os.sched_getaffinity(0))
    return (
        f"Measured on {datetime.now(UTC):%Y-%m-%d}, on {cores} cores ({_processor()}), {platform.system()}, "
        f"Python {platform.python_version()}; load {os.getloadavg()[1]:.1f} at the end, when five million "
        f"additions took {_five_million_additions():.2f} s of CPU time."
    )


def titles(page: str) -> list[str]:
    """Returns the titles of the table in a page."""
    return list(_entries(page))


def rewritten(page: str, rows: Sequence[Row], measured: Mapping[str, Entry], on: str) -> str:
    """Returns the page with a new table; rows that were not measured now stay as they are.

    Args:
        page: The page as it is.
        rows: All rows, in their order.
        measured: New entries of the table, by the name of their row.
        on: The machine and the day.
    """
    old = _entries(page)
    entries = [measured.get(row.name) or old.get(row.title) or entry(row, None) for row in rows]
    table = [HEAD, *(each.row for each in entries)]

    notes = [each.note for each in entries if each.note]
    if notes:
        notes = ["", NOTES, "", *notes]

    body = "\n".join([*table, *notes, "", on])
    head, _, rest = page.partition(BEGIN)
    return f"{head}{BEGIN}\n{body}\n{END}{rest.partition(END)[2]}"


def _entries(page: str) -> dict[str, Entry]:
    """Returns the entries of the table by their titles."""
    lines = page.partition(BEGIN)[2].partition(END)[0].partition("|---|")[2].splitlines()
    rows = {found["title"]: line for line in lines if (found := _ROW.fullmatch(line))}
    notes = {found["title"]: line for line in lines if (found := _NOTE.fullmatch(line))}
    return {title: Entry(row, notes.get(title, "")) for title, row in rows.items()}


def _five_million_additions() -> float:
    """Returns the CPU seconds of five million additions: the speed of the machine under its present load."""
    began = process_time()
    total = 0
    for number in range(5_000_000):
        total += number
    return process_time() - began


def _processor() -> str:
    found = re.search(r"model name\s*: (.*)", Path("/proc/cpuinfo").read_text())
    return found[1] if found else platform.machine()
