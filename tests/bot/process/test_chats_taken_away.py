"""A chat that is no longer served keeps its tables, and does not affect other chats."""

from structlog.testing import capture_logs

from tests.bot.chat import PLATFORM, Chat
from tests.bot.running_bot import ANNA, BORIS, RunningBot

DAY = 24 * 60 * 60.0


async def test_a_chat_taken_away_while_its_tables_run_is_no_trouble_and_goes_on_when_it_is_back(
    bot: RunningBot,
) -> None:
    table = await bot.dealt(ANNA, BORIS)
    version = (await bot.session(table)).version
    before = bot.chat
    await bot.stop()

    with capture_logs() as lines:
        bot.chat = Chat(platform="other")
        await bot.start()
        for _ in range(24):
            await bot.skip(DAY / 24)

        await bot.stop()

    assert [line for line in lines if line["log_level"] not in {"debug", "info"}] == []

    bot.chat = before
    await bot.start()
    await bot.settle()
    assert bot.chat.platform == PLATFORM
    assert (await bot.session(table)).version == version

    await bot.plays(table)
