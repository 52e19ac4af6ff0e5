"""Permissions on Discord: those of people, and those of the bot itself."""

import asyncio
from dataclasses import replace
from typing import Any

import pytest

from adapters.discord.moderators import FRESH, ModeratorCache
from adapters.discord.refs import direct_room, guild_room, user_ref
from adapters.port import Delivered, Everyone, Lost, Only, Picture, Screen, Span, UserRef
from tests.adapters.contract import eventually
from tests.adapters.contract.picturing import PNG
from tests.adapters.contract.steps import posted, says
from tests.adapters.discord.harness import DiscordHarness, what
from tests.wire.discord import Fault, Refusal, Right
from tests.wire.discord.world import Role


async def test_the_owner_and_who_manages_messages_moderate_and_each_person_in_their_own_chat(
    harness: DiscordHarness,
) -> None:
    owner = user_ref(harness.guild.owner.id)
    anna = await harness.newcomer("Anna")
    assert await harness.adapter.is_moderator(owner, harness.room)
    assert not await harness.adapter.is_moderator(user_ref(42), harness.room)
    assert await harness.adapter.is_moderator(anna, direct_room(int(anna.id), 1))
    assert not await harness.adapter.is_moderator(owner, direct_room(int(anna.id), 1))
    assert not await harness.adapter.is_moderator(anna, guild_room(42, 43))


async def test_rights_in_one_channel_are_none_in_the_server(harness: DiscordHarness) -> None:
    boss = await harness.newcomer("Boss", moderator=True)
    anna = await harness.newcomer("Anna")
    owner = user_ref(harness.guild.owner.id)

    def in_this_channel(event: dict[str, Any]) -> None:
        event["member"]["permissions"] = str(Right.MODERATOR.value)

    harness.server.state.spoil_interaction = in_this_channel
    await harness.types(anna, "/hand")
    assert await harness.adapter.is_moderator(anna, harness.room)

    server = harness.room.server
    admins = [user for user in (owner, boss, anna) if await harness.adapter.is_admin(user, server)]
    assert admins == [owner, boss]

    own = direct_room(int(anna.id), 1).server
    assert await harness.adapter.is_admin(anna, own)
    assert not await harness.adapter.is_admin(owner, own)


async def test_a_command_says_what_the_bot_is_not_allowed_where_it_was_typed(harness: DiscordHarness) -> None:
    anna = await harness.newcomer("Anna")
    thread = harness.server.state.channel(harness.guild, "game", harness.channel)
    await harness.types(anna, "/hand")

    harness.channel.bot_rights &= ~(Right.SEND_MESSAGES | Right.SEND_IN_THREADS)
    await harness.types(anna, "/hand")
    await harness.people[anna].commands("hand", in_=thread)

    harness.channel.bot_rights = Right.USE_COMMANDS
    await harness.types(anna, "/hand")

    harness.channel.bot_rights |= Right.ADMINISTRATOR
    await harness.people[anna].commands("hand", in_=harness.people[anna].direct_messages)

    assert [command.missing_rights for command in harness.inbox.commands] == [
        (),
        ("Send Messages",),
        ("Send Messages in Threads",),
        ("View Channel", "Send Messages"),
        (),
    ]


