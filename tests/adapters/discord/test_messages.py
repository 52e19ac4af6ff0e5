"""Discord's refusals as outcomes of the port."""

import asyncio
import time
from typing import Any

import pytest

from adapters.discord import adapter
from adapters.discord.messages import RETRY_SECONDS
from adapters.discord.refs import MessageLocation, guild_room, user_ref
from adapters.port import (
    CallbackButton,
    Delivered,
    Delivery,
    Document,
    Everyone,
    Lost,
    NeedsOptIn,
    Only,
    PinTrouble,
    Reply,
    Screen,
    Span,
    Throttled,
)
from adapters.port.call_rate import MIN_CALL_RATE
from tests.adapters.contract import eventually
from tests.adapters.contract.steps import posted, posted_privately, says
from tests.adapters.discord.harness import DiscordHarness, adapter_for, harness_of, what
from tests.wire.discord import DiscordServer, Fault, Refusal, Right

POST = "/channels/{channel_id}/messages"
CALLBACK = "/interactions/{interaction_id}/{interaction_token}/callback"
EDIT = "/channels/{channel_id}/messages/{message_id}"
PIN = "/channels/{channel_id}/messages/pins/{message_id}"


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
    harness.server.state.faults.add(Fault("PATCH", EDIT, refusal))
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
    harness.server.state.faults.add(Fault("POST", POST, refusal))
    assert what(await harness.adapter.post(Only(anna, harness.room), says("hand"))) == outcome


@pytest.mark.parametrize("status", [403, 404])
async def test_a_proxys_page_says_nothing_about_people_and_rooms(
    harness: DiscordHarness, status: int
) -> None:
    anna = await harness.newcomer("Anna")
    for audience in (Only(anna, harness.room), Everyone(harness.room)):
        harness.server.state.faults.add(Fault("POST", POST, page=status))
        assert isinstance(await harness.adapter.post(audience, says("hand")), Throttled)

    _, seen = await posted_privately(harness, anna, says("hand", "Go"))
    harness.inbox.reply = Reply(secret=says("played"))
    harness.server.state.faults.add(Fault("POST", CALLBACK, page=status))
    harness.server.state.answer_within = 0.3
    await harness.presses(anna, seen, "Go")
    await eventually(lambda: harness.inbox.answers)
    assert isinstance(harness.inbox.answers[0][2], Throttled)


async def test_a_message_whose_receipt_cannot_be_read_is_there_once_and_can_be_changed(
    harness: DiscordHarness,
) -> None:
    def without_type(answer: dict[str, Any]) -> None:
        del answer["type"]

    for method, path in (("POST", POST), ("PATCH", EDIT)):
        harness.server.state.faults.add(Fault(method, path, spoils=without_type))

    delivery = await harness.adapter.post(Everyone(harness.room), says("table"))
    assert isinstance(delivery, Delivered)
    assert await harness.adapter.edit(delivery.ref, says("later")) == delivery
    assert [seen.text for seen in harness.room_sees()] == ["later"]


async def test_an_answer_whose_receipt_cannot_be_read_is_found_again_by_its_key(
    harness: DiscordHarness,
) -> None:
    def without_type(answer: dict[str, Any] | list[dict[str, Any]]) -> None:
        for message in answer if isinstance(answer, list) else [answer["resource"]["message"]]:
            del message["type"]

    anna = await harness.newcomer("Anna")
    harness.inbox.reply = Reply(public=says("lobby"))
    harness.server.state.faults.add(Fault("POST", CALLBACK, spoils=without_type))
    harness.server.state.faults.add(Fault("GET", POST, spoils=without_type))
    await harness.types(anna, "/durak")
    await eventually(lambda: harness.inbox.shown_to_all)
    command, _, delivery = harness.inbox.shown_to_all[0]
    assert isinstance(delivery, Throttled)

    found = await harness.adapter.post(Everyone(harness.room), says("lobby"), command.answer_key)
    assert isinstance(found, Delivered)
    assert [seen.text for seen in harness.room_sees()] == ["lobby"]


