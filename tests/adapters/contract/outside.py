"""The contract of every chat that the bot is not a member of."""

from typing import Protocol

import pytest

from adapters.port import Adapter, Chat, Delivered, Everyone, Gone, Lost, MessageRef, Only, PinTrouble, Reply
from tests.adapters.contract.harness import Harness, eventually
from tests.adapters.contract.steps import found, says


class OutsideHarness(Harness, Protocol):
    """People in a chat without the bot."""

    @property
    def adapter(self) -> Adapter:
        """The whole adapter."""


class OutsideContract:
    """A chat in which the bot only answers; its harness has no right to anything else there."""

    @pytest.fixture
    def outside(self, harness: OutsideHarness) -> Chat:
        chat = harness.adapter.outside
        assert chat is not None
        return chat

    async def test_the_answer_to_a_command_is_the_only_message_and_is_edited(
        self, harness: Harness, outside: Chat
    ) -> None:
        ref = await answered(harness)
        (command,) = harness.inbox.commands
        assert command.room.server.platform == ref.platform == outside.platform
        assert command.user.ref.platform == outside.user_platform

        assert await outside.edit(ref, says("Your turn", "Beat it")) == Delivered(ref)
        await eventually(lambda: found(harness.room_sees(), "Your turn"))
        (message,) = harness.room_sees()
        assert message.labels == ("Beat it",)

    async def test_presses_on_the_message_name_it_and_come_from_one_room(self, harness: Harness) -> None:
        ref = await answered(harness)
        boris = await harness.newcomer("Boris")
        for number in (1, 2):
            await harness.presses(boris, harness.room_sees()[0], "Join")
            await eventually(lambda number=number: len(harness.inbox.pressed) == number)  # type: ignore[misc] # lambda defaults

        first, second = harness.inbox.pressed
        assert (first.message, first.token, first.user.ref) == (ref, "t:Join", boris)
        assert first.is_shown
        assert not first.on_private_message
        assert first.room == second.room

    async def test_the_answer_to_a_press_changes_the_message(self, harness: Harness) -> None:
        await answered(harness)
        boris = await harness.newcomer("Boris")
        harness.inbox.reply = Reply(replacement=says("Boris is in", "Leave"))
        await harness.presses(boris, harness.room_sees()[0], "Join")
        await eventually(lambda: found(harness.room_sees(), "Boris is in"))
        assert len(harness.room_sees()) == 1

    async def test_nothing_is_posted_in_answer_to_a_press(self, harness: Harness) -> None:
        await answered(harness)
        boris = await harness.newcomer("Boris")
        harness.inbox.reply = Reply(public=says("Come and play"))
        await harness.presses(boris, harness.room_sees()[0], "Join")
        await eventually(lambda: harness.inbox.shown_to_all_by_press)
        assert not found(harness.room_sees(), "Come and play")

    async def test_nothing_else_can_be_posted_or_pinned(self, harness: Harness, outside: Chat) -> None:
        ref = await answered(harness)
        posted = await outside.post(Everyone(harness.inbox.commands[0].room), says("Come and play"))
        assert isinstance(posted, Gone)
        assert posted.what is Lost.CONTENT
        assert await outside.pin(ref, is_pinned=True) is PinTrouble.REFUSED
        assert len(harness.room_sees()) == 1

    async def test_a_private_message_is_one_of_the_platform(self, harness: Harness, outside: Chat) -> None:
        await answered(harness)
        room = harness.inbox.commands[0].room
        boris = await harness.newcomer("Boris")
        delivery = await outside.post(Only(boris, room), says("nine of hearts"))
        if not isinstance(delivery, Delivered):
            pytest.skip("the platform lets the bot write only to people whom it shares a community with")

        assert delivery.ref.platform == outside.user_platform
        assert found(harness.sees_alone(boris), "nine of hearts")
        assert not found(harness.room_sees(), "nine of hearts")
        assert await outside.edit(delivery.ref, says("ten of hearts")) == delivery

    async def test_nothing_is_known_of_the_chat(self, harness: Harness, outside: Chat) -> None:
        await answered(harness)
        (command,) = harness.inbox.commands
        user = command.user.ref
        assert await outside.is_member(user, command.room) is None
        assert not await outside.is_moderator(user, command.room)
        assert not await outside.is_admin(user, command.room.server)
        assert not outside.name_of(command.room.server)

    async def test_the_limits_tell_what_is_impossible(self, outside: Chat) -> None:
        limits = outside.limits
        possible = limits.can_call, limits.pin_right, limits.names_ring, limits.has_servers
        assert limits.only_answers
        assert not any(possible)


async def answered(harness: Harness) -> MessageRef:
    """Lets somebody call the bot, and returns the message with its answer."""
    anna = await harness.newcomer("Anna")
    harness.inbox.reply = Reply(public=says("Who plays?", "Join"))
    await harness.types(anna, "/durak")
    await eventually(lambda: harness.inbox.shown_to_all)
    _, _, delivery = harness.inbox.shown_to_all[0]
    assert isinstance(delivery, Delivered)
    return delivery.ref
