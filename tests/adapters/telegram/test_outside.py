"""Whole games in chats that the bot is no member of."""

import random

import pytest

from tests.adapters.contract import eventually
from tests.adapters.live_bot import LiveBot
from tests.e2e.game import play_on, press
from tests.e2e.telegram import Member
from tests.wire.telegram import Message, TelegramServer


class Pair:
    """Anna and Boris in their private chat, without the bot."""

    def __init__(self, server: TelegramServer) -> None:
        self.server = server
        self.anna = server.person("Anna")
        self.boris = server.person("Boris", language="de", started=False)
        self.chat = server.outside("Anna and Boris", self.anna, self.boris)
        self.members = [Member(server, self.chat, person) for person in (self.anna, self.boris)]

    async def the_table(self) -> Message:
        """Waits for the bot's only message in the chat."""
        await eventually(lambda: self.anna.sees(self.chat))
        (message,) = self.anna.sees(self.chat)
        return message


@pytest.fixture
def pair(server: TelegramServer) -> Pair:
    return Pair(server)


async def test_two_play_in_their_private_chat_in_one_message(bot: LiveBot, pair: Pair) -> None:
    pair.anna.mentions_bot("hand_size=12 throw_in=none", in_=pair.chat)
    table = await pair.the_table()
    await press(pair.members[1], "Join")
    await press(pair.members[0], "Start", "Start now")
    await play_on(pair.members, random.Random(5))
    await eventually(lambda: "Game 1 is over" in table.text or "🃏" in table.text)
    await press(pair.members[0], "Rematch")
    assert pair.anna.sees(pair.chat) == (table,)
    assert not bot.trouble
