"""The contract of every chat in trouble: blocks, floods, removals, lost connections and restarts."""

import asyncio

import pytest

from adapters.port import (
    AccessDeniedError,
    Delivered,
    Everyone,
    Gone,
    Lost,
    NeedsOptIn,
    Only,
    PinTrouble,
    Reply,
    RoomRef,
    ServerRef,
    Throttled,
    UserRef,
)
from tests.adapters.contract.harness import Harness, Trait, eventually
from tests.adapters.contract.steps import found, needs, posted, posted_privately, says


class TroubleContract:
    """Blocked private messages, floods, removals, lost connections and restarts."""

    async def test_a_person_who_blocks_private_messages_is_an_outcome(self, harness: Harness) -> None:
        needs(harness, Trait.OPT_IN)
        anna = await harness.newcomer("Anna")
        await harness.block_private_messages(anna)
        delivery = await harness.adapter.post(Only(anna, harness.room), says("secret"))
        assert delivery == NeedsOptIn(anna)
        assert not found(harness.room_sees(), "secret")

    async def test_ids_that_are_none_of_the_chats_are_an_outcome(self, harness: Harness) -> None:
        needs(harness, Trait.MESSAGES)
        platform = harness.room.server.platform
        for name in ("forgotten-7", "", "x" * 64):
            nobody = UserRef(platform, name)
            delivery = await harness.adapter.post(Only(nobody, harness.room), says("secret"))
            assert delivery == NeedsOptIn(nobody)
            assert not await harness.adapter.is_moderator(nobody, harness.room)

        nowhere = RoomRef(ServerRef(platform, "nowhere"), "nowhere")
        delivery = await harness.adapter.post(Everyone(nowhere), says("secret"))
        assert isinstance(delivery, Gone)
        assert delivery.what is Lost.ROOM
        assert not found(harness.room_sees(), "secret")

    async def test_a_private_reply_to_who_blocks_messages_stays_private(self, harness: Harness) -> None:
        needs(harness, Trait.OPT_IN)
        anna = await harness.newcomer("Anna")
        await harness.block_private_messages(anna)
        harness.inbox.reply = Reply(secret=says("king of hearts"), invitation=says("open the private chat"))

        await harness.types(anna, "/hand")
        await eventually(
            lambda: (
                found(harness.room_sees(), "open the private chat")
                or found(harness.sees_alone(anna), "king of hearts")
            )  # ephemeral where the chat can do that
        )

        assert not found(harness.room_sees(), "king")

    async def test_a_flood_is_an_outcome_and_stops_no_other_chat(self, harness: Harness) -> None:
        needs(harness, Trait.THROTTLES)
        anna = await harness.newcomer("Anna")
        ref, _ = await posted(harness, says("first"))
        await harness.throttle(7.0)
        delivery = await harness.adapter.edit(ref, says("second"))
        assert isinstance(delivery, Throttled)
        assert 6.0 <= delivery.retry_after <= 9.0
        await posted_privately(harness, anna, says("meanwhile"))

    async def test_removal_and_return_are_reported(self, harness: Harness) -> None:
        needs(harness, Trait.EXPELS)
        await harness.expel()
        await eventually(lambda: harness.inbox.unreachable)
        delivery = await harness.adapter.post(Everyone(harness.room), says("anybody?"))
        assert isinstance(delivery, Gone)
        assert delivery.what is Lost.ROOM

        await harness.readmit()
        await eventually(lambda: harness.inbox.reachable)
        removed = harness.inbox.unreachable[0]
        returned = harness.inbox.reachable[0]
        assert isinstance(removed, RoomRef)
        assert isinstance(returned, RoomRef)
        assert removed.server == returned.server == harness.room.server

        await posted(harness, says("here again"))

    async def test_where_it_is_added_the_bot_says_hello(self, harness: Harness) -> None:
        needs(harness, Trait.EXPELS)
        harness.inbox.welcome = Reply(public=says("hello", "Deal here"))
        await harness.expel()
        await eventually(lambda: harness.inbox.unreachable)
        await harness.readmit()
        await eventually(lambda: found(harness.room_sees(), "hello"))

        ((room, _),) = harness.inbox.rooms_added
        assert room == harness.room

    async def test_whether_the_bot_may_pin_is_known_before_it_tries(self, harness: Harness) -> None:
        needs(harness, Trait.MESSAGES)
        adapter = harness.adapter
        if not adapter.limits.pin_right:
            assert await adapter.may_pin(harness.room) is False
            return

        ref, _ = await posted(harness, says("table"))
        for is_allowed in (False, True, False):
            await harness.let_pin(is_allowed=is_allowed)
            async with asyncio.timeout(10.0):
                while await adapter.may_pin(harness.room) is not is_allowed:
                    await asyncio.sleep(0.01)  # some chats report a change of rights a little later

            trouble = None if is_allowed else PinTrouble.NO_RIGHT
            assert await adapter.pin(ref, is_pinned=True) is trouble

    async def test_where_the_bot_is_not_it_may_not_pin(self, harness: Harness) -> None:
        if not harness.adapter.limits.pin_right:
            pytest.skip("nothing can be pinned in this chat")

        await harness.let_pin(is_allowed=True)
        await harness.expel()
        await eventually(lambda: harness.inbox.unreachable)
        assert await harness.adapter.may_pin(harness.room) is False

    async def test_a_press_names_the_same_missing_rights_as_a_command(self, harness: Harness) -> None:
        needs(harness, Trait.RIGHTS)
        anna = await harness.newcomer("Anna")
        _, table = await posted(harness, says("table", "Go"))
        for is_allowed in (True, False, True):
            await harness.let_write(is_allowed=is_allowed)
            await harness.types(anna, "/hand")
            await harness.presses(anna, table, "Go")

        commands = harness.inbox.commands
        assert [bool(command.missing_rights) for command in commands] == [False, True, False]
        assert [press.missing_rights for press in harness.inbox.pressed] == [
            command.missing_rights for command in commands
        ]

    async def test_who_is_in_the_room_is_told_from_who_is_not_known_there(self, harness: Harness) -> None:
        needs(harness, Trait.MESSAGES)
        anna = await harness.newcomer("Anna")
        nobody = UserRef(harness.adapter.platform, "987654321")
        assert await harness.adapter.is_member(anna, harness.room)
        assert not await harness.adapter.is_member(nobody, harness.room)

    async def test_moderators_are_told_from_others(self, harness: Harness) -> None:
        needs(harness, Trait.MODERATORS)
        anna = await harness.newcomer("Anna")
        boss = await harness.newcomer("Boss", moderator=True)
        assert await harness.adapter.is_moderator(boss, harness.room)
        assert not await harness.adapter.is_moderator(anna, harness.room)

    async def test_buttons_work_again_after_the_line_broke(self, harness: Harness) -> None:
        needs(harness, Trait.CONNECTION)
        anna = await harness.newcomer("Anna")
        ref, seen = await posted(harness, says("table", "Go"))

        await harness.break_connection()

        harness.inbox.reply = Reply(toast="done")
        assert (await harness.presses(anna, seen, "Go")).toast == "done"
        assert harness.inbox.pressed[-1].message == ref
        await eventually(lambda: harness.adapter.ready)

    async def test_old_messages_live_on_after_a_restart(self, harness: Harness) -> None:
        anna = await harness.newcomer("Anna")
        ref, seen = await posted(harness, says("table", "Go"))
        hand, mine = await posted_privately(harness, anna, says("hand", "6S"))

        await harness.restart()
        await eventually(lambda: harness.adapter.ready)

        harness.inbox.reply = Reply(toast="still here")
        assert (await harness.presses(anna, seen, "Go")).toast == "still here"
        assert (await harness.presses(anna, mine, "6S")).toast == "still here"
        assert [press.message for press in harness.inbox.pressed] == [ref, hand]

        if harness.adapter.limits.edits:
            assert await harness.adapter.edit(ref, says("table, later")) == Delivered(ref)
            assert await harness.adapter.edit(hand, says("hand, later")) == Delivered(hand)

    async def test_a_wrong_token_is_named(self, harness: Harness) -> None:
        needs(harness, Trait.TOKENS)
        with pytest.raises(AccessDeniedError, match="DURAK_"):
            await asyncio.wait_for(harness.stranger().run(harness.inbox), 15)
