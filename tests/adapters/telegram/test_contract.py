"""Telegram fulfils the contract of every chat."""

from tests.adapters.contract import (
    AnsweringContract,
    KeepingContract,
    PicturingContract,
    PortraitContract,
    SendingContract,
    TroubleContract,
)


class TestSending(SendingContract):
    pass


class TestAnswering(AnsweringContract):
    pass


class TestKeeping(KeepingContract):
    pass


class TestPicturing(PicturingContract):
    pass


class TestPortraits(PortraitContract):
    pass


class TestTrouble(TroubleContract):
    pass
