"""Many updates at a time, of which none waits for another or fails with it."""

import asyncio

import structlog
from telegram import Update

from adapters.telegram.adapter import AT_A_TIME, UpdateTasks
from tests.adapters.contract import eventually


async def test_an_update_that_cannot_be_handled_is_logged_and_others_are_handled() -> None:
    async def handle(update: Update) -> None:
        handled.append(update.update_id)
        if update.update_id == 1:
            raise ValueError

    handled = list[int]()
    updates = UpdateTasks(handle)
    with structlog.testing.capture_logs() as lines:
        for number in (1, 2):
            updates.start(Update(number))
        await updates.finish()
    assert handled == [1, 2]
    assert [line["event"] for line in lines] == ["update_failed"]


async def test_no_more_than_so_many_are_handled_at_a_time_and_the_end_waits_for_all() -> None:
    async def handle(update: Update) -> None:
        begun.append(update.update_id)
        await release.wait()
        ended.append(update.update_id)

    begun, ended, release = list[int](), list[int](), asyncio.Event()
    updates = UpdateTasks(handle)
    for number in range(AT_A_TIME + 1):
        updates.start(Update(number))
    await eventually(lambda: len(begun) == AT_A_TIME)
    finishing = asyncio.create_task(updates.finish())
    release.set()
    await finishing
    assert len(ended) == AT_A_TIME + 1
