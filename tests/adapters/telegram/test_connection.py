"""The adapter's life cycle: it connects, stays connected, stops, and never reveals the token."""

import asyncio
import logging
import time

import pytest
import structlog

from adapters.port import AccessDeniedError, Backoff, Command, Delivered, Everyone, Reply, Throttled
from adapters.telegram import connection, updates
from adapters.telegram.refs import room_ref
from tests.adapters.contract import eventually
from tests.adapters.contract.steps import says
from tests.adapters.telegram.harness import TelegramHarness
from tests.wire.telegram import TOKEN, Loss, TelegramServer


@pytest.fixture(autouse=True)
def _short_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shortens the adapter's pauses between retries to a tenth."""
    for name in ("OUTAGES", "CONFLICTS"):
        backoff = getattr(connection, name)
        monkeypatch.setattr(connection, name, Backoff(backoff.first / 10, backoff.most / 10))


async def test_the_menu_of_commands_is_announced_in_every_language(harness: TelegramHarness) -> None:
    assert set(harness.server.commands) == {"", "de"}
    assert harness.server.commands[""]["hand"] == "Show my hand"
    assert harness.server.commands["de"]["hand"] == "Meine Karten zeigen"
    assert harness.server.commands["de"]["rules"] == "Explain the rules"


async def test_nothing_can_be_sent_before_the_connection_stands() -> None:
    async with TelegramServer() as server:
        harness = TelegramHarness(server)
        assert not harness.adapter.ready
        assert isinstance(await harness.adapter.post(Everyone(harness.room), says("early")), Throttled)


async def test_the_adapter_waits_for_a_server_that_is_not_there_yet() -> None:
    async with TelegramServer() as server:
        server.faults.drop(method="getMe")
        server.faults.refuse(502, "Bad Gateway", method="deleteWebhook")
        server.faults.drop(Loss.AFTER, method="setMyCommands")
        harness = TelegramHarness(server)
        await harness.start()
        assert isinstance(await harness.adapter.post(Everyone(harness.room), says("here")), Delivered)

        await harness.stop()
        assert not harness.adapter.ready


async def test_presses_made_while_the_bot_was_down_are_not_lost_and_come_once(
    harness: TelegramHarness,
) -> None:
    await harness.adapter.post(Everyone(harness.room), says("table", "Go"))
    (message,) = harness.owner.sees(harness.chat)
    await harness.stop()

    async with asyncio.TaskGroup() as tasks:
        pressing = tasks.create_task(harness.owner.presses("Go", message))
        await eventually(lambda: harness.server.updates.waiting)
        harness.inbox.reply = Reply(toast="late, but done")
        await harness.restart_from_nothing()

    assert pressing.result().text == "late, but done"
    await harness.restart()
    assert len(harness.inbox.pressed) == 1


async def test_an_update_that_telegram_repeats_does_no_harm(harness: TelegramHarness) -> None:
    await harness.adapter.post(Everyone(harness.room), says("table", "Go"))
    harness.server.updates.ignored_confirmations = 1
    harness.inbox.reply = Reply(toast="done")
    answer = await harness.owner.presses("Go", harness.owner.sees(harness.chat)[0])
    assert answer.text == "done"
    await eventually(lambda: not harness.server.updates.waiting)
    assert {press.token for press in harness.inbox.pressed} == {"t:Go"}


async def test_polling_goes_on_after_another_poll_took_over(harness: TelegramHarness) -> None:
    assert await harness.server.updates.fetch(0, 1, 0) == []
    harness.owner.says("/rules", in_=harness.chat)
    await eventually(lambda: harness.inbox.commands)


@pytest.mark.parametrize("kind", ["message", "callback_query", "my_chat_member"])
async def test_an_update_that_cannot_be_read_is_skipped_and_only_that_one(
    harness: TelegramHarness, kind: str, caplog: pytest.LogCaptureFixture
) -> None:
    harness.owner.says("/rules", in_=harness.chat)
    harness.server.updates.put(kind, {"id": "7", "from": {"name": "Zoe's secret"}})
    harness.owner.says("/hand", in_=harness.chat)
    await eventually(lambda: len(harness.inbox.commands) == 2)
    ((platform, event, error),) = harness.inbox.skipped
    assert (platform, event) == ("telegram", str(harness.server.updates.newest - 1))
    assert error in {"KeyError", "TypeError"}

    await eventually(lambda: not harness.server.updates.waiting)
    await harness.restart()
    assert len(harness.inbox.skipped) == 1
    assert "secret" not in caplog.text


