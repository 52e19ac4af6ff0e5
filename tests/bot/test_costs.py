"""The limits of a press's cost in the database, however many see its effects."""

import shutil
from pathlib import Path

from tests.bot.chat import Chat, person
from tests.bot.fake_clock import FakeClock
from tests.bot.running_bot import RunningBot
from tests.bot.statements import counted

PEOPLE = [person(name) for name in ("Anna", "Boris", "Clara", "Dora")]
PRESSES = 20


async def test_a_press_is_a_move_on_disk_and_one_note_of_what_everybody_sees(bot: RunningBot) -> None:
    table = await bot.chooses(await bot.dealt(*PEOPLE, rules="podkidnoy-36"), throw_in_seconds=0)
    for each in PEOPLE:  # a first press looks its person up
        await bot.presses_move(table, each, "T")

    await bot.settle()
    with counted() as statements:
        for _ in range(PRESSES):
            await bot.plays(table)
            await bot.settle()

    assert statements.commits == statements.writers
    assert PRESSES < statements.writers <= 2 * PRESSES
    assert statements.all <= 10 * PRESSES


async def cost_of_presses(file: Path, links: str) -> tuple[int, int, int]:
    """Plays the same game on a new database; returns calls, statements and commits of its presses."""
    bot = RunningBot(f"sqlite+aiosqlite:///{file}", Chat(), FakeClock())
    bot.links = links
    await bot.start()
    dealt = await bot.dealt(*PEOPLE, rules="podkidnoy-36", seed="5eed")
    table = await bot.chooses(dealt, throw_in_seconds=0)
    await bot.settle()
    before = len(bot.chat.sent)

    with counted() as statements:
        for _ in range(PRESSES):
            await bot.plays(table)
            await bot.settle()

    await bot.stop()
    return len(bot.chat.sent) - before, statements.all, statements.commits


async def test_a_table_that_nobody_views_costs_what_it_costs_without_live_tables(
    empty_database: Path, tmp_path: Path
) -> None:
    costs = list[tuple[int, int, int]]()
    for number, links in enumerate(("", "https://durak.example/in/link")):
        file = tmp_path / f"{number}.db"
        shutil.copy(empty_database, file)
        costs.append(await cost_of_presses(file, links))

    without, offered = costs
    assert without == offered
