"""Answers to interactions: in time, once, and seen by the right people."""

import pytest
from structlog.testing import capture_logs

from adapters.discord import replies
from adapters.discord.refs import direct_room, guild_room
from adapters.port import (
    AddToGroupButton,
    Command,
    Delivered,
    Gone,
    Only,
    Picture,
    Reply,
    Screen,
    Span,
    Throttled,
)
from tests.adapters.contract import eventually
from tests.adapters.contract.steps import posted, posted_privately, says
from tests.adapters.discord.harness import DiscordHarness
from tests.wire.discord import Callback, Fault, Message, MessageFlag, Person, Refusal

CALLBACK = "/interactions/{interaction_id}/{interaction_token}/callback"
PNG = b"\x89PNG\r\n\x1a\n--not really--\r\n"


@pytest.fixture
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replies, "DEFER_AFTER", 0.05)


async def table(harness: DiscordHarness, *labels: str) -> Message:
    _, seen = await posted(harness, says("table", *labels))
    return harness.channel.messages[int(seen.key)]


async def hand(harness: DiscordHarness, person: Person) -> Message:
    ref = next(ref for ref, one in harness.people.items() if one is person)
    _, seen = await posted_privately(harness, ref, says("hand", "6S"))
    return person.direct_messages.messages[int(seen.key)]


# --- presses ----------------------------------------------------------------------------------------------


async def test_a_hand_is_updated_in_the_very_answer(harness: DiscordHarness, anna: Person) -> None:
    message = await hand(harness, anna)
    harness.inbox.reply = Reply(secret=Screen((Span("five cards"),), picture=Picture(PNG, "five")))
    interaction = await anna.presses(message, "6S")
    assert interaction.callback is Callback.UPDATE
    assert (message.text, message.attachments[0].content) == ("five cards", PNG)

    harness.inbox.reply = Reply(secret=says("four cards"))
    message.components = [
        {
            "type": 1,
            "id": 1,
            "components": [{"type": 2, "id": 2, "style": 2, "label": "6S", "custom_id": "x"}],
        }
    ]
    await anna.presses(message, "6S")
    assert (message.text, message.attachments, message.components) == ("four cards", [], [])


async def test_a_hand_is_ephemeral_and_later_presses_replace_it(
    harness: DiscordHarness, anna: Person
) -> None:
    message = await table(harness, "My hand")
    harness.inbox.reply = Reply(secret=says("six cards", "6S"))
    interaction = await anna.presses(message, "My hand")
    (hand,) = interaction.ephemeral
    assert interaction.callback is Callback.MESSAGE

    await eventually(lambda: harness.inbox.answers)
    harness.inbox.reply = Reply(secret=says("five cards", "7S"))
    again = await anna.presses(hand, "6S")
    assert again.callback is Callback.UPDATE
    assert (hand.text, hand.only) == ("five cards", anna.account)

    await eventually(lambda: len(harness.inbox.answers) == 2)
    (_, _, first), (press, _, second) = harness.inbox.answers
    assert first == second == Delivered(press.message)
    assert await harness.adapter.edit(press.message, says("late news")) == Delivered(press.message)
    assert hand.text == "late news"
    assert await harness.adapter.delete(press.message) == Delivered(press.message)
    assert hand.deleted


async def test_a_hand_in_a_deleted_channel_is_lost(harness: DiscordHarness, anna: Person) -> None:
    harness.inbox.reply = Reply(secret=says("six cards"))
    await anna.presses(await table(harness, "My hand"), "My hand")
    await eventually(lambda: harness.inbox.answers)
    delivery = harness.inbox.answers[0][2]
    assert isinstance(delivery, Delivered)
    harness.server.community.deletes_channel(harness.channel)
    assert isinstance(await harness.adapter.edit(delivery.ref, says("five cards")), Gone)


async def test_an_empty_reply_is_an_answer_too(harness: DiscordHarness, anna: Person) -> None:
    interaction = await anna.presses(await table(harness, "Go"), "Go")
    assert (interaction.callback, interaction.messages) == (Callback.DEFERRED_UPDATE, [])
    assert harness.inbox.answers == []


async def test_toast_and_private_reach_the_presser_and_public_the_room(
    harness: DiscordHarness, anna: Person
) -> None:
    harness.inbox.reply = Reply(toast="done", secret=says("hand"), public=says("for all"))
    interaction = await anna.presses(await table(harness, "Go"), "Go")
    await eventually(lambda: len(interaction.messages) == 3)
    assert [message.text for message in interaction.ephemeral] == ["hand", "done"]
    assert [seen.text for seen in harness.room_sees()] == ["table", "for all"]


