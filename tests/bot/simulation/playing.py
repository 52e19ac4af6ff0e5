"""Plays stories, and shortens those that go wrong."""

import asyncio
import re
import shutil
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest.mock import patch

from bot.app import SCHEMA
from bot.storage import Database
from tests.bot.messages import Sent
from tests.bot.one_thread import OneThreadLoop, sqlite_on_the_loop
from tests.bot.shared_statements import shared_statements
from tests.bot.simulation.faults import thoughts_on_the_loop
from tests.bot.simulation.stage import Stage
from tests.bot.simulation.story import Step, Story, Trouble
from tests.bot.simulation.witness import Witness, witnessed

MEMORY = Path("/dev/shm")  # a disk in memory, where there is one: a story writes a thousand times


def play(story: Story, empty_database: Path) -> Sequence[Sent]:
    """Plays a story on its own database; returns all that was sent in it.

    Raises:
        AssertionError: A promise was broken.
    """
    numbers = count(1)
    memory = MEMORY if MEMORY.is_dir() else None

    with (
        TemporaryDirectory(dir=memory) as folder,
        patch("bot.tables.deals.new_seed", lambda: f"{next(numbers):032x}"),
        patch("bot.features.cups.handlers.new_seed", lambda: f"{next(numbers):032x}"),
        thoughts_on_the_loop() as deaths,
        witnessed() as witness,
        sqlite_on_the_loop() as connections,
        asyncio.Runner(loop_factory=OneThreadLoop) as runner,
    ):
        runner.get_loop().set_exception_handler(witness.hear_loop)

        file = Path(folder, "durak.db")
        shutil.copy(empty_database, file)
        return runner.run(_on_stage(story, file, connections, witness, deaths))


async def _on_stage(
    story: Story, file: Path, connections: list[sqlite3.Connection], witness: Witness, deaths: list[str]
) -> Sequence[Sent]:
    stage = Stage(f"sqlite+aiosqlite:///{file}", connections, witness, deaths)
    await stage.start()
    try:
        await stage.plays_out(story)
    finally:
        await stage.settle()
        await stage.stop()

    return stage.chat.sent


def failure_of(story: Story, empty_database: Path) -> str:
    """Plays a story on its own database; returns its failure, or None."""
    try:
        play(story, empty_database)
    except Exception as error:  # any failure is the end of the story
        return f"{type(error).__name__}: {error}"
    return ""


def shortest(story: Story, empty_database: Path) -> Story:
    """Removes all unnecessary steps, troubles and pauses from a story that fails.

    The rest fails in the same way.
    """
    kind = _kind_of(failure_of(story, empty_database))

    def fails(other: Story) -> bool:
        return _kind_of(failure_of(other, empty_database)) == kind

    size = len(story) // 2
    while size:
        at = 0
        while at < len(story):
            shorter = story[:at] + story[at + size :]
            if fails(shorter):
                story = shorter
            else:
                at += size

        size //= 2

    for at, step in enumerate(story):
        for calmer in _calmer(step):
            simpler = (*story[:at], calmer, *story[at + 1 :])
            if fails(simpler):
                story = simpler
                break

    return story


def _kind_of(failure: str) -> str:
    """Returns the beginning of a failure, up to the first name, number or value in it."""
    return re.split(r"[\d:=<'\[(]", failure.removeprefix("AssertionError: "))[0]


def _calmer(step: Step) -> Iterator[Step]:
    """Yields variants of a step with less trouble and shorter pauses, the calmest first."""
    usual = Step(step.deed, step.room, step.user)
    if step.trouble is not Trouble.NONE:
        yield replace(step, trouble=Trouble.NONE, gap=usual.gap)
        yield replace(step, trouble=Trouble.NONE)

    if step.gap != usual.gap:
        yield replace(step, gap=usual.gap)


@contextmanager
def an_empty_database() -> Iterator[Path]:
    """Makes a database with today's tables for this block, in which stories are played one after another."""
    with TemporaryDirectory() as folder, shared_statements():
        file = Path(folder, "empty.db")
        asyncio.run(_make_empty(file))
        yield file


async def _make_empty(file: Path) -> None:
    database = Database(f"sqlite+aiosqlite:///{file}", SCHEMA)
    await database.open()
    await database.close()
