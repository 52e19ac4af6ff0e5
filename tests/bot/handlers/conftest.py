"""The same tests on chats with ephemeral answers to presses, and on chats without."""

from dataclasses import replace

import pytest

from tests.bot.chat import Chat


@pytest.fixture(params=[True, False], ids=["alone", "for-all"])
def opens_alone(request: pytest.FixtureRequest, chat: Chat) -> bool:
    """Returns whether the chat answers presses ephemerally: if not, everyone sees an open panel."""
    is_alone = bool(request.param)
    chat.limits = replace(chat.limits, ephemeral_answers=is_alone)
    return is_alone
