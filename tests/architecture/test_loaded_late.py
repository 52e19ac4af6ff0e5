"""What only some bots need is loaded by those alone."""

import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

START_AND_STOP = """
import asyncio, contextlib, io, sys
from bot.config import read_settings
from bot.start import serve

async def start_and_stop():
    serving = asyncio.create_task(serve(read_settings()))
    while not serving.done() and "Durak is ready" not in said.getvalue():
        await asyncio.sleep(0.01)
    serving.cancel()
    await asyncio.wait([serving])

with contextlib.redirect_stdout(io.StringIO()) as said:
    asyncio.run(start_and_stop())
assert "Durak is ready" in said.getvalue(), said.getvalue()
print(*sys.modules)
"""


def loaded_by_a_start(folder: Path) -> set[str]:
    """Start a bot without tokens and stop it; give the modules that it has loaded."""
    environment = {
        "PYTHONPATH": str(Path(__file__).parents[2]),
        "DURAK_DATABASE_URL": f"sqlite+aiosqlite:///{folder / 'durak.db'}",
        "DURAK_HTTP_PORT": "0",
    }
    started = subprocess.run(
        [sys.executable, "-c", START_AND_STOP],
        cwd=folder, env=environment, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert started.returncode == 0, started.stderr
    return set(started.stdout.split())


def test_a_bot_without_tokens_loads_no_chat_library_and_nothing_that_draws(tmp_path: Path) -> None:
    assert not loaded_by_a_start(tmp_path) & {"discord", "telegram", "httpx", "PIL", "multiprocessing"}


def test_what_changes_tables_on_any_database_is_loaded_where_there_is_something_to_change(
    tmp_path: Path,
) -> None:
    changes_tables = {"alembic", "mako", "sqlalchemy.dialects.postgresql"}
    assert changes_tables <= loaded_by_a_start(tmp_path)
    assert not loaded_by_a_start(tmp_path) & changes_tables
