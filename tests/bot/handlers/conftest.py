"""The same tests on chats with ephemeral answers to presses, and on chats without."""

from dataclasses import replace

import pytest

from adapters.port import PrivateChat
from tests.bot.chat import Chat


@pytest.fixture(params=[True, False], ids=["alone", "for-all"])
def opens_alone(request: pytest.FixtureRequest, chat: Chat) -> bool:
    """Returns whether the chat answers presses ephemerally: if not, everyone sees an open panel."""
    is_alone = bool(request.param)
    private_chat = PrivateChat.IN_THE_ROOM if is_alone else PrivateChat.BEHIND_A_STEP
    chat.limits = replace(chat.limits, private_chat=private_chat)
    return is_alone
