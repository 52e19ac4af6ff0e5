"""The table of costs in BENCHMARKS.md."""

import os
import platform
import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from time import process_time

from tests.bench.rows import Measured, MissingRivalError, Row, amount

FILE = Path(__file__).parents[2] / "BENCHMARKS.md"
BEGIN, END = "<!-- costs: begin -->", "<!-- costs: end -->"
HEAD = "| what | before | now | goal | reached? |\n|---|---|---|---|---|"


def line(row: Row, found: Measured | MissingRivalError | None) -> str:
    """Return a row of the table; None: it was never measured."""
    goals = "; ".join(str(goal) for goal in row.goals)
    if not isinstance(found, Measured):
        why = f"{found} is not installed" if found else "not measured yet"
        return f"| {row.title} | {row.before} | {why} | {goals} | ? |"
    if not row.goals:
        return f"| {row.title} | {row.before} | {found.beside} | | |"
    now = "; ".join(amount(value, goal.unit) for value, goal in zip(found.values, row.goals, strict=True)) + (
        f" ({found.beside})" if found.beside else ""
    )
    is_reached = all(goal.is_reached(value) for value, goal in zip(found.values, row.goals, strict=True))
    verdict = "yes" if is_reached else f"no. {row.why_missed}".strip()
    return f"| {row.title} | {row.before} | {now} | {goals} | {verdict} |"


def machine() -> str:
    """Return a sentence that says what was measured on."""
    cores = len(os.sched_getaffinity(0))
    return (
        f"Measured on {datetime.now(UTC):%Y-%m-%d}, on {cores} cores ({_processor()}), {platform.system()}, "
        f"Python {platform.python_version()}; load {os.getloadavg()[1]:.1f} at the end, when five million "
        f"additions took {_five_million_additions():.2f} s of CPU time."
    )


def titles(page: str) -> list[str]:
    """Return the first column of the table in a page."""
    return list(_lines(page))


def rewritten(page: str, rows: Sequence[Row], measured: Mapping[str, str], on: str) -> str:
    """Return the page with a new table; rows that were not measured now stay as they are.

    Args:
        page: The page as it is.
        rows: All rows, in their order.
        measured: New lines of the table, by the name of their row.
        on: What they were measured on.
    """
    old = _lines(page)
    lines = [measured.get(row.name) or old.get(row.title) or line(row, None) for row in rows]
    body = "\n".join([HEAD, *lines, "", on])
    head, _, rest = page.partition(BEGIN)
    return f"{head}{BEGIN}\n{body}\n{END}{rest.partition(END)[2]}"


def _lines(page: str) -> dict[str, str]:
    """Return the lines of the table by what they are about."""
    table = page.partition(BEGIN)[2].partition(END)[0].partition(HEAD)[2]
    return {
        splitline.split(" | ")[0].removeprefix("| "): splitline
        for splitline in table.splitlines()
        if splitline.startswith("| ")
    }


def _five_million_additions() -> float:
    """Return CPU seconds that tell how fast the machine is, and how much others slow it down."""
    began, total = process_time(), 0
    for number in range(5_000_000):
        total += number
    return process_time() - began


def _processor() -> str:
    found = re.search(r"model name\s*: (.*)", Path("/proc/cpuinfo").read_text())
    return found[1] if found else platform.machine()
