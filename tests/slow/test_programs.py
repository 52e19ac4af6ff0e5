"""Each program for developers still starts, and does its smallest run."""

import shutil
import subprocess
import sys
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.wire.webkit import WebKit

ROOT = Path(__file__).parents[2]
FOLDERS = ("tests/bench", "tests/slow")
PROGRAMS = sorted(
    ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__main__")
    for folder in FOLDERS
    for path in (ROOT / folder).rglob("*.py")
    if '\nif __name__ == "__main__":' in path.read_text("utf-8")
)

# The arguments of each.
ARGUMENTS = {
    "tests.bench": "--quick picture",
    "tests.bench.as_installed": "--help",
    "tests.bench.experts": "--games 1 --seconds 1 --warm 1",
    "tests.bench.hops": "--games 1 --only nobody",
    "tests.bench.learning": "--help",
    "tests.bench.limits": "--help",
    "tests.bench.players": "--games 1 --endings 1 --cards 6 --tables 2 --presets podkidnoy-24 "
    "--limit 0.01 --guesses 1 --playouts 2 --patient-playouts 2",
    "tests.bench.presses": "--presses 2 --people 2",
    "tests.bench.reviews": "--games 1 --preset podkidnoy-24 --tables 2 --strengths beginner",
    "tests.bench.strangers": "--help",
    "tests.bench.tallies": "--rows 200",
    "tests.bench.unlimited": "--help",
    "tests.bench.views": "--help",
    "tests.bench.way": "1 --seconds 1",
    "tests.slow.evening": "--help",
    "tests.slow.firefox": "",
    "tests.slow.games": "--games 1",
    "tests.slow.mutation": "--help",
    "tests.slow.planted": "--stories 3 --only acknowledged",
    "tests.slow.presses": "--presses 1",
    "tests.slow.stories": "--stories 1",
    "tests.slow.webkit": "",
}

# Programs that only another one can start: a row of the benchmarks, and the mutation run.
STARTED_BY_OTHERS = {"tests.bench.echo", "tests.slow.mutants"}

# Requirements that not every machine meets.
NEEDS: dict[str, Callable[[], object]] = {
    "tests.slow.firefox": lambda: shutil.which("firefox-esr"),
    "tests.slow.mutation": lambda: find_spec("cosmic_ray"),
    "tests.slow.webkit": WebKit().is_there,
}


def test_what_is_asked_of_programs_is_asked_of_all_that_there_are() -> None:
    assert {*ARGUMENTS, *STARTED_BY_OTHERS} == set(PROGRAMS)


@pytest.mark.slow
@pytest.mark.parametrize("program", ARGUMENTS)
def test_a_program_does_the_least_that_it_can_be_asked_for(program: str) -> None:
    if program in NEEDS and not NEEDS[program]():
        pytest.skip("what it needs is not installed")

    command = [sys.executable, "-m", program, *ARGUMENTS[program].split()]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=200, check=False)
    assert run.returncode == 0, run.stdout + run.stderr
    assert run.stdout
