"""Membership on Telegram: a person whom the bot can't see in a chat does not count as a member."""

import pytest

from adapters.port import UserRef
from adapters.telegram.refs import room_ref
from tests.adapters.telegram.harness import TelegramHarness
from tests.wire.telegram import Status


async def test_who_left_or_was_kicked_is_no_member_of_any_topic(harness: TelegramHarness) -> None:
    forum = harness.server.forum("Forum", harness.owner)
    topic = room_ref(forum.id, harness.server.topic(forum, "Cards"))
    anna, boris, clara = [await harness.newcomer(name) for name in ("Anna", "Boris", "Clara")]
    for user in (anna, boris, clara):
        forum.members[int(user.id)] = Status.MEMBER

    harness.person(anna).leaves(forum)
    harness.owner.kicks(harness.person(boris), forum)
    assert [await harness.adapter.is_member(user, topic) for user in (anna, boris, clara)] == [
        False,
        False,
        True,
    ]


async def test_nobody_else_is_in_a_persons_private_chat(harness: TelegramHarness) -> None:
    anna, boris = [await harness.newcomer(name) for name in ("Anna", "Boris")]
    own = room_ref(int(anna.id))
    assert await harness.adapter.is_member(anna, own)
    assert await harness.adapter.is_member(boris, own) is False
    assert await harness.adapter.is_member(UserRef("telegram", "x"), own) is False


@pytest.mark.parametrize("status", [Status.KICKED, Status.LEFT])
async def test_where_the_bot_is_not_nobody_is(harness: TelegramHarness, status: Status) -> None:
    anna = await harness.newcomer("Anna")
    harness.chat.bot = status
    assert await harness.adapter.is_member(anna, harness.room) is False
    assert await harness.adapter.is_member(anna, room_ref(-100999)) is False


async def test_a_group_under_its_new_id_is_asked_for_its_members(harness: TelegramHarness) -> None:
    group = harness.server.group("Friends", harness.owner)
    anna = await harness.newcomer("Anna")
    group.members[int(anna.id)] = Status.MEMBER
    harness.server.migrate(group, harness.owner)
    assert await harness.adapter.is_member(anna, room_ref(group.id))


async def test_a_group_that_hides_its_members_tells_them_to_administrators_alone(
    harness: TelegramHarness,
) -> None:
    anna = await harness.newcomer("Anna")
    harness.chat.hides_members = True
    assert await harness.adapter.is_member(anna, harness.room) is None
    harness.chat.bot = Status.ADMINISTRATOR
    assert await harness.adapter.is_member(anna, harness.room)
