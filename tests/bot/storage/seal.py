"""The seal of the steps: their digests, so that nobody changes a step that databases have gone through."""

import asyncio
import os
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory

from sqlalchemy import make_url

from bot.storage import migrations
from tests.bot.databases import SERVER, PostgresqlServer
from tests.bot.storage.step_trial import try_steps

FILE = Path(__file__).with_name("steps.sha256")  # as `sha256sum` writes and checks them


def step_files() -> list[Path]:
    """Lists the files of all steps, the oldest first."""
    return sorted((migrations.HOME / "versions").glob("[0-9]*.py"))


def digest(step: Path) -> str:
    return sha256(step.read_bytes()).hexdigest()


def sealed() -> Mapping[str, str]:
    """Reads the digest of each sealed step, by the name of its file."""
    lines = FILE.read_text(encoding="utf-8").splitlines()
    return {name: digest for digest, name in (line.split() for line in lines)}


def new_files() -> list[Path]:
    """Lists the files of the steps that are not sealed yet."""
    return [file for file in step_files() if file.name not in sealed()]


def new_steps() -> list[str]:
    """Names the steps that are not sealed yet."""
    return [_number(file.name) for file in new_files()]


def newest_sealed() -> str:
    """Names the newest step that is sealed."""
    return _number(max(sealed()))


def seal() -> None:
    """Tries the new steps on full tables, and seals them; steps that are sealed stay as they are."""
    asyncio.run(_try())

    lines = [f"{digest(file)}  {file.name}\n" for file in new_files()]
    with FILE.open("a", encoding="utf-8") as seals:
        seals.writelines(lines)


async def _try() -> None:
    with TemporaryDirectory() as folder:
        await try_steps(f"sqlite+aiosqlite:///{folder}/bare.db", newest_sealed(), new_steps())

    if SERVER in os.environ:
        with PostgresqlServer(make_url(os.environ[SERVER])).bare_database() as url:
            await try_steps(url, newest_sealed(), new_steps())


def _number(name: str) -> str:
    return name.partition("_")[0]
