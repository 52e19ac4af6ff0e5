"""The whole bot on a server that fails as Discord does."""

import asyncio
from collections.abc import AsyncIterator
from datetime import timedelta
from functools import partial
from pathlib import Path

import pytest

from adapters.discord import DiscordAdapter
from bot.app import REGISTRY
from tests.adapters.contract import eventually
from tests.adapters.live_bot import (
    REPLAYS,
    LiveBot,
    after_the_game,
    half_an_hour_passes,
    live_bot,
    look_back_alone,
    look_back_together,
    pins_a_table,
    rings_for_the_next_game,
)
from tests.e2e.discord import Member
from tests.wire.discord import TOKEN, Channel, DiscordServer, Fault, Message, Person, Right

pytestmark = pytest.mark.slow  # the server makes the bot wait as the real one does

MESSAGES = "/channels/{channel_id}/messages"


def labels(message: Message) -> list[str]:
    return [button["label"] for row in message.rows for button in row]


@pytest.fixture
async def bot(
    server: DiscordServer, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> AsyncIterator[LiveBot]:
    adapter = DiscordAdapter(
        TOKEN, commands=REGISTRY.announced(), api_url=server.api_url, gateway_url=server.gateway_url
    )
    async with live_bot(adapter, tmp_path, caplog) as bot:
        yield bot


@pytest.fixture
def channel(server: DiscordServer) -> Channel:
    return server.state.channel(server.state.guild("Friends", server.person("Owner").account), "cards")


@pytest.fixture
def anna(server: DiscordServer, channel: Channel) -> Person:
    person = server.person("Anna")
    assert channel.guild is not None
    channel.guild.add_member(person.account)
    return person


async def test_a_hand_whose_arrival_was_never_heard_of_is_served_and_stays_alone(
    channel: Channel, anna: Person, server: DiscordServer, bot: LiveBot
) -> None:
    server.state.nonce_lives = timedelta(0)  # as after some minutes without a line
    server.state.faults.add(Fault("POST", MESSAGES, hang_up="after"))
    await anna.commands("durak", in_=channel, preset="bots")
    await eventually(lambda: len(anna.sees_alone()) == 2, within=20.0)
    lost, _ = anna.sees_alone()

    await anna.presses(lost, "⇅ By suit")
    await eventually(lambda: anna.sees_alone() == [lost] and "⇅ By rank" in labels(lost))
    await anna.presses(lost, "⇅ By rank")
    await eventually(lambda: anna.sees_alone() == [lost] and "⇅ By suit" in labels(lost))


async def test_who_presses_under_a_result_is_answered_alone(
    channel: Channel, anna: Person, server: DiscordServer, bot: LiveBot
) -> None:
    boris = server.person("Boris")
    assert channel.guild is not None
    channel.guild.add_member(boris.account)
    await look_back_together(*(Member(server, channel, person) for person in (anna, boris)))
    assert not bot.trouble


async def test_who_presses_under_a_result_in_private_keeps_the_result(
    anna: Person, server: DiscordServer, bot: LiveBot
) -> None:
    await look_back_alone(Member(server, anna.direct_messages, anna))
    assert not bot.trouble


async def test_who_takes_no_direct_messages_plays_in_the_channel_without_one_being_tried(
    channel: Channel, anna: Person, server: DiscordServer, bot: LiveBot
) -> None:
    boris = server.person("Boris")
    assert channel.guild is not None

    channel.guild.add_member(boris.account)
    for person in (anna, boris):
        person.account.accepts_direct_messages = False

    await anna.commands("durak", in_=channel)
    await eventually(lambda: boris.sees(channel))
    (table,) = boris.sees(channel)
    await boris.presses(table, "Join")
    await eventually(lambda: "Start" in labels(table))
    await anna.presses(table, "Start")

    def has_cards(person: Person) -> bool:
        read = [alt for message in person.sees(channel) for alt in message.alternative_texts]
        return any("Your 6 cards" in alt for alt in read)

    await eventually(lambda: has_cards(anna) and has_cards(boris))
    await asyncio.sleep(0.5)  # a direct message would go out at once
    assert 403 not in [request.status for request in server.state.requests]


async def test_what_happens_after_a_game(
    channel: Channel, anna: Person, server: DiscordServer, bot: LiveBot
) -> None:
    boris = server.person("Boris")
    assert channel.guild is not None

    channel.guild.add_member(boris.account)
    await after_the_game(bot, *(Member(server, channel, person) for person in (anna, boris)))
    (film,) = [
        message
        for message in boris.sees(channel)
        if "durak.gif" in [attachment.filename for attachment in message.attachments]
    ]
    assert [button.get("url", "").startswith(REPLAYS) for button in film.buttons] == [True, False]

    await boris.presses(film, "Withdraw the link")
    await eventually(lambda: any("leads nowhere" in message.text for message in boris.sees(channel)))
    assert not any("leads nowhere" in message.text for message in anna.sees(channel))

    await boris.commands("stop", in_=channel)
    await anna.chooses("Invite to Durak", boris, in_=channel)
    await eventually(lambda: [message for message in boris.sees(channel) if "invites you" in message.text])
    assert any("1 seat kept: Boris" in message.text for message in boris.sees(channel))

    kitchen = server.state.channel(channel.guild, "kitchen")
    await half_an_hour_passes(bot)
    await anna.commands("durak", in_=kitchen, friend=boris)
    await eventually(lambda: [message for message in boris.sees(kitchen) if "invites you" in message.text])
    lobby, call = boris.sees(kitchen)
    assert "1 seat kept: Boris" in lobby.text
    assert call.notified == {boris.account.id}

    await anna.commands("fool", in_=channel, what="add", fool=boris)
    await eventually(lambda: "Boris is the fool" in boris.sees(channel)[-1].text)
    entered = boris.sees(channel)[-1]
    await boris.presses(entered, "That’s right")
    await eventually(lambda: labels(entered) == ["That’s wrong"])
    assert not bot.trouble


async def test_a_table_is_pinned(channel: Channel, anna: Person, server: DiscordServer, bot: LiveBot) -> None:
    guild = channel.guild
    assert guild is not None
    guild.members[anna.account.id] = Right.MODERATOR
    server.community.changes_everyone(guild, guild.everyone | Right.PIN_MESSAGES)

    lets_pin = partial(server.community.lets_bot_pin, channel, is_allowed=True)
    switches_on = partial(anna.commands, "settings", in_=channel, change="pins on")
    await pins_a_table(bot, Member(server, channel, anna), switches_on, lets_pin, lambda: channel.pinned)


async def test_a_button_switches_no_news_on_where_the_bot_may_not_post(
    channel: Channel, anna: Person, server: DiscordServer, bot: LiveBot
) -> None:
    assert channel.guild is not None
    channel.guild.members[anna.account.id] = Right.MODERATOR
    await anna.commands("settings", in_=channel, change="week")
    await eventually(anna.sees_alone)
    (panel,) = anna.sees_alone()

    server.community.forbids_writing(channel)
    pressed = await anna.presses(panel, "on")
    (refusal,) = pressed.ephemeral
    assert "I need the right “Send Messages”." in refusal.text

    server.community.allows_writing(channel)
    await anna.presses(panel, "on")
    await eventually(lambda: any("Week in review: on" in label for label in labels(panel)))
    assert not bot.trouble


async def test_panels_are_gone_once_they_are_closed_or_of_no_more_use(
    channel: Channel, anna: Person, server: DiscordServer, bot: LiveBot
) -> None:
    boris = server.person("Boris")
    assert channel.guild is not None
    channel.guild.add_member(boris.account)
    await anna.commands("durak", in_=channel)
    await eventually(lambda: anna.sees(channel))
    (lobby,) = anna.sees(channel)
    await boris.presses(lobby, "Join")

    def panel(label: str) -> Message | None:
        return next((each for each in anna.sees_alone() if label in labels(each)), None)

    for _ in range(2):
        await anna.presses(lobby, "Settings")
        await eventually(lambda: panel("OK"))
        opened = panel("OK")
        assert opened is not None
        await anna.presses(opened, "OK")
        await eventually(lambda: panel("OK") is None)

    await anna.presses(lobby, "Settings")
    await eventually(lambda: panel("OK"))
    await anna.presses(lobby, "Start")
    await eventually(lambda: panel("OK") is None)
    assert not bot.trouble


async def test_the_next_game_rings_for_a_hand_in_the_channel(
    channel: Channel, anna: Person, server: DiscordServer, bot: LiveBot
) -> None:
    boris = server.person("Boris")
    assert channel.guild is not None
    channel.guild.add_member(boris.account)

    def room() -> list[str]:
        return ["\n".join([message.text, *message.alternative_texts]) for message in anna.sees(channel)]

    members = (Member(server, channel, person) for person in (anna, boris))
    await rings_for_the_next_game(bot, next(members), next(members), room)
