"""A bot that runs for months keeps no more than its caches hold."""

import asyncio
import gc
from collections import Counter
from functools import _lru_cache_wrapper
from pathlib import Path

import pytest

from adapters.port import RoomRef, ServerRef
from bot.cache import LIMITS
from tests.bot.chat import PLATFORM, Chat, person
from tests.bot.fake_clock import FakeClock
from tests.bot.running_bot import RunningBot
from tests.bot.settling_loop import SettlingLoop

ROUNDS = 6  # games in their own rooms, twice: until all caches are full, and again
SMALL = 3  # how many values each cache keeps here
AN_HOUR = 3600.0
MAX_MORE = ROUNDS // 2  # how many more objects of one kind are allowed: the records of each game make more


async def evening(bot: RunningBot, number: int) -> None:
    """Plays a game of new people in a new room, with their questions, until they leave."""
    room = RoomRef(ServerRef(PLATFORM, f"club-{number}"), "parlour")
    anna = person(f"Anna-{number}")
    boris = person(f"Boris-{number}")
    table = await bot.dealt(anna, boris, room=room)
    await bot.app.tables.resign(table.id, anna)
    await bot.settle()

    for line in ("/stats", "/leaderboard", "/hand", "/verify"):
        await bot.chat.types(boris, line, room)

    for _ in range(30):
        await bot.skip(AN_HOUR)

    chat = bot.chat
    for kept in (chat.sent, chat.replies, chat.messages, chat.keys, chat.notices, chat.portraits_asked):
        kept.clear()  # the chat's own memory


def objects() -> Counter[str]:
    """Counts the objects of each of the bot's own kinds, except drawings of letters and cards."""
    for each in gc.get_objects():
        if isinstance(each, _lru_cache_wrapper):  # each has a limit, of many evenings
            each.cache_clear()

    gc.collect()
    kinds = (type(each) for each in gc.get_objects())
    return Counter(
        f"{kind.__module__}.{kind.__qualname__}"
        for kind in kinds
        if str(kind.__module__).startswith(("bot.", "engine.", "adapters.", "asyncio"))
    )


@pytest.mark.slow
def test_what_is_kept_in_memory_does_not_grow_with_the_games_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in LIMITS.__slots__:
        monkeypatch.setattr(LIMITS, name, SMALL)

    async def run() -> list[Counter[str]]:
        bot = RunningBot(f"sqlite+aiosqlite:///{tmp_path / 'durak.db'}", Chat(), FakeClock())
        await bot.start()
        found = list[Counter[str]]()

        for number in range(2 * ROUNDS):
            if number % ROUNDS == 0:
                found.append(objects())
            await evening(bot, number)

        await bot.settle()
        found.append(objects())
        await bot.stop()

        return found

    with asyncio.Runner(loop_factory=SettlingLoop) as runner:
        _, full, later = runner.run(run())

    grown = {kind: later[kind] - full[kind] for kind in later if later[kind] - full[kind] > MAX_MORE}
    assert not grown
