"""A browser's program, which Playwright drives: it starts at the first need, and once."""

from abc import ABC, abstractmethod
from contextlib import AsyncExitStack

from playwright.async_api import Browser as Engine
from playwright.async_api import Playwright, async_playwright


class BrowserProgram(ABC):
    """Chromium or Firefox."""

    def __init__(self) -> None:
        self._engine: Engine | None = None
        self._exit = AsyncExitStack()

    async def engine(self) -> Engine:
        """Return Playwright's browser, which starts at the first need."""
        if self._engine is None:
            playwright = await self._exit.enter_async_context(async_playwright())
            self._engine = await self._launched(playwright)
            self._exit.push_async_callback(self._engine.close)
        return self._engine

    async def stop(self) -> None:
        await self._exit.aclose()

    @abstractmethod
    async def _launched(self, playwright: Playwright) -> Engine: ...
