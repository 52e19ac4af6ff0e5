"""A plain chat fulfils the contract of every chat."""

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
from tests.adapters.plain.harness import PlainHarness, plain_harness


@pytest.fixture
async def harness() -> AsyncIterator[PlainHarness]:
    async with plain_harness() as harness:
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
