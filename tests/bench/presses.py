"""What a press costs in the database and in CPU time: `python -m tests.bench.presses --help`."""

import asyncio
from argparse import ArgumentDefaultsHelpFormatter, ArgumentParser, Namespace
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time

from tests.bot.chat import Chat, person
from tests.bot.fake_clock import FakeClock
from tests.bot.running_bot import RunningBot
from tests.bot.statements import Statements, counted

WARMING_UP = 10
"""Presses before counting begins: what is read once for each person is read then."""

PEOPLE = [person(name) for name in ("Anna", "Boris", "Clara", "Dora", "Egor", "Fanny")]


async def measured(options: Namespace, folder: str) -> None:
    """Plays on, and prints what the database was told for each press, on average."""
    bot = RunningBot(f"sqlite+aiosqlite:///{Path(folder) / 'durak.db'}", Chat(), FakeClock())
    await bot.start()
    table = await bot.chooses(
        await bot.dealt(*PEOPLE[: options.people], rules=options.rules), auto_done=options.auto_done
    )
    pressed, total, cpu = 0, Statements(), 0.0
    for _ in range(WARMING_UP):
        await bot.plays(table)
    await bot.settle()
    sent = len(bot.chat.sent)
    while pressed < options.presses:
        if (await bot.session(table)).outcome is not None:
            raise SystemExit("the game is over before all presses are made: take fewer")
        with counted() as statements:
            began = process_time()
            await bot.plays(table)
            await bot.settle()
            cpu += process_time() - began
        pressed += 1
        total.told += statements.told
        total.commits += statements.commits
    print(
        f"{pressed} presses, for each: {total.all / pressed:.1f} statements, "
        f"{total.writers / pressed:.1f} BEGIN IMMEDIATE, {total.readers / pressed:.1f} BEGIN, "
        f"{total.commits / pressed:.1f} commits, {(len(bot.chat.sent) - sent) / pressed:.1f} messages, "
        f"{1000 * cpu / pressed:.1f} ms of CPU (with the waiting of the harness)"
    )
    if options.list:
        for statement, times in total.told.most_common():
            print(f"{times / pressed:6.2f}  {' '.join(statement.split())[:140]}")
    await bot.stop()


def main() -> None:
    """Measures what was asked for."""
    parser = ArgumentParser(description=__doc__, formatter_class=ArgumentDefaultsHelpFormatter)
    parser.add_argument("--people", type=int, default=4)
    parser.add_argument("--presses", type=int, default=30)
    parser.add_argument("--rules", default="podkidnoy-36", help="as after /durak")
    parser.add_argument("--auto-done", action="store_true", help="let the table say Done for people")
    parser.add_argument("--list", action="store_true", help="print each statement, and how often it came")
    options = parser.parse_args()
    with TemporaryDirectory() as folder:
        asyncio.run(measured(options, folder))


if __name__ == "__main__":
    main()
