"""CPU time and memory of a process and its descendants, as Linux counts them."""

import os
import re
from dataclasses import dataclass
from pathlib import Path

TICKS_PER_SECOND = os.sysconf("SC_CLK_TCK")
# Fields of `/proc/PID/stat` after the name: the parent; its times, and those of children that ended.
PARENT = 1
FIRST_TIME = 11
LAST_TIME = 15


@dataclass(frozen=True)
class Usage:
    """CPU seconds, and the resident memory, peak and current, in MiB."""

    seconds: float
    peak: float
    resident: float


def usage(root: int) -> Usage:
    """Returns the usage of a process together with its descendants."""
    family = _family(root)
    ticks = sum(sum(map(int, fields[FIRST_TIME:LAST_TIME])) for fields in family.values())
    return Usage(
        ticks / TICKS_PER_SECOND,
        peak=sum(_memory(pid, "VmHWM") for pid in family),
        resident=sum(_memory(pid, "VmRSS") for pid in family),
    )


def _family(root: int) -> dict[int, list[str]]:
    """Returns the fields of a process and of its descendants, by process id."""
    fields = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields[int(stat.parent.name)] = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue  # it has ended

    found = {root: fields[root]}
    looked_at = 0
    while looked_at < len(found):
        parent = str([*found][looked_at])
        found |= {pid: each for pid, each in fields.items() if each[PARENT] == parent}
        looked_at += 1

    return found


def _memory(pid: int, what: str) -> float:
    found = re.search(rf"{what}:\s+(\d+) kB", Path(f"/proc/{pid}/status").read_text())
    return int(found[1]) / 1024 if found else 0.0