async def test_the_adapter_can_be_run_again_after_something_unforeseen(
    harness: TelegramHarness, caplog: pytest.LogCaptureFixture
) -> None:
    harness.server.faults.babble([{"message": "Zoe's secret"}], method="getUpdates")
    harness.owner.says("/hand", in_=harness.chat)
    with pytest.raises(AttributeError):
        await harness.ended()

    assert not harness.adapter.ready
    await harness.start()
    harness.inbox.reply = Reply(public=says("the rules"))
    harness.server.faults.throttle(1, method="sendMessage")
    harness.owner.says("/rules", in_=harness.chat)
    await eventually(lambda: harness.owner.sees(harness.chat))
    assert "secret" not in caplog.text


IN_USE = "another process uses this token: end that one, or make a separate token for it"


async def test_two_processes_with_one_token_are_told_so_and_give_way_to_each_other(
    harness: TelegramHarness,
) -> None:
    other = TelegramHarness(harness.server)
    with structlog.testing.capture_logs() as lines:
        await other.start()
        await eventually(lambda: len([line for line in lines if "another process" in line["why"]]) >= 3)
        await other.stop()

    logged = [line for line in lines if line["event"] == "telegram_unreachable"]
    assert {line["why"] for line in logged} == {IN_USE}
    assert max(line["pause"] for line in logged) > min(line["pause"] for line in logged)

    harness.owner.says("/rules", in_=harness.chat)
    await eventually(lambda: harness.inbox.commands)


async def test_a_reply_is_sent_again_when_the_chat_was_throttled(harness: TelegramHarness) -> None:
    harness.inbox.reply = Reply(public=says("the rules"))
    harness.server.faults.throttle(1, method="sendMessage")
    harness.owner.says("/rules", in_=harness.chat)
    await eventually(lambda: harness.owner.sees(harness.chat))


async def test_stopping_does_not_wait_for_a_throttled_chat(harness: TelegramHarness) -> None:
    harness.inbox.reply = Reply(public=says("the rules"))
    harness.server.faults.throttle(50, method="sendMessage", times=9)
    harness.owner.says("/rules", in_=harness.chat)
    await eventually(lambda: harness.server.transcript.of("sendMessage"))
    async with asyncio.timeout(5):
        await harness.restart()


