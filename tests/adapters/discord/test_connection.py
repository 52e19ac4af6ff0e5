"""Logging in, staying connected, and stopping."""

import asyncio
import logging
from contextlib import AsyncExitStack, suppress
from typing import Any

import pytest
import structlog

from adapters.discord import DiscordAdapter
from adapters.discord import adapter as life
from adapters.port import AccessDeniedError, Backoff, Reply, outages
from tests.adapters.contract import ListeningInbox, eventually
from tests.adapters.contract.steps import posted, says
from tests.adapters.discord.harness import SPECS, DiscordHarness, adapter_for, harness_of, works
from tests.wire.discord import TOKEN, DiscordServer, Fault, Refusal


async def test_only_the_intent_for_servers_is_asked_for(harness: DiscordHarness) -> None:
    (said,) = harness.server.gateway.identified
    assert said["intents"] == 1
    assert said["shard"] == [0, 1]


async def test_a_request_to_reconnect_resumes(harness: DiscordHarness) -> None:
    harness.server.gateway.ask_to_reconnect()
    await eventually(lambda: harness.server.gateway.resumed == 1)
    assert await works(harness)
    assert len(harness.server.gateway.identified) == 1


async def test_a_press_during_an_outage_arrives_afterwards(harness: DiscordHarness) -> None:
    anna = await harness.newcomer("Anna")
    _, seen = await posted(harness, says("table", "Go"))
    harness.server.gateway.cut()
    await harness.presses(anna, seen, "Go")
    assert len(harness.inbox.pressed) == 1
    assert harness.server.gateway.resumed == 1


async def test_an_event_that_cannot_be_read_is_skipped_and_only_that_one(
    harness: DiscordHarness, caplog: pytest.LogCaptureFixture
) -> None:
    harness.server.gateway.publish("INTERACTION_CREATE", {"id": "77", "user": "Zoe's secret"}, None)
    harness.server.gateway.publish("GUILD_CREATE", {"name": "Zoe's secret"}, None)

    assert await works(harness)
    assert harness.inbox.skipped == [
        ("discord", "INTERACTION_CREATE 77", "KeyError"),
        ("discord", "GUILD_CREATE", "KeyError"),
    ]
    assert len(harness.server.gateway.identified) == 1
    assert "secret" not in caplog.text


@pytest.mark.parametrize(
    "left_out",
    [
        ("channel",),
        ("message", "components"),
        ("member", "roles"),
        ("member", "user", "username"),
        ("attachment_size_limit",),
    ],
)
async def test_a_press_needs_no_more_of_its_event_than_the_bot_does(
    harness: DiscordHarness, left_out: tuple[str, ...]
) -> None:
    def spoil(event: dict[str, Any]) -> None:
        *path, field = left_out
        for key in path:
            event = event[key]
        event.pop(field, None)

    harness.server.state.spoil_interaction = spoil
    assert await works(harness)
    assert harness.inbox.pressed[0].room == harness.room
    assert harness.inbox.skipped == []


async def test_an_interaction_that_is_delivered_twice_is_answered_once(
    harness: DiscordHarness,
) -> None:
    harness.server.state.deliveries = 2
    with structlog.testing.capture_logs() as lines:
        assert await works(harness)
        await harness.types(next(iter(harness.people)), "/hand")
        await eventually(lambda: harness.inbox.commands)

    assert (len(harness.inbox.pressed), len(harness.inbox.commands)) == (1, 1)
    assert lines == []


