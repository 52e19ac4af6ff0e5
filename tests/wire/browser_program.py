"""A browser's program, which Playwright drives: it starts at the first need, and once."""

from abc import ABC, abstractmethod
from contextlib import AsyncExitStack
from dataclasses import dataclass

import pytest
from playwright.async_api import Browser as Engine
from playwright.async_api import BrowserContext, Playwright, ViewportSize, async_playwright


@dataclass(frozen=True)
class Device:
    """What a guest holds in their hands.

    Attributes:
        is_dark: Set to dark colours.
        is_calm: Set to show nothing that moves; most of what a game costs a browser is cards that fly.
        locale: The language that it is set to.
    """

    width: int
    height: int
    has_touch: bool = False
    is_dark: bool = False
    is_calm: bool = False
    locale: str = "en-US"


class BrowserProgram(ABC):
    """Chromium, Firefox or WebKit.

    Attributes:
        name: How people choose it.
        package: What installs it.
    """

    name: str
    package: str

    def __init__(self) -> None:
        self._playwright: Playwright | None = None
        self._engine: Engine | None = None
        self._exit = AsyncExitStack()

    async def engine(self, device: Device | None = None) -> Engine:
        """Returns Playwright's browser, which starts at the first need; skips the test if there is none."""
        if self._engine is None:
            self._engine = await self._start()
        return self._engine

    async def _start(self) -> Engine:
        if not self.is_there():
            pytest.skip(f"no browser to open the page in: {self.package}")
        if self._playwright is None:
            self._playwright = await self._exit.enter_async_context(async_playwright())
        engine = await self._launched(self._playwright)
        self._exit.push_async_callback(engine.close)
        return engine

    async def context(self, device: Device, *, installs: bool = False) -> BrowserContext:
        """Opens a fresh browser on a device; `installs`: it runs what works without network."""
        engine = await self.engine(device)
        return await engine.new_context(
            viewport=ViewportSize(width=device.width, height=device.height),
            has_touch=device.has_touch,
            is_mobile=device.has_touch,
            color_scheme="dark" if device.is_dark else "light",
            reduced_motion="reduce" if device.is_calm else "no-preference",
            locale=device.locale,
            service_workers="allow" if installs else "block",
        )

    async def stop(self) -> None:
        await self._exit.aclose()

    @abstractmethod
    def is_there(self) -> bool:
        """Returns whether it is installed."""

    @abstractmethod
    async def _launched(self, playwright: Playwright) -> Engine: ...
