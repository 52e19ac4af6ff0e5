"""Plays stories with everything going wrong, from any seed on; prints the shortest one of each failure.

python -m tests.slow.stories --first 60 --stories 500
"""

import argparse
import asyncio
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import structlog

from bot.storage import Database
from tests.bot.simulation.playing import failure_of, shortest
from tests.bot.simulation.story import story_of


async def _make_empty(file: Path) -> None:
    database = Database(f"sqlite+aiosqlite:///{file}")
    await database.open()
    await database.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--stories", type=int, default=500, help="how many seeds")
    wish = parser.parse_args()
    structlog.configure(processors=[], logger_factory=structlog.ReturnLoggerFactory())

    failures = 0
    with TemporaryDirectory() as folder:
        empty = Path(folder, "empty.db")
        asyncio.run(_make_empty(empty))
        for seed in range(wish.first, wish.first + wish.stories):
            story = story_of(seed)
            if not failure_of(story, empty):
                continue
            failures += 1
            story = shortest(story, empty)
            print(f"seed {seed}: {failure_of(story, empty)}", *story, sep="\n")

    print(f"{wish.stories} stories, {failures} went wrong")
    sys.exit(failures > 0)


if __name__ == "__main__":
    main()
