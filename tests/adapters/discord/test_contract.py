"""Discord keeps the contract of every chat."""

from adapters.port import CallbackButton, PrivateChatButton, Screen, Span
from tests.adapters.contract import (
    AnsweringContract,
    Harness,
    KeepingContract,
    PicturingContract,
    SendingContract,
    TroubleContract,
)
from tests.adapters.contract.steps import posted


class TestSending(SendingContract):
    """Messages."""


class TestAnswering(AnsweringContract):
    """Commands and presses."""

    async def test_opening_the_private_chat_is_reported(self, harness: Harness) -> None:
        """Omits the button to the private chat, since players on Discord need not open theirs."""
        way = PrivateChatButton("Open the private chat", harness.room)
        _, seen = await posted(harness, Screen((Span("open"),), ((way,), (CallbackButton("t:1", "Go"), way))))
        assert seen.buttons == (("Go",),)


class TestKeeping(KeepingContract):
    """Documents."""


class TestPicturing(PicturingContract):
    """Pictures."""


class TestTrouble(TroubleContract):
    """Blocked messages, floods, removals, lost connections, restarts."""
