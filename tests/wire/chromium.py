"""One Chromium for many tests, as starting it takes longer than most of them.

Playwright lives on one event loop, so tests that share a Chromium share a loop. A folder of such tests has in
its conftest.py the fixture `chromium` and a call of `share_a_loop`, and its asynchronous fixtures are
made for that loop as well.
"""

import os
import shutil
from collections.abc import AsyncIterator, Iterable
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Browser as Engine
from playwright.async_api import Playwright

from tests.folders import is_below
from tests.wire.browser_program import BrowserProgram

# Debian's programs; the first one starts faster because it can't open a window.
WHOLE = "chromium"
PROGRAMS = ("chromium-headless-shell", WHOLE)


class Chromium(BrowserProgram):
    """Chromium without a window; Debian's if it is there, else Playwright's own."""

    name = "chromium"
    package = "apt install chromium-headless-shell, or playwright install chromium"

    def __init__(self) -> None:
        """Takes the name of the blocking one where Debian's whole Chromium is the only one there."""
        super().__init__()
        program = _debians()
        if program and Path(program).name == WHOLE:
            self.name = BlockingChromium.name

    def is_there(self) -> bool:
        homes = Path.home() / ".cache" / "ms-playwright"
        return _debians() is not None or any(homes.glob("chromium*"))

    async def _launched(self, playwright: Playwright) -> Engine:
        return await playwright.chromium.launch(executable_path=_debians(), args=["--no-sandbox"])


class BlockingChromium(Chromium):
    """Debian's whole Chromium, in which frames of other sites may keep nothing."""

    name = "blocking"
    package = f"apt install {WHOLE}"

    def is_there(self) -> bool:
        return shutil.which(WHOLE) is not None

    async def _launched(self, playwright: Playwright) -> Engine:
        return await playwright.chromium.launch(executable_path=shutil.which(WHOLE), args=["--no-sandbox"])


def _debians() -> str | None:
    """Returns the path of Debian's Chromium, if it is installed."""
    return next(filter(None, map(shutil.which, PROGRAMS)), None)


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def chromium() -> AsyncIterator[Chromium]:
    """Chromium, or the blocking browser if DURAK_BROWSER names it."""
    is_blocking = os.environ.get("DURAK_BROWSER") == BlockingChromium.name
    chromium = BlockingChromium() if is_blocking else Chromium()
    yield chromium
    await chromium.stop()


def share_a_loop(items: Iterable[pytest.Item], folder: Path) -> None:
    """Runs the asynchronous tests in this folder on one event loop."""
    for item in items:
        if is_below(folder, item.path) and pytest_asyncio.is_async_test(item):
            item.add_marker(pytest.mark.asyncio(loop_scope="session"), append=False)
