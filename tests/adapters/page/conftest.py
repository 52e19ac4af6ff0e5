"""A page that is served, and a browser; both on the event loop that these tests share."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from tests.adapters.web.site import Site, web_site
from tests.wire.browser import Browser
from tests.wire.chromium import Chromium, chromium, share_a_loop

__all__ = ["chromium"]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    share_a_loop(items, Path(__file__).parent)


@pytest_asyncio.fixture(loop_scope="session")
async def site() -> AsyncIterator[Site]:
    async with web_site() as site:
        yield site


@pytest_asyncio.fixture(loop_scope="session")
async def browser(chromium: Chromium) -> AsyncIterator[Browser]:
    async with Browser(chromium) as browser:
        yield browser