async def test_who_cannot_send_is_not_ready(harness: DiscordHarness) -> None:
    harness.server.state.faults.add(Fault("POST", POST, hang_up="before", times=3))
    for _ in range(3):
        assert harness.adapter.ready
        await harness.adapter.post(Everyone(harness.room), says("table"))

    assert not harness.adapter.ready
    await harness.adapter.post(Everyone(harness.room), says("table"))
    assert harness.adapter.ready


async def test_a_file_that_is_refused_is_apologised_for(harness: DiscordHarness) -> None:
    anna = await harness.newcomer("Anna")
    file = Document("all.csv", b"1,2", "The file can’t be sent here.")
    for harness.inbox.reply in (Reply(public=says("Results"), document=file), Reply(document=file)):
        harness.server.state.faults.add(Fault("POST", CALLBACK, Refusal.INVALID_FORM, says=b"1,2"))
        await harness.types(anna, "/rules")

    shown = [message.text for message in harness.people[anna].sees(harness.channel)]
    assert shown == ["Results\n\nThe file can’t be sent here.", "The file can’t be sent here."]


async def test_an_account_that_is_no_more_needs_to_opt_in(harness: DiscordHarness) -> None:
    nobody = user_ref(42)
    assert await harness.adapter.post(Only(nobody, harness.room), says("hand")) == NeedsOptIn(nobody)


@pytest.mark.parametrize("when", ["before", "after"])
async def test_a_broken_line_is_to_be_tried_again(harness: DiscordHarness, when: str) -> None:
    harness.server.state.faults.add(Fault("POST", POST, hang_up=when))
    assert await harness.adapter.post(Everyone(harness.room), says("table")) == Throttled(RETRY_SECONDS)


async def test_direct_messages_are_opened_once(harness: DiscordHarness) -> None:
    anna = await harness.newcomer("Anna")
    for number in range(3):
        assert isinstance(await harness.adapter.post(Only(anna, harness.room), says(str(number))), Delivered)
    opened = [
        request for request in harness.server.state.requests if request.path.endswith("/users/@me/channels")
    ]
    assert len(opened) == 1


