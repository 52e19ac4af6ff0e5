"""Thoughts that take long have a process, which is there for the bot and ends with it."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from bot.tables.worker import worker
from tests.e2e.start import ROOT

ENDS_WITHIN = 20.0
NICE_ENOUGH = 18

BOT = """
import os, time
from bot.tables.worker import worker
if __name__ == "__main__":
    print(worker().submit(os.getpid).result(), flush=True)
    time.sleep(60)
"""


def is_there(process: int) -> bool:
    """Whether a process runs; one that waits to be buried does not."""
    try:
        return " Z " not in Path(f"/proc/{process}/stat").read_text()
    except OSError:
        return False


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks at processes as Linux shows them")
def test_a_worker_ends_with_a_bot_that_is_killed(tmp_path: Path) -> None:
    program = tmp_path / "killed.py"
    program.write_text(BOT)
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    with subprocess.Popen([sys.executable, program], stdout=subprocess.PIPE, env=environment) as bot:
        assert bot.stdout is not None
        process = int(bot.stdout.readline())
        assert is_there(process)
        bot.kill()
    until = time.monotonic() + ENDS_WITHIN
    while is_there(process):
        assert time.monotonic() < until, "it stays behind"
        time.sleep(0.05)


@pytest.mark.skipif(not hasattr(os, "nice") or os.nice(0) > NICE_ENOUGH, reason="no room for patience")
def test_a_patient_worker_steps_back_and_another_does_not() -> None:
    own = os.nice(0)
    for is_patient in (False, True):
        with worker(is_patient=is_patient) as pool:
            assert (pool.submit(os.nice, 0).result() > own) is is_patient
