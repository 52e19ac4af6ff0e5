"""What a press may cost in the database, however many see what it changes."""

from tests.bot.chat import person
from tests.bot.running_bot import RunningBot
from tests.bot.statements import counted

PEOPLE = [person(name) for name in ("Anna", "Boris", "Clara", "Dora")]
PRESSES = 20


async def test_a_press_is_a_move_on_disk_and_one_note_of_what_everybody_sees(bot: RunningBot) -> None:
    table = await bot.chooses(await bot.dealt(*PEOPLE, rules="podkidnoy-36"), throw_in_seconds=0)
    for each in PEOPLE:  # who presses a button for the first time is looked up
        await bot.presses_move(table, each, "T")
    await bot.settle()
    with counted() as statements:
        for _ in range(PRESSES):
            await bot.plays(table)
            await bot.settle()
    assert statements.commits == statements.writers
    assert PRESSES < statements.writers <= 2 * PRESSES
    assert statements.all <= 10 * PRESSES
