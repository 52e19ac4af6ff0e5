"""A task that ends does not end others, and is restarted."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress

import pytest
import pytest_asyncio
from structlog.testing import capture_logs

from adapters.port import AccessDeniedError
from bot.process.supervisor import RECOVERED_SECONDS, RESTARTS, Supervisor
from bot.storage import BackupFailedError, DatabaseUnreachableError
from tests.bot.fake_clock import FakeClock, a_few_turns
from tests.bot.running_bot import ANNA, BORIS, RunningBot


class Tasks:
    """Tasks under one supervisor; each runs until the test ends it in a chosen way."""

    def __init__(self) -> None:
        self.clock = FakeClock()
        self.supervisor = Supervisor()
        self.ends = dict[str, asyncio.Queue[BaseException]]()
        self.running = set[str]()
        self._kept = list[asyncio.Task[None]]()

    def keep(self, name: str) -> None:
        self.ends[name] = asyncio.Queue()
        self._kept.append(asyncio.create_task(self.supervisor.keep(name, self._task(name))))

    def _task(self, name: str) -> Callable[[], Awaitable[None]]:
        async def run() -> None:
            self.running.add(name)
            try:
                raise await self.ends[name].get()
            finally:
                self.running.discard(name)

        return run

    async def fails(self, name: str, error: BaseException) -> None:
        self.ends[name].put_nowait(error)
        await a_few_turns()

    async def end(self) -> None:
        for task in self._kept:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task


@pytest_asyncio.fixture
async def tasks() -> AsyncIterator[Tasks]:
    tasks = Tasks()
    for name in ("good", "bad"):
        tasks.keep(name)

    await a_few_turns()
    yield tasks
    await tasks.end()


@pytest.mark.parametrize(
    "error",
    [KeyError("message"), ExceptionGroup("many", [TypeError()]), asyncio.CancelledError()],
    ids=lambda error: type(error).__name__,
)
async def test_a_task_that_fails_starts_again_and_the_other_goes_on(
    tasks: Tasks, error: BaseException
) -> None:
    with capture_logs() as lines:
        await tasks.fails("bad", error)

    assert [(line["event"], line["task"]) for line in lines] == [("task_failed", "bad")]
    assert tasks.running == {"good"}
    await tasks.clock.passes(RESTARTS.first)
    assert tasks.running == {"good", "bad"}


async def test_a_failed_task_is_in_trouble_until_it_has_run_for_a_while(tasks: Tasks) -> None:
    with capture_logs():
        await tasks.fails("bad", ValueError())

    await tasks.clock.passes(RESTARTS.first)
    assert tasks.supervisor.troubles.keys() == {"bad"}
    await tasks.clock.passes(RECOVERED_SECONDS)
    assert tasks.supervisor.troubles == {}


async def test_the_pause_before_the_next_attempt_grows_until_it_went_well_for_a_while(tasks: Tasks) -> None:
    with capture_logs():
        for pause in (RESTARTS.first, 2 * RESTARTS.first, 4 * RESTARTS.first):
            await tasks.fails("bad", ValueError())
            await tasks.clock.passes(pause - 0.1)
            assert tasks.running == {"good"}
            await tasks.clock.passes(0.1)
            assert tasks.running == {"good", "bad"}

        await tasks.clock.passes(RESTARTS.most + 1)
        await tasks.fails("bad", ValueError())
        await tasks.clock.passes(RESTARTS.first)

        assert tasks.running == {"good", "bad"}


async def test_a_reason_that_says_it_all_is_logged_once_until_the_task_has_run_for_long(tasks: Tasks) -> None:
    why = "The folder is not there."
    with capture_logs() as lines:
        for pause in (RESTARTS.first, 2 * RESTARTS.first):
            await tasks.fails("bad", BackupFailedError(why))
            await tasks.clock.passes(pause)

        assert [line["why"] for line in lines] == [why]
        await tasks.clock.passes(RESTARTS.most + 1)
        await tasks.fails("bad", BackupFailedError(why))

    assert [line["why"] for line in lines] == [why, why]


@pytest.mark.parametrize("kind", [DatabaseUnreachableError, AccessDeniedError])
async def test_what_database_and_chats_log_themselves_is_not_logged_again(
    tasks: Tasks, kind: type[Exception]
) -> None:
    with capture_logs() as lines:
        await tasks.fails("bad", kind("It is away."))

    assert lines == []
    assert tasks.supervisor.troubles == {"bad": "It is away."}


@pytest.mark.parametrize(
    ("rows", "task"), [("call", "calls"), ("badge", "badges"), ("card_game", "resuming")]
)
async def test_a_database_that_fails_at_the_start_ends_nothing(bot: RunningBot, rows: str, task: str) -> None:
    table = await bot.dealt(ANNA, BORIS)
    async with bot.without_disk(rows):
        await bot.stop()
        with capture_logs() as lines:
            starting = asyncio.create_task(bot.start())
            await bot.until(lambda: any(line["event"] == "task_failed" for line in lines))
            await bot.skip(RESTARTS.first)

        assert {line["task"] for line in lines if line["event"] == "task_failed"} == {task}

    await bot.skip(2 * RESTARTS.first)
    await starting
    await bot.skip(RECOVERED_SECONDS)
    assert bot.app.connections.supervisor.troubles == {}

    await bot.plays(table)


@pytest.mark.parametrize(
    ("name", "needed"),
    [("outbox", "bot.delivery.outbox.ShortTurns.next"), ("scheduler", "bot.tables.clock.SteadyClock.now")],
)
async def test_a_task_that_starts_again_makes_up_for_what_it_missed(
    slow_bot: RunningBot, monkeypatch: pytest.MonkeyPatch, name: str, needed: str
) -> None:
    bot = slow_bot
    table = await bot.waits_for_house_player()
    before = (await bot.session(table)).version

    def broken(*_: object) -> None:
        raise ValueError("unforeseen")

    with monkeypatch.context() as meanwhile, capture_logs() as lines:
        meanwhile.setattr(needed, broken)
        bot.app.outbox.mark_dirty(table.subject)
        await bot.skip(6.0)

    assert name in {line.get("task") for line in lines if line["event"] == "task_failed"}

    for _ in range(10):
        await bot.skip(5.0)

    assert (await bot.session(table)).version > before
    assert not bot.app.outbox.is_dirty(table.subject)
