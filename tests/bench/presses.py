"""The cost of a press in database statements and CPU time: `python -m tests.bench.presses --help`."""

import asyncio
from argparse import ArgumentDefaultsHelpFormatter, ArgumentParser
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time

from tests.bench.rows import Measured
from tests.bot.chat import Chat, person
from tests.bot.fake_clock import FakeClock
from tests.bot.running_bot import RunningBot
from tests.bot.settling_loop import SettlingLoop
from tests.bot.statements import Statements, counted

WARMING_UP = 10  # presses before counting begins: they read each player's rows for the first time
PEOPLE = [person(name) for name in ("Anna", "Boris", "Clara", "Dora", "Egor", "Fanny")]
PODKIDNOY = "podkidnoy-36"


@dataclass
class Costs:
    """The costs of some presses together; the CPU time includes the harness's waiting."""

    presses: int = 0
    statements: Statements = field(default_factory=Statements)
    messages: int = 0
    seconds: float = 0.0

    def __str__(self) -> str:
        each = self.statements
        return (
            f"{self.presses} presses, for each: {each.all / self.presses:.1f} statements, "
            f"{each.writers / self.presses:.1f} BEGIN IMMEDIATE, {each.readers / self.presses:.1f} BEGIN, "
            f"{each.commits / self.presses:.1f} commits, {self.messages / self.presses:.1f} messages, "
            f"{1000 * self.seconds / self.presses:.1f} ms of CPU (with the waiting of the harness)"
        )


def statements_of_a_press(is_quick: bool, /) -> Measured:
    """Counts the database statements of each press of four players at a table of text."""
    presses = 3 if is_quick else 30
    with asyncio.Runner(loop_factory=SettlingLoop) as runner:
        costs = runner.run(costs_of_presses(presses))

    each = costs.statements
    return Measured([count / costs.presses for count in (each.all, each.writers, each.commits)])


async def costs_of_presses(presses: int, *, people: int = 4, rules: str = PODKIDNOY) -> Costs:
    """Plays on at one table and counts."""
    with TemporaryDirectory() as folder:
        bot = RunningBot(f"sqlite+aiosqlite:///{Path(folder) / 'durak.db'}", Chat(), FakeClock())
        await bot.start()
        table = await bot.chooses(await bot.dealt(*PEOPLE[:people], rules=rules), throw_in_seconds=0)

        for _ in range(WARMING_UP):
            await bot.plays(table)

        await bot.settle()
        costs = Costs()
        sent = len(bot.chat.sent)

        while costs.presses < presses:
            if (await bot.session(table)).outcome is not None:
                raise SystemExit("the game is over before all presses are made: take fewer")

            with counted() as statements:
                began = process_time()
                await bot.plays(table)
                await bot.settle()
                costs.seconds += process_time() - began

            costs.presses += 1
            costs.statements.executed += statements.executed
            costs.statements.commits += statements.commits

        costs.messages = len(bot.chat.sent) - sent
        await bot.stop()

    return costs


def main() -> None:
    """Prints the chosen figures."""
    parser = ArgumentParser(description=__doc__, formatter_class=ArgumentDefaultsHelpFormatter)
    parser.add_argument("--people", type=int, default=4)
    parser.add_argument("--presses", type=int, default=30)
    parser.add_argument("--rules", default=PODKIDNOY, help="as after /durak")
    parser.add_argument("--list", action="store_true", help="print each statement, and how often it came")
    options = parser.parse_args()

    with asyncio.Runner(loop_factory=SettlingLoop) as runner:
        costs = runner.run(costs_of_presses(options.presses, people=options.people, rules=options.rules))

    print(costs)
    if options.list:
        for statement, times in costs.statements.executed.most_common():
            print(f"{times / costs.presses:6.2f}  {' '.join(statement.split())[:140]}")


if __name__ == "__main__":
    main()
