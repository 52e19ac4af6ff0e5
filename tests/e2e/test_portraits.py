"""Portraits in a game: one player has a picture, one has none, and one's picture never arrives."""

import random
from collections.abc import Callable
from typing import cast

import pytest

from tests.adapters.contract.portraits import BLUE, RED, dots_like, square
from tests.e2e import discord, telegram
from tests.e2e.chats import Chat, Person
from tests.e2e.game import play_on, press, result, until
from tests.e2e.process import BotProcess
from tests.wire import discord as wire
from tests.wire.discord.server import AVATAR
from tests.wire.telegram import Message

pytestmark = [pytest.mark.slow, pytest.mark.parametrize("chat", ["telegram", "discord"], indirect=True)]

GAME = "/durak podkidnoy-24 throw_in=attacker"
NEVER = 3600.0  # seconds


def portray(person: Person, picture: bytes) -> None:
    """Gives a person a picture, as they do in the settings of their app."""
    if isinstance(person, discord.Member):
        person.person.account.avatar = picture
    else:
        cast("telegram.Member", person).person.photo = picture


def asked(chat: Chat) -> int:
    """Counts the requests about people: for avatars on Discord, those that were answered on Telegram."""
    if isinstance(chat, discord.Place):
        return len(chat.server.state.avatars_fetched)

    sent = cast("telegram.Group", chat).server.transcript.entries
    return [request.method for request in sent].count("getUserProfilePhotos")


def hang(chat: Chat) -> None:
    """Lets the next picture of a person never come."""
    if isinstance(chat, discord.Place):
        chat.server.state.faults.add(wire.Fault("GET", AVATAR, delay=NEVER))
    else:
        cast("telegram.Group", chat).server.faults.slow(NEVER, method="getUserProfilePhotos")


async def holds(count: Callable[[], bool]) -> bool | None:
    return count() or None


async def picture_of_the_result(person: Person) -> bytes | None:
    shown = await result(person)
    if shown is None:
        return None
    if isinstance(shown.message, wire.Message):
        return next((file.content for file in shown.message.files), None)
    return cast("Message", shown.message).picture


async def test_a_result_shows_who_has_a_picture_and_waits_for_nobodys(chat: Chat, bot: BotProcess) -> None:
    onlooker, anna, boris, clara = [await chat.newcomer(name) for name in ("Olga", "Anna", "Boris", "Clara")]
    for person in (onlooker, clara):
        portray(person, square(BLUE))
    portray(anna, square(RED))

    await onlooker.types("/help")
    await anna.types(GAME)
    await press(boris, "Join")
    before = 1 if isinstance(chat, discord.Place) else 2  # Boris has no avatar
    await until(lambda: holds(lambda: asked(chat) == before), "the pictures of those at the table")

    hang(chat)
    await press(clara, "Join")
    await press(anna, "Start")
    await play_on([anna, boris, clara], random.Random(1))

    picture = await until(lambda: picture_of_the_result(onlooker), "the picture of the result")
    assert dots_like(picture, RED) > 1000
    assert not dots_like(picture, BLUE)
    assert asked(chat) == 2  # nobody is asked about twice, and Olga not at all
