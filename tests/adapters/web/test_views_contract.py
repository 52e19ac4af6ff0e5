"""A view of a live table fulfils the contract of every chat, as far as it has the same parts.

It has no pictures and no files; `VIEW_LIMITS` and `test_view_page.py` cover their replacements.
"""

from collections.abc import AsyncIterator

import pytest

from tests.adapters.contract import AnsweringContract, SendingContract, TroubleContract
from tests.adapters.web.view_harness import ViewHarness, view_harness


@pytest.fixture
async def harness() -> AsyncIterator[ViewHarness]:
    async with view_harness() as harness:
        yield harness


class TestSending(SendingContract):
    pass


class TestAnswering(AnsweringContract):
    pass


class TestTrouble(TroubleContract):
    pass