async def test_the_token_is_never_logged(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    with structlog.testing.capture_logs() as ours:
        async with TelegramServer() as server:
            server.faults.drop(method="getMe")
            server.faults.drop(method="getUpdates", times=2)
            harness = TelegramHarness(server)
            await harness.start()
            server.faults.refuse(500, "Internal Server Error")
            await harness.adapter.post(Everyone(harness.room), says("table"))
            harness.owner.says("/rules", in_=harness.chat)
            await eventually(lambda: harness.inbox.commands)
            await harness.stop()

            with pytest.raises(Exception, match="DURAK_TELEGRAM_TOKEN") as refused:
                await harness.stranger().run(harness.inbox)

    lines = [record.getMessage() for record in caplog.records] + [repr(entry) for entry in ours]
    assert ours
    assert not [line for line in lines if TOKEN in line or "1:wrong" in line]
    assert refused.value.__context__ is None


async def test_updates_of_one_chat_are_handled_in_the_order_in_which_they_came(
    harness: TelegramHarness, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = ("/rules", "/hand", "/rules perevodnoy", "/stats", "/leaderboard")
    # the first takes longest
    handled = list[str]()
    pauses = iter((0.05, 0.04, 0.03, 0.02, 0.01))

    async def command(command: Command) -> Reply:
        await asyncio.sleep(next(pauses))
        handled.append(" ".join(("/" + command.name, *command.args)))
        return Reply()

    monkeypatch.setattr(harness.inbox, "command", command)
    await harness.stop()
    for line in lines:
        harness.owner.says(line, in_=harness.chat)

    await harness.restart_from_nothing()
    await eventually(lambda: len(handled) == len(lines))
    assert tuple(handled) == lines


async def test_what_waits_in_one_chat_holds_up_no_other(
    harness: TelegramHarness, monkeypatch: pytest.MonkeyPatch
) -> None:
    boris = harness.server.person("Boris")
    others = harness.server.supergroup("Others", boris)

    async def command(command: Command) -> Reply:
        handled.append(command)
        if command.room == harness.room:
            await may_go_on.wait()
        return Reply()

    handled = list[Command]()
    may_go_on = asyncio.Event()
    monkeypatch.setattr(harness.inbox, "command", command)

    for _ in range(updates.MAX_CONCURRENT_UPDATES + 1):
        harness.owner.says("/rules", in_=harness.chat)

    boris.says("/rules", in_=others)
    try:
        await eventually(lambda: len(handled) == 2)
        assert [command.room for command in handled] == [harness.room, room_ref(others.id)]
    finally:
        may_go_on.set()

    await eventually(lambda: len(handled) == updates.MAX_CONCURRENT_UPDATES + 2)


async def test_a_reply_that_waits_for_its_chat_holds_up_no_other_update(harness: TelegramHarness) -> None:
    harness.inbox.reply = Reply(public=says("the rules"))
    harness.server.faults.throttle(5, method="sendMessage")
    harness.owner.says("/rules", in_=harness.chat)
    harness.owner.says("/hand", in_=harness.chat)
    await eventually(lambda: len(harness.inbox.commands) == 2, within=3)


async def test_an_update_that_cannot_be_handled_is_logged_and_others_are_handled(
    harness: TelegramHarness, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def broken(_: object) -> Reply:
        raise ValueError("unforeseen")

    monkeypatch.setattr(harness.inbox, "command", broken)
    with structlog.testing.capture_logs() as lines:
        harness.owner.says("/rules", in_=harness.chat)
        await eventually(lambda: [line for line in lines if line["event"] == "update_failed"])

    harness.owner.starts("")
    await eventually(lambda: harness.inbox.private_chats_opened)


async def test_a_webhook_that_is_set_meanwhile_is_removed_and_nobody_else_is_blamed(
    harness: TelegramHarness,
) -> None:
    webhook = "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook first"
    with structlog.testing.capture_logs() as lines:
        harness.server.faults.refuse(409, webhook, method="getUpdates")
        await harness.server.updates.fetch(0, 1, 0)  # ends the poll that is held
        await eventually(lambda: [line for line in lines if line["event"] == "webhook_removed"])

    await eventually(lambda: len(harness.server.transcript.of("deleteWebhook")) == 2)
    harness.owner.says("/rules", in_=harness.chat)
    await eventually(lambda: harness.inbox.commands)


async def test_who_cannot_send_is_not_ready(harness: TelegramHarness) -> None:
    harness.server.faults.refuse(502, "Bad Gateway", times=3)
    for _ in range(3):
        assert harness.adapter.ready
        await harness.adapter.post(Everyone(harness.room), says("table"))

    assert not harness.adapter.ready
    await harness.adapter.post(Everyone(harness.room), says("table"))
    assert harness.adapter.ready


async def test_after_an_outage_a_line_is_heard_within_seconds(harness: TelegramHarness) -> None:
    with structlog.testing.capture_logs() as lines:
        harness.server.faults.refuse(502, "Bad Gateway", method="getUpdates", times=5)
        await harness.server.updates.fetch(0, 1, 0)
        harness.owner.says("/rules", in_=harness.chat)
        await eventually(lambda: harness.inbox.commands)

    pauses = [line["pause"] for line in lines if "502" in line.get("why", "")]
    assert len(pauses) >= 5
    assert max(pauses) <= connection.OUTAGES.most


async def test_polls_of_which_every_second_fails_are_not_put_off_longer_and_longer(
    harness: TelegramHarness,
) -> None:
    with structlog.testing.capture_logs() as lines:
        for _ in range(4):
            harness.inbox.commands.clear()
            harness.server.faults.refuse(502, "Bad Gateway", method="getUpdates")
            await harness.server.updates.fetch(0, 1, 0)
            harness.owner.says("/rules", in_=harness.chat)
            await eventually(lambda: harness.inbox.commands)

    pauses = [line["pause"] for line in lines if "502" in line.get("why", "")]
    assert set(pauses) == {min(pauses)}


@pytest.mark.parametrize(("code", "words"), [(401, "Unauthorized"), (404, "Not Found")])
@pytest.mark.parametrize("method", ["getMe", "getUpdates", "deleteWebhook", "setMyCommands"])
async def test_one_refusal_of_the_token_ends_nothing(code: int, words: str, method: str) -> None:
    async with TelegramServer() as server:
        server.faults.refuse(code, words, method=method)
        harness = TelegramHarness(server)
        await harness.start()
        harness.owner.says("/rules", in_=harness.chat)
        await eventually(lambda: harness.inbox.commands)
        await harness.stop()


@pytest.mark.parametrize("method", ["getMyCommands", "getMyDescription", "setMyCommands", "deleteWebhook"])
@pytest.mark.parametrize("answer", ["all of them", [7], {"commands": None}])
async def test_what_is_for_show_never_stands_before_the_updates(method: str, answer: object) -> None:
    """Covers an older self-hosted server, or a proxy, whose answers mean something else."""
    async with TelegramServer() as server:
        server.faults.babble(answer, method=method, times=1000)
        harness = TelegramHarness(server)
        await harness.start()
        harness.owner.says("/rules", in_=harness.chat)
        await eventually(lambda: harness.inbox.commands)
        await harness.stop()


@pytest.mark.parametrize("method", ["getMyCommands", "deleteWebhook"])
async def test_nobody_waits_for_a_server_that_does_not_answer_what_is_for_show(
    method: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "PROFILE_WITHIN", 0.1)
    async with TelegramServer() as server:
        server.faults.slow(60.0, method=method)
        harness = TelegramHarness(server)
        await harness.start()
        harness.owner.says("/rules", in_=harness.chat)
        await eventually(lambda: harness.inbox.commands)
        await harness.stop()


async def test_a_menu_that_could_not_be_filled_is_filled_later(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "PROFILES", Backoff(first=0.1, most=60.0))
    async with TelegramServer() as server:
        server.faults.refuse(500, "Internal Server Error", method="setMyCommands")
        harness = TelegramHarness(server)
        await harness.start()
        await eventually(lambda: set(server.commands) == {"", "de"})
        await harness.stop()


async def test_a_server_that_holds_no_polls_is_not_asked_without_end(
    harness: TelegramHarness, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def at_once(*asked: float) -> list[dict[str, object]]:
        polls.append(asked)
        return []

    polls = list[tuple[float, ...]]()
    began = time.monotonic()
    monkeypatch.setattr(harness.server.updates, "fetch", at_once)
    harness.owner.says("/rules", in_=harness.chat)  # ends the poll that is held
    await eventually(lambda: len(polls) == 3)
    assert time.monotonic() - began >= connection.MIN_POLL_SECONDS


async def test_a_bot_without_a_username_is_told_so() -> None:
    async with TelegramServer() as server:
        del server.world.bot["username"]
        harness = TelegramHarness(server)
        with pytest.raises(AccessDeniedError, match="username"):
            await harness.adapter.run(harness.inbox)


async def test_memberships_may_lack_what_the_library_insists_on(
    harness: TelegramHarness, monkeypatch: pytest.MonkeyPatch
) -> None:
    moderator = await harness.newcomer("Anna", moderator=True)
    bare = {"status": "administrator", "user": {"id": int(moderator.id), "first_name": "A", "is_bot": False}}
    harness.server.faults.babble(bare, method="getChatMember")
    assert await harness.adapter.is_moderator(moderator, harness.room)
    monkeypatch.setattr("tests.wire.telegram.people.membership", lambda user, _: {**bare, "user": user})
    harness.owner.promotes_bot(harness.chat)
    await eventually(lambda: harness.inbox.reachable)
    assert not harness.inbox.skipped


async def test_a_channel_is_no_place_to_play(harness: TelegramHarness) -> None:
    channel = harness.server.supergroup("News", harness.owner)
    channel.kind = "channel"
    harness.owner.invites_bot(channel)
    harness.owner.says("/rules", in_=harness.chat)
    await eventually(lambda: harness.inbox.commands)
    assert not harness.inbox.rooms_added


async def test_what_is_being_handled_when_the_bot_stops_is_still_answered(
    harness: TelegramHarness, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def slow(_: object) -> Reply:
        handling.set()
        await asyncio.sleep(0.2)
        return Reply(public=says("the rules"))

    handling = asyncio.Event()
    monkeypatch.setattr(harness.inbox, "command", slow)
    harness.owner.says("/rules", in_=harness.chat)
    await handling.wait()

    with structlog.testing.capture_logs() as lines:
        await harness.stop()

    assert "update_failed" not in [line["event"] for line in lines]
    assert "the rules" in [message.text for message in harness.owner.sees(harness.chat)]


async def test_an_outage_has_a_reason_until_it_is_over(harness: TelegramHarness) -> None:
    assert harness.adapter.trouble == ""
    harness.server.faults.refuse(502, "Bad Gateway", method="getUpdates", times=4)
    await harness.server.updates.fetch(0, 1, 0)
    await eventually(lambda: "error 502" in harness.adapter.trouble)
    harness.owner.says("/rules", in_=harness.chat)
    await eventually(lambda: harness.inbox.commands)
    assert harness.adapter.trouble == ""
