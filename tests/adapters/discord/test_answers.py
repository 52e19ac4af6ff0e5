"""The public answer to a slash command is a message of the channel: it can be changed, and found again."""

import pytest

from adapters.discord import replies
from adapters.discord.refs import guild_room
from adapters.port import Delivered, Delivery, Everyone, Gone, Lost, Reply, Throttled
from tests.adapters.contract import eventually
from tests.adapters.contract.steps import says
from tests.adapters.discord.harness import DiscordHarness
from tests.wire.discord import Fault, Interaction, Person, Right

CALLBACK = "/interactions/{interaction_id}/{interaction_token}/callback"


@pytest.fixture
def harness(harness: DiscordHarness) -> DiscordHarness:
    harness.inbox.reply = Reply(public=says("lobby", "Join"))
    return harness


async def opens(harness: DiscordHarness, person: Person) -> Interaction:
    """Types /durak, and waits until the answer is reported to the bot."""
    before = len(harness.inbox.shown_to_all)
    interaction = await person.commands("durak", in_=harness.channel)
    await eventually(lambda: len(harness.inbox.shown_to_all) > before)
    return interaction


def answer(harness: DiscordHarness) -> tuple[str, Delivery]:
    """Returns the key and the delivery of the newest answer."""
    command, reply, delivery = harness.inbox.shown_to_all[-1]
    assert reply is harness.inbox.reply
    return command.answer_key, delivery


def texts(harness: DiscordHarness) -> list[str]:
    return [seen.text for seen in harness.room_sees()]


async def test_the_answer_stands_alone_and_changes_like_any_message_when_its_token_has_expired(
    harness: DiscordHarness, anna: Person
) -> None:
    await opens(harness, anna)
    _, delivery = answer(harness)
    assert isinstance(delivery, Delivered)
    assert [message.text for message in anna.sees(harness.channel)] == ["lobby"]

    harness.server.state.token_lives = 0.0
    assert await harness.adapter.edit(delivery.ref, says("table", "My hand")) == delivery

    (seen,) = harness.room_sees()
    assert (seen.text, seen.labels) == ("table", ("My hand",))

    harness.inbox.reply = Reply()
    await harness.presses(next(iter(harness.people)), seen, "My hand")
    assert harness.inbox.pressed[0].message == delivery.ref
    assert await harness.adapter.delete(delivery.ref) == delivery
    assert not harness.room_sees()


async def test_one_request_shows_it(harness: DiscordHarness, anna: Person) -> None:
    before = len(harness.server.state.requests)
    await opens(harness, anna)
    assert [request.method for request in harness.server.state.requests[before:]] == ["POST"]


async def test_it_is_found_again_by_its_key_after_a_restart(harness: DiscordHarness, anna: Person) -> None:
    await opens(harness, anna)
    key, delivery = answer(harness)
    await opens(harness, anna)
    assert answer(harness)[0] != key
    await harness.restart()
    assert await harness.adapter.post(Everyone(harness.room), says("another"), key) == delivery
    assert texts(harness) == ["lobby", "lobby"]


async def test_an_answer_whose_receipt_got_lost_is_found_again(harness: DiscordHarness, anna: Person) -> None:
    harness.server.state.faults.add(Fault("POST", CALLBACK, hang_up="after"))
    await opens(harness, anna)
    key, delivery = answer(harness)
    assert isinstance(delivery, Throttled)
    found = await harness.adapter.post(Everyone(harness.room), says("lobby", "Join"), key)
    assert isinstance(found, Delivered)
    assert texts(harness) == ["lobby"]


@pytest.mark.parametrize("may_read_history", [True, False])
async def test_an_answer_that_never_arrived_is_posted_once(
    harness: DiscordHarness, anna: Person, *, may_read_history: bool
) -> None:
    if not may_read_history:
        harness.channel.bot_rights &= ~Right.READ_HISTORY

    harness.server.state.faults.add(Fault("POST", CALLBACK, hang_up="before"))
    await opens(harness, anna)
    key, delivery = answer(harness)
    assert isinstance(delivery, Throttled)

    first = await harness.adapter.post(Everyone(harness.room), says("lobby"), key)
    assert await harness.adapter.post(Everyone(harness.room), says("lobby"), key) == first
    assert texts(harness) == ["lobby"]


async def test_a_late_answer_is_found_again_too(
    harness: DiscordHarness, anna: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(replies, "DEFER_AFTER", 0.05)
    monkeypatch.setattr(harness.inbox, "command", harness.inbox.slow_command)

    await anna.commands("durak", in_=harness.channel)
    harness.inbox.may_answer.set()
    await eventually(lambda: harness.inbox.shown_to_all)

    key, delivery = answer(harness)
    assert isinstance(delivery, Delivered)
    assert await harness.adapter.post(Everyone(harness.room), says("lobby"), key) == delivery
    assert [message.text for message in anna.sees(harness.channel)] == ["lobby"]


async def test_an_answer_in_a_thread_changes_there(harness: DiscordHarness, anna: Person) -> None:
    thread = harness.server.state.channel(harness.guild, "game", harness.channel)
    await anna.commands("durak", in_=thread)
    await eventually(lambda: harness.inbox.shown_to_all)
    key, delivery = answer(harness)
    assert isinstance(delivery, Delivered)

    harness.server.community.archives(thread)
    assert await harness.adapter.edit(delivery.ref, says("table")) == delivery
    assert [message.text for message in thread.messages.values()] == ["table"]

    room = guild_room(harness.guild.id, harness.channel.id, thread.id)
    assert await harness.adapter.post(Everyone(room), says("another"), key) == delivery


async def test_where_the_bot_has_lost_its_rights_the_answer_is_lost(
    harness: DiscordHarness, anna: Person
) -> None:
    await opens(harness, anna)
    _, delivery = answer(harness)
    assert isinstance(delivery, Delivered)
    harness.channel.bot_rights = Right(0)
    edited = await harness.adapter.edit(delivery.ref, says("table"))
    assert isinstance(edited, Gone)
    assert edited.what is Lost.ROOM
