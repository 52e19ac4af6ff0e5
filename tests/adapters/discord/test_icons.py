"""Icons on buttons: uploaded once, shown once all are available, and never an obstacle to the game."""

import asyncio
import time
from collections.abc import AsyncIterator

import pytest
import structlog

from adapters.discord import DiscordAdapter, messages
from adapters.port import (
    AccessDeniedError,
    CallbackButton,
    Delivered,
    Gone,
    Only,
    Reply,
    Screen,
    Span,
    UserRef,
)
from tests.adapters.contract import ListeningInbox, eventually
from tests.adapters.contract.steps import posted, posted_privately, says
from tests.adapters.discord.harness import DiscordHarness, adapter_for, harness_of
from tests.wire.discord import DiscordServer, Fault, Refusal
from tests.wire.discord.world import Emoji

POST = "/channels/{channel_id}/messages"
HOME = "/applications/{application_id}/emojis"
PNG = b"\x89PNG\r\n\x1a\n"
PNGS = {"ace": PNG + b"ace", "king": PNG + b"king", "other king": PNG + b"king"}


def hand(text: str = "hand") -> Screen:
    cards = (CallbackButton("m:A", "A", icon="ace"), CallbackButton("m:K", "K", icon="other king"))
    return Screen(
        (Span(text),), ((*cards, CallbackButton("m:T", "Take"), CallbackButton("m:6", "6", icon="unknown")),)
    )


ALL = [PNGS["ace"], PNGS["king"], None, None]
NONE = [None] * 4


@pytest.fixture
async def harness(server: DiscordServer) -> AsyncIterator[DiscordHarness]:
    async with harness_of(server, PNGS) as harness:
        yield harness


def uploads(server: DiscordServer) -> int:
    return sum(
        request.method == "POST" and request.path.endswith("/emojis") for request in server.state.requests
    )


def seen_icons(harness: DiscordHarness, who: UserRef) -> list[bytes | None]:
    """Returns the icons on the buttons of a player's newest private message."""
    emojis = harness.server.state.emojis
    buttons = harness.people[who].sees_alone()[-1].buttons
    return [emojis[int(button["emoji"]["id"])].image if "emoji" in button else None for button in buttons]


async def icons_arrive(harness: DiscordHarness) -> None:
    """Waits until a player's buttons carry icons."""
    probe = await harness.newcomer("Probe")
    deadline = time.monotonic() + 5
    while True:
        assert isinstance(await harness.adapter.post(Only(probe, harness.room), hand()), Delivered)
        if seen_icons(harness, probe) == ALL:
            return

        assert time.monotonic() < deadline
        await asyncio.sleep(0.05)


async def test_icons_stand_on_their_buttons_beside_the_labels(harness: DiscordHarness) -> None:
    await icons_arrive(harness)
    anna = await harness.newcomer("Anna")
    ref, seen = await posted_privately(harness, anna, hand())
    assert (seen_icons(harness, anna), seen.labels) == (ALL, ("A", "K", "Take", "6"))
    await harness.adapter.edit(ref, says("waits", "Leave"))
    assert seen_icons(harness, anna) == [None]
    await harness.adapter.edit(ref, hand("plays"))
    assert seen_icons(harness, anna) == ALL


async def test_answers_carry_icons(harness: DiscordHarness) -> None:
    await icons_arrive(harness)
    anna = await harness.newcomer("Anna")
    _, table = await posted(harness, says("table", "My hand"))
    harness.inbox.reply = Reply(secret=hand())
    await harness.presses(anna, table, "My hand")
    assert seen_icons(harness, anna) == ALL

    _, direct = await posted_privately(harness, anna, says("direct", "Go"))
    await harness.presses(anna, direct, "Go")
    assert seen_icons(harness, anna) == ALL


async def test_equal_pictures_are_uploaded_once_and_never_again(harness: DiscordHarness) -> None:
    await icons_arrive(harness)
    await harness.restart()
    await icons_arrive(harness)
    assert uploads(harness.server) == 2


