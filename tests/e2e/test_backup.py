"""Backups as an owner makes them: on the command line, beside a bot that runs."""

from pathlib import Path

from tests.e2e.process import BotProcess
from tests.e2e.start import output_of


async def test_a_backup_is_made_beside_a_running_bot_and_put_back_when_it_is_stopped(tmp_path: Path) -> None:
    bot = BotProcess(tmp_path, {})
    await bot.start()
    code, said = await output_of(tmp_path, "backup", "copy.db")
    assert (code, said) == (0, "copy.db is a sound backup; tables: 0, finished games: 0.")

    code, said = await output_of(tmp_path, "restore", "copy.db")
    assert code == 75
    assert said.startswith(
        "The database durak.db is in use by another process of this bot: end that one first"
    )
    assert await bot.stop() == 0

    code, said = await output_of(tmp_path, "restore", "copy.db")
    assert code == 0
    assert said.startswith("copy.db is in place: start the bot again.")

    await bot.start()
    assert await bot.stop() == 0


async def test_an_unknown_command_is_answered_with_the_known_ones(tmp_path: Path) -> None:
    code, said = await output_of(tmp_path, "bakcup", "copy.db")
    assert code == 2
    assert "backup" in said.splitlines()[-1]
    assert "restore" in said.splitlines()[-1]
