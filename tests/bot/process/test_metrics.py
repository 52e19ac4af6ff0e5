"""The metrics behind an owner's alarms are in `/metrics`, and begin at zero."""

import os
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from aiohttp.test_utils import TestClient, TestServer
from prometheus_client.parser import text_string_to_metric_families
from structlog.testing import capture_logs

from bot.handlers.refusing import REPORT_SECONDS
from bot.screens import refusals
from bot.tables.scheduler import STUCK_SECONDS
from engine import Reason
from tests.bot.chat import PLATFORM, ROOM, person
from tests.bot.running_bot import ANNA, BORIS, RunningBot

Samples = dict[tuple[str, tuple[tuple[str, str], ...]], float]


async def measured(bot: RunningBot) -> Samples:
    """Scrapes the metrics, as Prometheus does."""
    async with TestClient(TestServer(bot.app.http)) as http:
        text = await (await http.get("/metrics")).text()

    return {
        (sample.name, tuple(sorted(sample.labels.items()))): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def of(samples: Samples, metric: str, **labels: str) -> float:
    return samples[metric, tuple(sorted(labels.items()))]


@contextmanager
def without_file(bot: RunningBot) -> Iterator[None]:
    """Takes the database's file away while the block runs."""
    os.rename(bot.file, f"{bot.file}.away")
    try:
        yield
    finally:
        os.rename(f"{bot.file}.away", bot.file)


async def grown(bot: RunningBot, before: Samples, metric: str, **labels: str) -> float:
    return of(await measured(bot), metric, **labels) - of(before, metric, **labels)


async def test_every_series_is_there_before_anything_happens(bot: RunningBot) -> None:
    before = await measured(bot)
    for reason in refusals.known_reasons():
        assert of(before, "durak_refusals_total", reason=reason) >= 0

    for outcome in ("done", "noticed", "refused"):
        assert of(before, "durak_presses_total", outcome=outcome) >= 0

    for until in ("answered", "shown"):
        assert of(before, "durak_press_seconds_count", platform=PLATFORM, until=until) >= 0

    assert of(before, "durak_commands_total", name="durak") >= 0
    assert of(before, "durak_deliveries_total", platform=PLATFORM, kind="table", outcome="gone") >= 0
    assert of(before, "durak_task_failures_total", task="outbox") >= 0
    assert of(before, "durak_queue", platform=PLATFORM) == 0


async def test_database_and_chats_are_up_or_not(bot: RunningBot) -> None:
    samples = await measured(bot)
    assert of(samples, "durak_database_up") == of(samples, "durak_chat_up", platform=PLATFORM) == 1
    bot.chat.ready = False
    with without_file(bot), capture_logs():
        await bot.chat.types(ANNA, "/durak")
        samples = await measured(bot)

    assert of(samples, "durak_database_up") == of(samples, "durak_chat_up", platform=PLATFORM) == 0


async def test_what_could_not_be_saved_is_refused_and_not_noticed(bot: RunningBot) -> None:
    table = await bot.dealt(ANNA, BORIS)
    before = await measured(bot)
    with without_file(bot), capture_logs() as lines:
        reply = await bot.presses_move(table, await bot.waiting_for(table), "T")

    assert reply.toast is not None
    assert "save anything" in reply.toast
    assert await grown(bot, before, "durak_refusals_total", reason="not_written") == 1
    assert await grown(bot, before, "durak_presses_total", outcome="refused") == 1
    assert await grown(bot, before, "durak_presses_total", outcome="noticed") == 0
    assert [line["reason"] for line in lines if line["event"] == "press_refused"] == ["not_written"]


async def test_a_refused_press_is_one_line_without_cards_and_names(bot: RunningBot) -> None:
    table = await bot.dealt(ANNA, BORIS)
    before = await measured(bot)
    player = await bot.waiting_for(table)
    session = await bot.session(table)
    assert session.state is not None
    move = next(str(move) for move in session.state.legal_moves(await bot.waiting_seat(table)))
    other = BORIS if player == ANNA else ANNA

    with capture_logs() as lines:
        await bot.presses_move(table, other, move)

    (line,) = [line for line in lines if line["log_level"] != "debug"]
    seat = (await bot.app.tables.table(table.id)).seat_of(other.ref)
    assert line == {
        "event": "press_refused",
        "log_level": "info",
        "platform": PLATFORM,
        "button": "PlayMove",
        "table": table.id,
        "seat": seat,
        "reason": line["reason"],
    }
    assert line["reason"] in {reason.name.lower() for reason in Reason}
    assert await grown(bot, before, "durak_refusals_total", reason=line["reason"]) == 1


async def test_many_refused_presses_are_two_lines_a_minute(bot: RunningBot) -> None:
    table = await bot.dealt(ANNA, BORIS)
    other = BORIS if await bot.waiting_for(table) == ANNA else ANNA
    with capture_logs() as lines:
        for _ in range(50):
            await bot.presses_move(table, other, "T")

        await bot.skip(REPORT_SECONDS)
        await bot.presses_move(table, other, "T")

    refusals = [line for line in lines if "refused" in line["event"]]
    reason = refusals[0]["reason"]
    assert [line["event"] for line in refusals] == ["press_refused", "presses_refused", "press_refused"]
    assert refusals[1][reason] == 49


async def test_a_press_is_timed_until_it_is_answered_and_until_it_is_shown(bot: RunningBot) -> None:
    table = await bot.dealt(ANNA, BORIS)
    before = await measured(bot)
    await bot.plays(table)
    for until in ("answered", "shown"):
        assert await grown(bot, before, "durak_press_seconds_count", platform=PLATFORM, until=until) == 1


async def test_the_last_update_of_a_chat_is_known(bot: RunningBot) -> None:
    bot.clock.skip(100.0)
    await bot.chat.types(person("Clara"), "/help")
    samples = await measured(bot)
    assert of(samples, "durak_chat_last_update_timestamp_seconds", platform=PLATFORM) == bot.clock.now()


async def test_games_that_wait_and_games_that_are_stuck_are_counted(
    bot: RunningBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert of(await measured(bot), "durak_tables_waiting") == 0
    table = await bot.dealt(ANNA, BORIS)
    samples = await measured(bot)
    assert (of(samples, "durak_tables_waiting"), of(samples, "durak_tables_stuck")) == (1, 0)

    async def broken(*_: object) -> None:
        raise ValueError("unforeseen")

    with monkeypatch.context() as meanwhile, capture_logs():
        meanwhile.setattr(bot.app.tables, "session", broken)
        bot.app.table_events.changed(table.id)
        for _ in range(int(STUCK_SECONDS / 5) + 2):
            await bot.skip(5.0)

        assert of(await measured(bot), "durak_tables_stuck") == 1

    await bot.skip(5.0)
    assert of(await measured(bot), "durak_tables_stuck") == 0

    await bot.stopped(ANNA, BORIS)
    assert of(await measured(bot), "durak_tables_waiting") == 0


async def test_messages_that_wait_are_counted_with_their_age(bot: RunningBot) -> None:
    bot.app.connections.suspend(True)
    await bot.chat.types(ANNA, "/durak")
    await bot.skip(20.0)
    samples = await measured(bot)
    assert of(samples, "durak_queue", platform=PLATFORM) >= 1
    assert of(samples, "durak_queue_oldest_seconds", platform=PLATFORM) == 20.0
    bot.app.connections.suspend(False)


async def test_schema_build_disk_and_loop_are_there(bot: RunningBot) -> None:
    samples = await measured(bot)
    names = {name for name, _ in samples}
    assert {"durak_schema_info", "durak_build_info", "durak_loop_lag_seconds_count"} <= names
    assert of(samples, "durak_disk_free_bytes") > 0
    assert "durak_backup_last_timestamp_seconds" not in names, "without a folder with backups"


async def test_no_metric_names_anybody(bot: RunningBot) -> None:
    await bot.dealt(ANNA, BORIS)
    labels = {value for _, found in await measured(bot) for _, value in found}
    assert not labels & {"Anna", "Boris", ROOM.id, ANNA.ref.id}
