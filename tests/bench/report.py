"""The tables of costs in docs/benchmarks.md."""

import os
import platform
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import zip_longest
from pathlib import Path
from time import process_time

from tests.bench.rows import AtLeast, AtMost, Measured, MissingRivalError, Row, amount

FILE = Path(__file__).parents[2] / "docs/benchmarks.md"
BEGIN = "<!-- costs: begin -->"
END = "<!-- costs: end -->"

HEAD = "| what | goal | now | before | for comparison |\n|---|---|---|---|---|"
NOTES = "Notes:"
LONGEST = 70  # characters of other figures that find room in the table
NEXT = "… "  # begins the line of a further figure

_LINE = re.compile(r"\| (?P<what>[^|]+) \|.*\|")
_NOTE = re.compile(r"- \*\*(?P<title>.+?)\.\*\*(?: .*)?")
_INDENT = "  "  # before the lines of a table in a note


@dataclass(frozen=True)
class Entry:
    """A row's lines in the table, one for each figure, and a note below the table, which may be empty."""

    lines: Sequence[str]
    note: str = ""


def first_name(row: Row) -> str:
    """Returns what the first line of a row is called."""
    return f"{row.title}: {row.figures[0]}" if row.figures else row.title


def entry(row: Row, found: Measured | MissingRivalError | None) -> Entry:
    """Returns the entry of a row in the table; None if it was never measured."""
    goals = [str(goal) for goal in row.goals]
    now = [f"{found} is not installed" if found else "not measured yet"]
    beside = ""
    notes = list[str]()
    table = found.table if isinstance(found, Measured) else ()

    if isinstance(found, Measured):
        now = [amount(value, goal.unit) for value, goal in _pairs(row, found)] or [found.beside]
        goals = [_verdict(goal, value) for value, goal in _pairs(row, found)]
        beside = found.beside if row.goals else ""
        if not all(goal.is_reached(value) for value, goal in _pairs(row, found)):
            notes.append(row.why_missed)

    if len(beside) > LONGEST or table:
        notes[:0] = [f"{beside[0].upper()}{beside[1:]}."] if beside else []
        beside = "see below"

    names = [first_name(row), *(NEXT + name for name in row.figures[1:])]
    before = row.before.split("; ")
    cells = zip_longest(names, goals, now, before, [beside], fillvalue="")
    sentences = " ".join([f"- **{row.title}.**", *filter(None, notes)])
    note = f"{sentences}{_indented(table)}" if any(notes) or table else ""
    return Entry([f"| {' | '.join(line)} |" for line in cells], note)


def _indented(table: Sequence[Sequence[str]]) -> str:
    """Returns the lines of a table that belongs to a note; empty if it has none."""
    if not table:
        return ""

    head, *rows = table
    cells = [head, ["---"] * len(head), *rows]
    return "\n" + "".join(f"\n{_INDENT}| {' | '.join(line)} |" for line in cells)


def _pairs(row: Row, found: Measured) -> list[tuple[float, AtMost | AtLeast]]:
    return list(zip(found.values, row.goals, strict=True))


def _verdict(goal: AtMost | AtLeast, value: float) -> str:
    return str(goal) if goal.is_reached(value) else f"{goal}: missed"


def machine() -> str:
    """Returns a sentence about the machine of the measurement."""
    cores = len(os.sched_getaffinity(0))
    return (
        f"Measured on {datetime.now(UTC):%Y-%m-%d} with Python {platform.python_version()} on "
        f"{platform.system()}, on {cores} cores ({_processor()}). At the end the load was "
        f"{os.getloadavg()[1]:.1f}, and five million additions took {_five_million_additions():.2f} s of "
        "CPU time."
    )


def names(page: str) -> list[str]:
    """Returns what the rows of the table in a page are called."""
    return list(_entries(page))


def rewritten(page: str, groups: Mapping[str, Sequence[Row]], measured: Mapping[str, Entry], on: str) -> str:
    """Returns the page with new tables; rows that were not measured now stay as they are.

    Args:
        page: The page as it is.
        groups: The rows of each table, by its heading.
        measured: New entries of the table, by the name of their row.
        on: The machine and the day.
    """
    old = _entries(page)
    lines = list[str]()

    for heading, rows in groups.items():
        entries = [measured.get(row.name) or old.get(first_name(row)) or entry(row, None) for row in rows]
        lines += [f"### {heading}", "", HEAD, *(line for each in entries for line in each.lines), ""]

        if notes := [each.note for each in entries if each.note]:
            lines += [NOTES, "", *notes, ""]

    body = "\n".join([*lines, on])
    head, _, rest = page.partition(BEGIN)
    return f"{head}{BEGIN}\n{body}\n{END}{rest.partition(END)[2]}"


def _entries(page: str) -> dict[str, Entry]:
    """Returns the entries of the tables by what their first lines are called."""
    heads = HEAD.splitlines()
    between = page.partition(BEGIN)[2].partition(END)[0].splitlines()
    text = [line for line in between if line not in heads]
    notes = _notes(text)
    rows = dict[str, list[str]]()
    name = ""

    for line in text:
        found = _LINE.fullmatch(line)
        if found is not None and not found["what"].startswith(NEXT):
            name = found["what"]
            rows[name] = [line]
        elif found is not None:
            rows[name].append(line)

    title_of = {name: name if name in notes else name.rpartition(": ")[0] for name in rows}
    return {name: Entry(lines, notes.get(title_of[name], "")) for name, lines in rows.items()}


def _notes(lines: Sequence[str]) -> dict[str, str]:
    """Returns the notes among these lines, each with its table, by title."""
    notes = dict[str, list[str]]()
    title = ""

    for line in lines:
        found = _NOTE.fullmatch(line)
        if found is not None:
            title = found["title"]
            notes[title] = [line]
        elif title and (not line or line.startswith(_INDENT)):
            notes[title].append(line)
        else:
            title = ""

    return {title: "\n".join(note).rstrip() for title, note in notes.items()}


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
