"""A room or person that refuses the bot's messages is retried, but not too often."""

from dataclasses import replace

import pytest

from adapters.port import Everyone, Only, RoomRef
from bot.delivery.reachability import ATTEMPTS
from bot.model.messages import MessageAction, MessageKind, TableSlot
from bot.model.table import Phase
from engine import Stop
from engine.runtime import Author
from tests.bot.chat import CELLAR, ROOM, own_room
from tests.bot.outbox_harness import OutboxHarness, says
from tests.bot.running_bot import ANNA, BORIS, SHORT_GAME, RunningBot


async def test_a_room_that_refuses_is_tried_again_after_longer_and_longer_pauses(
    harness: OutboxHarness,
) -> None:
    slot = await harness.public()
    harness.chat.banned.add(ROOM)
    await harness.shows(slot, says("first"))
    assert harness.verbs() == ["post"]

    for pause in (ATTEMPTS.first, 2 * ATTEMPTS.first, 4 * ATTEMPTS.first):
        await harness.skip(pause - 1)
        await harness.shows(slot, says(f"before {pause}"))
        assert harness.verbs() == []
        await harness.skip(1)
        assert harness.verbs() == ["post"]

    for _ in range(20):
        await harness.skip(ATTEMPTS.most)

    assert len(harness.verbs()) == 20
    harness.chat.banned.clear()
    await harness.skip(ATTEMPTS.most)
    assert harness.chat.room_sees()[0].text == "before 120.0"

    await harness.shows(slot, says("last"))
    assert harness.chat.room_sees()[0].text == "last"


async def test_all_tables_of_a_room_go_on_when_one_message_arrives(harness: OutboxHarness) -> None:
    slot = await harness.public()
    result = TableSlot(slot.table_id, 1, MessageKind.RESULT)
    harness.screens.audiences[result] = Everyone(ROOM)
    harness.chat.banned.add(ROOM)

    for each in (slot, result):
        await harness.shows(each, says(f"the {each.kind}"))

    assert harness.verbs() == ["post"]  # once for all of them
    harness.chat.banned.clear()
    await harness.skip(ATTEMPTS.first)

    assert len(harness.chat.room_sees()) == 2


async def test_a_message_that_cannot_be_removed_yet_is_removed_when_the_room_is_open_again(
    harness: OutboxHarness,
) -> None:
    call = await harness.public(kind=MessageKind.CALL)
    await harness.shows(call, says("we wait"))
    harness.chat.banned.add(ROOM)
    await harness.shows(call, MessageAction.REMOVE)
    assert harness.chat.room_sees()

    harness.chat.banned.clear()
    await harness.skip(ATTEMPTS.first)
    assert harness.chat.room_sees() == []


async def test_a_room_that_refused_is_open_again_though_its_messages_show_the_newest_already(
    harness: OutboxHarness,
) -> None:
    table = await harness.public()
    call = TableSlot(table.table_id, 1, MessageKind.CALL)
    harness.screens.audiences[call] = Everyone(ROOM)
    await harness.shows(table, says("the table"))
    await harness.shows(call, says("we wait"))

    harness.chat.banned.add(ROOM)
    await harness.shows(call, MessageAction.REMOVE)
    assert not harness.reachability.is_served(ROOM)
    harness.chat.banned.clear()
    await harness.skip(ATTEMPTS.first)
    assert harness.reachability.is_served(ROOM)


async def test_a_game_goes_on_by_itself_after_its_room_refused_some_other_post(bot: RunningBot) -> None:
    table = await bot.dealt(ANNA, BORIS)
    bot.chat.banned.add(ROOM)
    await bot.app.announcements.post(Everyone(ROOM), says("the week is over"))
    assert not bot.app.reachability.is_served(ROOM)

    bot.chat.banned.clear()
    await bot.skip(ATTEMPTS.first)
    await bot.skip(120.0)
    assert await bot.authors(table) == [Author.CLOCK]


async def test_what_a_room_refused_is_sent_when_it_opens_though_its_table_has_gone_on(
    harness: OutboxHarness,
) -> None:
    table = await harness.public()
    result = TableSlot(table.table_id, 1, MessageKind.RESULT)
    harness.screens.audiences[result] = Everyone(ROOM)
    harness.chat.banned.add(ROOM)
    await harness.shows(result, says("Boris is the fool"))

    del harness.screens.audiences[result]
    harness.chat.banned.clear()
    harness.reachability.mark_room_reachable(ROOM)
    await harness.settle()
    assert [message.text for message in harness.chat.room_sees()] == ["Boris is the fool"]


async def test_a_topic_that_refuses_closes_no_other(harness: OutboxHarness) -> None:
    topic = RoomRef(ROOM.server, ROOM.id, "7")
    general = await harness.public()
    other = await harness.public(topic)

    harness.chat.banned.add(ROOM)
    await harness.shows(general, says("refused"))
    await harness.shows(other, says("here"))

    assert [message.text for message in harness.chat.room_sees(topic)] == ["here"]
    assert harness.chat.room_sees() == []


