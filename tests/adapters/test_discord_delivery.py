"""What Discord's refusals become."""

import asyncio
import time
from collections.abc import AsyncIterator

import pytest

from adapters.discord import adapter
from adapters.discord.delivery import AFTER_TROUBLE
from adapters.discord.refs import Spot, direct_room, guild_room, user_ref
from adapters.port import (
    Choice,
    Delivered,
    Delivery,
    Everyone,
    Gone,
    Lost,
    NeedsOptIn,
    Only,
    Screen,
    Span,
    Throttled,
)
from tests.adapters.contract import eventually
from tests.adapters.contract.steps import posted, says
from tests.adapters.discord_harness import DiscordHarness, adapter_for, harness_of
from tests.wire.discord import DiscordServer, Fault, Refusal, Right

POST = "/channels/{channel_id}/messages"
EDIT = "/channels/{channel_id}/messages/{message_id}"


@pytest.fixture
async def server() -> AsyncIterator[DiscordServer]:
    async with DiscordServer() as server:
        yield server


@pytest.fixture
async def harness(server: DiscordServer) -> AsyncIterator[DiscordHarness]:
    async with harness_of(server) as harness:
        yield harness


def what(delivery: Delivery) -> Lost | type[Delivery]:
    return delivery.what if isinstance(delivery, Gone) else type(delivery)


@pytest.mark.parametrize(
    ("refusal", "outcome"),
    [
        (Refusal.UNKNOWN_MESSAGE, Lost.MESSAGE),
        (Refusal.UNKNOWN_CHANNEL, Lost.ROOM),
        (Refusal.MISSING_ACCESS, Lost.ROOM),
        (Refusal.MISSING_PERMISSIONS, Lost.ROOM),
        (Refusal.ARCHIVED_THREAD, Lost.ROOM),
        (Refusal.EMPTY_MESSAGE, Lost.CONTENT),
        (Refusal.INVALID_FORM, Lost.CONTENT),
        (Refusal.UNAVAILABLE, Throttled),
        (Refusal.OPENING_DIRECT_MESSAGES_TOO_FAST, Throttled),
        (Refusal.UNAUTHORIZED, Throttled),
    ],
)
async def test_refusals_of_a_public_edit(
    harness: DiscordHarness, refusal: Refusal, outcome: Lost | type[Delivery]
) -> None:
    ref, _ = await posted(harness, says("table"))
    harness.server.site.faults.add(Fault("PATCH", EDIT, refusal))
    assert what(await harness.adapter.edit(ref, says("later"))) == outcome


@pytest.mark.parametrize(
    ("refusal", "outcome"),
    [
        (Refusal.CANNOT_MESSAGE_USER, NeedsOptIn),
        (Refusal.MISSING_ACCESS, NeedsOptIn),
        (Refusal.UNKNOWN_CHANNEL, NeedsOptIn),
        (Refusal.OPENING_DIRECT_MESSAGES_TOO_FAST, Throttled),
        (Refusal.UNAVAILABLE, Throttled),
        (Refusal.INVALID_FORM, Lost.CONTENT),
    ],
)
async def test_refusals_of_a_direct_message_never_close_the_room(
    harness: DiscordHarness, refusal: Refusal, outcome: Lost | type[Delivery]
) -> None:
    anna = await harness.newcomer("Anna")
    harness.server.site.faults.add(Fault("POST", POST, refusal))
    assert what(await harness.adapter.post(Only(anna, harness.room), says("hand"))) == outcome


async def test_an_account_that_is_no_more_needs_to_opt_in(harness: DiscordHarness) -> None:
    nobody = user_ref(42)
    assert await harness.adapter.post(Only(nobody, harness.room), says("hand")) == NeedsOptIn(nobody)


@pytest.mark.parametrize("when", ["before", "after"])
async def test_a_broken_line_is_to_be_tried_again(harness: DiscordHarness, when: str) -> None:
    harness.server.site.faults.add(Fault("POST", POST, hang_up=when))
    assert await harness.adapter.post(Everyone(harness.room), says("table")) == Throttled(AFTER_TROUBLE)


async def test_direct_messages_are_opened_once(harness: DiscordHarness) -> None:
    anna = await harness.newcomer("Anna")
    for number in range(3):
        assert isinstance(await harness.adapter.post(Only(anna, harness.room), says(str(number))), Delivered)
    opened = [one for one in harness.server.site.requests if one.path.endswith("/users/@me/channels")]
    assert len(opened) == 1