async def test_an_invalid_session_is_begun_anew(
    harness: DiscordHarness, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def at_once(*_: object, **__: object) -> None:
        """Drops the five seconds that Discord demands between logins."""

    monkeypatch.setattr("adapters.discord.client.DiscordClient.before_identify_hook", at_once)
    harness.server.gateway.invalidate()
    await eventually(lambda: len(harness.server.gateway.identified) == 2)
    await eventually(lambda: harness.adapter.ready)
    assert await works(harness)


async def test_a_revoked_token_ends_the_run(server: DiscordServer) -> None:
    adapter = adapter_for(server)
    async with asyncio.TaskGroup() as tasks:
        running = tasks.create_task(_denied(adapter))
        await eventually(lambda: adapter.ready)
        server.gateway.hang_up(4004)
        assert "DURAK_DISCORD_TOKEN" in await running

    assert not adapter.ready


async def _denied(adapter: DiscordAdapter) -> str:
    with pytest.raises(AccessDeniedError) as denied:
        await adapter.run(ListeningInbox())
    return str(denied.value)


async def test_a_discord_that_is_down_at_the_start_is_waited_for(
    server: DiscordServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(life, "LOGINS", Backoff(first=0.01, most=60.0))
    server.state.faults.add(Fault("GET", "/users/@me", Refusal.UNAVAILABLE))
    server.state.faults.add(Fault("GET", "/users/@me", hang_up="before"))
    server.state.faults.add(Fault("GET", "/gateway/bot", Refusal.UNAVAILABLE))
    async with harness_of(server) as harness:
        assert await works(harness)


async def test_stopping_says_goodbye_and_leaves_nothing_running(server: DiscordServer) -> None:
    before = asyncio.all_tasks()
    async with harness_of(server) as harness:
        assert await works(harness)

    await eventually(lambda: not server.gateway.sessions)
    left = [task for task in asyncio.all_tasks() - before if "adapters" in repr(task)]
    assert left == []


async def test_stopping_in_the_middle_of_an_answer_is_clean(server: DiscordServer) -> None:
    async with asyncio.TaskGroup() as tasks:
        async with harness_of(server) as harness:
            anna = await harness.newcomer("Anna")
            _, seen = await posted(harness, says("table", "Go"))
            harness.inbox.slow_for = anna
            server.state.answer_within = 0.3
            waiting = tasks.create_task(harness.presses(anna, seen, "Go"))
            await eventually(lambda: harness.inbox.pressed)

        await waiting

    assert harness.inbox.answers == []


@pytest.mark.parametrize("delay", [0.02, 0.3])
async def test_an_answer_on_its_way_when_the_bot_stops_is_no_trouble(
    server: DiscordServer, delay: float
) -> None:
    path = "/interactions/{interaction_id}/{interaction_token}/callback"
    with structlog.testing.capture_logs() as lines:
        async with harness_of(server) as harness, asyncio.TaskGroup() as tasks:
            anna = await harness.newcomer("Anna")
            _, seen = await posted(harness, says("table", "Go"))
            harness.inbox.reply = Reply(toast="one", secret=says("two"), public=says("three"))
            server.state.answer_within = 0.3
            server.state.faults.add(Fault("POST", path, delay=delay))
            tasks.create_task(harness.presses(anna, seen, "Go"))
            await eventually(lambda: harness.inbox.pressed)
            await asyncio.sleep(0.01)
            await harness.stop()

    assert [line for line in lines if line["log_level"] in {"warning", "error"}] == []


async def test_the_token_and_the_texts_are_in_no_log_line(
    server: DiscordServer, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    with structlog.testing.capture_logs() as lines:
        async with harness_of(server) as harness:
            assert await works(harness)
            server.state.faults.add(Fault("PATCH", refusal=Refusal.INVALID_FORM))
            await harness.adapter.edit((await posted(harness, says("again")))[0], says("queen of spades"))

    for text in [repr(lines), caplog.text]:
        assert TOKEN not in text
        assert "queen" not in text


async def test_shards_are_served_as_told(server: DiscordServer) -> None:
    adapter = DiscordAdapter(
        TOKEN,
        commands=SPECS,
        api_url=server.api_url,
        gateway_url=server.gateway_url,
        shard_ids=[1],
        shard_count=2,
    )

    async with asyncio.TaskGroup() as tasks:
        running = tasks.create_task(adapter.run(ListeningInbox()))
        await eventually(lambda: adapter.ready)
        running.cancel()

    assert [said["shard"] for said in server.gateway.identified] == [[1, 2]]


async def test_an_outage_has_a_reason_and_leaves_no_traces_in_the_log(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(life, "LOGINS", Backoff(first=0.01, most=60.0))
    with structlog.testing.capture_logs() as lines:
        async with AsyncExitStack() as stack:
            server = await stack.enter_async_context(DiscordServer())
            adapter = adapter_for(server)
            running = asyncio.create_task(adapter.run(ListeningInbox()))
            await eventually(lambda: adapter.ready)
            assert adapter.trouble == ""

        await eventually(lambda: not adapter.ready and adapter.trouble)

        running.cancel()
        with suppress(asyncio.CancelledError):
            await running

    assert adapter.trouble in {outages.REFUSED, outages.BROKEN_OFF}
    assert [line for line in lines if line["log_level"] not in {"debug", "info"}] == []
    assert [record for record in caplog.records if record.levelno >= logging.WARNING] == []


@pytest.mark.slow  # the library itself tries again for half a minute
async def test_a_discord_in_trouble_of_its_own_is_named(
    server: DiscordServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(life, "LOGINS", Backoff(first=0.2, most=60.0))
    server.state.faults.add(Fault("GET", "/users/@me", page=502, times=9))
    adapter = adapter_for(server)
    running = asyncio.create_task(adapter.run(ListeningInbox()))
    await eventually(lambda: "error 502" in adapter.trouble, within=30.0)
    running.cancel()
    with suppress(asyncio.CancelledError):
        await running


async def test_an_endpoint_that_swallows_all_presses_is_found(server: DiscordServer) -> None:
    def with_endpoint(application: Any) -> None:
        application["interactions_endpoint_url"] = "https://elsewhere.example"

    server.state.faults.add(Fault("GET", "/oauth2/applications/@me", spoils=with_endpoint))
    assert "Interactions Endpoint URL" in (await adapter_for(server).account()).problem
    assert (await adapter_for(server).account()).problem == ""