async def test_rights_are_believed_for_a_minute_and_then_asked_for_again(
    harness: DiscordHarness, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Treats a former moderator as one until the cache expires."""
    now = [0.0]
    monkeypatch.setattr("adapters.discord.client.ModeratorCache", lambda: ModeratorCache(lambda: now[0]))
    await harness.restart()
    boss = await harness.newcomer("Boss", moderator=True)
    await harness.types(boss, "/hand")
    harness.guild.members[int(boss.id)] = Right.ORDINARY
    now[0] = FRESH - 1
    assert await harness.adapter.is_moderator(boss, harness.room)

    now[0] = FRESH + 1
    assert not await harness.adapter.is_moderator(boss, harness.room)


async def test_rights_seen_in_an_interaction_are_believed_for_a_while(harness: DiscordHarness) -> None:
    boss = await harness.newcomer("Boss", moderator=True)
    await harness.types(boss, "/hand")
    before = len(harness.server.state.requests)
    assert await harness.adapter.is_moderator(boss, harness.room)
    assert len(harness.server.state.requests) == before


# --- who can read a place ---------------------------------------------------------------------------------


async def test_a_private_thread_is_read_by_its_members_and_by_who_manages_threads(
    harness: DiscordHarness,
) -> None:
    anna, boris, clara = [await harness.newcomer(name) for name in ("Anna", "Boris", "Clara")]
    manager = Role("Librarians", rights=Right.MANAGE_THREADS, holders={int(clara.id)})
    harness.guild.roles.append(manager)
    thread = harness.server.state.private_thread("secret", harness.channel, harness.people[anna].account)
    await harness.restart()

    room = guild_room(harness.guild.id, harness.channel.id, thread.id)
    readers = [user for user in (anna, boris, clara) if await harness.adapter.is_member(user, room)]
    assert readers == [anna, clara]


async def test_who_was_taken_out_of_a_private_thread_reads_it_no_more(harness: DiscordHarness) -> None:
    anna = await harness.newcomer("Anna")
    thread = harness.server.state.private_thread("secret", harness.channel, harness.people[anna].account)
    room = guild_room(harness.guild.id, harness.channel.id, thread.id)
    assert await harness.adapter.is_member(anna, room)
    thread.insiders.remove(int(anna.id))
    assert await harness.adapter.is_member(anna, room) is False


async def test_an_archived_thread_is_looked_up(harness: DiscordHarness) -> None:
    anna, boris = [await harness.newcomer(name) for name in ("Anna", "Boris")]
    thread = harness.server.state.private_thread("secret", harness.channel, harness.people[anna].account)
    thread.archived = True
    await harness.restart()
    room = guild_room(harness.guild.id, harness.channel.id, thread.id)
    assert await harness.adapter.is_member(anna, room)
    assert await harness.adapter.is_member(boris, room) is False


async def test_nobody_reads_a_place_that_the_bot_cannot_see(harness: DiscordHarness) -> None:
    anna = await harness.newcomer("Anna")
    boss = await harness.newcomer("Boss", moderator=True)
    unknown = guild_room(harness.guild.id, harness.channel.id, 12345)
    foreign = guild_room(42, 43)
    thread = harness.server.state.private_thread("secret", harness.channel, harness.people[anna].account)
    thread.insiders.remove(harness.server.state.bot.id)
    await harness.restart()

    shut = guild_room(harness.guild.id, harness.channel.id, thread.id)
    others = direct_room(int(boss.id), 1)
    for room in (unknown, foreign, shut, others):
        assert await harness.adapter.is_member(anna, room) is False
    for room in (unknown, shut):
        assert not await harness.adapter.is_moderator(boss, room), "a right in the server is none there"


async def test_where_the_bot_was_removed_nobody_reads_and_in_an_outage_nobody_knows(
    harness: DiscordHarness,
) -> None:
    anna = await harness.newcomer("Anna")
    community = harness.server.community
    community.loses(harness.guild)
    await eventually_member(harness, anna, None)
    community.invites_bot(harness.guild)
    await eventually_member(harness, anna, True)
    community.removes_bot(harness.guild)
    await eventually_member(harness, anna, False)


async def eventually_member(harness: DiscordHarness, user: UserRef, expected: bool | None) -> None:
    while await harness.adapter.is_member(user, harness.room) is not expected:
        await asyncio.sleep(0.02)


# --- rooms come and go ------------------------------------------------------------------------------------


async def test_a_deleted_channel_is_reported(harness: DiscordHarness) -> None:
    thread = harness.server.state.channel(harness.guild, "game night", harness.channel)
    harness.server.community.deletes_channel(thread)
    await eventually(lambda: harness.inbox.deleted)

    harness.server.community.deletes_channel(harness.channel)
    await eventually(lambda: len(harness.inbox.deleted) == 2)

    assert harness.inbox.deleted == [
        guild_room(harness.guild.id, harness.channel.id, thread.id),
        harness.room,
    ]


async def test_the_right_to_write_is_watched(harness: DiscordHarness) -> None:
    harness.server.community.forbids_writing(harness.channel)
    await eventually(lambda: harness.inbox.unreachable == [harness.room])
    assert what(await harness.adapter.post(Everyone(harness.room), says("x"))) == Lost.ROOM
    harness.server.community.allows_writing(harness.channel)
    await eventually(lambda: harness.inbox.reachable == [harness.room])
    assert harness.channel.bot_rights == Right.ORDINARY


async def test_a_right_given_by_a_role_is_reported(harness: DiscordHarness) -> None:
    harness.server.community.changes_everyone(harness.guild, Right.VIEW_CHANNEL)
    assert what(await harness.adapter.post(Everyone(harness.room), says("x"))) == Lost.ROOM
    assert harness.inbox.reachable == []
    harness.server.community.changes_everyone(harness.guild, Right.ORDINARY)
    await eventually(lambda: harness.inbox.reachable == [harness.room])


async def test_a_change_of_the_bots_own_roles_is_reported(harness: DiscordHarness) -> None:
    harness.server.community.changes_bot(harness.guild)
    await eventually(lambda: harness.inbox.reachable == [harness.room])


async def test_a_thread_that_fell_asleep_is_woken_by_an_edit_and_its_return_reported(
    harness: DiscordHarness,
) -> None:
    community = harness.server.community
    thread = harness.server.state.channel(harness.guild, "game", harness.channel)
    room = guild_room(harness.guild.id, harness.channel.id, thread.id)
    delivery = await harness.adapter.post(Everyone(room), says("before"))
    assert isinstance(delivery, Delivered)

    community.archives(thread)
    assert await harness.adapter.edit(delivery.ref, says("after")) == delivery
    assert [message.text for message in thread.messages.values()] == ["after"]

    community.archives(thread, locked=True)
    assert what(await harness.adapter.edit(delivery.ref, says("later"))) == Lost.ROOM
    assert what(await harness.adapter.delete(delivery.ref)) == Lost.ROOM
    assert what(await harness.adapter.post(Everyone(room), says("new"))) == Lost.ROOM

    community.reopens(thread)
    await eventually(lambda: harness.inbox.reachable == [room])
    community.archives(thread)
    assert await harness.adapter.delete(delivery.ref) == delivery


async def test_a_server_out_of_order_is_not_lost(harness: DiscordHarness) -> None:
    harness.server.community.loses(harness.guild)
    harness.server.community.forbids_writing(harness.server.state.channel(harness.guild, "marker"))
    await posted(harness, says("still here"))
    assert harness.inbox.unreachable == []


async def test_where_no_files_may_be_attached_the_text_takes_the_pictures_place(
    harness: DiscordHarness,
) -> None:
    table = Screen((Span("table"),), picture=Picture(PNG, "a table"))
    harness.channel.bot_rights &= ~Right.ATTACH_FILES
    audience = Everyone(harness.room)
    delivery = await harness.adapter.post(audience, table)
    assert isinstance(delivery, Delivered)
    assert await harness.adapter.edit(delivery.ref, replace(table, body=(Span("moved"),))) == delivery
    assert [(message.text, message.picture) for message in harness.room_sees()] == [("moved", None)]

    statuses = [request.status for request in harness.server.state.requests if "/messages" in request.path]
    assert statuses == [403, 200, 200]  # asked once, and not again for a while

    other = harness.server.state.channel(harness.guild, "other")
    assert isinstance(
        await harness.adapter.post(Everyone(guild_room(harness.guild.id, other.id)), table), Delivered
    )
    assert [message.attachments[0].filename for message in other.messages.values()] == ["picture.png"]


async def test_a_picture_that_is_refused_is_not_tried_with_each_change(harness: DiscordHarness) -> None:
    harness.server.state.faults.add(Fault(refusal=Refusal.INVALID_FORM, says=PNG, times=99))
    table = Screen((Span("table"),), picture=Picture(PNG, "a table"))
    delivery = await harness.adapter.post(Everyone(harness.room), table)
    assert isinstance(delivery, Delivered)
    assert await harness.adapter.edit(delivery.ref, replace(table, body=(Span("moved"),))) == delivery

    alone = Only(await harness.newcomer("Anna"), harness.room)
    for _ in range(2):
        assert isinstance(await harness.adapter.post(alone, table), Delivered)

    statuses = [request.status for request in harness.server.state.requests if "/messages" in request.path]
    assert statuses == [400, 200, 200, 400, 200, 200]


async def test_where_nothing_may_be_written_a_picture_changes_nothing(harness: DiscordHarness) -> None:
    harness.channel.bot_rights &= ~Right.SEND_MESSAGES
    table = Screen((Span("table"),), picture=Picture(PNG, "a table"))
    assert what(await harness.adapter.post(Everyone(harness.room), table)) == Lost.ROOM