async def test_a_person_of_long_ago_costs_a_question_and_no_memory(
    server: DiscordServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(adapter, "MOST_DOORS", 3)
    more_than_the_library_keeps = 130
    async with harness_of(server) as harness:
        people = [await harness.newcomer("Person") for _ in range(more_than_the_library_keeps)]
        for person in (*people, people[-1], people[0]):
            assert isinstance(await harness.adapter.post(Only(person, harness.room), says("x")), Delivered)
    opened = [one for one in server.site.requests if one.path.endswith("/users/@me/channels")]
    assert len(opened) == more_than_the_library_keeps + 1


async def test_a_flood_in_one_room_is_heard_at_once_and_only_there(harness: DiscordHarness) -> None:
    other = harness.server.site.channel(harness.guild, "other")
    harness.server.site.limits.refuse(40.0, channel=harness.channel.id, times=2)
    began = time.monotonic()
    async with asyncio.TaskGroup() as tasks:
        flooded = [
            tasks.create_task(harness.adapter.post(Everyone(harness.room), says("x"))) for _ in range(2)
        ]
        free = tasks.create_task(
            harness.adapter.post(Everyone(guild_room(harness.guild.id, other.id)), says("y"))
        )
    assert [one.result() for one in flooded] == [Throttled(40.0)] * 2
    assert isinstance(free.result(), Delivered)
    assert time.monotonic() - began < 2


async def test_a_global_limit_is_an_outcome_too(harness: DiscordHarness) -> None:
    harness.server.site.limits.refuse(9.0, everywhere=True)
    assert await harness.adapter.post(Everyone(harness.room), says("x")) == Throttled(9.0)


async def test_an_empty_bucket_is_known_without_asking(harness: DiscordHarness) -> None:
    harness.server.site.limits.budget = (3, 1.5)
    ref, _ = await posted(harness, says("table"))
    outcomes = [await harness.adapter.edit(ref, says(str(number))) for number in range(6)]
    assert [isinstance(one, Delivered) for one in outcomes] == [True] * 3 + [False] * 3
    assert harness.server.site.limits.refused == 0
    assert isinstance(outcomes[-1], Throttled)
    await asyncio.sleep(outcomes[-1].retry_after + 0.05)
    assert await harness.adapter.edit(ref, says("at last")) == Delivered(ref)


async def test_a_post_that_discord_answers_with_an_error_is_not_doubled(harness: DiscordHarness) -> None:
    """The library tries again after a server's error, with the same nonce."""
    harness.server.site.faults.add(Fault("POST", POST, Refusal.SERVER_ERROR))
    assert isinstance(await harness.adapter.post(Everyone(harness.room), says("table")), Delivered)
    assert len(harness.room_sees()) == 1


async def test_a_screen_of_another_kind_of_room_goes_to_its_thread(harness: DiscordHarness) -> None:
    thread = harness.server.site.channel(harness.guild, "game night", harness.channel)
    room = guild_room(harness.guild.id, harness.channel.id, thread.id)
    delivery = await harness.adapter.post(Everyone(room), says("table"))
    assert isinstance(delivery, Delivered)
    assert Spot.of(delivery.ref).channel == thread.id
    assert harness.room_sees() == ()


async def test_only_the_meant_person_is_notified(harness: DiscordHarness) -> None:
    anna, boris = await harness.newcomer("Anna"), await harness.newcomer("Boris")
    body = (Span("Your turn, "), Span("Anna", mention=anna), Span(f" <@{boris.id}> @everyone"))
    assert isinstance(await harness.adapter.post(Everyone(harness.room), Screen(body)), Delivered)
    (message,) = harness.channel.messages.values()
    assert message.notified == {int(anna.id)}


async def test_nothing_is_sent_before_the_login_and_after_the_end(harness: DiscordHarness) -> None:
    idle = adapter_for(harness.server)
    audience = Everyone(harness.room)
    assert isinstance(await idle.post(audience, says("x")), Throttled)
    ref, _ = await posted(harness, says("table"))
    await harness.stop()
    assert not harness.adapter.ready
    assert isinstance(await harness.adapter.edit(ref, says("x")), Throttled)
    assert isinstance(await harness.adapter.delete(ref), Throttled)
    assert not await harness.adapter.is_moderator(user_ref(harness.guild.owner.id), harness.room)


async def test_buttons_twice_in_a_message_are_taken(harness: DiscordHarness) -> None:
    row = tuple(Choice("same", label) for label in "ABC")
    _, seen = await posted(harness, Screen((Span("table"),), (row,)))
    anna = await harness.newcomer("Anna")
    for label in "ABC":
        await harness.presses(anna, seen, label)
    assert [press.token for press in harness.inbox.pressed] == ["same"] * 3


# --- who may what -----------------------------------------------------------------------------------------


async def test_the_owner_and_who_manages_messages_moderate(harness: DiscordHarness) -> None:
    owner, anna = user_ref(harness.guild.owner.id), await harness.newcomer("Anna")
    assert await harness.adapter.is_moderator(owner, harness.room)
    assert not await harness.adapter.is_moderator(user_ref(42), harness.room)
    assert not await harness.adapter.is_moderator(anna, direct_room(int(anna.id), 1))
    assert not await harness.adapter.is_moderator(anna, guild_room(42, 43))


async def test_rights_seen_in_an_interaction_are_believed_for_a_while(harness: DiscordHarness) -> None:
    boss = await harness.newcomer("Boss", moderator=True)
    await harness.types(boss, "/hand")
    before = len(harness.server.site.requests)
    assert await harness.adapter.is_moderator(boss, harness.room)
    assert len(harness.server.site.requests) == before


# --- rooms come and go ------------------------------------------------------------------------------------


async def test_a_deleted_channel_is_reported(harness: DiscordHarness) -> None:
    thread = harness.server.site.channel(harness.guild, "game night", harness.channel)
    harness.server.town.deletes_channel(thread)
    await eventually(lambda: harness.inbox.removals)
    harness.server.town.deletes_channel(harness.channel)
    await eventually(lambda: len(harness.inbox.removals) == 2)
    assert harness.inbox.removals == [
        guild_room(harness.guild.id, harness.channel.id, thread.id),
        harness.room,
    ]


async def test_the_right_to_write_is_watched(harness: DiscordHarness) -> None:
    harness.server.town.forbids_writing(harness.channel)
    await eventually(lambda: harness.inbox.removals == [harness.room])
    assert what(await harness.adapter.post(Everyone(harness.room), says("x"))) == Lost.ROOM
    harness.server.town.allows_writing(harness.channel)
    await eventually(lambda: harness.inbox.returns == [harness.room])
    assert harness.channel.bot_rights == Right.ORDINARY


async def test_a_right_given_by_a_role_is_reported(harness: DiscordHarness) -> None:
    harness.server.town.changes_everyone(harness.guild, Right.VIEW_CHANNEL)
    assert what(await harness.adapter.post(Everyone(harness.room), says("x"))) == Lost.ROOM
    assert harness.inbox.returns == []
    harness.server.town.changes_everyone(harness.guild, Right.ORDINARY)
    await eventually(lambda: harness.inbox.returns == [harness.room])


async def test_a_change_of_the_bots_own_roles_is_reported(harness: DiscordHarness) -> None:
    harness.server.town.changes_bot(harness.guild)
    await eventually(lambda: harness.inbox.returns == [harness.room])


async def test_a_thread_that_fell_asleep_is_woken_by_an_edit_and_its_return_reported(
    harness: DiscordHarness,
) -> None:
    town, thread = harness.server.town, harness.server.site.channel(harness.guild, "game", harness.channel)
    room = guild_room(harness.guild.id, harness.channel.id, thread.id)
    delivery = await harness.adapter.post(Everyone(room), says("before"))
    assert isinstance(delivery, Delivered)
    town.archives(thread)
    assert await harness.adapter.edit(delivery.ref, says("after")) == delivery
    assert [message.text for message in thread.messages.values()] == ["after"]
    town.archives(thread, locked=True)
    assert what(await harness.adapter.edit(delivery.ref, says("later"))) == Lost.ROOM
    assert what(await harness.adapter.delete(delivery.ref)) == Lost.ROOM
    assert what(await harness.adapter.post(Everyone(room), says("new"))) == Lost.ROOM
    town.reopens(thread)
    await eventually(lambda: harness.inbox.returns == [room])
    town.archives(thread)
    assert await harness.adapter.delete(delivery.ref) == delivery


async def test_a_server_out_of_order_is_not_lost(harness: DiscordHarness) -> None:
    harness.server.town.loses(harness.guild)
    harness.server.town.forbids_writing(harness.server.site.channel(harness.guild, "marker"))
    await posted(harness, says("still here"))
    assert harness.inbox.removals == []
