"""Discord fulfils the contract of every chat."""

from tests.adapters.contract import (
    AnsweringContract,
    KeepingContract,
    PicturingContract,
    PortraitContract,
    SendingContract,
    TroubleContract,
)


class TestSending(SendingContract):
    """Messages."""


class TestAnswering(AnsweringContract):
    """Commands and presses."""


class TestKeeping(KeepingContract):
    """Documents."""


class TestPicturing(PicturingContract):
    """Pictures."""


class TestPortraits(PortraitContract):
    """Pictures of people."""


class TestTrouble(TroubleContract):
    """Blocked messages, floods, removals, lost connections, restarts."""
