"""The list of costs in docs/benchmarks.md."""

import os
import platform
import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from time import process_time

from tests.bench.rows import Measured, MissingRivalError, Row, amount

FILE = Path(__file__).parents[2] / "docs/benchmarks.md"
BEGIN = "<!-- costs: begin -->"
END = "<!-- costs: end -->"
_BULLET = "- **"


def entry(row: Row, found: Measured | MissingRivalError | None) -> str:
    """Returns the entry of a row in the list; None if it was never measured."""
    goals = "; ".join(str(goal) for goal in row.goals)
    if isinstance(found, Measured):
        now = _figures(row, found)
    else:
        now = f"{found} is not installed" if found else "not measured yet"

    lines = [f"{_BULLET}{row.title}**", f"  - now: {now}", f"  - before: {row.before}"]
    if not row.goals:
        return "\n".join(lines)

    lines.append(f"  - goal: {goals}")
    if isinstance(found, Measured):
        is_reached = all(goal.is_reached(value) for value, goal in zip(found.values, row.goals, strict=True))
        verdict = "reached" if is_reached else f"missed. {row.why_missed}".strip()
        lines[-1] += f": {verdict}"

    return "\n".join(lines)


def _figures(row: Row, found: Measured) -> str:
    if not row.goals:
        return found.beside
    figures = "; ".join(amount(value, goal.unit) for value, goal in zip(found.values, row.goals, strict=True))
    return f"{figures} ({found.beside})" if found.beside else figures


def machine() -> str:
    """Returns a sentence about the machine of the measurement."""
    cores = len(os.sched_getaffinity(0))
    return (
        f"Measured on {datetime.now(UTC):%Y-%m-%d}, on {cores} cores ({_processor()}), {platform.system()}, "
        f"Python {platform.python_version()}; load {os.getloadavg()[1]:.1f} at the end, when five million "
        f"additions took {_five_million_additions():.2f} s of CPU time."
    )


def titles(page: str) -> list[str]:
    """Returns the titles of the list in a page."""
    return list(_entries(page))


def rewritten(page: str, rows: Sequence[Row], measured: Mapping[str, str], on: str) -> str:
    """Returns the page with a new list; rows that were not measured now stay as they are.

    Args:
        page: The page as it is.
        rows: All rows, in their order.
        measured: New entries of the list, by the name of their row.
        on: The machine and the day.
    """
    old = _entries(page)
    entries = [measured.get(row.name) or old.get(row.title) or entry(row, None) for row in rows]
    body = "\n".join([*entries, "", on])
    head, _, rest = page.partition(BEGIN)
    return f"{head}{BEGIN}\n{body}\n{END}{rest.partition(END)[2]}"


def _entries(page: str) -> dict[str, str]:
    """Returns the entries of the list by their titles."""
    entries = dict[str, list[str]]()
    title = ""
    for line in page.partition(BEGIN)[2].partition(END)[0].splitlines():
        if line.startswith(_BULLET):
            title = line.removeprefix(_BULLET).removesuffix("**")
            entries[title] = [line]
        elif line.startswith("  - "):
            entries[title].append(line)

    return {title: "\n".join(lines) for title, lines in entries.items()}


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