async def test_a_person_of_long_ago_costs_a_question_and_no_memory(
    server: DiscordServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(adapter, "MAX_DM_CHANNELS", 3)
    more_than_the_library_keeps = 130
    async with harness_of(server) as harness:
        people = [await harness.newcomer("Person") for _ in range(more_than_the_library_keeps)]
        for person in (*people, people[-1], people[0]):
            assert isinstance(await harness.adapter.post(Only(person, harness.room), says("x")), Delivered)

    opened = [request for request in server.state.requests if request.path.endswith("/users/@me/channels")]
    assert len(opened) == more_than_the_library_keeps + 1


async def test_a_flood_in_one_room_is_heard_at_once_and_only_there(harness: DiscordHarness) -> None:
    other = harness.server.state.channel(harness.guild, "other")
    harness.server.state.limits.refuse(40.0, channel=harness.channel.id, times=2)
    began = time.monotonic()

    async with asyncio.TaskGroup() as tasks:
        flooded = [
            tasks.create_task(harness.adapter.post(Everyone(harness.room), says("x"))) for _ in range(2)
        ]
        free = tasks.create_task(
            harness.adapter.post(Everyone(guild_room(harness.guild.id, other.id)), says("y"))
        )

    assert [task.result() for task in flooded] == [Throttled(40.0)] * 2
    assert isinstance(free.result(), Delivered)
    assert time.monotonic() - began < 2


async def test_a_global_limit_is_an_outcome_too(harness: DiscordHarness) -> None:
    harness.server.state.limits.refuse(9.0, everywhere=True)
    assert await harness.adapter.post(Everyone(harness.room), says("x")) == Throttled(9.0)


async def test_a_global_limit_makes_the_whole_bot_rest_and_one_of_a_channel_does_not(
    harness: DiscordHarness,
) -> None:
    calls = harness.adapter.calls
    before = calls.rate
    harness.server.state.limits.refuse(9.0, channel=harness.channel.id)
    await harness.adapter.post(Everyone(harness.room), says("x"))
    assert calls.rate == before
    assert not calls.would_wait()

    harness.server.state.limits.refuse(9.0, everywhere=True)
    await harness.adapter.post(Everyone(harness.room), says("y"))
    assert calls.rate == MIN_CALL_RATE
    assert calls.would_wait()


async def test_an_empty_bucket_is_known_without_asking(harness: DiscordHarness) -> None:
    harness.server.state.limits.budget = (3, 1.5)
    ref, _ = await posted(harness, says("table"))
    outcomes = [await harness.adapter.edit(ref, says(str(number))) for number in range(6)]
    assert [isinstance(outcome, Delivered) for outcome in outcomes] == [True] * 3 + [False] * 3
    assert harness.server.state.limits.refused == 0
    assert isinstance(outcomes[-1], Throttled)
    await asyncio.sleep(outcomes[-1].retry_after + 0.05)
    assert await harness.adapter.edit(ref, says("at last")) == Delivered(ref)


async def test_a_post_that_discord_answers_with_an_error_is_not_doubled(harness: DiscordHarness) -> None:
    """Relies on the library's retry after a server error, with the same nonce."""
    harness.server.state.faults.add(Fault("POST", POST, Refusal.SERVER_ERROR))
    assert isinstance(await harness.adapter.post(Everyone(harness.room), says("table")), Delivered)
    assert len(harness.room_sees()) == 1


async def test_a_screen_of_another_kind_of_room_goes_to_its_thread(harness: DiscordHarness) -> None:
    thread = harness.server.state.channel(harness.guild, "game night", harness.channel)
    room = guild_room(harness.guild.id, harness.channel.id, thread.id)
    delivery = await harness.adapter.post(Everyone(room), says("table"))
    assert isinstance(delivery, Delivered)
    assert MessageLocation.of(delivery.ref).channel == thread.id
    assert harness.room_sees() == ()


async def test_only_the_meant_person_is_notified(harness: DiscordHarness) -> None:
    anna = await harness.newcomer("Anna")
    boris = await harness.newcomer("Boris")
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
    row = tuple(CallbackButton("same", label) for label in "ABC")
    _, seen = await posted(harness, Screen((Span("table"),), (row,)))
    anna = await harness.newcomer("Anna")
    for label in "ABC":
        await harness.presses(anna, seen, label)

    assert [press.token for press in harness.inbox.pressed] == ["same"] * 3


async def test_a_message_is_pinned_where_the_bot_may(harness: DiscordHarness) -> None:
    pin = harness.adapter.pin
    channel = harness.channel
    ref, _ = await posted(harness, says("table"))
    assert await pin(ref, is_pinned=True) is PinTrouble.NO_RIGHT
    assert channel.guild is not None

    channel.guild.everyone |= Right.PIN_MESSAGES
    channel.bot_rights |= Right.PIN_MESSAGES
    for _ in range(2):
        assert await pin(ref, is_pinned=True) is None
        assert [message.content for message in channel.pinned] == ["table"]

    for refusal, trouble in (
        (Refusal.TOO_MANY_PINS, PinTrouble.FULL),
        (Refusal.INVALID_FORM, PinTrouble.REFUSED),
    ):
        harness.server.state.faults.add(Fault("PUT", PIN, refusal))
        assert await pin(ref, is_pinned=True) is trouble

    harness.server.state.faults.add(Fault("DELETE", PIN, Refusal.UNAVAILABLE))
    assert isinstance(await pin(ref, is_pinned=False), Throttled)
    assert await pin(ref, is_pinned=False) is None
    assert not channel.pinned

    await harness.adapter.delete(ref)
    assert await pin(ref, is_pinned=True) is None
