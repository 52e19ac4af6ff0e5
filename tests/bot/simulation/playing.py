"""Plays stories, and shortens those that go wrong."""

import asyncio
import shutil
import sqlite3
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest.mock import patch

from tests.bot.one_thread import OneThreadLoop, sqlite_on_the_loop
from tests.bot.simulation.stage import Stage
from tests.bot.simulation.story import Story


def failure_of(story: Story, empty_database: Path) -> str:
    """Plays a story on a database of its own; returns how it went wrong, or nothing."""
    numbers = count(1)
    with (
        TemporaryDirectory() as folder,
        patch("bot.tables.service.new_seed", lambda: f"{next(numbers):032x}"),
        sqlite_on_the_loop() as connections,
        asyncio.Runner(loop_factory=OneThreadLoop) as runner,
    ):
        file = Path(folder, "durak.db")
        shutil.copy(empty_database, file)
        try:
            runner.run(_play(story, file, connections))
        except Exception as error:  # whatever it is, it is what the story shows
            return f"{type(error).__name__}: {error}"
    return ""


def shortest(story: Story, empty_database: Path) -> Story:
    """Leaves out of a story that goes wrong whatever can be left out."""
    size = len(story) // 2
    while size:
        at = 0
        while at < len(story):
            shorter = story[:at] + story[at + size :]
            if failure_of(shorter, empty_database):
                story = shorter
            else:
                at += size
        size //= 2
    return story


async def _play(story: Story, file: Path, connections: list[sqlite3.Connection]) -> None:
    stage = Stage(f"sqlite+aiosqlite:///{file}", connections)
    await stage.start()
    try:
        await stage.plays_out(story)
    finally:
        await stage.settle()
        await stage.stop()