async def test_a_picture_drawn_anew_takes_the_place_of_the_old_one(harness: DiscordHarness) -> None:
    await icons_arrive(harness)
    owners = Emoji("icon_of_the_owner", b"")
    harness.server.state.emojis[owners.id] = owners

    drawn_anew = {**PNGS, "ace": PNG + b"a nicer ace"}
    harness.icons = drawn_anew
    await harness.restart()

    wanted = {*drawn_anew.values(), owners.image}
    await eventually(lambda: {emoji.image for emoji in harness.server.state.emojis.values()} == wanted)
    assert uploads(harness.server) == 3


@pytest.mark.parametrize("method", ["GET", "POST"])
async def test_refused_icons_cost_a_line_in_the_log_and_nothing_else(
    server: DiscordServer, method: str
) -> None:
    server.state.faults.add(Fault(method, HOME, Refusal.MISSING_ACCESS, times=99))
    with structlog.testing.capture_logs() as lines:
        async with harness_of(server, PNGS) as harness:
            anna = await harness.newcomer("Anna")
            await eventually(lambda: any(line["event"] == "icons_not_uploaded" for line in lines))
            _, seen = await posted_privately(harness, anna, hand())
            await harness.presses(anna, seen, "A")
            assert (seen_icons(harness, anna), harness.inbox.pressed[0].token) == (NONE, "m:A")

    tries = [request for request in server.state.requests if request.path.endswith("/emojis")]
    assert len(tries) <= 3


async def test_an_upload_waits_as_long_as_discord_asks(
    server: DiscordServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(messages, "MIN_WAIT_SECONDS", 0.0)
    server.state.limits.refuse(1.2, method="POST")
    async with harness_of(server, PNGS) as harness:
        began = time.monotonic()
        await icons_arrive(harness)
        assert time.monotonic() - began > 1.0


async def test_a_process_that_was_slower_takes_the_icons_of_the_faster_one(server: DiscordServer) -> None:
    """Lets two processes find no icons; the second upload of a name is refused."""
    server.state.faults.add(Fault("GET", HOME, delay=0.3))
    async with harness_of(server, PNGS) as slow, harness_of(server, PNGS) as fast:
        await icons_arrive(fast)
        await icons_arrive(slow)
    assert len(server.state.emojis) == 2


async def test_a_vanished_emoji_takes_the_icons_away_and_no_message(harness: DiscordHarness) -> None:
    await icons_arrive(harness)
    anna = await harness.newcomer("Anna")
    ref, _ = await posted_privately(harness, anna, hand())
    _, table = await posted(harness, says("table", "My hand"))

    harness.inbox.reply = Reply(secret=hand("looked at"))
    harness.server.state.emojis.popitem()
    await harness.presses(anna, table, "My hand")

    assert seen_icons(harness, anna) == NONE
    assert await harness.adapter.edit(ref, hand("played on")) == Delivered(ref)


async def test_a_screen_refused_for_something_else_leaves_the_icons(harness: DiscordHarness) -> None:
    await icons_arrive(harness)
    anna = await harness.newcomer("Anna")
    harness.server.state.faults.add(Fault("POST", POST, Refusal.INVALID_FORM, times=2))
    delivery = await harness.adapter.post(Only(anna, harness.room), hand("too much of something"))
    assert isinstance(delivery, Gone)
    await posted_privately(harness, anna, hand())
    assert seen_icons(harness, anna) == ALL


async def test_an_upload_that_waits_holds_up_no_end(server: DiscordServer) -> None:
    server.state.limits.refuse(600.0, method="POST")
    adapter = adapter_for(server, icons=PNGS)
    async with asyncio.timeout(5), asyncio.TaskGroup() as tasks:
        running = tasks.create_task(_denied(adapter))
        await eventually(lambda: adapter.ready and server.state.limits.refused)
        server.gateway.hang_up(4004)
        await running


async def _denied(adapter: DiscordAdapter) -> None:
    with pytest.raises(AccessDeniedError):
        await adapter.run(ListeningInbox())
