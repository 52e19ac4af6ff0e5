"""The contract of every chat: commands, presses and opened private chats, and the replies to them."""

import asyncio
import re

import pytest

from adapters.port import (
    CallbackButton,
    Command,
    Delivered,
    Everyone,
    Press,
    PrivateChatButton,
    Reply,
    Screen,
    Span,
)
from tests.adapters.contract.harness import Harness, Trait, eventually
from tests.adapters.contract.steps import found, needs, needs_edits, posted, posted_privately, says

SLOW_SECONDS = 0.3  # of thinking: long enough for the next answer to overtake this one


class AnsweringContract:
    """Commands, presses and opened private chats, and the replies to them."""

    async def test_a_command_arrives_with_its_words(self, harness: Harness) -> None:
        needs(harness, Trait.MESSAGES)
        anna = await harness.newcomer("Anna")
        await harness.types(anna, "/leaderboard week")
        await eventually(lambda: harness.inbox.commands)
        (command,) = harness.inbox.commands
        assert (command.name, command.args) == ("leaderboard", ("week",))
        assert (command.user.ref, command.user.name, command.room) == (anna, "Anna", harness.room)

    async def test_a_public_reply_to_a_command_is_seen_in_the_room(self, harness: Harness) -> None:
        needs(harness, Trait.MESSAGES)
        anna = await harness.newcomer("Anna")
        harness.inbox.reply = Reply(public=says("the rules", "More"))
        await harness.types(anna, "/rules")
        await eventually(lambda: found(harness.room_sees(), "the rules"))
        assert found(harness.room_sees(), "the rules")[0].labels == ("More",)

    async def test_the_toast_of_a_command_reaches_the_asker(self, harness: Harness) -> None:
        needs(harness, Trait.MESSAGES)
        anna = await harness.newcomer("Anna")
        harness.inbox.reply = Reply(toast="no such <preset>")
        await harness.types(anna, "/rules")
        await eventually(lambda: found((*harness.room_sees(), *harness.sees_alone(anna)), "no such <preset>"))

    async def test_an_aside_reaches_the_asker_and_nobody_else_where_a_chat_can_do_that(
        self, harness: Harness
    ) -> None:
        needs(harness, Trait.MESSAGES)
        anna = await harness.newcomer("Anna")
        boris = await harness.newcomer("Boris")

        harness.inbox.reply = Reply(ephemeral=says("your statistics"))
        await harness.types(anna, "/stats")
        await eventually(lambda: found((*harness.room_sees(), *harness.sees_alone(anna)), "your statistics"))

        if harness.adapter.limits.shows_alone:
            assert not found((*harness.room_sees(), *harness.sees_alone(boris)), "statistics")

    async def test_a_public_answer_is_reported_and_known_by_its_key(self, harness: Harness) -> None:
        needs(harness, Trait.MESSAGES)
        anna = await harness.newcomer("Anna")
        harness.inbox.reply = Reply(public=says("lobby", "Join"))
        await harness.types(anna, "/rules")
        await eventually(lambda: found(harness.room_sees(), "lobby"))

        (command,) = harness.inbox.commands
        await eventually(lambda: harness.inbox.shown_to_all)
        ((_, _, delivery),) = harness.inbox.shown_to_all
        assert isinstance(delivery, Delivered)

        if command.answer_key:
            again = await harness.adapter.post(Everyone(harness.room), says("another"), command.answer_key)
            assert again == delivery

        if harness.adapter.limits.edits:
            assert await harness.adapter.edit(delivery.ref, says("table")) == delivery
            await eventually(lambda: [seen.text for seen in harness.room_sees()] == ["table"])

    async def test_a_private_reply_to_a_command_reaches_the_asker_alone(self, harness: Harness) -> None:
        needs(harness, Trait.MESSAGES)
        anna = await harness.newcomer("Anna")
        boris = await harness.newcomer("Boris")

        harness.inbox.reply = Reply(secret=says("queen of spades", "QS"))
        await harness.types(anna, "/hand")
        await eventually(lambda: found(harness.sees_alone(anna), "queen of spades"))
        assert not found((*harness.room_sees(), *harness.sees_alone(boris)), "queen")

    @pytest.mark.parametrize(
        "token", ["m:1:0:A 9H", "m:" + "9" * 62, "o:\u00e9\u2660\U0001f0cf", "l:<&>\"'_*"]
    )
    async def test_a_press_brings_back_the_token_and_the_message(self, harness: Harness, token: str) -> None:
        anna = await harness.newcomer("Anna")
        ref, seen = await posted(harness, Screen((Span("table"),), ((CallbackButton(token, "Go"),),)))
        await harness.presses(anna, seen, "Go")

        (press,) = harness.inbox.pressed
        assert (press.token, press.message, press.room) == (token, ref, harness.room)
        assert not press.on_private_message
        assert (press.user.ref, press.user.name) == (anna, "Anna")

    async def test_a_press_has_the_buttons_that_its_message_has_now(self, harness: Harness) -> None:
        needs_edits(harness)
        anna = await harness.newcomer("Anna")
        ref, seen = await posted(harness, says("table", "Go", "Stay"))
        await harness.presses(anna, seen, "Go")

        await harness.adapter.edit(ref, says("later", "Go"))
        await eventually(lambda: found(harness.room_sees(), "later"))
        await harness.presses(anna, found(harness.room_sees(), "later")[0], "Go")

        before, after = harness.inbox.pressed
        assert before.tokens == frozenset({"t:Go", "t:Stay"})
        assert after.tokens == frozenset({"t:Go"})

    async def test_every_event_has_an_id_of_its_own(self, harness: Harness) -> None:
        needs(harness, Trait.MESSAGES)
        anna = await harness.newcomer("Anna")
        _, seen = await posted(harness, says("table", "Go"))

        for _ in range(2):
            await harness.types(anna, "/rules")
            await harness.presses(anna, seen, "Go")

        await eventually(lambda: len(harness.inbox.commands) == 2)
        ids = [command.id for command in harness.inbox.commands]
        ids += [press.id for press in harness.inbox.pressed]
        assert len(set(ids)) == 4
        assert all(re.fullmatch(r"[!-~]{1,64}", id_) for id_ in ids)

    async def test_an_edited_message_still_answers_under_its_ref(self, harness: Harness) -> None:
        needs_edits(harness)
        anna = await harness.newcomer("Anna")
        ref, _ = await posted(harness, says("before", "Go"))
        await harness.adapter.edit(ref, says("after", "Go"))
        await eventually(lambda: found(harness.room_sees(), "after"))
        await harness.presses(anna, found(harness.room_sees(), "after")[0], "Go")
        assert harness.inbox.pressed[0].message == ref

    async def test_the_toast_of_a_press_is_for_the_presser(self, harness: Harness) -> None:
        anna = await harness.newcomer("Anna")
        _, seen = await posted(harness, says("table", "Go"))
        harness.inbox.reply = Reply(toast="x" * harness.adapter.limits.toast)
        answer = await harness.presses(anna, seen, "Go")
        assert answer.toast == "x" * harness.adapter.limits.toast
        assert not found(harness.room_sees(), "xxx")

    async def test_a_press_in_private_replaces_the_pressed_message(self, harness: Harness) -> None:
        needs_edits(harness)
        anna = await harness.newcomer("Anna")
        ref, before = await posted_privately(harness, anna, says("six cards", "6S"))
        harness.inbox.reply = Reply(toast="Attacked", secret=says("five cards", "7S"))
        await harness.presses(anna, before, "6S")
        await eventually(lambda: harness.inbox.answers)
        ((press, reply, delivery),) = harness.inbox.answers
        assert (press.message, reply, delivery) == (ref, harness.inbox.reply, Delivered(ref))
        assert press.on_private_message

        await eventually(lambda: found(harness.sees_alone(anna), "five cards"))
        assert found(harness.sees_alone(anna), "five cards")[0].key == before.key
        assert not found(harness.sees_alone(anna), "six cards")

    async def test_a_press_in_private_is_answered_below_it_where_nothing_can_be_edited(
        self, harness: Harness
    ) -> None:
        if harness.adapter.limits.edits:
            pytest.skip("this chat edits messages")

        anna = await harness.newcomer("Anna")
        ref, before = await posted_privately(harness, anna, says("six cards", "6S"))
        harness.inbox.reply = Reply(secret=says("five cards", "7S"))
        await harness.presses(anna, before, "6S")
        await eventually(lambda: harness.inbox.answers)

        ((press, _, delivery),) = harness.inbox.answers
        assert press.message == ref
        assert isinstance(delivery, Delivered)
        assert delivery.ref != ref
        assert [seen.text for seen in harness.sees_alone(anna)[-2:]] == ["six cards", "five cards"]

    async def test_what_a_press_shows_beside_its_message_is_reported_and_can_be_edited(
        self, harness: Harness
    ) -> None:
        needs_edits(harness)
        anna = await harness.newcomer("Anna")
        _, seen = await posted(harness, says("table", "Go"))
        harness.inbox.reply = Reply(ephemeral=says("is that so?", "Yes"), public=says("news"))
        await harness.presses(anna, seen, "Go")
        inbox = harness.inbox
        await eventually(lambda: inbox.shown_ephemerally and inbox.shown_to_all_by_press)

        for _, _, delivery in (*inbox.shown_ephemerally, *inbox.shown_to_all_by_press):
            assert isinstance(delivery, Delivered)
            assert await harness.adapter.edit(delivery.ref, says("settled")) == delivery

        shown = {seen.key: seen for seen in (*harness.room_sees(), *harness.sees_alone(anna))}.values()
        await eventually(lambda: not found(harness.room_sees(), "news"))
        assert not found(tuple(shown), "is that so?")

    async def test_a_replacement_takes_the_place_of_the_pressed_message_for_all(
        self, harness: Harness
    ) -> None:
        needs_edits(harness)
        needs(harness, Trait.MESSAGES)
        anna = await harness.newcomer("Anna")
        _, seen = await posted(harness, says("panel", "Go"))
        harness.inbox.reply = Reply(replacement=says("values", "Go"))
        await harness.presses(anna, seen, "Go")
        await eventually(lambda: found(harness.room_sees(), "values"))
        assert found(harness.room_sees(), "values")[0].key == seen.key
        assert not found(harness.room_sees(), "panel")

    async def test_a_private_reply_to_a_public_press_is_never_public(self, harness: Harness) -> None:
        anna = await harness.newcomer("Anna")
        boris = await harness.newcomer("Boris")
        _, seen = await posted(harness, says("table", "My hand"))
        harness.inbox.reply = harness.inbox.private_chat_reply = Reply(secret=says("ace of clubs", "AC"))
        answer = await harness.presses(anna, seen, "My hand")
        assert answer.led is not harness.adapter.limits.may_write_first

        if answer.led:
            await harness.opens_private(anna)

        await eventually(lambda: found(harness.sees_alone(anna), "ace of clubs"))
        await eventually(lambda: harness.inbox.answers)
        assert len(harness.inbox.answers) == 1
        assert not found((*harness.room_sees(), *harness.sees_alone(boris)), "ace")
        assert found(harness.room_sees(), "table")

    async def test_a_disabled_button_reaches_nobody(self, harness: Harness) -> None:
        rows = ((CallbackButton("t:1", "Cannot", enabled=False), CallbackButton("t:2", "Can")),)
        _, seen = await posted(harness, Screen((Span("table"),), rows))
        assert seen.labels == ("Can",)

    async def test_a_way_to_the_private_chat_is_left_out_where_it_takes_no_step(
        self, harness: Harness
    ) -> None:
        if not harness.adapter.limits.may_write_first:
            pytest.skip("the private chat has to be opened")

        way = PrivateChatButton("Open the private chat", harness.room)
        _, seen = await posted(harness, Screen((Span("open"),), ((way,), (CallbackButton("t:1", "Go"), way))))
        assert seen.buttons == (("Go",),)

    async def test_opening_the_private_chat_is_reported(self, harness: Harness) -> None:
        if harness.adapter.limits.may_write_first:
            pytest.skip("the private chat takes no step")

        anna = await harness.newcomer("Anna")
        await posted(
            harness, Screen((Span("open"),), ((PrivateChatButton("Open the private chat", harness.room),),))
        )

        harness.inbox.private_chat_reply = Reply(secret=says("here is your hand", "6S"))
        await harness.opens_private(anna)
        await eventually(lambda: found(harness.sees_alone(anna), "here is your hand"))

        assert harness.inbox.private_chats_opened[-1].room == harness.room
        assert harness.inbox.private_chats_opened[-1].user.ref == anna

    async def test_a_slow_answer_to_one_person_delays_nobody_else(self, harness: Harness) -> None:
        anna = await harness.newcomer("Anna")
        boris = await harness.newcomer("Boris")
        _, seen = await posted(harness, says("table", "Go"))
        harness.inbox.slow_for = anna

        async with asyncio.TaskGroup() as tasks:
            waiting = tasks.create_task(harness.presses(anna, seen, "Go"))
            await eventually(lambda: harness.inbox.pressed)
            await harness.presses(boris, seen, "Go")
            assert not waiting.done()
            harness.inbox.may_answer.set()

        assert len(harness.inbox.pressed) == 2

    async def test_one_persons_commands_are_answered_in_their_order(self, harness: Harness) -> None:
        needs(harness, Trait.MESSAGES)
        anna = await harness.newcomer("Anna")

        async def answer(event: Command | Press) -> Reply:
            assert isinstance(event, Command)
            if event.args == ("week",):
                await asyncio.sleep(SLOW_SECONDS)
            return Reply(public=says(f"by {event.args[0]}"))

        harness.inbox.answer = answer
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(harness.types(anna, "/leaderboard week"))
            await eventually(lambda: harness.inbox.commands)
            tasks.create_task(harness.types(anna, "/leaderboard month"))

        await eventually(lambda: len(found(harness.room_sees(), "by ")) == 2)
        assert [seen.text for seen in found(harness.room_sees(), "by ")] == ["by week", "by month"]

    async def test_one_persons_presses_are_answered_in_their_order(self, harness: Harness) -> None:
        anna = await harness.newcomer("Anna")
        _, hand = await posted_privately(harness, anna, says("hand", "First", "Second"))

        async def answer(event: Command | Press) -> Reply:
            assert isinstance(event, Press)
            if event.token == "t:First":
                await asyncio.sleep(SLOW_SECONDS)
            return Reply(secret=says(f"after {event.token}", "First", "Second"))

        harness.inbox.answer = answer
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(harness.presses(anna, hand, "First"))
            await eventually(lambda: harness.inbox.pressed)
            tasks.create_task(harness.presses(anna, hand, "Second"))

        await eventually(lambda: len(harness.inbox.answers) == 2)
        assert [press.token for press, _, _ in harness.inbox.answers] == ["t:First", "t:Second"]
        await eventually(lambda: found(harness.sees_alone(anna)[-1:], "after t:Second"))