@pytest.mark.usefixtures("hurried")
async def test_a_late_hand_still_replaces_the_message(harness: DiscordHarness, anna: Person) -> None:
    message = await hand(harness, anna)
    harness.inbox.reply = Reply(toast="sorry", secret=says("five cards"))
    harness.inbox.slow_for = next(iter(harness.people))
    interaction = await anna.presses(message, "6S")
    assert interaction.callback is Callback.DEFERRED_UPDATE

    harness.inbox.may_answer.set()
    await eventually(lambda: message.text == "five cards")
    await eventually(lambda: [message.text for message in interaction.ephemeral] == ["sorry"])
    await eventually(lambda: len(harness.inbox.answers) == 1)


@pytest.mark.usefixtures("hurried")
async def test_a_late_private_answer_is_still_ephemeral(harness: DiscordHarness, anna: Person) -> None:
    message = await table(harness, "My hand")
    harness.inbox.reply = Reply(secret=says("six cards"))
    harness.inbox.slow_for = next(iter(harness.people))
    interaction = await anna.presses(message, "My hand")
    harness.inbox.may_answer.set()
    await eventually(lambda: [message.text for message in interaction.ephemeral] == ["six cards"])
    assert message.text == "table"


async def test_an_answer_that_comes_too_late_leaves_the_hand_to_the_outbox(
    harness: DiscordHarness, anna: Person
) -> None:
    message = await hand(harness, anna)
    harness.inbox.reply = Reply(secret=says("five cards"))
    harness.server.state.faults.add(Fault("POST", CALLBACK, Refusal.UNKNOWN_INTERACTION))
    harness.server.state.answer_within = 0.2
    await anna.presses(message, "6S")
    await eventually(lambda: harness.inbox.answers)
    assert isinstance(harness.inbox.answers[0][2], Throttled)
    assert message.text == "hand"


async def test_two_processes_with_one_token_are_told_so(harness: DiscordHarness, anna: Person) -> None:
    message = await hand(harness, anna)
    harness.inbox.reply = Reply(secret=says("five cards"))
    harness.server.state.faults.add(Fault("POST", CALLBACK, Refusal.ALREADY_ANSWERED))
    harness.server.state.answer_within = 0.2

    with capture_logs() as lines:
        await anna.presses(message, "6S")
        await eventually(lambda: harness.inbox.answers)

    assert isinstance(harness.inbox.answers[0][2], Throttled)
    assert [line["why"] for line in lines] == ["another process may be using this token"]


async def test_a_lost_answer_is_not_given_twice(harness: DiscordHarness, anna: Person) -> None:
    message = await hand(harness, anna)
    harness.inbox.reply = Reply(secret=says("five cards"))
    harness.server.state.faults.add(Fault("POST", CALLBACK, hang_up="after"))
    interaction = await anna.presses(message, "6S")
    await eventually(lambda: harness.inbox.answers)
    assert isinstance(harness.inbox.answers[0][2], Throttled)
    assert interaction.followups == []


@pytest.mark.parametrize("token", ["\u0000" * 3, "m:1:2:" + "x" * 94, "+", "+5+", "нет\nтакой"])
async def test_a_forged_token_comes_through_as_it_is(
    harness: DiscordHarness, anna: Person, token: str
) -> None:
    harness.inbox.reply = Reply(toast="no")
    interaction = await anna.presses(await table(harness, "Go"), token, forged=True)
    assert [message.text for message in interaction.ephemeral] == ["no"]
    assert harness.inbox.pressed[0].token == token.removeprefix("+5+")


async def test_a_press_in_a_thread_names_the_thread(harness: DiscordHarness, anna: Person) -> None:
    thread = harness.server.state.channel(harness.guild, "game night", harness.channel)
    await anna.commands("hand", in_=thread)
    await eventually(lambda: harness.inbox.commands)
    assert harness.inbox.commands[0].room == guild_room(harness.guild.id, harness.channel.id, thread.id)


# --- commands ---------------------------------------------------------------------------------------------


async def test_a_command_in_direct_messages_is_answered_there(harness: DiscordHarness, anna: Person) -> None:
    harness.inbox.reply = Reply(secret=says("six cards"))
    interaction = await anna.commands("hand", in_=anna.direct_messages)
    room = direct_room(anna.account.id, anna.direct_messages.id)
    assert harness.inbox.commands[0].room == room
    assert [message.text for message in interaction.ephemeral] == ["six cards"]


async def test_everything_a_command_may_be_answered_with(harness: DiscordHarness, anna: Person) -> None:
    harness.inbox.reply = Reply(toast="note", secret=says("secret"), public=says("for all"))
    interaction = await anna.commands("rules", in_=harness.channel)
    await eventually(lambda: len(interaction.messages) == 3)
    assert [message.text for message in interaction.ephemeral] == ["secret", "note"]
    assert [seen.text for seen in harness.room_sees()] == ["for all"]


