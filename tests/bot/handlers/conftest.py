"""The same tests on chats that can answer a press alone and on chats that cannot."""

from dataclasses import replace

import pytest

from tests.bot.chat import Chat


@pytest.fixture(params=[True, False], ids=["alone", "for-all"])
def opens_alone(request: pytest.FixtureRequest, chat: Chat) -> bool:
    """Whether the chat can answer a press alone: if not, everyone sees what is open."""
    is_alone = bool(request.param)
    chat.limits = replace(chat.limits, ephemeral_answers=is_alone)
    return is_alone
