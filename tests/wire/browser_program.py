"""A browser process driven by Playwright: started once, when it is first needed."""

from abc import ABC, abstractmethod
from contextlib import AsyncExitStack
from dataclasses import dataclass
from typing import Literal

import pytest
from playwright.async_api import Browser as Engine
from playwright.async_api import BrowserContext, Playwright, ViewportSize, async_playwright


@dataclass(frozen=True)
class Device:
    """The device of a guest.

    Attributes:
        is_dark: Whether it's set to dark colours.
        is_calm: Whether it's set to reduced motion; flying cards are most of a browser's work in a game.
        locale: Its language.
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
        name: The name that people choose it by.
        package: The command or package that installs it.
    """

    name: str
    package: str

    def __init__(self) -> None:
        self._playwright: Playwright | None = None
        self._engine: Engine | None = None
        self._exit = AsyncExitStack()

    async def engine(self, device: Device | None = None) -> Engine:
        """Starts Playwright's browser at the first need; skips the test if it is not installed."""
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
        """Opens a fresh context on a device; `installs`: service workers may run in it."""
        engine = await self.engine(device)
        colours: Literal["dark", "light"] = "dark" if device.is_dark else "light"
        motion: Literal["reduce", "no-preference"] = "reduce" if device.is_calm else "no-preference"
        workers: Literal["allow", "block"] = "allow" if installs else "block"

        return await engine.new_context(
            viewport=ViewportSize(width=device.width, height=device.height),
            has_touch=device.has_touch,
            is_mobile=device.has_touch,
            color_scheme=colours,
            reduced_motion=motion,
            locale=device.locale,
            service_workers=workers,
        )

    async def stop(self) -> None:
        await self._exit.aclose()

    @abstractmethod
    def is_there(self) -> bool:
        """Returns whether the browser is installed."""

    @abstractmethod
    async def _launched(self, playwright: Playwright) -> Engine: ...
