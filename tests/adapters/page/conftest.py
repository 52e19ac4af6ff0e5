"""A served page and a browser, both on the event loop that these tests share."""

import os
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from tests.adapters.web.site import Site, web_site
from tests.folders import is_below
from tests.wire.browser import Browser
from tests.wire.browser_program import BrowserProgram
from tests.wire.chromium import BlockingChromium, Chromium, share_a_loop
from tests.wire.firefox import Firefox
from tests.wire.webkit import WebKit

PROGRAMS = {program.name: program for program in (Chromium, BlockingChromium, Firefox, WebKit)}


PART = os.environ.get("DURAK_PART", "")  # as in 2/12, which is one of the parts 0/12 to 11/12


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Keeps one part of these tests if DURAK_PART names one, such as every twelfth test."""
    folder = Path(__file__).parent
    share_a_loop(items, folder)
    if not PART:
        return

    number, parts = map(int, PART.split("/"))
    own = [item for item in items if is_below(folder, item.path)]
    left_out = {item for place, item in enumerate(own) if place % parts != number}
    config.hook.pytest_deselected(items=list(left_out))
    items[:] = [item for item in items if item not in left_out]


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def program() -> AsyncIterator[BrowserProgram]:
    """Chromium, or the browser that DURAK_BROWSER names."""
    program = PROGRAMS[os.environ.get("DURAK_BROWSER", "chromium")]()
    yield program
    await program.stop()


@pytest_asyncio.fixture(loop_scope="session")
async def blocking_browser() -> AsyncIterator[Browser]:
    """A browser in which frames of other sites may keep nothing."""
    program = BlockingChromium()
    try:
        async with Browser(program) as browser:
            yield browser
    finally:
        await program.stop()


@pytest_asyncio.fixture(loop_scope="session")
async def site() -> AsyncIterator[Site]:
    async with web_site() as site:
        yield site


@pytest_asyncio.fixture(loop_scope="session")
async def browser(program: BrowserProgram) -> AsyncIterator[Browser]:
    async with Browser(program) as browser:
        yield browser
