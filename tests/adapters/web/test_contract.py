"""The local page fulfils the contract of every chat."""

from collections.abc import AsyncIterator

import pytest

from tests.adapters.contract import (
    AnsweringContract,
    KeepingContract,
    PicturingContract,
    PortraitContract,
    SendingContract,
    TroubleContract,
)
from tests.adapters.web.harness import WebHarness, web_harness


@pytest.fixture
async def harness() -> AsyncIterator[WebHarness]:
    async with web_harness() as harness:
        yield harness


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