async def test_a_table_in_a_room_that_refused_goes_on_by_itself(bot: RunningBot) -> None:
    """Covers a return without a public press; house players have moved in the meantime."""
    table = await bot.opened(ANNA)
    await bot.chat.presses(ANNA, bot.table_message().ref, "Add bot")
    await bot.settle()
    bot.chat.banned.add(ROOM)
    await bot.chat.presses(ANNA, bot.table_message().ref, "Start")
    await bot.settle()
    assert not bot.app.reachability.is_served(ROOM)

    bot.chat.banned.clear()
    await bot.skip(ATTEMPTS.first)
    assert bot.app.reachability.is_served(ROOM)

    version = (await bot.session(table)).version
    for _ in range(3):  # she may be the first, or the house player
        if await bot.waiting_seat(table) == 0:
            await bot.plays(table)
        await bot.skip(5)

    assert (await bot.session(table)).version > version
    assert "Ada" in bot.table_message().text


async def test_a_person_whose_messages_were_refused_is_tried_again_like_a_room(
    harness: OutboxHarness,
) -> None:
    hand = await harness.private()
    second = await harness.private(room=CELLAR)
    harness.chat.closed.add(ANNA.ref)

    for slot in (hand, second):
        await harness.shows(slot, says("cards"))

    assert harness.verbs() == ["post"]
    await harness.skip(ATTEMPTS.first)
    assert harness.verbs() == ["post"]

    harness.chat.closed.clear()
    await harness.skip(2 * ATTEMPTS.first - 1)
    assert harness.verbs() == []

    await harness.skip(1)
    assert len(harness.chat.sees_alone(ANNA)) == 2
    assert ANNA.ref not in harness.reachability.closed_people


@pytest.mark.parametrize("event", ["press", "command"])
async def test_who_acts_in_the_private_chat_is_written_to_again_at_once(bot: RunningBot, event: str) -> None:
    table = await bot.dealt(ANNA, BORIS)
    hand = bot.hand_message(ANNA)
    await bot.app.inbox.became_unreachable(ANNA.ref)
    await bot.plays(table)
    await bot.settle()

    if event == "press":
        await bot.chat.presses(ANNA, hand.ref, "⇅")
    else:
        await bot.chat.types(ANNA, "/help", own_room(ANNA))

    await bot.settle()
    assert ANNA.ref not in bot.app.reachability.closed_people
    assert bot.hand_message(ANNA).text != hand.text


@pytest.mark.parametrize("stands_in_room", [True, False])
async def test_players_are_told_in_private_that_the_room_of_their_game_was_deleted(
    bot: RunningBot, *, stands_in_room: bool
) -> None:
    bot.chat.limits = replace(bot.chat.limits, ephemeral_seconds=840.0)
    table = await bot.dealt(ANNA, BORIS)
    if stands_in_room:
        await bot.chat.presses(ANNA, bot.table_message().ref, "My hand")
        await bot.settle()

    bot.chat.banned.add(ROOM)
    await bot.app.inbox.room_deleted(ROOM)
    await bot.settle()

    texts = [message.text for message in bot.chat.sees_alone(ANNA) if isinstance(message.audience, Only)]
    assert texts == ["The chat of this game was deleted: it has no result."]
    assert (await bot.app.tables.table(table.id)).stopped is Stop.DELETION


async def test_a_deleted_topic_closes_no_table_beside_it(bot: RunningBot) -> None:
    topic = RoomRef(ROOM.server, ROOM.id, "7")
    beside = await bot.dealt(ANNA, BORIS)
    inside = await bot.dealt(ANNA, BORIS, room=topic)
    await bot.app.inbox.room_deleted(topic)
    phases = [(await bot.app.tables.table(each.id)).phase for each in (beside, inside)]
    assert phases == [Phase.PLAYING, Phase.CLOSED]


async def test_a_hand_in_a_room_that_takes_no_messages_any_more_moves_to_the_private_chat(
    bot: RunningBot,
) -> None:
    bot.chat.limits = replace(bot.chat.limits, ephemeral_seconds=840.0)
    table = await bot.dealt(ANNA, BORIS, rules=SHORT_GAME)
    await bot.chat.presses(ANNA, bot.table_message().ref, "My hand")
    await bot.settle()

    bot.chat.banned.add(ROOM)
    await bot.app.inbox.became_unreachable(ROOM)
    await bot.plays(table)
    await bot.settle()

    (hand,) = [message for message in bot.chat.sees_alone(ANNA) if isinstance(message.audience, Only)]
    assert not hand.text.startswith("Your cards moved to the table")