async def test_an_answer_can_offer_to_add_the_bot_to_another_server(
    harness: DiscordHarness, anna: Person
) -> None:
    offer = Screen((Span("Hi"),), ((AddToGroupButton("Add me"),),))
    harness.inbox.reply = Reply(secret=offer)
    interaction = await anna.commands("rules", in_=harness.channel)
    await eventually(lambda: len(interaction.messages) == 1)
    ((button,),) = (row["components"] for row in interaction.messages[0].components)
    assert (button["label"], str(harness.server.state.application) in button["url"]) == ("Add me", True)


async def test_a_command_without_reply_leaves_nothing_behind(harness: DiscordHarness, anna: Person) -> None:
    interaction = await anna.commands("hand", in_=harness.channel)
    assert interaction.callback is Callback.DEFERRED_MESSAGE
    await eventually(lambda: anna.sees(harness.channel) == [])


@pytest.mark.usefixtures("hurried")
@pytest.mark.parametrize("reply", [Reply(), Reply(toast="late"), Reply(secret=says("late"))])
@pytest.mark.parametrize("public", [None, says("for all")])
async def test_a_late_reply_to_a_command_is_filled_in(
    harness: DiscordHarness,
    anna: Person,
    reply: Reply,
    public: Screen | None,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def slowly(_: Command) -> Reply:
        await harness.inbox.may_answer.wait()
        return harness.inbox.reply

    harness.inbox.reply = Reply(reply.toast, reply.secret, public)
    monkeypatch.setattr(harness.inbox, "command", slowly)
    interaction = await anna.commands("rules", in_=harness.channel)
    assert interaction.callback is Callback.DEFERRED_MESSAGE
    assert interaction.original is not None
    assert MessageFlag.EPHEMERAL in interaction.original.flags

    harness.inbox.may_answer.set()
    wanted = ["late"] * (reply != Reply()) + ["for all"] * (public is not None)
    await eventually(lambda: sorted(message.text for message in anna.sees(harness.channel)) == sorted(wanted))
    assert [seen.text for seen in harness.room_sees()] == (["for all"] if public else [])


async def test_the_locale_of_the_asker_is_told(harness: DiscordHarness, anna: Person) -> None:
    anna.account.locale = "pt-BR"
    await anna.commands("hand", in_=harness.channel)
    assert harness.inbox.commands[0].user.locale == "pt"


async def test_a_mistake_in_the_bot_costs_one_answer_and_not_the_chat(
    harness: DiscordHarness, anna: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def broken(_: object) -> Reply:
        raise RuntimeError("a mistake")

    message = await table(harness, "Go")
    monkeypatch.setattr(harness.inbox, "press", broken)
    assert (await anna.presses(message, "Go")).callback is Callback.DEFERRED_UPDATE

    monkeypatch.undo()
    harness.inbox.reply = Reply(toast="here")
    assert (await anna.presses(message, "Go")).ephemeral[0].text == "here"


async def test_an_ephemeral_message_of_an_earlier_life_is_gone(harness: DiscordHarness, anna: Person) -> None:
    harness.inbox.reply = Reply(secret=says("six cards", "6S"))
    interaction = await anna.presses(await table(harness, "My hand"), "My hand")
    await eventually(lambda: harness.inbox.answers)
    delivery = harness.inbox.answers[0][2]
    assert isinstance(delivery, Delivered)

    await harness.restart()
    assert "MESSAGE" in str(await harness.adapter.edit(delivery.ref, says("x")))
    assert await harness.adapter.delete(delivery.ref) == delivery

    again = await anna.presses(interaction.ephemeral[0], "6S")
    assert again.callback is Callback.UPDATE


async def test_names_may_be_anything(harness: DiscordHarness, anna: Person) -> None:
    ref = next(iter(harness.people))
    for name in ("*bold*", "\u202eright", "🐊" * 64, "@everyone", " "):
        anna.account.name = name
        await anna.commands("hand", in_=harness.channel)
        assert harness.inbox.commands[-1].user.name == name
        seen = await posted_privately(harness, ref, Screen((Span("For "), Span(name), Span("!"))))
        assert name in seen[1].text

    assert isinstance(await harness.adapter.post(Only(ref, harness.room), says("")), Delivered)


async def test_a_forged_press_is_known_by_the_buttons_of_its_message(
    harness: DiscordHarness, anna: Person
) -> None:
    message = await table(harness, "Go")
    await anna.presses(message, "p:help", forged=True)
    await anna.presses(message, "Go")
    assert [press.is_shown for press in harness.inbox.pressed] == [False, True]
