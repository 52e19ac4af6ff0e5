"""What only some bots need is loaded by those alone."""

import subprocess
import sys
from pathlib import Path

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
print(*sorted({"discord", "telegram", "httpx"} & sys.modules.keys()))
"""


def test_a_bot_without_tokens_loads_no_chat_library(tmp_path: Path) -> None:
    root = Path(__file__).parents[2]
    environment = {
        "PYTHONPATH": str(root),
        "DURAK_DATABASE_URL": f"sqlite+aiosqlite:///{tmp_path / 'durak.db'}",
        "DURAK_HTTP_PORT": "0",
    }
    started = subprocess.run(
        [sys.executable, "-c", START_AND_STOP],
        cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert started.returncode == 0, started.stderr
    assert started.stdout.split() == []
